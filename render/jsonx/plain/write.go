package plain

import (
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// write appends a value and tells whether it could.
func write(b []byte, s *shape, v reflect.Value) ([]byte, bool) {
	switch s.kind {
	case text:
		return writeText(b, v.String())
	case whole:
		return strconv.AppendInt(b, v.Int(), 10), true
	case truth:
		return strconv.AppendBool(b, v.Bool()), true
	case instant:
		return writeInstant(b, v.Addr().Interface().(*time.Time))
	case object:
		return writeObject(b, s.members, v)
	case pointer:
		if !v.IsNil() {
			return write(b, s.elem, v.Elem())
		}
	case list:
		return writeList(b, s.elem, v)
	case table:
		return writeTable(b, s.elem, v)
	}
	return b, false
}

func writeObject(b []byte, members []member, v reflect.Value) ([]byte, bool) {
	start := len(b)
	b = append(b, '{')
	for k := range members {
		m := &members[k]
		f := v.Field(m.index)
		if m.leftOut(f) {
			continue
		}
		if len(b) > start+1 {
			b = append(b, ',')
		}
		b = append(b, m.name...)
		var ok bool
		if b, ok = write(b, m.shape, f); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

// leftOut tells whether the tag of a member leaves out its value.
func (m *member) leftOut(v reflect.Value) bool {
	if m.empty {
		switch v.Kind() {
		case reflect.String, reflect.Slice, reflect.Map:
			return v.Len() == 0
		case reflect.Struct, reflect.Array:
		default:
			return v.IsZero()
		}
	}
	if !m.zero {
		return false
	}
	if m.shape.kind == instant {
		return v.Addr().Interface().(*time.Time).IsZero()
	}
	return v.IsZero()
}

func writeList(b []byte, elem *shape, v reflect.Value) ([]byte, bool) {
	if v.IsNil() {
		return b, false
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		var ok bool
		if b, ok = write(b, elem, v.Index(i)); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

// letters are the bytes that encoding/json escapes with one letter.
var letters = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '\n': 'n', '\r': 'r', '\t': 't'}

// separator is the first byte of the two line separators of Unicode.
const separator = 0xe2

// asItIs tells which bytes of a text need no second look.
var asItIs = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= ' ' && c != '"' && c != '\\' && c != separator
	}
	return is
}()

// writeText leaves the other control characters and the line separators of
// Unicode, which encoding/json escapes with their number, to it.
func writeText(b []byte, s string) ([]byte, bool) {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if asItIs[c] {
			continue
		}
		if c == separator {
			if rest := s[i:]; strings.HasPrefix(rest, "\u2028") || strings.HasPrefix(rest, "\u2029") {
				return b, false
			}
			continue
		}
		if letters[c] == 0 {
			return b, false
		}
		b = append(append(b, s[from:i]...), '\\', letters[c])
		from = i + 1
	}
	return append(append(b, s[from:]...), '"'), true
}

// writeInstant fails for a year that has not four digits.
func writeInstant(b []byte, t *time.Time) ([]byte, bool) {
	b, err := t.AppendText(append(b, '"'))
	return append(b, '"'), err == nil
}
