package rdf

import "io"

// nTriples reads a line at a time (RDF 1.1 N-Triples).
type nTriples struct{ scanner }

func readNTriples(r io.Reader, o *Options, emit func(Triple) error) error {
	n := nTriples{newScanner(r, o, emit)}
	for !n.ended(0) {
		subject, err := n.line()
		if err != nil {
			if err = n.lost(err, subject); err != nil {
				return err
			}
			n.skipLine()
		}
	}
	return n.err
}

// blankSpace passes over spaces and tabs.
func (n *nTriples) blankSpace() byte {
	for {
		c := n.at(0)
		if c != ' ' && c != '\t' {
			return c
		}
		n.pos++
	}
}

// skipLine passes over the rest of the line, however long it is.
func (s *scanner) skipLine() {
	for {
		for ; s.pos < s.end; s.pos++ {
			if endLine[s.buf[s.pos]] {
				return
			}
		}
		if !s.more() {
			return
		}
	}
}

// line reads a line, empty ones too, with the line break.
func (n *nTriples) line() (subject Term, err error) {
	switch c := n.blankSpace(); {
	case c == '#', endLine[c], n.ended(0):
	default:
		if subject, err = n.triple(); err != nil {
			return subject, err
		}
	}
	switch c := n.blankSpace(); {
	case c == '#':
		n.skipLine()
	case !endLine[c] && !n.ended(0):
		return subject, n.fault("a line holds one statement")
	}
	for endLine[n.at(0)] {
		n.pos++
	}
	return subject, nil
}

func (n *nTriples) triple() (Term, error) {
	var t Triple
	var err error
	if t.Subject, err = n.node("subject"); err != nil {
		return t.Subject, err
	}
	if n.blankSpace() != '<' {
		return t.Subject, n.fault("the predicate is an IRI in angle brackets")
	}
	if t.Predicate, err = n.iriRef(); err != nil {
		return t.Subject, err
	}
	if n.blankSpace() == '"' {
		t.Object, err = n.literal()
	} else {
		t.Object, err = n.node("object")
	}
	if err != nil {
		return t.Subject, err
	}
	if n.blankSpace() != '.' {
		return t.Subject, n.fault("a statement ends with a full stop")
	}
	n.pos++
	return t.Subject, n.give(t)
}

// node reads an IRI or a blank node.
func (n *nTriples) node(what string) (Term, error) {
	switch n.blankSpace() {
	case '<':
		return n.iriRef()
	case '_':
		return n.label()
	}
	return Term{}, n.fault("this is no %s", what)
}

func (n *nTriples) literal() (Term, error) {
	text, err := n.quoted()
	if err != nil {
		return Term{}, err
	}
	switch n.at(0) {
	case '@':
		tag, err := n.lang()
		return textTerm(text, tag), err
	case '^':
		if n.at(1) != '^' || n.at(2) != '<' {
			return Term{}, n.fault("a datatype is an IRI behind ^^")
		}
		n.pos += 2
		datatype, err := n.iriRef()
		return Term{Kind: Literal, Value: text, Datatype: datatype.Value}, err
	}
	return textTerm(text, ""), nil
}
