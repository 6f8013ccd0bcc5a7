package dcatap

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"github.com/assay-register/assay/build/rdf"
)

// A statement is spilled as one string of bytes: the key of its subject, a zero
// byte, the property, the kind of the object, its language, a zero byte, its
// value and, in four bytes, the number of the statement in the document. So the order of the bytes brings the statements about a subject
// together, and those with one property within them, however the document
// orders them. A key is the kind of the subject and its IRI or label.

const (
	keyIRI   = 'i'
	keyBlank = 'b'
)

// key is the key of a subject, "" for a literal.
func key(t rdf.Term) string {
	switch t.Kind {
	case rdf.IRI:
		return string(keyIRI) + t.Value
	case rdf.Blank:
		return string(keyBlank) + t.Value
	}
	return ""
}

// noZero keeps the separator out of the parts before the value.
func noZero(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		return strings.ReplaceAll(s, "\x00", "\ufffd")
	}
	return s
}

// numberSize is the length of the number at the end of an encoded statement.
const numberSize = 4

// encode appends the statement that is the n-th of its document to buf.
func encode(buf []byte, t *rdf.Triple, p prop, n uint32) []byte {
	kind := byte(keyIRI)
	if t.Subject.Kind == rdf.Blank {
		kind = keyBlank
	}
	buf = append(buf, kind)
	buf = append(buf, noZero(t.Subject.Value)...)
	buf = append(buf, 0, byte(p), byte(t.Object.Kind))
	buf = append(buf, noZero(t.Object.Lang)...)
	buf = append(buf, 0)
	buf = append(buf, t.Object.Value...)
	return binary.BigEndian.AppendUint32(buf, n)
}

// unnumbered is an encoded statement without its number.
func unnumbered(record []byte) []byte { return record[:len(record)-numberSize] }

// subjectOf is the key in an encoded statement.
func subjectOf(record []byte) []byte {
	return record[:bytes.IndexByte(record, 0)]
}

// statement is a statement about a node.
type statement struct {
	prop  prop
	kind  rdf.Kind
	lang  string
	value string
	// at is where the document states it first.
	at uint32
}

// decode reads what follows the subject in a record.
func decode(body []byte) statement {
	s := statement{prop: prop(body[1]), kind: rdf.Kind(body[2])}
	lang, value, _ := bytes.Cut(unnumbered(body)[3:], []byte{0})
	s.lang, s.value = string(lang), string(value)
	s.at = binary.BigEndian.Uint32(body[len(body)-numberSize:])
	return s
}

// node is a subject with its statements, ordered by property, language and
// value.
type node struct {
	key        string
	statements []statement
}

// id is the IRI of the node, or its label.
func (n *node) id() string { return n.key[1:] }

// isIRI tells that the node has an IRI.
func (n *node) isIRI() bool { return n.key[0] == keyIRI }

// valuesMax is how many values of one property are looked at. No catalogue has
// more, but one that is made to keep the harvest busy.
const valuesMax = 10_000

// all are the statements with a property, at most valuesMax.
func (n *node) all(p prop) []statement {
	from, to := n.span(p)
	return n.statements[from:min(to, from+valuesMax)]
}

// inOrder are the statements with a property in the order of the document.
func (n *node) inOrder(p prop) []statement {
	list := n.all(p)
	if !slices.IsSortedFunc(list, byPlace) {
		list = slices.Clone(list)
		slices.SortFunc(list, byPlace)
	}
	return list
}

func byPlace(a, b statement) int { return cmp.Compare(a.at, b.at) }

// span is where the statements with a property stand.
func (n *node) span(p prop) (from, to int) {
	at := func(p prop) int {
		return sort.Search(len(n.statements), func(i int) bool { return n.statements[i].prop >= p })
	}
	return at(p), at(p + 1)
}

// cut lists the properties with more than valuesMax values.
func (n *node) cut() []prop {
	var out []prop
	for i := valuesMax; i < len(n.statements); i += valuesMax {
		p := n.statements[i].prop
		if from, to := n.span(p); to-from > valuesMax && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// is tells that the node has a class.
func (n *node) is(class string) bool {
	for _, s := range n.all(propType) {
		if s.value == class {
			return true
		}
	}
	return false
}

// literal is the first literal of a property, "" without one.
func (n *node) literal(p prop) string {
	for _, s := range n.all(p) {
		if s.kind == rdf.Literal && strings.TrimSpace(s.value) != "" {
			return s.value
		}
	}
	return ""
}

// last is the last literal of a property: the latest of several dates.
func (n *node) last(p prop) string {
	found := ""
	for _, s := range n.all(p) {
		if s.kind == rdf.Literal {
			found = s.value
		}
	}
	return found
}

// key is the key of the node that an object is, "" for a literal.
func (s *statement) key() string {
	return key(rdf.Term{Kind: s.kind, Value: s.value})
}
