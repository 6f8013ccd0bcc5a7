package rdf

import (
	"encoding/xml"
	"slices"
	"strings"
)

// canonical writes the content of an element as Exclusive XML Canonicalization
// 1.0 has it, with comments: the form of an XML literal.
type canonical struct {
	out strings.Builder
	// written are the namespace declarations in force in the output.
	written []binding
	marks   []int
}

var (
	textEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
	attrEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")
)

// xmlLiteral reads the innermost open element to its end.
func (x *rdfXML) xmlLiteral() (Term, error) {
	var c canonical
	for outside := x.depth; ; {
		token, err := x.next()
		if err != nil {
			return Term{}, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			c.open(x.top(), x.space)
		case xml.EndElement:
			if x.depth < outside {
				return Term{Kind: Literal, Value: c.out.String(), Datatype: XMLLiteral}, nil
			}
			c.close(t.Name)
		case xml.CharData:
			_, _ = textEscapes.WriteString(&c.out, string(t))
		case xml.Comment:
			c.out.WriteString("<!--" + string(t) + "-->")
		case xml.ProcInst:
			c.out.WriteString("<?" + strings.TrimRight(t.Target+" "+string(t.Inst), " ") + "?>")
		}
		if c.out.Len() > x.o.Limits.Token {
			return Term{}, x.fault("the literal is longer than %d bytes", x.o.Limits.Token)
		}
	}
}

func (c *canonical) open(el *element, space func(string) (string, bool)) {
	c.marks = append(c.marks, len(c.written))
	c.out.WriteString("<" + qualified(el.raw))
	for _, b := range c.used(el, space) {
		c.written = append(c.written, b)
		name := "xmlns"
		if b.prefix != "" {
			name += ":" + b.prefix
		}
		c.attribute(name, b.space)
	}
	attrs := slices.Clone(el.attrs)
	slices.SortFunc(attrs, func(a, b attribute) int {
		return strings.Compare(a.space+"\x00"+a.raw.Local, b.space+"\x00"+b.raw.Local)
	})
	for _, a := range attrs {
		c.attribute(qualified(a.raw), a.value)
	}
	c.out.WriteByte('>')
}

func (c *canonical) attribute(name, value string) {
	c.out.WriteString(" " + name + `="`)
	_, _ = attrEscapes.WriteString(&c.out, value)
	c.out.WriteByte('"')
}

// used are the declarations that the element needs and that are not in force,
// by prefix.
func (c *canonical) used(el *element, space func(string) (string, bool)) []binding {
	prefixes := []string{el.raw.Space}
	for _, a := range el.attrs {
		if a.raw.Space != "" && a.raw.Space != "xml" {
			prefixes = append(prefixes, a.raw.Space)
		}
	}
	slices.Sort(prefixes)
	var out []binding
	for _, prefix := range slices.Compact(prefixes) {
		iri, _ := space(prefix)
		if iri != c.inForce(prefix) {
			out = append(out, binding{prefix, iri})
		}
	}
	return out
}

func (c *canonical) inForce(prefix string) string {
	for i := len(c.written) - 1; i >= 0; i-- {
		if c.written[i].prefix == prefix {
			return c.written[i].space
		}
	}
	return ""
}

func (c *canonical) close(name xml.Name) {
	last := len(c.marks) - 1
	c.written = c.written[:c.marks[last]]
	c.marks = c.marks[:last]
	c.out.WriteString("</" + qualified(name) + ">")
}
