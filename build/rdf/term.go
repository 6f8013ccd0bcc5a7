package rdf

import (
	"strconv"
	"strings"
)

// Kind tells what a term is.
type Kind uint8

// The kinds of terms (RDF 1.1 Concepts, section 3.1).
const (
	IRI Kind = iota + 1
	Blank
	Literal
)

// Vocabulary that the readers themselves need.
const (
	rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	xsdNS = "http://www.w3.org/2001/XMLSchema#"

	// RDFType is the predicate that Turtle writes as "a".
	RDFType  = rdfNS + "type"
	rdfFirst = rdfNS + "first"
	rdfRest  = rdfNS + "rest"
	rdfNil   = rdfNS + "nil"
	// LangString is the datatype of a literal with a language.
	LangString = rdfNS + "langString"
	// XSDString is the datatype of a literal that states none.
	XSDString = xsdNS + "string"
	// XMLLiteral is the datatype of a literal that is XML.
	XMLLiteral = rdfNS + "XMLLiteral"
)

// Term is a node or a predicate of a graph. The zero value is no term.
type Term struct {
	Kind Kind
	// Value is the IRI, the label of a blank node or the text of a literal. A
	// label means something only within the input it comes from; those that
	// the document does not write itself begin with #.
	Value string
	// Datatype is the IRI of a literal's datatype.
	Datatype string
	// Lang is the language tag of a literal as the document writes it.
	Lang string
}

// Triple is one statement.
type Triple struct{ Subject, Predicate, Object Term }

func iriTerm(v string) Term   { return Term{Kind: IRI, Value: v} }
func blankTerm(v string) Term { return Term{Kind: Blank, Value: v} }

func textTerm(v, lang string) Term {
	if lang != "" {
		return Term{Kind: Literal, Value: v, Datatype: LangString, Lang: lang}
	}
	return Term{Kind: Literal, Value: v, Datatype: XSDString}
}

// String writes the term in the manner of N-Triples, for messages.
func (t Term) String() string {
	switch t.Kind {
	case IRI:
		return "<" + t.Value + ">"
	case Blank:
		return "_:" + t.Value
	case Literal:
		s := strconv.Quote(t.Value)
		switch {
		case t.Lang != "":
			return s + "@" + t.Lang
		case t.Datatype == "" || t.Datatype == XSDString:
			return s
		}
		return s + "^^<" + t.Datatype + ">"
	}
	return ""
}

// String writes the triple in the manner of N-Triples, for messages.
func (t Triple) String() string {
	return strings.Join([]string{t.Subject.String(), t.Predicate.String(), t.Object.String(), "."}, " ")
}
