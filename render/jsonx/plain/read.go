package plain

import (
	"reflect"
	"strconv"
	"strings"
	"time"
)

// reader stands in a document. Its methods tell whether they found what they
// look for and go past it.
type reader struct {
	doc string
	at  int
}

func (r *reader) skip(c byte) bool {
	if r.at == len(r.doc) || r.doc[r.at] != c {
		return false
	}
	r.at++
	return true
}

// value takes a value into v, or past it when v is none.
func (r *reader) value(s *shape, v reflect.Value) bool {
	switch s.kind {
	case text:
		t, ok := r.text()
		if ok && v.IsValid() {
			v.SetString(t)
		}
		return ok
	case whole:
		return r.whole(v)
	case truth:
		return r.truth(v)
	case instant:
		return r.instant(v)
	case object:
		return r.object(s.members, v)
	case pointer:
		return r.pointer(s.elem, v)
	case list:
		return r.list(s.elem, v)
	case table:
		return r.table(s.elem, v)
	case document:
		from := r.at
		ok := r.value(s.elem, reflect.Value{})
		if ok && v.IsValid() {
			v.SetString(r.doc[from:r.at])
		}
		return ok
	}
	return false
}

// object takes the members in the order of the struct; those that are not there
// keep their zero.
func (r *reader) object(members []member, v reflect.Value) bool {
	if !r.skip('{') {
		return false
	}
	if r.skip('}') {
		return true
	}
	for k := range members {
		m := &members[k]
		if m.name == "" || !strings.HasPrefix(r.doc[r.at:], m.name) {
			continue
		}
		r.at += len(m.name)
		var field reflect.Value
		if v.IsValid() {
			field = v.Field(m.index)
		}
		if !r.value(m.shape, field) {
			return false
		}
		if r.skip('}') {
			return true
		}
		if !r.skip(',') {
			return false
		}
	}
	return false
}

func (r *reader) pointer(elem *shape, v reflect.Value) bool {
	if !v.IsValid() {
		return r.value(elem, v)
	}
	p := reflect.New(v.Type().Elem())
	v.Set(p)
	return r.value(elem, p.Elem())
}

func (r *reader) list(elem *shape, v reflect.Value) bool {
	if !r.skip('[') {
		return false
	}
	if r.skip(']') {
		if v.IsValid() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		return true
	}
	for n := 0; ; n++ {
		var next reflect.Value
		if v.IsValid() {
			next = extend(v, n)
		}
		switch {
		case !r.value(elem, next):
			return false
		case r.skip(']'):
			return true
		case !r.skip(','):
			return false
		}
	}
}

// listRoom is the room of a list at first, in bytes: for some texts, or for one
// large element.
const listRoom = 128

// extend makes room for the n-th element and returns it.
func extend(v reflect.Value, n int) reflect.Value {
	if n == v.Cap() {
		v.Grow(max(1, n, listRoom/max(1, int(v.Type().Elem().Size()))))
	}
	v.SetLen(n + 1)
	return v.Index(n)
}

// text takes a text without escapes as a part of the document.
func (r *reader) text() (string, bool) {
	if !r.skip('"') {
		return "", false
	}
	rest := r.doc[r.at:]
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			r.at += i + 1
			return rest[:i], true
		case c == '\\':
			r.at += i
			return r.escaped([]byte(rest[:i]))
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// plainEscapes are the escapes of one letter that encoding/json writes.
var plainEscapes = map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped goes on with a text at its first escape.
func (r *reader) escaped(b []byte) (string, bool) {
	for i := r.at; i < len(r.doc); i++ {
		switch c := r.doc[i]; {
		case c == '"':
			r.at = i + 1
			return string(b), true
		case c < ' ' || i+1 == len(r.doc):
			return "", false
		case c == '\\':
			i++
			if c = plainEscapes[r.doc[i]]; c == 0 {
				return "", false
			}
			b = append(b, c)
		default:
			b = append(b, c)
		}
	}
	return "", false
}

// wholeDigits is how many digits fit every 64-bit number.
const wholeDigits = 18

func (r *reader) whole(v reflect.Value) bool {
	from := r.at
	r.skip('-')
	digits := r.at
	for r.at < len(r.doc) && r.doc[r.at] >= '0' && r.doc[r.at] <= '9' {
		r.at++
	}
	if n := r.at - digits; n == 0 || n > wholeDigits || r.doc[digits] == '0' && r.at-from > 1 {
		return false
	}
	n, err := strconv.ParseInt(r.doc[from:r.at], 10, 64)
	if err != nil {
		return false
	}
	if v.IsValid() {
		v.SetInt(n)
	}
	return true
}

func (r *reader) truth(v reflect.Value) bool {
	for _, is := range []bool{true, false} {
		if word := strconv.FormatBool(is); strings.HasPrefix(r.doc[r.at:], word) {
			r.at += len(word)
			if v.IsValid() {
				v.SetBool(is)
			}
			return true
		}
	}
	return false
}

// instantMax is the length of the longest time in UTC with its quotes.
const instantMax = len(`"2006-01-02T15:04:05.999999999Z"`)

// instant takes a time in UTC.
func (r *reader) instant(v reflect.Value) bool {
	rest := r.doc[r.at:min(len(r.doc), r.at+instantMax)]
	n := strings.Index(rest, `Z"`) + 2
	if n < 2 || rest[0] != '"' {
		return false
	}
	var t time.Time
	into := &t
	if v.IsValid() {
		into = v.Addr().Interface().(*time.Time)
	}
	r.at += n
	return into.UnmarshalText([]byte(rest[1:n-1])) == nil
}
