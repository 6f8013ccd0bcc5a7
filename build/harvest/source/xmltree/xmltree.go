// Package xmltree reads XML of strangers: the elements that are asked for come
// one after the other as trees, bounded in size and depth, however long the
// document around them is. Declarations of document types are refused and
// nothing outside the document is ever read.
package xmltree

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// Node is an element with what it holds.
type Node struct {
	// Space is the namespace, Name the name without prefix.
	Space, Name string
	Attrs       []xml.Attr
	// Text is the text directly within the element.
	Text     string
	Children []*Node
	// Line is where the element begins.
	Line int
}

// Attr is the value of the attribute with a local name, "" if there is none.
// Attributes without a namespace come before others.
func (n *Node) Attr(local string) string {
	value := ""
	for _, a := range n.Attrs {
		if a.Name.Local == local && a.Name.Space == "" {
			return a.Value
		}
		if a.Name.Local == local {
			value = cmp.Or(value, a.Value)
		}
	}
	return value
}

// Bounds of what is read.
const (
	// depthMax is how deep elements may nest within a document.
	depthMax = 200
	// attrsMax is how many attributes an element may have.
	attrsMax = 1000
)

// The faults of documents. All are wrapped in an Error.
var (
	// ErrTooLong is an element or a single token beyond the limit.
	ErrTooLong = errors.New("it is longer than the limit of a record")
	// ErrTooDeep is an element within too many others.
	ErrTooDeep = fmt.Errorf("the elements are nested more than %d deep", depthMax)
	// ErrHTML is a page for people.
	ErrHTML = errors.New("it is a page of HTML, not a document of records")
	// ErrDoctype is a document that declares its type.
	ErrDoctype = errors.New("a declaration of the document type is not read")
)

// Error is a fault with its line.
type Error struct {
	Line int
	Err  error
	// Passed tells that only one element was passed over; one can read on.
	Passed bool
}

// Error implements error.
func (e *Error) Error() string {
	var s *xml.SyntaxError
	switch {
	case errors.As(e.Err, &s):
		return "the XML is broken: " + s.Msg
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		return "the XML ends before its end"
	}
	return e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Reader reads the elements of a document.
type Reader struct {
	// Take tells which elements are wanted whole. Elements around them are
	// passed to Enter.
	Take func(xml.Name) bool
	// Enter, if given, is told of each element that begins around the wanted ones.
	Enter func(*Node)

	dec   *xml.Decoder
	bytes *meter
	limit int
	depth int
}

// New reads from r. No element that is taken, and no single token, may be
// longer than limit bytes.
func New(r io.Reader, limit int) *Reader {
	x := &Reader{bytes: &meter{r: r, left: limit}, limit: limit}
	x.dec = xml.NewDecoder(x.bytes)
	x.dec.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-16") {
			return r, nil // the stream has decoded it by its byte order mark
		}
		in, err := charset.NewReaderLabel(label, r)
		if err != nil {
			return nil, fmt.Errorf("unknown encoding %q", label)
		}
		return in, nil
	}
	return x
}

// Next is the next wanted element. io.EOF is the end. An *Error is a fault of
// the document, after which one can read on only if it was Passed; any other
// error is what the reader below said.
func (x *Reader) Next() (*Node, error) {
	for {
		token, err := x.token()
		if errors.Is(err, io.EOF) && x.depth == 0 {
			return nil, io.EOF
		}
		if err != nil {
			return nil, x.fault(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := x.down(&t); err != nil {
				return nil, x.fault(err)
			}
			if x.Take(t.Name) {
				return x.tree(&t)
			}
			if x.Enter != nil {
				x.Enter(x.node(&t))
			}
		case xml.EndElement:
			x.depth--
		}
	}
}

// token reads a token within its bound.
func (x *Reader) token() (xml.Token, error) {
	x.bytes.left = x.limit
	t, err := x.dec.Token()
	if d, ok := t.(xml.Directive); ok && err == nil {
		if strings.HasPrefix(strings.ToLower(string(d)), "doctype html") {
			return nil, ErrHTML
		}
		return nil, ErrDoctype
	}
	return t, err
}

func (x *Reader) down(t *xml.StartElement) error {
	if x.depth++; x.depth > depthMax {
		return ErrTooDeep
	}
	if len(t.Attr) > attrsMax {
		return fmt.Errorf("the element %s has more than %d attributes", t.Name.Local, attrsMax)
	}
	return nil
}

func (x *Reader) node(t *xml.StartElement) *Node {
	line, _ := x.dec.InputPos()
	n := &Node{Space: t.Name.Space, Name: t.Name.Local, Line: line}
	for _, a := range t.Attr {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
			n.Attrs = append(n.Attrs, a)
		}
	}
	return n
}

// openElement is an element on the way to its end.
type openElement struct {
	n    *Node
	text []byte
}

// tree reads the rest of an element that has begun.
func (x *Reader) tree(t *xml.StartElement) (*Node, error) {
	root := x.node(t)
	open, from := []openElement{{n: root}}, x.dec.InputOffset()
	for len(open) > 0 {
		token, err := x.token()
		if err != nil {
			return nil, x.fault(err)
		}
		long := x.dec.InputOffset()-from > int64(x.limit)
		top := &open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if err := x.down(&t); err != nil {
				return nil, x.fault(err)
			}
			n := top.n // one that is too long is followed, not kept
			if !long {
				n = x.node(&t)
				top.n.Children = append(top.n.Children, n)
			}
			open = append(open, openElement{n: n})
		case xml.CharData:
			if !long {
				top.text = append(top.text, t...)
			}
		case xml.EndElement:
			x.depth--
			top.n.Text = string(top.text)
			open = open[:len(open)-1]
		}
	}
	if x.dec.InputOffset()-from > int64(x.limit) {
		return nil, &Error{Line: root.Line, Err: ErrTooLong, Passed: true}
	}
	return root, nil
}

// fault puts the line to an error of the document; those of the reader below
// stay as they are.
func (x *Reader) fault(err error) error {
	if x.bytes.err != nil {
		return x.bytes.err
	}
	var s *xml.SyntaxError
	if errors.Is(err, io.EOF) || errors.As(err, &s) && s.Msg == "unexpected EOF" {
		err = io.ErrUnexpectedEOF
	}
	line, _ := x.dec.InputPos()
	return &Error{Line: line, Err: err}
}

// meter bounds what one token may take.
type meter struct {
	r    io.Reader
	buf  [4096]byte
	at   int
	n    int
	left int
	// err is what the reader below failed with.
	err error
}

// ReadByte implements io.ByteReader, so that the decoder never reads ahead.
func (m *meter) ReadByte() (byte, error) {
	if m.left--; m.left < 0 {
		return 0, ErrTooLong
	}
	for m.at == m.n {
		n, err := m.r.Read(m.buf[:])
		m.at, m.n = 0, n
		if n > 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			m.err = err
		}
		if err != nil {
			return 0, err
		}
	}
	m.at++
	return m.buf[m.at-1], nil
}

// Read implements io.Reader, for documents in other encodings.
func (m *meter) Read(p []byte) (int, error) {
	for i := range p {
		c, err := m.ReadByte()
		if err != nil {
			if i > 0 && errors.Is(err, io.EOF) {
				err = nil
			}
			return i, err
		}
		p[i] = c
	}
	return len(p), nil
}
