// Package plain reads and writes the JSON of the register's own records
// quickly. It knows only what encoding/json writes, without HTML escaping, for
// structs of text, whole numbers, truth values and times, lists of them and maps
// from text: members in the order of the struct, keys in order, no space between them, no null. Whatever else it meets it
// leaves to encoding/json and says so; it never gives another result.
//
// Script writes any value, in the form of JavaScript. Both write by the shapes
// of types, straight into the caller's slice: encoding/json writes into a
// buffer of its own, from where pages were copied twice, and looks at each
// value by reflection through more layers.
package plain

import (
	"reflect"
	"unicode/utf8"
)

// Read reads doc into the struct that out points to, which must be zero. It
// tells whether doc has the plain form; if not, doc may still be JSON, and *out
// is undefined. The texts of *out share the memory of doc.
func Read(doc string, out any) bool {
	v := reflect.ValueOf(out)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return false
	}
	r := reader{doc: doc}
	return r.value(shapeOf(v.Type().Elem()), v.Elem()) && r.at == len(doc) && utf8.ValidString(doc)
}

// Doc is the JSON of a T that stays as it is: Read makes sure that it has the
// plain form and goes on behind it. The empty Doc stands for none. A Doc is
// for reading only.
type Doc[T any] string

// Read reads the document into *out, which must be zero.
func (d Doc[T]) Read(out *T) bool { return Read(string(d), out) }

func (Doc[T]) of() reflect.Type { return reflect.TypeFor[T]() }

// Append appends the JSON of the struct that v points to, directly or by a
// further pointer. It tells whether that is possible; if not, the bytes behind
// those given are undefined.
func Append(b []byte, v any) ([]byte, bool) {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return b, false
	}
	from := len(b)
	b, ok := write(b, shapeOf(p.Type().Elem()), p.Elem())
	return b, ok && utf8.Valid(b[from:])
}
