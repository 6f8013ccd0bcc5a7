package xmltree

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// Document is a document of records.
type Document struct {
	// Name stands in messages: a file or an address.
	Name   string
	Limits source.Limits
	// Take tells which elements are records; Each gets each of them with its place.
	Take func(xml.Name) bool
	Each func(n *Node, place string) error
	// Enter, if given, is told of each element around the records.
	Enter func(*Node)
	// What says what the records are, for a document that has none; "" is a
	// document that may be without.
	What, Remedy string
}

// Read takes the records of a document. What is wrong with it is rejected with
// its line; the error is that of reading, of Each or of reject. n counts the
// records, and broken tells that there may have been more.
func (d *Document) Read(ctx context.Context, r io.Reader, reject func(source.Rejection) error) (n int, broken bool, err error) {
	s, err := source.NewStream(r, d.Name, d.Limits)
	if err != nil {
		return 0, false, err
	}
	root := ""
	x := New(s, d.Limits.OrDefault().Record)
	x.Take = d.Take
	x.Enter = func(at *Node) {
		if root == "" {
			root = at.Name
		}
		if d.Enter != nil {
			d.Enter(at)
		}
	}
	for ctx.Err() == nil {
		node, err := x.Next()
		var fault *Error
		switch {
		case errors.Is(err, io.EOF) && s.Problem() != nil:
			return n, true, reject(*s.Problem())
		case errors.Is(err, io.EOF):
			return n, false, d.none(n, root, reject)
		case errors.As(err, &fault) && fault.Passed:
			n++
			err = reject(source.Rejection{Place: d.place(fault.Line), Code: source.CodeRecordTooLarge, Reason: "the record is longer than the limit", Remedy: "shorten the record"})
		case errors.As(err, &fault):
			return n, true, d.fault(s, fault, reject)
		case err == nil:
			n++
			err = d.Each(node, d.place(node.Line))
		}
		if err != nil {
			return n, true, err
		}
	}
	return n, true, fmt.Errorf("read %s: %w", d.Name, ctx.Err())
}

func (d *Document) place(line int) string { return fmt.Sprintf("%s:%d", d.Name, line) }

// fault rejects what is broken; a stream that broke off says so itself.
func (d *Document) fault(s *source.Stream, fault *Error, reject func(source.Rejection) error) error {
	if p := s.Problem(); p != nil {
		return reject(*p)
	}
	return reject(source.Rejection{Place: d.place(fault.Line), Code: source.CodeBrokenXML, Reason: fault.Error(), Remedy: "publish well-formed XML"})
}

func (d *Document) none(n int, root string, reject func(source.Rejection) error) error {
	if n > 0 || d.What == "" {
		return nil
	}
	reason := "the document is empty"
	if root != "" {
		reason = fmt.Sprintf("the document begins with <%s> and holds no %s", root, d.What)
	}
	return reject(source.Rejection{Place: d.Name, Code: source.CodeNoRecords, Reason: reason, Remedy: d.Remedy})
}

// File tells by its name that a file holds XML: .xml, perhaps with .gz.
func File(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	return !strings.HasPrefix(name, ".") && strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".xml")
}
