// Package jsonx writes JSON in the one form that JavaScript writes too, so
// that JSON.stringify(JSON.parse(body)) === body and anyone can recompute an
// answer's hash (decisions §3). It writes what encoding/json writes, with three
// differences: no HTML escaping, U+2028 and U+2029 as themselves, no trailing
// newline. Integers beyond 2^53, negative zero and integer-like object keys are
// left to the types of render/wire, which hold none.
package jsonx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/assay-register/assay/render/jsonx/plain"
)

// Marshal encodes v.
func Marshal(v any) ([]byte, error) {
	room := scratch.Get().(*[]byte)
	b, err := Append((*room)[:0], v)
	if err != nil {
		return nil, err
	}
	out := bytes.Clone(b)
	if cap(b) <= idleMax {
		*room = b
		scratch.Put(room)
	}
	return out, nil
}

// scratch are slices in which documents of unknown size grow.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// Append encodes v behind what b holds.
func Append(b []byte, v any) ([]byte, error) {
	b, _, err := AppendRows(b, v)
	return b, err
}

// AppendRows is Append, and counts the objects as Elements does.
func AppendRows(b []byte, v any) (_ []byte, rows int, err error) {
	b, rows, err = plain.Script(b, v, standard)
	if err != nil {
		return nil, 0, fmt.Errorf("encode %T: %w", v, err)
	}
	return b, rows, nil
}

// AppendText encodes a text, AppendNumber a finite number behind what b holds.
// They are for types that write themselves: plain.Scripter.
func AppendText(b []byte, s string) []byte { return plain.Text(b, s) }

// AppendNumber is described with AppendText.
func AppendNumber(b []byte, f float64) []byte { return plain.Number(b, f) }

// standard appends what encoding/json makes of a value of which package plain
// knows nothing.
func standard(b []byte, v any) (_ []byte, rows int, err error) {
	w := writers.Get().(*writer)
	w.buf.Reset()
	if err := w.enc.Encode(v); err != nil {
		return b, 0, err
	}
	encoded := w.buf.Bytes()
	b, rows = unescape(b, encoded[:len(encoded)-1]), Elements(encoded)
	if w.buf.Cap() <= idleMax {
		writers.Put(w)
	}
	return b, rows, nil
}

// idleMax bounds the buffers that are kept for the next document, in bytes.
const idleMax = 1 << 20

// writer is an encoder with its buffer, which are used again.
type writer struct {
	buf bytes.Buffer
	enc *json.Encoder
}

var writers = sync.Pool{New: func() any {
	w := &writer{}
	w.enc = json.NewEncoder(&w.buf)
	w.enc.SetEscapeHTML(false)
	return w
}}

// unescape appends b to out; it writes U+2028, U+2029 and the replacement
// character, which stands for an invalid byte, as themselves. An escaped
// backslash before the same letters is text and stays.
func unescape(out, b []byte) []byte {
	if !bytes.Contains(b, []byte(`\u202`)) && !bytes.Contains(b, []byte(`\ufffd`)) {
		return append(out, b...)
	}
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 >= len(b) {
			out = append(out, b[i])
			continue
		}
		if i+5 < len(b) && b[i+1] == 'u' && string(b[i+2:i+5]) == "202" && (b[i+5] == '8' || b[i+5] == '9') {
			out = append(out, 0xe2, 0x80, 0xa8+b[i+5]-'8')
			i += 5
			continue
		}
		if i+5 < len(b) && string(b[i+1:i+6]) == "ufffd" {
			out = append(out, "\ufffd"...)
			i += 5
			continue
		}
		out = append(out, b[i], b[i+1])
		i++
	}
	return out
}

// Join makes one object of two encoded objects, the members of the first
// before those of the second.
func Join(a, b []byte) []byte {
	if len(a) <= 2 {
		return b
	}
	if len(b) <= 2 {
		return a
	}
	out := make([]byte, 0, len(a)+len(b))
	out = append(out, a[:len(a)-1]...)
	out = append(out, ',')
	return append(out, b[1:]...)
}

// Elements counts the objects that are elements of any array in an encoded
// value: the row_count of a manifest.
func Elements(b []byte) int {
	n := 0
	stack := make([]byte, 0, 32)
	for i := 0; i < len(b); i++ {
		switch c := b[i]; c {
		case '"':
			i = skipString(b, i)
		case '{':
			if len(stack) > 0 && stack[len(stack)-1] == '[' {
				n++
			}
			stack = append(stack, c)
		case '[':
			stack = append(stack, c)
		case '}', ']':
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		}
	}
	return n
}

// Texts reads the members of an encoded object that are texts, by their names, without looking into what
// else it holds: "" where there is none.
func Texts(b []byte, names ...string) ([]string, error) {
	out, left := make([]string, len(names)), len(names)
	for i := 1; i < len(b) && b[i] == '"' && left > 0; i++ {
		end := skipString(b, i)
		from := end + 2 // a colon lies between, and no space
		if from >= len(b) || b[end+1] != ':' {
			return nil, errNotPlain
		}
		to := skipValue(b, from)
		if n := slices.Index(names, string(b[i+1:end])); n >= 0 && b[from] == '"' {
			left--
			if text := b[from+1 : to-1]; bytes.IndexByte(text, '\\') < 0 {
				out[n] = string(text)
			} else if err := json.Unmarshal(b[from:to], &out[n]); err != nil {
				return nil, err
			}
		}
		if i = to; i < len(b) && b[i] != ',' && b[i] != '}' {
			return nil, errNotPlain
		}
	}
	return out, nil
}

var errNotPlain = errors.New("no object as the register writes it")

// skipValue returns the index behind the value that begins at i.
func skipValue(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = skipString(b, i); depth == 0 {
				return min(i+1, len(b))
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			} else if depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// skipString returns the index of the quote that closes the string opened at i.
func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return len(b)
		}
		i += j
		slashes := 0
		for k := i - 1; k >= 0 && b[k] == '\\'; k-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return i
}
