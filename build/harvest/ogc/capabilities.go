package ogc

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/assay-register/assay/render/catalog"
)

// listMax bounds keywords and formats.
const listMax = 1000

// service is what a document says about its service.
type service struct {
	// protocol is WMS, WFS, WMTS, WCS, CSW or API.
	protocol, version string
	title, abstract   string
	keywords          []string
	fees, constraints string
	publisher         string
	mail, site        string
	language          string
	// request is the address of GetCapabilities that the document states.
	request string
	formats []string
	members []catalog.Member
	// layers is how many members there are, kept or not.
	layers int
	// exception is the text of an exception report.
	exception string
	// links are those of an OGC API.
	docs, description, licence string
}

var errNoOGC = errors.New("the document is no answer of a geographic web service")

// parseXML reads a GetCapabilities answer or an exception report, which is bounded
// by who reads it. Entities other than those of HTML are refused and nothing
// outside the document is ever read.
func parseXML(data []byte) (*service, error) {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Entity = xml.HTMLEntity
	dec.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-16") {
			return r, nil // the stream has decoded it by its byte order mark
		}
		return charset.NewReaderLabel(label, r)
	}
	s := &service{}
	err := s.decode(dec)
	if err != nil {
		line, _ := dec.InputPos()
		return nil, &xmlError{line: line, err: err}
	}
	return s, nil
}

// decode takes the first element.
func (s *service) decode(dec *xml.Decoder) error {
	for {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok {
			if err := s.root(&start); err != nil {
				return err
			}
			var c answer
			if err := dec.DecodeElement(&c, &start); err != nil {
				return err
			}
			c.tell(s)
			return nil
		}
	}
}

// xmlError is a document that cannot be read, with the line.
type xmlError struct {
	line int
	err  error
}

// Error implements error.
func (e *xmlError) Error() string {
	var s *xml.SyntaxError
	switch {
	case errors.As(e.err, &s):
		return "the XML is broken: " + s.Msg
	case errors.Is(e.err, io.EOF):
		return "the XML ends before its end"
	}
	return e.err.Error()
}

// Unwrap gives the cause.
func (e *xmlError) Unwrap() error { return e.err }

// root recognises the document by its first element.
func (s *service) root(t *xml.StartElement) error {
	space := strings.ToLower(t.Name.Space)
	switch t.Name.Local {
	case "WMS_Capabilities", "WMT_MS_Capabilities":
		s.protocol = "WMS"
	case "WFS_Capabilities":
		s.protocol = "WFS"
	case "WCS_Capabilities":
		s.protocol = "WCS"
	case "ServiceExceptionReport", "ExceptionReport":
		s.protocol = "exception"
	case "Capabilities":
		for _, p := range services {
			if strings.Contains(space, "/"+strings.ToLower(p)+"/") {
				s.protocol = p
			}
		}
	}
	if s.protocol == "" {
		return fmt.Errorf("%w: it begins with <%s>", errNoOGC, t.Name.Local)
	}
	return nil
}
