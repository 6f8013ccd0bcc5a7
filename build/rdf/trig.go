package rdf

import (
	"bytes"
	"io"
)

// ReadTriG reads the statements of a document of TriG (RDF 1.1 TriG), which a document of
// Turtle is, too, with the name of their graph; that of the default graph is no term. The errors
// are those of [Read].
func ReadTriG(r io.Reader, o Options, emit func(graph Term, t Triple) error) error {
	o.Limits = o.Limits.OrDefault()
	t := turtle{scanner: newScanner(r, &o, nil), prefixes: map[string]string{}, trig: true}
	t.give = func(x Triple) error { return emit(t.graph, x) }
	t.base = o.Base
	if err := t.read(); err != nil {
		return err
	}
	if t.inside {
		return t.lost(t.fault("a graph is not closed"), t.graph)
	}
	return nil
}

// border takes what begins or ends a graph but for a name without GRAPH before it, see
// opens.
func (t *turtle) border(c byte) (bool, error) {
	switch {
	case t.inside && c == '}':
		t.pos++
		t.inside, t.graph = false, Term{}
		return true, nil
	case t.inside:
		return false, nil
	case c == '{':
		t.pos++
		t.inside = true
		return true, nil
	case c|0x20 != 'g':
		return false, nil
	}
	w := t.word()
	if !bytes.EqualFold(w, []byte("graph")) || t.at(len(w)) == ':' {
		return false, nil
	}
	t.pos += len(w)
	name, err := t.graphName(t.skip())
	if err == nil && !t.opens(name) {
		err = t.fault("a graph begins with a brace")
	}
	return true, err
}

func (t *turtle) graphName(c byte) (Term, error) {
	if c != '[' {
		return t.resource(c)
	}
	t.pos++
	if t.skip() != ']' {
		return Term{}, t.fault("a graph has no properties in its name")
	}
	t.pos++
	return t.blank(), nil
}

// opens takes the brace behind the name of a graph, if there is one.
func (t *turtle) opens(name Term) bool {
	if !t.trig || t.inside || t.skip() != '{' {
		return false
	}
	t.pos++
	t.inside, t.graph = true, name
	return true
}
