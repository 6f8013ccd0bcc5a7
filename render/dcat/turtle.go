package dcat

// turtle writes RDF 1.1 Turtle: a fixed header of prefixes, one block a
// subject, strings in one line, numbers never bare.
type turtle struct{ sink }

// turtleHead declares the prefixes.
var turtleHead = func() (head string) {
	for _, p := range prefixes {
		head += "@prefix " + p[0] + ": <" + p[1] + "> .\n"
	}
	return head + "\n"
}()

func (t *turtle) head() { t.out = append(t.out, turtleHead...) }

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

func (t *turtle) add(s iri, p *name, o object) {
	t.begin(s, p)
	t.object(&o)
}

func (t *turtle) addEntry(s iri, p *name, id, fragment string) {
	t.begin(s, p)
	t.out = append(t.out, '<')
	t.entry(id, fragment)
	t.out = append(t.out, '>')
}

// begin writes what stands before a value.
func (t *turtle) begin(s iri, p *name) {
	switch {
	case !t.inside(s):
		t.rest()
		t.flushFull()
		t.reference(s)
		t.out = append(t.out, ' ')
		t.verb(p)
	case p != t.p:
		t.out = append(t.out, " ;\n    "...)
		t.verb(p)
	default:
		t.out = append(t.out, " ,\n        "...)
		t.flushFull()
	}
	t.s, t.p, t.open = s, p, true
}

func (t *turtle) verb(p *name) {
	t.out = append(t.out, p.turtle...)
	t.out = append(t.out, ' ')
}

func (t *turtle) reference(i iri) {
	t.out = append(t.out, '<')
	t.iri(i)
	t.out = append(t.out, '>')
}

func (t *turtle) object(o *object) {
	switch {
	case t.p == rdfType:
		t.out = append(t.out, o.value...)
	case o.lang != "":
		t.escaped(o.value)
		t.out = append(t.out, '@')
		t.out = append(t.out, o.lang...)
	case o.datatype == nil:
		t.reference(iri(o.value))
	default:
		t.escaped(o.value)
		if o.datatype != xsdString {
			t.out = append(t.out, "^^"...)
			t.out = append(t.out, o.datatype.turtle...)
		}
	}
}
