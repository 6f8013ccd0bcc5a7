package dcat

import "github.com/knakk/rdf"

// turtle writes RDF 1.1 Turtle: a fixed header of prefixes, one block a
// subject, strings in one line, numbers never bare.
type turtle struct{ sink }

func (t *turtle) head() {
	for _, p := range prefixes {
		t.out = append(t.out, "@prefix "+p[0]+": <"+p[1]+"> .\n"...)
	}
	t.out = append(t.out, '\n')
}

func (t *turtle) foot() { t.rest() }

func (t *turtle) rest() {
	if t.open {
		t.out = append(t.out, " .\n\n"...)
		t.open = false
	}
}

func (t *turtle) section() {
	t.rest()
	t.out = append(t.out, '\n')
}

func (t *turtle) node(b []byte) {
	t.rest()
	t.out = append(append(t.out, b...), "\n\n"...)
}

func (t *turtle) add(s, p rdf.IRI, o rdf.Object) {
	t.begin(s, p)
	t.object(o)
}

func (t *turtle) addEntry(s, p rdf.IRI, id, fragment string) {
	t.begin(s, p)
	t.out = append(t.out, '<')
	t.entry(id, fragment)
	t.out = append(t.out, '>')
}

// begin writes what stands before a value.
func (t *turtle) begin(s, p rdf.IRI) {
	switch {
	case !t.open || s != t.s:
		t.rest()
		if len(t.out) >= flushAt {
			t.flush()
		}
		t.reference(s)
		t.out = append(t.out, ' ')
		t.verb(p)
	case p != t.p:
		t.out = append(t.out, " ;\n    "...)
		t.verb(p)
	default:
		t.out = append(t.out, " ,\n        "...)
		if len(t.out) >= flushAt {
			t.flush()
		}
	}
	t.s, t.p, t.open = s, p, true
}

func (t *turtle) verb(p rdf.IRI) {
	if p == rdfType {
		t.out = append(t.out, "a "...)
		return
	}
	t.name(p)
	t.out = append(t.out, ' ')
}

// name writes a term of a vocabulary, prefixed when it is one of ours.
func (t *turtle) name(i rdf.IRI) {
	if n, ok := short[i]; ok {
		t.out = append(t.out, n...)
		return
	}
	t.reference(i)
}

func (t *turtle) reference(i rdf.IRI) {
	t.out = append(t.out, '<')
	t.iri(i)
	t.out = append(t.out, '>')
}

func (t *turtle) object(o rdf.Object) {
	switch v := o.(type) {
	case rdf.IRI:
		if t.p == rdfType {
			t.name(v)
			return
		}
		t.reference(v)
	case text:
		t.escaped(v.String())
		t.out = append(t.out, '@')
		t.out = append(t.out, v.tag...)
	case rdf.Literal:
		t.escaped(v.String())
		if v.DataType != xsdString {
			t.out = append(t.out, "^^"...)
			t.name(v.DataType)
		}
	}
}
