package dcat

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/artifact"
)

// TypeRDFXML is the media type of RDF/XML (RFC 3870).
const TypeRDFXML = "application/rdf+xml"

// extRDFXML is the extension of RDF/XML documents.
const extRDFXML = "rdf"

// RDFXML writes a JSON-LD document of this package as RDF 1.1 XML: the same
// statements in the same order, one node element a node. It reads the form that
// this package writes, a node object a line, and refuses any other; so nothing that
// Turtle and JSON-LD say can be missing here, and no third form of each entry is
// kept during a build. What it returns lies in a buffer of the pool (artifact.Buffer).
func RDFXML(doc []byte) ([]byte, error) {
	if !bytes.HasPrefix(doc, []byte(jsonldHead)) {
		return nil, fmt.Errorf("RDF/XML is made from JSON-LD of the register, this begins with %.40q", doc)
	}
	x := xmlWriter{out: artifact.Buffer(len(doc) + len(doc)/4)}
	x.out = append(x.out, xmlHead...)
	for node := range jsonldNodes(doc) {
		x.in = node
		if err := x.node(); err != nil {
			return nil, fmt.Errorf("node %.80q: %w", node, err)
		}
	}
	return append(x.out, "</rdf:RDF>\n"...), nil
}

const rdfSpace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

// xmlHead declares the prefixes.
var xmlHead = func() string {
	head := `<?xml version="1.0" encoding="UTF-8"?>` + "\n<rdf:RDF xmlns:rdf=\"" + rdfSpace + `"`
	for _, p := range prefixes {
		head += "\n    xmlns:" + p[0] + `="` + p[1] + `"`
	}
	return head + ">\n"
}()

// xmlWriter turns node objects into node elements. in is what is left to read.
type xmlWriter struct {
	in, out []byte
	// text is where the last string with escapes was decoded to.
	text []byte
}

var errNode = fmt.Errorf("is no node object of this register")

// take reads what must come next.
func (x *xmlWriter) take(s string) error {
	if len(x.in) < len(s) || string(x.in[:len(s)]) != s {
		return errNode
	}
	x.in = x.in[len(s):]
	return nil
}

// next tells whether a byte comes next, and reads it if so.
func (x *xmlWriter) next(c byte) bool {
	if len(x.in) == 0 || x.in[0] != c {
		return false
	}
	x.in = x.in[1:]
	return true
}

// word reads a string between quotes. It is good until the next one with escapes.
func (x *xmlWriter) word() ([]byte, error) {
	if !x.next('"') {
		return nil, errNode
	}
	end := bytes.IndexAny(x.in, `"\`)
	if end < 0 {
		return nil, errNode
	}
	if x.in[end] == '"' {
		s := x.in[:end]
		x.in = x.in[end+1:]
		return s, nil
	}
	return x.escapedWord()
}

// escapedWord reads the rest of a string with the escapes that sink.escaped writes.
func (x *xmlWriter) escapedWord() ([]byte, error) {
	b := x.text[:0]
	for i := 0; i < len(x.in); i++ {
		switch c := x.in[i]; c {
		case '"':
			x.in, x.text = x.in[i+1:], b
			return b, nil
		case '\\':
			if i++; i >= len(x.in) {
				return nil, errNode
			}
			switch c = x.in[i]; c {
			case 'n':
				b = append(b, '\n')
			case 't':
				b = append(b, '\t')
			case '"', '\\':
				b = append(b, c)
			case 'u':
				if i+4 >= len(x.in) || x.in[i+1] != '0' || x.in[i+2] != '0' {
					return nil, errNode
				}
				high, low := strings.IndexByte(hexDigits, x.in[i+3]), strings.IndexByte(hexDigits, x.in[i+4])
				if high < 0 || low < 0 {
					return nil, errNode
				}
				b, i = append(b, byte(high<<4|low)), i+4
			default:
				return nil, errNode
			}
		default:
			b = append(b, c)
		}
	}
	return nil, errNode
}

// node writes {"@id":"…","property":[…],…}. The first class names the element.
func (x *xmlWriter) node() error {
	if err := x.take(`{"@id":`); err != nil {
		return err
	}
	id, err := x.word()
	if err != nil {
		return err
	}
	element := "rdf:Description"
	class := []byte(`,"@type":["`)
	if bytes.HasPrefix(x.in, class) {
		// A class that has no name of its own in XML cannot occur: all are terms with a prefix.
		x.in = x.in[len(class)-1:]
		name, err := x.word()
		if err != nil {
			return err
		}
		element = string(name)
	}
	x.out = append(append(x.out, '<'), element...)
	x.attribute(" rdf:about", id)
	x.out = append(x.out, ">\n"...)
	if element != "rdf:Description" {
		if err := x.values("@type", x.next(',')); err != nil {
			return err
		}
	}
	for x.next(',') {
		key, err := x.word()
		if err == nil {
			err = x.take(":[")
		}
		if err == nil {
			err = x.values(string(key), true)
		}
		if err != nil {
			return err
		}
	}
	x.out = append(append(append(x.out, "</"...), element...), ">\n"...)
	return x.take("}")
}

// values writes the values of a property up to the end of their list.
func (x *xmlWriter) values(property string, more bool) error {
	if !more {
		return x.take("]")
	}
	for {
		if err := x.value(property); err != nil {
			return err
		}
		if !x.next(',') {
			return x.take("]")
		}
	}
}

func (x *xmlWriter) value(property string) error {
	if property == "@type" {
		class, err := x.word()
		if err != nil {
			return err
		}
		x.link("rdf:type", fullName(class))
		return nil
	}
	if len(x.in) > 0 && x.in[0] == '"' {
		s, err := x.word()
		if err != nil {
			return err
		}
		x.open(property)
		x.literal(property, s)
		return nil
	}
	return x.valueObject(property)
}

// valueObject writes {"@id":"…"} or {"@value":"…","@language" or "@type":"…"}.
func (x *xmlWriter) valueObject(property string) error {
	if x.take(`{"@id":`) == nil {
		id, err := x.word()
		if err != nil {
			return err
		}
		x.link(property, id)
		return x.take("}")
	}
	if err := x.take(`{"@value":`); err != nil {
		return err
	}
	s, err := x.word()
	if err != nil {
		return err
	}
	s = bytes.Clone(s)
	x.open(property)
	switch {
	case x.take(`,"@language":`) == nil:
		lang, err := x.word()
		if err != nil {
			return err
		}
		x.attribute(" xml:lang", lang)
	case x.take(`,"@type":`) == nil:
		datatype, err := x.word()
		if err != nil {
			return err
		}
		x.attribute(" rdf:datatype", fullName(datatype))
	default:
		return errNode
	}
	x.literal(property, s)
	return x.take("}")
}

func (x *xmlWriter) open(property string) {
	x.out = append(append(x.out, "  <"...), property...)
}

func (x *xmlWriter) literal(property string, s []byte) {
	x.out = append(x.out, '>')
	x.escape(s)
	x.out = append(append(append(x.out, "</"...), property...), ">\n"...)
}

func (x *xmlWriter) link(property string, to []byte) {
	x.open(property)
	x.attribute(" rdf:resource", to)
	x.out = append(x.out, "/>\n"...)
}

func (x *xmlWriter) attribute(name string, value []byte) {
	x.out = append(append(x.out, name...), `="`...)
	x.escape(value)
	x.out = append(x.out, '"')
}

// fullName is the address of a term with a prefix.
func fullName(term []byte) []byte {
	prefix, local, _ := strings.Cut(string(term), ":")
	for _, p := range prefixes {
		if p[0] == prefix {
			return []byte(p[1] + local)
		}
	}
	return term
}

// escape appends text. What XML 1.0 cannot hold (production 2, Char) becomes the
// replacement character; cleaned texts have nothing of it.
func (x *xmlWriter) escape(s []byte) {
	from := 0
	for i := 0; i < len(s); {
		if xmlPlain[s[i]] {
			i++
			continue
		}
		c, size := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(s[i:])
		}
		if with := xmlEscape(c); with != "" {
			x.out = append(append(x.out, s[from:i]...), with...)
			from = i + size
		}
		i += size
	}
	x.out = append(x.out, s[from:]...)
}

// xmlPlain are the bytes that stand for themselves.
var xmlPlain = func() (plain [256]bool) {
	for b := range utf8.RuneSelf {
		plain[b] = xmlEscape(rune(b)) == ""
	}
	return plain
}()

// xmlEscape is what stands for a character, "" for itself.
func xmlEscape(c rune) string {
	switch {
	case c == '&':
		return "&amp;"
	case c == '<':
		return "&lt;"
	case c == '>':
		return "&gt;"
	case c == '"':
		return "&quot;"
	case c == '\r':
		return "&#xD;"
	case c < ' ' && c != '\n' && c != '\t', c == 0xFFFE, c == 0xFFFF:
		return "\uFFFD"
	}
	return ""
}
