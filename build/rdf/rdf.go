package rdf

import (
	"errors"
	"fmt"
	"io"
)

// Syntax is a way to write RDF down.
type Syntax uint8

// The syntaxes that Read reads.
const (
	Unknown Syntax = iota
	NTriples
	Turtle
	RDFXML
	JSONLD
	TriG
)

// String names the syntax.
func (s Syntax) String() string {
	switch s {
	case NTriples:
		return "N-Triples"
	case Turtle:
		return "Turtle"
	case RDFXML:
		return "RDF/XML"
	case JSONLD:
		return "JSON-LD"
	case TriG:
		return "TriG"
	}
	return "unknown"
}

// Limits bounds what a reader keeps. A zero field takes its default.
type Limits struct {
	// Token is the longest literal, IRI, name or comment, in bytes; for JSON-LD
	// the longest node of a graph.
	Token int
	// Depth is how deep nodes may nest.
	Depth int
	// Names is how many prefixes, entities or node ids a document may declare.
	Names int
	// Document is the longest JSON-LD document that has to be kept whole, in
	// bytes.
	Document int
	// Faults is how many statements a lenient reader skips before it gives up.
	Faults int
}

// OrDefault fills the zero fields: 4 MiB, 256 levels, a million names, 24 MiB,
// a thousand faults.
func (l Limits) OrDefault() Limits {
	for _, f := range []struct {
		at    *int
		value int
	}{{&l.Token, 4 << 20}, {&l.Depth, 256}, {&l.Names, 1 << 20}, {&l.Document, 24 << 20}, {&l.Faults, 1000}} {
		if *f.at <= 0 {
			*f.at = f.value
		}
	}
	return l
}

// Problem is a place where the document breaks the rules of its syntax.
type Problem struct {
	// Line and Column count from one; the column counts bytes. JSON-LD has
	// none.
	Line, Column int
	Reason       string
	// Lost tells that something was skipped; else it was repaired.
	Lost bool
	// Subject is what the skipped statement speaks of, if that is known.
	Subject Term
}

// Error implements error.
func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.Reason
	}
	return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Reason)
}

// Options steer a reader.
type Options struct {
	// Base is the IRI against which relative ones are resolved, usually the
	// address of the document.
	Base   string
	Limits Limits
	// Lenient, if not nil, makes the reader go on after a fault where it can,
	// and is told of each. An error that it returns ends the reading.
	Lenient func(Problem) error
	// Context, if not nil, is asked for the JSON-LD context at an address: nothing is read from the web. It returns the
	// document that the context is in, nil if it knows none.
	Context func(address string) any
}

// ErrSyntax says that no reader knows the syntax.
var ErrSyntax = errors.New("unknown RDF syntax")

// Read reads the triples of a document in the order in which it states them.
// The error is a *Problem when the document breaks a rule (for a lenient
// reader: one after which it cannot go on), else that of the input or of emit.
// Text that is not UTF-8 is such a fault; a lenient reader hands it on as it
// stands.
func Read(r io.Reader, syntax Syntax, o Options, emit func(Triple) error) error {
	o.Limits = o.Limits.OrDefault()
	switch syntax {
	case NTriples:
		return readNTriples(r, &o, emit)
	case Turtle:
		return readTurtle(r, &o, emit)
	case RDFXML:
		return readXML(r, &o, emit)
	case JSONLD:
		return readJSON(r, &o, emit)
	case TriG: // all of its graphs as one
		return ReadTriG(r, o, func(_ Term, t Triple) error { return emit(t) })
	}
	return fmt.Errorf("read RDF: %w", ErrSyntax)
}
