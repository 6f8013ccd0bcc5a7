package rdf

import (
	"encoding/xml"
	"strconv"
)

// propertyForm is what the attributes of a property element say.
type propertyForm struct {
	id, datatype, parseType string
	object                  Term
	hasID, hasDatatype      bool
	// attributes counts those that are statements about the object.
	attributes int
}

// property reads a property element of a subject; members counts its rdf:li.
func (x *rdfXML) property(subject Term, members *int) error {
	x.subject = subject
	el := x.top()
	if notProperties[el.iri] || el.space == "" {
		return x.fault("%s is no property", qualified(el.raw))
	}
	name := el.iri
	if name == rdfLi {
		*members++
		name = rdfNS + "_" + strconv.Itoa(*members)
	}
	form, err := x.form(el)
	if err != nil {
		return err
	}
	var object Term
	switch {
	case form.parseType == "Resource":
		object = x.blank()
		inner := 0
		err = x.children(func() error { return x.property(object, &inner) })
	case form.parseType == "Collection":
		object, err = x.collection()
	case form.parseType != "":
		object, err = x.xmlLiteral()
	case form.object.Kind != 0 || form.attributes > 0:
		object, err = x.empty(el, form.object)
	default:
		object, err = x.content(el, &form)
	}
	x.subject = subject
	if err != nil {
		return err
	}
	return x.state(el, &form, Triple{subject, iriTerm(name), object})
}

// form reads the attributes of a property element.
func (x *rdfXML) form(el *element) (f propertyForm, err error) {
	objects := 0
	for _, a := range el.attrs {
		switch name := x.syntaxName(&a); {
		case name == rdfID:
			f.id, f.hasID = a.value, true
		case name == rdfDatatype:
			f.datatype, f.hasDatatype = a.value, true
		case name == rdfParseType:
			f.parseType = a.value
			if a.value == "" {
				f.parseType = "Literal"
			}
		case name == rdfResource:
			objects++
			f.object, err = x.iri(el, a.value)
		case name == rdfNodeID:
			objects++
			f.object, err = x.labelled(a.value)
		case a.space != xmlNS:
			f.attributes++
		}
		if err != nil {
			return f, err
		}
	}
	switch {
	case objects > 1,
		f.parseType != "" && (objects > 0 || f.attributes > 0 || f.hasDatatype),
		f.hasDatatype && (objects > 0 || f.attributes > 0):
		return f, x.fault("the attributes of %s contradict each other", qualified(el.raw))
	}
	return f, nil
}

// state emits a statement, and its reification if rdf:ID names it.
func (x *rdfXML) state(el *element, f *propertyForm, t Triple) error {
	if err := x.give(t); err != nil || !f.hasID {
		return err
	}
	id, err := x.id(el, f.id)
	if err != nil {
		return err
	}
	for _, part := range []Triple{
		{id, iriTerm(RDFType), iriTerm(rdfNS + "Statement")}, {id, iriTerm(rdfNS + "subject"), t.Subject},
		{id, iriTerm(rdfNS + "predicate"), t.Predicate}, {id, iriTerm(rdfNS + "object"), t.Object},
	} {
		if err := x.give(part); err != nil {
			return err
		}
	}
	return nil
}

// empty reads a property element whose object its attributes give.
func (x *rdfXML) empty(el *element, object Term) (Term, error) {
	if object.Kind == 0 {
		object = x.blank()
	}
	if err := x.propertyAttributes(el, object); err != nil {
		return object, err
	}
	return object, x.children(func() error { return x.fault("%s has both an object and content", qualified(el.raw)) })
}

// content reads a property element whose object stands within: a node or text.
func (x *rdfXML) content(el *element, f *propertyForm) (Term, error) {
	var text []byte
	var node Term
	for {
		token, err := x.next()
		switch t := token.(type) {
		case xml.StartElement:
			err = x.inner(el, f, err, text, &node)
		case xml.CharData:
			text = append(text, t...)
			if len(text) > x.o.Limits.Token {
				err = x.fault("the literal is longer than %d bytes", x.o.Limits.Token)
			} else if node.Kind != 0 {
				err = x.between(t)
			}
		case xml.EndElement:
			if err != nil || node.Kind != 0 {
				return node, err
			}
			return x.textual(el, f, string(text))
		}
		if err != nil {
			return node, err
		}
	}
}

// inner reads the node within a property element.
func (x *rdfXML) inner(el *element, f *propertyForm, err error, text []byte, node *Term) error {
	switch {
	case err != nil:
		return err
	case !spaceOnly(text) || f.hasDatatype:
		return x.fault("%s mixes text and elements", qualified(el.raw))
	case node.Kind != 0:
		return x.fault("%s holds a second node", qualified(el.raw))
	}
	if err := x.node(); err != nil {
		return err
	}
	*node = x.subject
	return nil
}

func (x *rdfXML) textual(el *element, f *propertyForm, text string) (Term, error) {
	if !f.hasDatatype {
		return textTerm(text, el.lang), nil
	}
	datatype, err := x.iri(el, f.datatype)
	return Term{Kind: Literal, Value: text, Datatype: datatype.Value}, err
}

// collection reads the nodes of a property element as a list.
func (x *rdfXML) collection() (Term, error) {
	head := iriTerm(rdfNil)
	var last Term
	err := x.children(func() error {
		if err := x.node(); err != nil {
			return err
		}
		item, cell := x.subject, x.blank()
		if last.Kind == 0 {
			head = cell
		} else if err := x.give(Triple{last, iriTerm(rdfRest), cell}); err != nil {
			return err
		}
		last = cell
		return x.give(Triple{cell, iriTerm(rdfFirst), item})
	})
	if err == nil && last.Kind != 0 {
		err = x.give(Triple{last, iriTerm(rdfRest), iriTerm(rdfNil)})
	}
	return head, err
}
