package rdf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

const (
	xmlNS   = "http://www.w3.org/XML/1998/namespace"
	xmlnsNS = "http://www.w3.org/2000/xmlns/"

	// attrsMax and boundMax bound what is searched for each element: its
	// attributes, and the namespaces in force.
	attrsMax = 1000
	boundMax = 4096
)

// xmlBytes feeds the tokenizer and bounds each token: encoding/xml itself
// would keep a text of any length, and entities multiply it.
type xmlBytes struct {
	in *input
	// left is what the token may still take, longest the longest entity.
	left, longest int
	// control counts the control characters that became spaces; strict refuses
	// them.
	strict  bool
	control int
}

// errControl is a character that XML does not have.
var errControl = errors.New("it holds a control character")

// ReadByte implements io.ByteReader.
func (b *xmlBytes) ReadByte() (byte, error) {
	if in := b.in; in.pos < in.end && b.left > 0 {
		if c := in.buf[in.pos]; c > '&' || c == ' ' {
			in.pos++
			b.left--
			return c, nil
		}
	}
	return b.odd()
}

// odd reads a byte that needs a closer look.
func (b *xmlBytes) odd() (byte, error) {
	in := b.in
	if in.pos >= in.end && !in.more() {
		if in.err != nil {
			return 0, in.err
		}
		return 0, io.EOF
	}
	c := in.buf[in.pos]
	in.pos++
	if b.left--; c == '&' {
		b.left -= b.longest
	}
	switch {
	case b.left < 0:
		return 0, errTooLong
	case c >= ' ' || isSpace(c):
		return c, nil
	case b.strict:
		return 0, errControl
	}
	b.control++
	return ' ', nil
}

// Read implements io.Reader, for documents in other encodings.
func (b *xmlBytes) Read(p []byte) (int, error) {
	for i := range p {
		c, err := b.ReadByte()
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

// attribute is an attribute of an element, its name expanded.
type attribute struct {
	iri, space, value string
	raw               xml.Name
}

// element is an open element; its name is expanded.
type element struct {
	iri, space string
	raw        xml.Name
	attrs      []attribute
	base, lang string
	// mark is how many namespaces were bound outside.
	mark int
}

// binding is a namespace declaration in force.
type binding struct{ prefix, space string }

// xmlTokens reads elements with their namespaces, bases and languages.
type xmlTokens struct {
	d     *xml.Decoder
	bytes *xmlBytes
	o     *Options
	names names
	tmp   []byte
	// open holds an element for each level; the first depth are open.
	open  []*element
	depth int
	bound []binding
	// token is the last one that next returned.
	token xml.Token
	// broken tells that the document is no XML from here on.
	broken   bool
	entities map[string]string
}

func newXMLTokens(r io.Reader, o *Options) *xmlTokens {
	x := &xmlTokens{o: o, bound: []binding{{"xml", xmlNS}, {"xmlns", xmlnsNS}}}
	x.bytes = &xmlBytes{in: newInput(r, Limits{Token: o.Limits.Token}), strict: o.Lenient == nil}
	x.d = xml.NewDecoder(x.bytes)
	x.d.CharsetReader = charset
	return x
}

// charset decodes a document that names its encoding. UTF-16 was decoded with
// the input, by its byte order mark.
func charset(label string, r io.Reader) (io.Reader, error) {
	if l := strings.ToLower(label); strings.HasPrefix(l, "utf-16") || l == "us-ascii" {
		return r, nil
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return nil, fmt.Errorf("unknown encoding %q", clip(label))
	}
	return e.NewDecoder().Reader(r), nil
}

func (x *xmlTokens) fault(format string, args ...any) error { return x.problem(format, args...) }

func (x *xmlTokens) problem(format string, args ...any) *Problem {
	line, column := x.d.InputPos()
	return &Problem{Line: line, Column: column, Reason: fmt.Sprintf(format, args...), Lost: true}
}

// fail is a fault after which nothing can be read any more.
func (x *xmlTokens) fail(err error) error {
	x.broken = true
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, errTooLong):
		return x.fault("a text, tag or comment is longer than %d bytes, entities counted at their longest", x.o.Limits.Token)
	case errors.As(err, &syntax):
		return x.fault("the document is not well-formed: %s", syntax.Msg)
	case x.bytes.in.err != nil:
		return err
	}
	return x.fault("the document is not well-formed: %v", err)
}

// next reads a token: a StartElement, which is then the innermost open element,
// an EndElement, a CharData, Comment or ProcInst, or nil at the end. A fault of
// names leaves the element open.
func (x *xmlTokens) next() (xml.Token, error) {
	for {
		x.bytes.left = x.o.Limits.Token
		token, err := x.d.RawToken()
		if errors.Is(err, io.EOF) && x.depth > 0 {
			err = errors.New("it ends within the element " + qualified(x.top().raw))
		}
		if errors.Is(err, io.EOF) {
			x.token = nil
			return nil, nil
		}
		if err != nil {
			return nil, x.fail(err)
		}
		if err := x.controls(); err != nil {
			return nil, err
		}
		x.token = token
		switch t := token.(type) {
		case xml.StartElement:
			return t, x.push(t)
		case xml.EndElement:
			return t, x.pop(t)
		case xml.Directive:
			if err := x.doctype(string(t)); err != nil {
				return nil, err
			}
		default:
			return t, nil
		}
	}
}

// controls reports control characters that were replaced in the last token.
func (x *xmlTokens) controls() error {
	n := x.bytes.control
	if n == 0 {
		return nil
	}
	x.bytes.control = 0
	return x.repaired("%d control characters, which XML does not have, became spaces", n)
}

func (x *xmlTokens) repaired(format string, args ...any) error {
	p := x.problem(format, args...)
	if x.o.Lenient == nil {
		return p
	}
	p.Lost = false
	return x.o.Lenient(*p)
}

// top is the innermost open element.
func (x *xmlTokens) top() *element { return x.open[x.depth-1] }

func (x *xmlTokens) push(t xml.StartElement) error {
	if len(t.Attr) > attrsMax {
		return x.fail(fmt.Errorf("an element has more than %d attributes", attrsMax))
	}
	if x.depth >= x.o.Limits.Depth {
		return x.fail(fmt.Errorf("its elements nest deeper than %d", x.o.Limits.Depth))
	}
	base, lang := x.o.Base, ""
	if x.depth > 0 {
		base, lang = x.top().base, x.top().lang
	}
	if x.depth == len(x.open) {
		x.open = append(x.open, &element{})
	}
	el := x.open[x.depth]
	*el = element{raw: t.Name, attrs: el.attrs[:0], base: base, lang: lang, mark: len(x.bound)}
	x.depth++
	if err := x.bind(t.Attr); err != nil {
		return err
	}
	var err error
	if el.iri, el.space, err = x.expand(t.Name, true); err != nil {
		return err
	}
	return x.attributes(el, t.Attr)
}

// bind takes the namespace declarations of an element.
func (x *xmlTokens) bind(attrs []xml.Attr) error {
	for _, a := range attrs {
		switch {
		case a.Name.Space == "xmlns" && a.Value == "" || a.Name.Local == "xmlns" && a.Name.Space != "":
			return x.fault("the namespace declaration %s is not allowed", qualified(a.Name))
		case a.Name.Space == "xmlns":
			x.bound = append(x.bound, binding{a.Name.Local, x.names.of([]byte(a.Value))})
		case a.Name.Space == "" && a.Name.Local == "xmlns":
			x.bound = append(x.bound, binding{"", x.names.of([]byte(a.Value))})
		}
	}
	if len(x.bound) > boundMax {
		return x.fail(fmt.Errorf("it binds more than %d namespaces at once", boundMax))
	}
	return nil
}

// attributes takes the attributes of an element, bases and languages apart.
func (x *xmlTokens) attributes(el *element, attrs []xml.Attr) error {
	for _, a := range attrs {
		switch {
		case a.Name.Space == "xmlns" || a.Name.Space == "" && strings.HasPrefix(a.Name.Local, "xml"):
			// Names that begin with xml are reserved (RDF/XML, section 6.1.2).
			continue
		case a.Name.Space == "xml" && a.Name.Local == "lang":
			el.lang = a.Value
		case a.Name.Space == "xml" && a.Name.Local == "base":
			base, _, _ := strings.Cut(resolve(el.base, a.Value), "#")
			el.base = base
		}
		iri, space, err := x.expand(a.Name, false)
		if err != nil {
			return err
		}
		for _, other := range el.attrs {
			if other.iri == iri && other.space == space {
				return x.fault("the attribute %s comes twice", qualified(a.Name))
			}
		}
		el.attrs = append(el.attrs, attribute{iri: iri, space: space, value: a.Value, raw: a.Name})
	}
	return nil
}

func (x *xmlTokens) pop(t xml.EndElement) error {
	if x.depth == 0 || x.top().raw != t.Name {
		return x.fail(fmt.Errorf("the end tag %s closes no element", qualified(t.Name)))
	}
	x.bound = x.bound[:x.top().mark]
	x.depth--
	return nil
}

// space is the namespace that a prefix is bound to.
func (x *xmlTokens) space(prefix string) (string, bool) {
	for i := len(x.bound) - 1; i >= 0; i-- {
		if x.bound[i].prefix == prefix {
			return x.bound[i].space, true
		}
	}
	return "", prefix == ""
}

// expand is the name with its namespace in place of the prefix. Attributes
// without a prefix are in no namespace.
func (x *xmlTokens) expand(name xml.Name, isElement bool) (iri, space string, err error) {
	if name.Space == "" && !isElement {
		return name.Local, "", nil
	}
	space, ok := x.space(name.Space)
	if !ok {
		return "", "", x.fault("the prefix %s: is not declared", clip(name.Space))
	}
	if strings.Contains(name.Local, ":") {
		return "", "", x.fault("%s is no name", clip(qualified(name)))
	}
	x.tmp = append(append(x.tmp[:0], space...), name.Local...)
	return x.names.of(x.tmp), space, nil
}

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
