package jsonx

import (
	"encoding/json"
	"testing"
)

func TestMarshal(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"<b>&'\"", `"<b>&'\""`},
		{"a\u2028b\u2029", "\"a\u2028b\u2029\""},
		{`\u2028`, `"\\u2028"`},
		{"\\\u2028", "\"\\\\\u2028\""},
		{"bad\xff", "\"bad\ufffd\""},
		{"tab\tnl\nbs\b\x01", `"tab\tnl\nbs\b\u0001"`},
		{"𝄞 Κτίρια", `"𝄞 Κτίρια"`},
	} {
		got, err := Marshal(c.in)
		if err != nil || string(got) != c.want {
			t.Errorf("Marshal(%q) = %s, %v; want %s", c.in, got, err, c.want)
		}
	}
	if _, err := Marshal(make(chan int)); err == nil {
		t.Error("Marshal of a channel must fail")
	}
}

func TestJoin(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`{"a":1}`, `{"b":2}`, `{"a":1,"b":2}`},
		{`{}`, `{"b":2}`, `{"b":2}`},
		{`{"a":1}`, `{}`, `{"a":1}`},
	} {
		if got := string(Join([]byte(c.a), []byte(c.b))); got != c.want {
			t.Errorf("Join(%s, %s) = %s", c.a, c.b, got)
		}
	}
}

func TestElements(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int
	}{
		{`{}`, 0},
		{`{"a":[1,"{",{"b":[{}]}],"c":{"d":{}}}`, 2},
		{`[{},{},[{}]]`, 3},
		{`{"a":["\\\"{[",{"x":"\\"}]}`, 1},
	} {
		if got := Elements([]byte(c.in)); got != c.want {
			t.Errorf("Elements(%s) = %d, want %d", c.in, got, c.want)
		}
	}
}

func FuzzElements(f *testing.F) {
	f.Add(`{"a":[1,{"b":[{}]}],"c":"\"["}`)
	f.Fuzz(func(t *testing.T, s string) {
		var v any
		if json.Unmarshal([]byte(s), &v) != nil {
			Elements([]byte(s))
			return
		}
		body, err := Marshal(v)
		if err != nil {
			t.Skip()
		}
		if got, want := Elements(body), count(v, false); got != want {
			t.Fatalf("Elements(%s) = %d, want %d", body, got, want)
		}
	})
}

func count(v any, inArray bool) int {
	n := 0
	switch x := v.(type) {
	case map[string]any:
		if inArray {
			n = 1
		}
		for _, y := range x {
			n += count(y, false)
		}
	case []any:
		for _, y := range x {
			n += count(y, true)
		}
	}
	return n
}

// row has lists of every kind.
type row struct {
	Name  string            `json:"name"`
	Rows  []row             `json:"rows"`
	Refs  []*row            `json:"refs"`
	Any   []any             `json:"any"`
	Map   map[string]any    `json:"map"`
	Lists [][]row           `json:"lists"`
	Raw   []json.RawMessage `json:"raw"`
}

func TestAppendRowsCountsElements(t *testing.T) {
	leaf := row{Name: "{[{"}
	for _, v := range []any{
		nil, row{}, []row{{}, leaf}, &row{Rows: []row{leaf, {Refs: []*row{&leaf, nil}}}, Lists: [][]row{{leaf}, {}}},
		row{Any: []any{leaf, 1, map[string]any{"a": []any{map[string]any{}}}}, Map: map[string]any{"x": []row{leaf}}},
		row{Raw: []json.RawMessage{json.RawMessage(`{"a":[{}]}`), json.RawMessage(`[{}]`)}}, []any{leaf, []any{leaf}},
	} {
		b, rows, err := AppendRows(nil, v)
		if want := Elements(b); err != nil || rows != want {
			t.Errorf("%s: %d rows, %v; want %d", b, rows, err, want)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ in, a, b string }{
		{`{}`, "", ""},
		{`{"a":"x","b":"y"}`, "x", "y"},
		{`{"n":-1.5,"o":{"a":"no","l":["}",{"b":"no"}]},"l":[],"t":true,"a":"q\"\\\u00e9","z":null,"b":""}`, "q\"\\é", ""},
		{`{"a":null,"b":["no"],"c":"d"}`, "", ""},
	} {
		got, err := Texts([]byte(c.in), "a", "b")
		if err != nil || got[0] != c.a || got[1] != c.b {
			t.Errorf("Texts(%s) = %q, %v; want %q and %q", c.in, got, err, c.a, c.b)
		}
	}
	for _, in := range []string{`{"a" : "x"}`, `{"a":"x" ,"b":"y"}`, `{"a"`} {
		if got, err := Texts([]byte(in), "a", "b"); err == nil {
			t.Errorf("Texts(%s) = %q, not an error", in, got)
		}
	}
}
