package rdf

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/piprate/json-gold/ld"
)

// statements turns expanded JSON-LD into triples (JSON-LD 1.1 Processing
// Algorithms, section 8). Named graphs are joined with the default one. The
// library's own way to RDF is not taken: it leaves out what it finds invalid
// and says nothing.
type statements struct {
	o     *Options
	give  func(Triple) error
	fresh int
}

// repaired reports a fault; for a strict reader it is an error.
func (s *statements) repaired(lost bool, format string, args ...any) error {
	p := Problem{Reason: fmt.Sprintf(format, args...), Lost: lost}
	if s.o.Lenient == nil {
		return &p
	}
	return s.o.Lenient(p)
}

func (s *statements) blank() Term {
	s.fresh++
	return blankTerm("#" + strconv.Itoa(s.fresh))
}

// all emits the statements of an array of node objects.
func (s *statements) all(nodes []any) error {
	for _, v := range nodes {
		if node, ok := v.(map[string]any); ok && node["@value"] == nil {
			if _, err := s.node(node); err != nil {
				return err
			}
		}
	}
	return nil
}

// iri is the term that an expanded identifier stands for.
func (s *statements) iri(v string) (Term, error) {
	if label, ok := strings.CutPrefix(v, "_:"); ok {
		if label == "" {
			return s.blank(), s.repaired(false, "a blank node has no label")
		}
		// A label of the document must not begin like one of the reader's own.
		return blankTerm(strings.Replace(label, "#", "_", 1)), nil
	}
	if !cleanIRI(v) {
		if err := s.repaired(false, "the IRI %s has characters that must be percent-encoded", clip(v)); err != nil {
			return Term{}, err
		}
		v = repairIRI(v)
	}
	if v == "" {
		return Term{}, s.repaired(true, "an IRI is empty and there is no base")
	}
	if schemeEnd(v) <= 0 {
		return iriTerm(v), s.repaired(false, "the IRI <%s> is relative and there is no base", clip(v))
	}
	return iriTerm(v), nil
}

// node emits what is said of a node and returns it.
func (s *statements) node(node map[string]any) (Term, error) {
	subject := Term{}
	if id, ok := node["@id"].(string); ok {
		var err error
		if subject, err = s.iri(id); err != nil {
			return subject, err
		}
	}
	if subject.Kind == 0 {
		subject = s.blank()
	}
	for _, key := range slices.Sorted(maps.Keys(node)) {
		if err := s.member(subject, key, node[key]); err != nil {
			return subject, err
		}
	}
	return subject, nil
}

func (s *statements) member(subject Term, key string, value any) error {
	items, _ := value.([]any)
	switch key {
	case "@id", "@index":
		return nil
	case "@type":
		return s.types(subject, items)
	case "@graph", "@included":
		return s.all(items)
	case "@reverse":
		return s.reverse(subject, value)
	}
	predicate, err := s.iri(key)
	if err != nil {
		return err
	}
	switch predicate.Kind {
	case Blank:
		return s.repaired(true, "a blank node is no predicate: %s", clip(key))
	case 0:
		return nil
	}
	for _, item := range items {
		object, err := s.object(item)
		if err != nil {
			return err
		}
		if object.Kind == 0 {
			continue
		}
		if err := s.give(Triple{subject, predicate, object}); err != nil {
			return err
		}
	}
	return nil
}

func (s *statements) types(subject Term, items []any) error {
	for _, item := range items {
		name, _ := item.(string)
		class, err := s.iri(name)
		if err != nil || class.Kind == 0 {
			return err
		}
		if err := s.give(Triple{subject, iriTerm(RDFType), class}); err != nil {
			return err
		}
	}
	return nil
}

func (s *statements) reverse(object Term, value any) error {
	properties, _ := value.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		predicate, err := s.iri(key)
		if err != nil || predicate.Kind != IRI {
			return err
		}
		items, _ := properties[key].([]any)
		for _, item := range items {
			subject, err := s.object(item)
			if err != nil {
				return err
			}
			if subject.Kind != IRI && subject.Kind != Blank {
				continue
			}
			if err := s.give(Triple{subject, predicate, object}); err != nil {
				return err
			}
		}
	}
	return nil
}

// object is the term of a node, value or list object.
func (s *statements) object(item any) (Term, error) {
	m, ok := item.(map[string]any)
	if !ok {
		return Term{}, s.repaired(true, "%s is no value", clip(fmt.Sprint(item)))
	}
	if list, ok := m["@list"].([]any); ok {
		return s.list(list)
	}
	if v, ok := m["@value"]; ok {
		return s.value(m, v)
	}
	return s.node(m)
}

func (s *statements) list(items []any) (Term, error) {
	next := iriTerm(rdfNil)
	for _, item := range slices.Backward(items) {
		value, err := s.object(item)
		if err != nil || value.Kind == 0 {
			return next, err
		}
		cell := s.blank()
		for _, t := range []Triple{{cell, iriTerm(rdfFirst), value}, {cell, iriTerm(rdfRest), next}} {
			if err := s.give(t); err != nil {
				return next, err
			}
		}
		next = cell
	}
	return next, nil
}

// value is the literal of a value object (section 8.2).
func (s *statements) value(m map[string]any, v any) (Term, error) {
	datatype, _ := m["@type"].(string)
	text, native := "", ""
	switch v := v.(type) {
	case string:
		text, native = v, XSDString
	case bool:
		text, native = strconv.FormatBool(v), xsdNS+"boolean"
	case float64:
		text, native = jsonNumber(v, datatype)
	}
	if datatype == "@json" {
		raw, err := json.Marshal(v)
		return Term{Kind: Literal, Value: string(raw), Datatype: rdfNS + "JSON"}, err
	}
	if lang, ok := m["@language"].(string); ok {
		return textTerm(text, lang), nil
	}
	if datatype == "" {
		datatype = native
	}
	return Term{Kind: Literal, Value: text, Datatype: datatype}, nil
}

// jsonNumber writes a number as xsd:integer if it is whole, else as xsd:double.
func jsonNumber(v float64, datatype string) (text, native string) {
	if v == math.Trunc(v) && math.Abs(v) < 1e21 && datatype != xsdNS+"double" {
		return strconv.FormatFloat(v, 'f', -1, 64), xsdNS + "integer"
	}
	return ld.GetCanonicalDouble(v), xsdNS + "double"
}
