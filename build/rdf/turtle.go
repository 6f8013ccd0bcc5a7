package rdf

import (
	"bytes"
	"io"
)

// turtle reads a statement at a time (RDF 1.1 Turtle).
type turtle struct {
	scanner
	prefixes map[string]string
	// subject is what the statement speaks of, depth how deep it nests.
	subject Term
	depth   int
	// trig tells that there may be graphs; inside, that a graph is open, whose name is graph.
	trig, inside bool
	graph        Term
}

func readTurtle(r io.Reader, o *Options, emit func(Triple) error) error {
	t := turtle{scanner: newScanner(r, o, emit), prefixes: map[string]string{}}
	t.base = o.Base
	return t.read()
}

func (t *turtle) read() error {
	for t.skip() != 0 || !t.ended(0) {
		t.subject, t.depth = Term{}, 0
		if err := t.statement(); err != nil {
			if err = t.lost(err, t.subject); err != nil {
				return err
			}
			t.skipStatement()
		}
	}
	return t.err
}

// skip passes over white space and comments and returns the byte that follows,
// 0 at the end.
func (t *turtle) skip() byte {
	for {
		c := t.at(0)
		switch {
		case isSpace(c):
			t.pos++
		case c == '#':
			t.skipLine()
		default:
			return c
		}
	}
}

// skipStatement goes behind the next full stop that ends a line: the place
// where the next statement most likely begins.
func (t *turtle) skipStatement() {
	for before := byte(0); !t.ended(0); {
		c := t.buf[t.pos]
		t.pos++
		if endLine[c] && before == '.' {
			return
		}
		if c != ' ' && c != '\t' && c != '\r' {
			before = c
		}
	}
}

// word are the letters that come next, up to a colon or what no name has.
func (t *turtle) word() []byte { return t.ahead(t.span(0, afterWord)) }

func (t *turtle) statement() error {
	c := t.skip()
	if t.trig {
		if done, err := t.border(c); done || err != nil {
			return err
		}
	}
	if c == '@' && !t.inside {
		t.pos++
		return t.directive(false)
	}
	if !t.inside && (c|0x20 == 'p' || c|0x20 == 'b') {
		w := t.word()
		if (bytes.EqualFold(w, []byte("prefix")) || bytes.EqualFold(w, []byte("base"))) && t.at(len(w)) != ':' {
			return t.directive(true)
		}
	}
	return t.triples(c)
}

// directive reads a base or a prefix, in SPARQL's way without a full stop.
func (t *turtle) directive(sparql bool) error {
	w := t.word()
	name := string(w)
	if sparql {
		name = string(bytes.ToLower(w))
	}
	if name != "prefix" && name != "base" {
		return t.fault("@%s is no directive", clip(name))
	}
	t.pos += len(w)
	prefix := ""
	c := t.skip()
	if name == "prefix" {
		w := t.word()
		if prefix = string(w); t.at(len(w)) != ':' || len(w) > 0 && nameEnd(w, baseChar) != len(w) {
			return t.fault("%q is no prefix", clip(prefix))
		}
		t.pos += len(w) + 1
		c = t.skip()
	}
	if c != '<' {
		return t.fault("%s takes an IRI in angle brackets", name)
	}
	iri, err := t.iriRef()
	if err != nil {
		return err
	}
	if !sparql {
		if t.skip() != '.' {
			return t.fault("@%s ends with a full stop", name)
		}
		t.pos++
	}
	return t.declare(name, prefix, iri.Value)
}

func (t *turtle) declare(directive, prefix, iri string) error {
	if directive == "base" {
		t.base = iri
		return nil
	}
	if len(t.prefixes) >= t.o.Limits.Names {
		return t.fault("more than %d prefixes", t.o.Limits.Names)
	}
	t.prefixes[prefix] = iri
	return nil
}

func (t *turtle) triples(c byte) error {
	var err error
	alone := false
	switch c {
	case '[':
		t.subject, alone, err = t.propertyList()
	case '(':
		t.subject, err = t.collection()
	default:
		t.subject, err = t.resource(c)
	}
	if err != nil {
		return err
	}
	if c != '(' && !alone && t.opens(t.subject) {
		return nil
	}
	if c = t.skip(); !alone || c != '.' && c != '}' {
		if err := t.predicates(t.subject); err != nil {
			return err
		}
		c = t.skip()
	}
	switch {
	case c == '.':
		t.pos++
	case !t.inside || c != '}': // the last one of a graph needs none
		return t.fault("a statement ends with a full stop")
	}
	return nil
}

// resource reads an IRI or a labelled blank node.
func (t *turtle) resource(c byte) (Term, error) {
	switch c {
	case '<':
		return t.iriRef()
	case '_':
		return t.label()
	}
	return t.prefixed()
}

// predicates reads predicates and objects up to a full stop or a bracket.
func (t *turtle) predicates(subject Term) error {
	for {
		predicate, err := t.verb()
		if err != nil {
			return err
		}
		if err := t.objects(subject, predicate); err != nil {
			return err
		}
		c := t.skip()
		if c != ';' {
			return nil
		}
		for c == ';' {
			t.pos++
			c = t.skip()
		}
		if c == '.' || c == ']' || c == '}' {
			return nil
		}
	}
}

func (t *turtle) verb() (Term, error) {
	switch c := t.skip(); c {
	case '<':
		return t.iriRef()
	case 'a':
		if w := t.word(); len(w) == 1 && t.at(1) != ':' {
			t.pos++
			return iriTerm(RDFType), nil
		}
	}
	return t.prefixed()
}

func (t *turtle) objects(subject, predicate Term) error {
	for {
		object, err := t.object()
		if err != nil {
			return err
		}
		if t.err != nil {
			return t.unclosed("term")
		}
		if err := t.give(Triple{subject, predicate, object}); err != nil {
			return err
		}
		if t.skip() != ',' {
			return nil
		}
		t.pos++
	}
}

func (t *turtle) object() (Term, error) {
	switch c := t.skip(); {
	case c == '<':
		return t.iriRef()
	case c == '"' || c == '\'':
		return t.literal(c)
	case c == '[':
		node, _, err := t.propertyList()
		return node, err
	case c == '(':
		return t.collection()
	case c == '_':
		return t.label()
	case isDigit(c) || c == '+' || c == '-' || c == '.':
		return t.number()
	case c == 't' || c == 'f':
		w := t.word()
		if n := nameEnd(w, baseChar); (string(w[:n]) == "true" || string(w[:n]) == "false") && t.at(len(w)) != ':' {
			value := string(w[:n])
			t.pos += n
			return Term{Kind: Literal, Value: value, Datatype: xsdNS + "boolean"}, nil
		}
	}
	return t.prefixed()
}

func (t *turtle) enter() error {
	if t.depth++; t.depth > t.o.Limits.Depth {
		return t.fault("nodes nest deeper than %d", t.o.Limits.Depth)
	}
	return nil
}

// propertyList reads a blank node in brackets; the second result tells whether
// it has properties.
func (t *turtle) propertyList() (Term, bool, error) {
	if err := t.enter(); err != nil {
		return Term{}, false, err
	}
	t.pos++
	node := t.blank()
	full := t.skip() != ']'
	if full {
		if err := t.predicates(node); err != nil {
			return node, full, err
		}
		if t.skip() != ']' {
			return node, full, t.fault("a bracket is not closed")
		}
	}
	t.pos++
	t.depth--
	return node, full, nil
}

// collection reads a list in parentheses.
func (t *turtle) collection() (Term, error) {
	if err := t.enter(); err != nil {
		return Term{}, err
	}
	t.pos++
	head := iriTerm(rdfNil)
	var last Term
	for t.skip() != ')' {
		item, err := t.object()
		if err != nil {
			return head, err
		}
		node := t.blank()
		if last.Kind == 0 {
			head = node
		} else if err := t.give(Triple{last, iriTerm(rdfRest), node}); err != nil {
			return head, err
		}
		if err := t.give(Triple{node, iriTerm(rdfFirst), item}); err != nil {
			return head, err
		}
		last = node
	}
	t.pos++
	t.depth--
	if last.Kind == 0 {
		return head, nil
	}
	return head, t.give(Triple{last, iriTerm(rdfRest), iriTerm(rdfNil)})
}
