package lint

import (
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/lint"
)

type described = dcatap.Described

// StatementText writes a statement as Turtle: in the manner of N-Triples, which is
// a subset.
func StatementText(s, p, o rdf.Term) string {
	return termText(s) + " " + termText(p) + " " + termText(o) + " ."
}

func termText(t rdf.Term) string {
	switch t.Kind {
	case rdf.IRI:
		return "<" + lint.IRI(t.Value) + ">"
	case rdf.Blank:
		return "_:" + t.Value
	}
	text := `"` + literalText(t.Value) + `"`
	switch {
	case t.Lang != "":
		return text + "@" + t.Lang
	case t.Datatype != "" && t.Datatype != rdf.XSDString:
		return text + "^^<" + lint.IRI(t.Datatype) + ">"
	}
	return text
}

// literalText escapes what stands between quotes (RDF 1.1 N-Triples, section 2.4).
func literalText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\\' || r == '"':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r >= '\u200b' && r <= '\u200f':
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
