package rdf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// rdfXML reads node elements and property elements (RDF 1.1 XML Syntax,
// section 7).
type rdfXML struct {
	*xmlTokens
	give   func(Triple) error
	fresh  int
	faults int
	// ids are the names given with rdf:ID.
	ids map[string]bool
	// subject is that of the innermost node.
	subject Term
}

const (
	rdfRDF         = rdfNS + "RDF"
	rdfDescription = rdfNS + "Description"
	rdfLi          = rdfNS + "li"
	rdfID          = rdfNS + "ID"
	rdfAbout       = rdfNS + "about"
	rdfNodeID      = rdfNS + "nodeID"
	rdfResource    = rdfNS + "resource"
	rdfDatatype    = rdfNS + "datatype"
	rdfParseType   = rdfNS + "parseType"
)

// notNodes, notProperties and notAttributes are the names that no node element,
// property element or property attribute has (sections 7.2.5 to 7.2.7).
var (
	notNodes      = terms(rdfLi)
	notProperties = terms(rdfDescription)
	notAttributes = terms(rdfLi, rdfDescription)
)

func terms(more ...string) map[string]bool {
	m := map[string]bool{}
	for _, local := range []string{"RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype", "aboutEach", "aboutEachPrefix", "bagID"} {
		m[rdfNS+local] = true
	}
	for _, iri := range more {
		m[iri] = true
	}
	return m
}

func readXML(r io.Reader, o *Options, emit func(Triple) error) error {
	x := &rdfXML{xmlTokens: newXMLTokens(r, o), give: emit, ids: map[string]bool{}}
	if err := x.document(); err != nil {
		return err
	}
	if x.bytes.in.err != nil {
		return x.bytes.in.err
	}
	return nil
}

// document reads the root: rdf:RDF, or a single node.
func (x *rdfXML) document() error {
	root := false
	for {
		token, err := x.next()
		_, start := token.(xml.StartElement)
		switch {
		case !start && err != nil:
			return err
		case token == nil && !root:
			return x.fault("the document has no element")
		case token == nil:
			return nil
		case start && root:
			return x.fail(errors.New("it has a second root element"))
		case start && err == nil && x.top().iri == rdfRDF:
			root = true
			err = x.nodes()
		case start:
			root = true
			err = x.guarded(err, x.node)
		default:
			err = x.between(token)
		}
		if err != nil {
			return err
		}
	}
}

// guarded reads the innermost open element to its end. A lenient reader skips
// what is left of it after a fault.
func (x *rdfXML) guarded(err error, read func() error) error {
	outside, subject := x.depth-1, x.subject
	if err == nil {
		err = read()
	}
	about := x.subject
	x.subject = subject
	var p *Problem
	if err == nil || x.o.Lenient == nil || x.broken || !errors.As(err, &p) {
		return err
	}
	if x.faults++; x.faults > x.o.Limits.Faults {
		return fmt.Errorf("more than %d elements cannot be read: %w", x.o.Limits.Faults, err)
	}
	p.Subject = about
	if err := x.o.Lenient(*p); err != nil {
		return err
	}
	for x.depth > outside {
		if _, err := x.next(); err != nil && (x.broken || !errors.As(err, &p)) {
			return err
		}
	}
	return nil
}

// between refuses text where only elements stand.
func (x *rdfXML) between(token xml.Token) error {
	if text, ok := token.(xml.CharData); ok && !spaceOnly(text) {
		return x.fault("the text %q stands where an element is expected", clip(string(text)))
	}
	return nil
}

// nodes reads the node elements within the innermost open element.
func (x *rdfXML) nodes() error {
	el := x.top()
	for _, a := range el.attrs {
		if a.space != xmlNS {
			return x.fault("rdf:RDF has no attribute %s", qualified(a.raw))
		}
	}
	return x.children(x.node)
}

// children reads the elements within the innermost open element to its end.
func (x *rdfXML) children(read func() error) error {
	for {
		token, err := x.next()
		switch token.(type) {
		case xml.StartElement:
			err = x.guarded(err, read)
		case xml.EndElement:
			return err
		default:
			if err == nil {
				err = x.between(token)
			}
		}
		if err != nil {
			return err
		}
	}
}

// node reads a node element.
func (x *rdfXML) node() error {
	el := x.top()
	if notNodes[el.iri] || el.space == "" {
		return x.fault("%s is no node", qualified(el.raw))
	}
	if err := x.identify(el); err != nil {
		return err
	}
	subject := x.subject
	if el.iri != rdfDescription {
		if err := x.give(Triple{subject, iriTerm(RDFType), iriTerm(el.iri)}); err != nil {
			return err
		}
	}
	if err := x.propertyAttributes(el, subject); err != nil {
		return err
	}
	members := 0
	err := x.children(func() error { return x.property(subject, &members) })
	x.subject = subject
	return err
}

// identify finds the subject of a node element.
func (x *rdfXML) identify(el *element) error {
	x.subject = Term{}
	for _, a := range el.attrs {
		var term Term
		var err error
		switch x.syntaxName(&a) {
		case rdfAbout:
			term, err = x.iri(el, a.value)
		case rdfID:
			term, err = x.id(el, a.value)
		case rdfNodeID:
			term, err = x.labelled(a.value)
		default:
			continue
		}
		if err == nil && x.subject.Kind != 0 {
			err = x.fault("a node has one of rdf:about, rdf:ID and rdf:nodeID")
		}
		if err != nil {
			return err
		}
		x.subject = term
	}
	if x.subject.Kind == 0 {
		x.subject = x.blank()
	}
	return nil
}

// syntaxName is the name of an attribute. Some of RDF's own may come without a
// prefix (section 6.1.4).
func (x *rdfXML) syntaxName(a *attribute) string {
	if a.space == "" {
		switch a.iri {
		case "ID", "about", "resource", "parseType", "type":
			return rdfNS + a.iri
		}
	}
	return a.iri
}

// propertyAttributes reads the attributes that are statements.
func (x *rdfXML) propertyAttributes(el *element, subject Term) error {
	for _, a := range el.attrs {
		name := x.syntaxName(&a)
		switch {
		case a.space == xmlNS || name == rdfAbout || name == rdfID || name == rdfNodeID || name == rdfResource || name == rdfDatatype:
			continue
		case notAttributes[name]:
			return x.fault("%s is no property", qualified(a.raw))
		case schemeEnd(name) <= 0:
			if err := x.repaired("the attribute %s has no namespace and is left out", qualified(a.raw)); err != nil {
				return err
			}
			continue
		}
		object := textTerm(a.value, el.lang)
		if name == RDFType {
			var err error
			if object, err = x.iri(el, a.value); err != nil {
				return err
			}
		}
		if err := x.give(Triple{subject, iriTerm(name), object}); err != nil {
			return err
		}
	}
	return nil
}

// iri resolves a reference in an attribute.
func (x *rdfXML) iri(el *element, value string) (Term, error) {
	if !cleanIRI(value) {
		if err := x.repaired("the IRI %s has characters that must be percent-encoded", clip(value)); err != nil {
			return Term{}, err
		}
		value = repairIRI(value)
	}
	if schemeEnd(value) <= 0 {
		x.tmp = append(x.tmp[:0], resolve(el.base, value)...)
		if len(x.tmp) == 0 {
			return Term{}, x.fault("an IRI is empty and there is no base")
		}
		if schemeEnd(x.tmp) <= 0 {
			if err := x.repaired("the IRI <%s> is relative and there is no base", clip(value)); err != nil {
				return Term{}, err
			}
		}
	} else {
		x.tmp = append(x.tmp[:0], value...)
	}
	return iriTerm(x.names.of(x.tmp)), nil
}

// id is the IRI that rdf:ID names; a document gives each once.
func (x *rdfXML) id(el *element, value string) (Term, error) {
	if !ncName(value) {
		return Term{}, x.fault("%q is no name for rdf:ID", clip(value))
	}
	term, err := x.iri(el, "#"+value)
	if err != nil {
		return term, err
	}
	if x.ids[term.Value] {
		return term, x.repaired("rdf:ID names %s twice", clip(value))
	}
	if len(x.ids) >= x.o.Limits.Names {
		return term, x.fail(fmt.Errorf("it has more than %d rdf:ID", x.o.Limits.Names))
	}
	x.ids[term.Value] = true
	return term, nil
}

func (x *rdfXML) labelled(value string) (Term, error) {
	if !ncName(value) {
		return Term{}, x.fault("%q is no name for rdf:nodeID", clip(value))
	}
	return blankTerm(value), nil
}

func (x *rdfXML) blank() Term {
	x.fresh++
	return blankTerm("#" + strconv.Itoa(x.fresh))
}

// ncName tells that s is a name without a colon (Namespaces in XML 1.0).
func ncName(s string) bool {
	for i, r := range s {
		start := baseChar(r) || r == '_'
		if !start && (i == 0 || !nameChar(r) && r != '.') || r == utf8.RuneError {
			return false
		}
	}
	return s != ""
}
