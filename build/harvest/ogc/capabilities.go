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

// Bounds of a capabilities document.
const (
	// depthMax is how deep elements may nest.
	depthMax = 100
	// textMax is what is kept of the text of one element, in bytes.
	textMax = 4 * catalog.DescriptionMax
	// listMax bounds keywords and formats.
	listMax = 1000
)

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

var (
	errTooDeep = errors.New("the elements are nested too deeply")
	errNoOGC   = errors.New("the document is no answer of a geographic web service")
)

// parseXML reads a GetCapabilities answer or an exception report, token by
// token. Entities other than those of HTML are refused and nothing outside the
// document is ever read.
func parseXML(data []byte) (*service, error) {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Entity = xml.HTMLEntity
	dec.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-16") {
			return r, nil // the stream has decoded it by its byte order mark
		}
		return charset.NewReaderLabel(label, r)
	}
	w := walker{s: &service{}}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) && len(w.path) == 0 && w.s.protocol != "" {
			return w.s, nil
		}
		if err == nil {
			err = w.take(token)
		}
		if err != nil {
			line, _ := dec.InputPos()
			return nil, &xmlError{line: line, err: err}
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

// walker follows the elements of a document.
type walker struct {
	s    *service
	path []string
	text []byte
	// open are the layers the walker is in, outermost first: the index of each
	// in members, or -1 for one that is not kept.
	open []int
	// operation is the name of the operation the walker is in.
	operation string
}

func (w *walker) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return w.start(&t)
	case xml.CharData:
		if room := textMax - len(w.text); room > 0 {
			w.text = append(w.text, t[:min(room, len(t))]...)
		}
	case xml.EndElement:
		w.end(strings.TrimSpace(string(w.text)))
		w.path, w.text = w.path[:len(w.path)-1], w.text[:0]
	}
	return nil
}

func (w *walker) start(t *xml.StartElement) error {
	if len(w.path) == 0 {
		if err := w.root(t); err != nil {
			return err
		}
	}
	if len(w.path) >= depthMax {
		return errTooDeep
	}
	w.path, w.text = append(w.path, t.Name.Local), w.text[:0]
	w.attributes(t)
	if w.isLayer() {
		w.open = append(w.open, len(w.s.members))
		if len(w.s.members) < catalog.ListMax {
			w.s.members = append(w.s.members, catalog.Member{})
		} else {
			w.open[len(w.open)-1] = -1
		}
	}
	return nil
}

// root recognises the document by its first element.
func (w *walker) root(t *xml.StartElement) error {
	s := w.s
	s.version = attribute(t, "version")
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

func attribute(t *xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// at is the name of the element n levels above the current one, "" above the
// root.
func (w *walker) at(n int) string {
	if i := len(w.path) - 1 - n; i >= 0 {
		return w.path[i]
	}
	return ""
}

// within tells whether the walker is inside an element of that name.
func (w *walker) within(name string) bool {
	for _, p := range w.path {
		if p == name {
			return true
		}
	}
	return false
}

// isLayer tells whether the current element describes a layer, feature type or
// coverage.
func (w *walker) isLayer() bool {
	switch w.at(0) {
	case "Layer":
		return w.at(1) == "Capability" || w.at(1) == "Layer" || w.at(1) == "Contents"
	case "FeatureType":
		return w.at(1) == "FeatureTypeList"
	case "CoverageOfferingBrief":
		return true
	case "CoverageSummary":
		return true
	}
	return false
}
