package plain_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/jsonx/plain"
)

// outer has members of its own between those of structs that lie in it.
type outer struct {
	First string `json:"first"`
	inner2
	Share *float64 `json:"share"`
	Inlined
	Any any `json:"any"`
}

type inner2 struct {
	X int `json:"x"`
}

// Inlined lies in outer.
type Inlined struct {
	List  []inner           `json:"list"`
	Texts []string          `json:"texts"`
	Map   map[string]string `json:"map"`
}

// Hiding has a member that hides one of the struct that lies in it.
type Hiding struct {
	Inlined
	List int `json:"list"`
}

// expected is what JavaScript writes: what encoding/json writes with three
// escapes resolved.
func expected(t testing.TB, v any) string {
	return resolved.Replace(standard(t, v))
}

var resolved = strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\ufffd")

func other(b []byte, v any) ([]byte, int, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return append(b, resolved.Replace(strings.TrimSuffix(buf.String(), "\n"))...), 0, err
}

func TestScript(t *testing.T) {
	share, text := 64.1, "a pointed text"
	thingOf := full()
	thingOf.Share, thingOf.Map, thingOf.Bytes, thingOf.Raw = 0.25, map[string]int{"b": 1, "a": 2}, []byte("bytes"), json.RawMessage(`{"a":[1, 2]}`)
	for name, v := range map[string]any{
		"nothing": nil, "zero": thing{}, "pointer to zero": &thing{}, "full": thingOf, "nil pointer": (*thing)(nil), "text": "x", "pointer to text": &text,
		"inlined": Hiding{}, "own members": &outer{First: "1", Share: &share, Inlined: Inlined{List: []inner{{A: "a"}}, Texts: []string{}, Map: map[string]string{"k": "v"}}, Any: []any{1, "x", nil}},
		"empty outer": outer{}, "list": []float64{0, math.Copysign(0, -1), 1, -1.5, 0.1, 0.25, 1e9, 1e21, 1e-7, 100, 99.9, -0.1, 1.0 / 3}, "numbers": []uint8{1},
		"every byte": everyByte(), "bad text": []string{"a\xffb", "\xc3", "\xe2\x80", "\xe2\x80\xa8\xe2\x80\xa9", "é\xed\xa0\x80x"},
	} {
		got, _, err := plain.Script([]byte("before "), v, other)
		if want := "before " + expected(t, v); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
	if _, _, err := plain.Script(nil, math.NaN(), other); err == nil {
		t.Error("what is not a number must fail")
	}
}

func everyByte() string {
	var b strings.Builder
	for c := range rune(0x80) {
		b.WriteRune(c)
	}
	return b.String()
}

func FuzzScript(f *testing.F) {
	f.Add("text \u2028\\u2028 \xff", 64.1, int64(-3), true)
	f.Fuzz(func(t *testing.T, s string, share float64, n int64, is bool) {
		if math.IsNaN(share) || math.IsInf(share, 0) {
			return
		}
		v := thing{Text: s, Word: word(s), Share: share, Long: n, Is: is, List: []string{s, s}}
		got, _, err := plain.Script(nil, &v, other)
		if err != nil {
			t.Fatal(err)
		}
		// An escaped backslash before the letters of an escape is text, which
		// the expectation cannot tell.
		if want := expected(t, v); !strings.Contains(s, `\`) && string(got) != want {
			t.Fatalf("%s; want %s", got, want)
		}
		var back thing
		if err := json.Unmarshal(got, &back); err != nil || back.Text != string([]rune(s)) || back.Share != share {
			t.Fatalf("%s is read as %q, %v, %v", got, back.Text, back.Share, err)
		}
	})
}

func BenchmarkScript(b *testing.B) {
	v := full()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf, _, _ = plain.Script(buf[:0], &v, other)
	}
	b.SetBytes(int64(len(buf)))
}
