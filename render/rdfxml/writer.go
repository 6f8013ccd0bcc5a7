// Package rdfxml writes the JSON-LD of this register as RDF 1.1 XML: the same statements in the same
// order, one node element a node. It reads the form that package dcat writes, prefixes in a context and a node
// object a line, and refuses any other; so nothing that Turtle and JSON-LD say can be missing here, and no third
// form of each entry is kept: snapshot files make it of the second one when it is read (package pack).
package rdfxml

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/artifact"
)

// Type is the media type (RFC 3870).
const Type = "application/rdf+xml"

const rdfSpace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

// hexDigits are those of escapes.
const hexDigits = "0123456789ABCDEF"

var (
	errContext = errors.New("RDF/XML is made from JSON-LD of the register, this has no context of its own")
	errNode    = errors.New("is no node object of this register")
)

// Document is a whole document.
func Document(jsonld []byte) ([]byte, error) {
	x, err := New(jsonld)
	if err != nil {
		return nil, err
	}
	x.Head()
	if err := x.Nodes(jsonld); err != nil {
		return nil, err
	}
	x.Foot()
	return x.Out, nil
}

// Writer turns node objects into node elements.
type Writer struct {
	// Out is what was written, in a buffer of the pool (artifact.Buffer).
	Out []byte
	// prefixes are those that the document declares, in their order.
	prefixes []prefix
	// in is what is left to read, text where the last string with escapes was decoded to.
	in, text []byte
}

type prefix struct{ name, space []byte }

// New is a writer for a document of JSON-LD, of which it keeps the context.
func New(jsonld []byte) (*Writer, error) {
	x := &Writer{in: jsonld}
	if x.take(`{"@context":{`) != nil {
		return nil, errContext
	}
	for more := true; more; more = x.next(',') {
		name, err := x.term()
		if err != nil || !x.next(':') {
			return nil, errContext
		}
		space, err := x.term()
		if err != nil {
			return nil, errContext
		}
		x.prefixes = append(x.prefixes, prefix{name, space})
	}
	if x.take("},\"@graph\":[\n") != nil {
		return nil, errContext
	}
	x.Out = artifact.Buffer(len(jsonld) + len(jsonld)/4)
	return x, nil
}

// Head declares the prefixes.
func (x *Writer) Head() {
	x.Out = append(x.Out, `<?xml version="1.0" encoding="UTF-8"?>`+"\n<rdf:RDF xmlns:rdf=\""+rdfSpace+`"`...)
	for _, p := range x.prefixes {
		x.Out = append(append(x.Out, "\n    xmlns:"...), p.name...)
		x.attribute("", p.space)
	}
	x.Out = append(x.Out, ">\n"...)
}

// Foot ends the document.
func (x *Writer) Foot() { x.Out = append(x.Out, "</rdf:RDF>\n"...) }

// Nodes writes the node objects of a document or of a part of one.
func (x *Writer) Nodes(jsonld []byte) error { return x.Some(jsonld, math.MaxInt) }

// Some writes node objects until Out has as many bytes.
func (x *Writer) Some(jsonld []byte, enough int) error {
	for line := range bytes.SplitSeq(jsonld, []byte("\n")) {
		if len(x.Out) >= enough {
			return nil
		}
		if !bytes.HasPrefix(line, []byte(`{"@id":"`)) {
			continue
		}
		x.in = bytes.TrimSuffix(line, []byte(","))
		if err := x.node(); err != nil {
			return fmt.Errorf("node %.80q: %w", line, err)
		}
	}
	return nil
}

// take reads what must come next.
func (x *Writer) take(s string) error {
	if len(x.in) < len(s) || string(x.in[:len(s)]) != s {
		return errNode
	}
	x.in = x.in[len(s):]
	return nil
}

// next tells whether a byte comes next, and reads it if so.
func (x *Writer) next(c byte) bool {
	if len(x.in) == 0 || x.in[0] != c {
		return false
	}
	x.in = x.in[1:]
	return true
}

// term reads a string between quotes that has no escapes, such as the name of a property.
func (x *Writer) term() ([]byte, error) {
	if len(x.in) > 0 && x.in[0] == '"' {
		if end := bytes.IndexByte(x.in[1:], '"'); end >= 0 && bytes.IndexByte(x.in[1:][:end], '\\') < 0 {
			s := x.in[1:][:end]
			x.in = x.in[end+len(`""`):]
			return s, nil
		}
	}
	return nil, errNode
}

// word reads a string between quotes. It is good until the next one with escapes.
func (x *Writer) word() ([]byte, error) {
	if s, err := x.term(); err == nil {
		return s, nil
	}
	return x.escapedWord()
}

// escapedWord reads a string with the escapes that package dcat writes.
func (x *Writer) escapedWord() ([]byte, error) {
	if !x.next('"') {
		return nil, errNode
	}
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

// typeKey is the property of classes in JSON-LD, classes what opens their list at the beginning of a node.
var typeKey, classes = []byte("@type"), []byte(`,"@type":["`)

// node writes {"@id":"…","property":[…],…}. The first class names the element, if classes come first: all are
// terms with a prefix, so each has a name of its own in XML.
func (x *Writer) node() error {
	if err := x.take(`{"@id":`); err != nil {
		return err
	}
	id, err := x.word()
	if err != nil {
		return err
	}
	element, typed := []byte("rdf:Description"), bytes.HasPrefix(x.in, classes)
	if typed {
		x.in = x.in[len(classes)-1:]
		if element, err = x.term(); err != nil {
			return err
		}
	}
	x.Out = append(append(x.Out, '<'), element...)
	x.attribute(" rdf:about", id)
	x.Out = append(x.Out, ">\n"...)
	if typed {
		if err := x.values(typeKey, x.next(',')); err != nil {
			return err
		}
	}
	for x.next(',') {
		property, err := x.term()
		if err == nil {
			err = x.take(":[")
		}
		if err == nil {
			err = x.values(property, true)
		}
		if err != nil {
			return err
		}
	}
	x.Out = append(append(append(x.Out, "</"...), element...), ">\n"...)
	return x.take("}")
}

// values writes the values of a property up to the end of their list.
func (x *Writer) values(property []byte, more bool) error {
	for more {
		if err := x.value(property); err != nil {
			return err
		}
		more = x.next(',')
	}
	return x.take("]")
}

// value writes a class, "…", {"@id":"…"} or {"@value":"…","@language" or "@type":"…"}.
func (x *Writer) value(property []byte) error {
	if bytes.Equal(property, typeKey) {
		class, err := x.term()
		x.Out = append(x.Out, "  <rdf:type"...)
		x.name(" rdf:resource", class)
		x.Out = append(x.Out, "/>\n"...)
		return err
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
	if x.take(`{"@id":`) == nil {
		id, err := x.word()
		if err != nil {
			return err
		}
		x.open(property)
		x.attribute(" rdf:resource", id)
		x.Out = append(x.Out, "/>\n"...)
		return x.take("}")
	}
	if err := x.take(`{"@value":`); err != nil {
		return err
	}
	s, err := x.word()
	if err != nil {
		return err
	}
	return x.qualified(property, s)
}

// qualified writes a text with its language or its datatype.
func (x *Writer) qualified(property, s []byte) error {
	language := x.take(`,"@language":`) == nil
	if !language && x.take(`,"@type":`) != nil {
		return errNode
	}
	of, err := x.term()
	if err != nil {
		return err
	}
	x.open(property)
	if language {
		x.attribute(" xml:lang", of)
	} else {
		x.name(" rdf:datatype", of)
	}
	x.literal(property, s)
	return x.take("}")
}

func (x *Writer) open(property []byte) {
	x.Out = append(append(x.Out, "  <"...), property...)
}

func (x *Writer) literal(property, s []byte) {
	x.Out = append(x.Out, '>')
	x.escape(s)
	x.Out = append(append(append(x.Out, "</"...), property...), ">\n"...)
}

func (x *Writer) attribute(name string, value []byte) {
	x.Out = append(append(x.Out, name...), `="`...)
	x.escape(value)
	x.Out = append(x.Out, '"')
}

// name is an attribute whose value is the address of a term with a prefix.
func (x *Writer) name(name string, term []byte) {
	x.Out = append(append(x.Out, name...), `="`...)
	prefix, local, _ := bytes.Cut(term, []byte(":"))
	for _, p := range x.prefixes {
		if bytes.Equal(prefix, p.name) {
			x.Out, term = append(x.Out, p.space...), local
			break
		}
	}
	x.escape(term)
	x.Out = append(x.Out, '"')
}

// escape appends text. What XML 1.0 cannot hold (production 2, Char) becomes the
// replacement character; cleaned texts have nothing of it.
func (x *Writer) escape(s []byte) {
	from := 0
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		c, size := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(s[i:])
		}
		if with := escaped(c); with != "" {
			x.Out = append(append(x.Out, s[from:i]...), with...)
			from = i + size
		}
		i += size
	}
	x.Out = append(x.Out, s[from:]...)
}

// plain are the bytes that stand for themselves: all of other characters, but the one that U+FFFE and
// U+FFFF begin with.
var plain = func() (set [256]bool) {
	for b := range set {
		set[b] = b != 0xEF && (b >= utf8.RuneSelf || escaped(rune(b)) == "")
	}
	return set
}()

// escaped is what stands for a character, "" for itself.
func escaped(c rune) string {
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
