package plain

import (
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"
)

// Script appends the JSON of v in the form that JavaScript writes: what
// encoding/json writes without HTML escaping, but U+2028, U+2029 and the
// replacement character, which stands for a byte that is no text, as
// themselves. Values of which this package knows nothing, such as those that
// write themselves, are left to other.
//
// It counts the objects that are elements of lists; other does that for what it
// writes.
func Script(b []byte, v any, other Other) (_ []byte, rows int, err error) {
	p := reflect.ValueOf(v)
	if !p.IsValid() {
		return append(b, "null"...), 0, nil
	}
	if p.Kind() != reflect.Pointer || p.IsNil() {
		value := reflect.New(p.Type())
		value.Elem().Set(p)
		p = value
	}
	from := len(b)
	w := script{other: other}
	b, err = w.value(b, shapeOf(p.Type().Elem()), p.Elem())
	if err != nil || utf8.Valid(b[from:]) {
		return b, w.rows, err
	}
	// Conversion replaces each byte that is no text by itself.
	return append(b[:from], string([]rune(string(b[from:])))...), w.rows, nil
}

// Other appends a value and counts the objects that are elements of its lists.
type Other func(b []byte, v any) (_ []byte, rows int, err error)

type script struct {
	other Other
	rows  int
}

func (w *script) value(b []byte, s *shape, v reflect.Value) ([]byte, error) {
	switch s.kind {
	case text:
		return scriptText(b, v.String()), nil
	case whole:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case truth:
		return strconv.AppendBool(b, v.Bool()), nil
	case instant:
		if out, ok := writeInstant(b, v.Addr().Interface().(*time.Time)); ok {
			return out, nil
		}
	case number:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return Number(b, f), nil
		}
	case object:
		return w.object(b, s.members, v)
	case pointer:
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return w.value(b, s.elem, v.Elem())
	case list:
		return w.list(b, s.elem, v)
	case scripter:
		return v.Addr().Interface().(Scripter).AppendScript(b), nil
	}
	b, rows, err := w.other(b, v.Addr().Interface())
	w.rows += rows
	return b, err
}

func (w *script) object(b []byte, members []member, v reflect.Value) ([]byte, error) {
	start := len(b)
	b, err := w.members(append(b, '{'), start, members, v)
	return append(b, '}'), err
}

// members writes those of the object that begins at start.
func (w *script) members(b []byte, start int, members []member, v reflect.Value) ([]byte, error) {
	var err error
	for k := range members {
		m := &members[k]
		f := v.Field(m.index)
		if m.shape.kind == inlined {
			if b, err = w.members(b, start, m.shape.members, f); err != nil {
				return b, err
			}
			continue
		}
		if m.leftOut(f) {
			continue
		}
		if len(b) > start+1 {
			b = append(b, ',')
		}
		if b, err = w.value(append(b, m.name...), m.shape, f); err != nil {
			return b, err
		}
	}
	return b, nil
}

func (w *script) list(b []byte, elem *shape, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	var err error
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		start := len(b)
		if b, err = w.value(b, elem, v.Index(i)); err != nil {
			return b, err
		}
		if b[start] == '{' {
			w.rows++
		}
	}
	return append(b, ']'), nil
}

// Number appends a finite number as Script does: the shortest text that stands
// for it, with an exponent from 1e21 and below 1e-6 as in JavaScript.
func Number(b []byte, f float64) []byte {
	if tenth(f) {
		return appendTenth(b, f)
	}
	if abs := math.Abs(f); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	// An exponent has no leading zero.
	if n := len(b); b[n-4] == 'e' && b[n-2] == '0' {
		b = append(b[:n-2], b[n-1])
	}
	return b
}

// tenth tells whether a number has one decimal at most, as scores have. The
// quotient of whole numbers is the nearest number to the decimal, so that
// decimal is the shortest that stands for it.
func tenth(f float64) bool {
	return math.Abs(f) < 1e9 && math.Round(f*10)/10 == f && !(f == 0 && math.Signbit(f))
}

func appendTenth(b []byte, f float64) []byte {
	n := int64(math.Round(f * 10))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/10, 10)
	if n%10 != 0 {
		b = append(b, '.', byte('0'+n%10))
	}
	return b
}

// scripted are the escapes of a text, by byte; most bytes have none.
var scripted = func() (by [256]string) {
	for c := range ' ' {
		by[c] = `\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15])
	}
	for c, letter := range map[byte]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`} {
		by[c] = letter
	}
	return by
}()

// isScripted tells which bytes have an escape.
var isScripted = func() (is [256]bool) {
	for c, s := range scripted {
		is[c] = s != ""
	}
	return is
}()

func scriptText(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; isScripted[c] {
			b = append(append(b, s[from:i]...), scripted[c]...)
			from = i + 1
		}
	}
	return append(append(b, s[from:]...), '"')
}

// Scripter is a type that writes itself as Script would, but quicker. It has no
// lists.
type Scripter interface {
	// AppendScript appends the JSON of the value.
	AppendScript(b []byte) []byte
}

// Text appends a text as Script does.
func Text(b []byte, s string) []byte { return scriptText(b, s) }
