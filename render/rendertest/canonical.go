package rendertest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// CheckJSON fails unless JSON.stringify(JSON.parse(body)) === body would hold
// in JavaScript.
func CheckJSON(t testing.TB, name string, body []byte) {
	t.Helper()
	if _, err := parse(body); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// CheckSealed is CheckJSON for an answer with a manifest, whose hash and row
// count are made again from the parsed answer.
func CheckSealed(t testing.TB, name string, body []byte) {
	t.Helper()
	v, err := parse(body)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if err := checkManifest(v); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func checkManifest(v *value) error {
	manifest := v.member("manifest")
	if manifest == nil {
		return fmt.Errorf("no manifest")
	}
	said, rows := manifest.member("answer_sha256"), manifest.member("row_count")
	stamped := manifest.member("stamped_keys")
	if said == nil || rows == nil || stamped == nil {
		return fmt.Errorf("the manifest lacks a hash, a row count or its stamped keys")
	}
	for _, key := range stamped.elements {
		manifest.remove(key.text)
	}
	if len(manifest.keys) == 0 {
		v.remove("manifest")
	}
	sum := sha256.Sum256([]byte(v.String()))
	if want := hex.EncodeToString(sum[:]); want != said.text {
		return fmt.Errorf("answer_sha256 is %s, recomputed %s", said.text, want)
	}
	v.remove("manifest")
	if want := strconv.Itoa(v.rows()); want != rows.text {
		return fmt.Errorf("row_count is %s, recomputed %s", rows.text, want)
	}
	return nil
}

// value is a parsed JSON value that keeps the order of members.
type value struct {
	// kind is { [ " or the first letter of number, true, false, null.
	kind     byte
	text     string
	keys     []string
	elements []*value
}

func parse(body []byte) (*value, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	v, err := next(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the value")
	}
	if got := v.String(); got != string(body) {
		i := 0
		for i < min(len(got), len(body)) && got[i] == body[i] {
			i++
		}
		return nil, fmt.Errorf("not canonical: ...%q is written again as ...%q", around(string(body), i), around(got, i))
	}
	return v, nil
}

func around(s string, i int) string { return s[max(0, i-40):min(len(s), i+40)] }

func next(dec *json.Decoder) (*value, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch x := token.(type) {
	case json.Delim:
		return composite(dec, byte(x))
	case string:
		return &value{kind: '"', text: x}, nil
	case json.Number:
		return &value{kind: 'n', text: x.String()}, nil
	case bool:
		return &value{kind: 'b', text: strconv.FormatBool(x)}, nil
	}
	return &value{kind: '0', text: "null"}, nil
}

func composite(dec *json.Decoder, kind byte) (*value, error) {
	v := &value{kind: kind}
	for dec.More() {
		if kind == '{' {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			if slices.Contains(v.keys, key.(string)) {
				return nil, fmt.Errorf("member %q stands twice", key)
			}
			v.keys = append(v.keys, key.(string))
		}
		e, err := next(dec)
		if err != nil {
			return nil, err
		}
		v.elements = append(v.elements, e)
	}
	_, err := dec.Token()
	v.reorder()
	return v, err
}

// reorder puts the keys that are array indexes first, in numeric order, as
// JavaScript does.
func (v *value) reorder() {
	type pair struct {
		key     string
		element *value
		index   uint64
	}
	pairs := make([]pair, len(v.keys))
	for i, k := range v.keys {
		n, err := strconv.ParseUint(k, 10, 32)
		if err != nil || n == math.MaxUint32 || strconv.FormatUint(n, 10) != k {
			n = math.MaxUint32
		}
		pairs[i] = pair{k, v.elements[i], n}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.index, b.index) })
	for i, p := range pairs {
		v.keys[i], v.elements[i] = p.key, p.element
	}
}

func (v *value) member(key string) *value {
	if i := slices.Index(v.keys, key); i >= 0 {
		return v.elements[i]
	}
	return nil
}

func (v *value) remove(key string) {
	if i := slices.Index(v.keys, key); i >= 0 {
		v.keys, v.elements = slices.Delete(v.keys, i, i+1), slices.Delete(v.elements, i, i+1)
	}
}

// rows counts the objects that are elements of an array.
func (v *value) rows() int {
	n := 0
	for _, e := range v.elements {
		if v.kind == '[' && e.kind == '{' {
			n++
		}
		n += e.rows()
	}
	return n
}

// String writes the value as JSON.stringify does.
func (v *value) String() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v *value) write(b *strings.Builder) {
	switch v.kind {
	case '"':
		quote(b, v.text)
	case 'n':
		b.WriteString(number(v.text))
	case '{', '[':
		b.WriteByte(v.kind)
		for i, e := range v.elements {
			if i > 0 {
				b.WriteByte(',')
			}
			if v.kind == '{' {
				quote(b, v.keys[i])
				b.WriteByte(':')
			}
			e.write(b)
		}
		b.WriteByte(v.kind + 2)
	default:
		b.WriteString(v.text)
	}
}

var escapes = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch short, ok := escapes[r]; {
		case ok:
			b.WriteString(short)
		case r < ' ':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// number writes a number as JavaScript does (ECMAScript, Number::toString).
func number(literal string) string {
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return "null"
	}
	if f == 0 {
		return "0"
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}
