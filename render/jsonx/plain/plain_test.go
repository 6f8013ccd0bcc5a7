package plain_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx/plain"
)

// word is text of a type of its own.
type word string

// part is a struct inside another one.
type part struct {
	Name string `json:"name"`
	At   time.Time
}

// thing has a member of every form that package plain knows and some that it
// leaves to encoding/json.
type thing struct {
	Text    string           `json:"text"`
	Word    word             `json:"word,omitempty"`
	N       int              `json:"n"`
	Long    int64            `json:"long,omitempty"`
	Is      bool             `json:"is"`
	May     bool             `json:"may,omitempty"`
	At      time.Time        `json:"at"`
	Seen    time.Time        `json:"seen,omitzero"`
	Zero    time.Time        `json:"zero,omitempty"`
	Inner   inner            `json:"inner,omitzero"`
	Point   *inner           `json:"point,omitempty"`
	Must    *inner           `json:"must"`
	List    []string         `json:"list,omitempty"`
	All     []inner          `json:"all"`
	Points  []*inner         `json:"points,omitempty"`
	Lists   [][]int          `json:"lists,omitempty"`
	Raw     json.RawMessage  `json:"raw,omitempty"`
	Share   float64          `json:"share,omitempty"`
	Map     map[string]int   `json:"map,omitempty"`
	Named   map[word][]word  `json:"named,omitempty"`
	Times   map[string]inner `json:"times"`
	Numbers map[int]string   `json:"numbers,omitempty"`
	Judged  map[judged]int   `json:"judged,omitempty"`
	Any     any              `json:"any,omitempty"`
	Bytes   []byte           `json:"bytes,omitempty"`
	Pair    [2]int           `json:"pair,omitzero"`
	Skipped string           `json:"-"`
	hidden  string
}

type inner struct {
	A string `json:"a,omitempty"`
	B int    `json:"b,omitempty"`
}

// standard is what encoding/json writes without HTML escaping.
func standard(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func full() thing {
	return thing{Text: "a<b>&c \"quoted\" \\ tab\t line\n end\r Κτίρια 𝄞", Word: "w", N: -12, Long: 123456789012345678, Is: true, May: true, At: noon,
		Seen: noon.Add(120 * time.Millisecond), Inner: inner{A: "x"}, Point: &inner{}, Must: &inner{B: 3}, List: []string{"", "b"},
		All: []inner{{}, {A: "y", B: -1}}, Points: []*inner{{A: "p"}}, Lists: [][]int{{1, 0}, {}}, hidden: "",
		Map: map[string]int{"": 1, "b\"": 2, "a": 3}, Named: map[word][]word{"nl": {"x", "y"}, "de-t-nl": {}}, Times: map[string]inner{}}
}

func TestPlain(t *testing.T) {
	long := full()
	for range 100 {
		long.All = append(long.All, inner{B: len(long.All)})
	}
	zoned := full()
	zoned.At = noon.In(time.FixedZone("", -5400))
	if b, ok := plain.Append(nil, &zoned); !ok || string(b) != standard(t, zoned) {
		t.Errorf("zoned: %s, %v", b, ok)
	}
	for name, v := range map[string]thing{"full": full(), "long": long, "least": {Must: &inner{}, All: []inner{}, Times: map[string]inner{}}} {
		want := standard(t, v)
		got, ok := plain.Append([]byte("before "), &v)
		if !ok || string(got) != "before "+want {
			t.Errorf("%s: Append = %s, %v; want %s", name, got, ok, want)
		}
		var back thing
		if !plain.Read(want, &back) {
			t.Errorf("%s: %s is not read", name, want)
		}
		var other thing
		if err := json.Unmarshal([]byte(want), &other); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(other, back, cmp.AllowUnexported(thing{})); diff != "" {
			t.Errorf("%s (-encoding/json +plain):\n%s", name, diff)
		}
	}
}

// TestLeavesToEncodingJSON has the values that only encoding/json writes.
func TestLeavesToEncodingJSON(t *testing.T) {
	for name, change := range map[string]func(*thing){
		"control character": func(v *thing) { v.Text = "\x01" }, "backspace": func(v *thing) { v.Text = "\b" },
		"line separator": func(v *thing) { v.Text = "a\u2028" }, "paragraph separator": func(v *thing) { v.Text = "\u2029" },
		"not UTF-8": func(v *thing) { v.Text = "\xff" }, "half a separator": func(v *thing) { v.Text = "\xe2\x80" },
		"null list": func(v *thing) { v.All = nil }, "null pointer": func(v *thing) { v.Must = nil },
		"null in a list": func(v *thing) { v.Points = []*inner{nil} }, "year": func(v *thing) { v.At = noon.AddDate(9000, 0, 0) },
		"raw": func(v *thing) { v.Raw = json.RawMessage(`1`) }, "fraction": func(v *thing) { v.Share = 0.5 },
		"map from numbers": func(v *thing) { v.Numbers = map[int]string{1: "a"} }, "map from what writes itself": func(v *thing) { v.Judged = map[judged]int{"a": 1} },
		"null map": func(v *thing) { v.Times = nil }, "control character in a key": func(v *thing) { v.Map = map[string]int{"\x01": 1} }, "null in a map": func(v *thing) { v.Named = map[word][]word{"a": nil} }, "any": func(v *thing) { v.Any = "a" },
		"bytes": func(v *thing) { v.Bytes = []byte("a") }, "array": func(v *thing) { v.Pair[1] = 1 },
	} {
		v := full()
		change(&v)
		if b, ok := plain.Append(nil, &v); ok {
			t.Errorf("%s: %s", name, b)
		}
	}
	var none *thing
	for _, v := range []any{nil, none, full(), new(any), new(map[string]string), &[]part{{}}, new(struct{ part }),
		&struct {
			N int `json:"n,string"`
		}{}, &struct {
			At *judge `json:"at,omitzero"`
		}{}, new(tree)} {
		if b, ok := plain.Append(nil, v); ok && string(b) != standard(t, v) {
			t.Errorf("%T: %s", v, b)
		}
	}
}

// judge decides itself when it is zero.
type judge struct{}

func (*judge) IsZero() bool { return false }

// judged writes itself.
type judged string

func (j judged) MarshalText() ([]byte, error) { return []byte("judged " + j), nil }

// tree is a type inside itself.
type tree struct {
	Branches []tree `json:"branches"`
}

func TestReadRefuses(t *testing.T) {
	good := standard(t, full())
	for name, doc := range map[string]string{
		"nothing": "", "space": " " + good, "more": good + " ", "cut": good[:len(good)-1], "null": "null", "list": "[]",
		"unknown": `{"text":"a","what":1}`, "order": `{"n":1,"text":"a"}`, "twice": `{"text":"a","text":"b"}`, "case": `{"Text":"a"}`,
		"comma": `{"text":"a",}`, "colon": `{"text" :"a"}`, "wrong type": `{"text":1}`, "null text": `{"text":null}`,
		"leading zero": `{"n":01}`, "minus": `{"n":-}`, "minus zero": `{"n":-0}`, "fraction": `{"n":1.0}`, "power": `{"n":1e3}`,
		"too large": `{"n":99999999999999999999}`, "not true": `{"is":truth}`, "escape": `{"text":"\u0041"}`, "slash": `{"text":"\/"}`,
		"open escape": `{"text":"\`, "open": `{"text":"a`, "control": "{\"text\":\"a\nb\"}", "control after escape": "{\"text\":\"\\n\n\"}",
		"not UTF-8": "{\"text\":\"\xff\"}", "zone": `{"at":"2026-11-21T12:00:00+01:00"}`, "no time": `{"at":"noonZ"}`, "day": `{"at":"2026-02-30T12:00:00Z"}`,
		"list comma": `{"list":["a",]}`, "list open": `{"list":["a"`, "raw": `{"raw":1}`, "share": `{"share":1}`, "map of numbers": `{"numbers":{}}`, "map open": `{"map":{"a":1`, "map comma": `{"map":{"a":1,}}`, "map colon": `{"map":{"a" :1}}`,
		"map twice": `{"map":{"a":1,"a":2}}`, "map order": `{"map":{"b":1,"a":2}}`, "map type": `{"map":{"a":"b"}}`, "map key": `{"map":{a:1}}`, "null map": `{"map":null}`, "hidden": `{"hidden":"a"}`,
	} {
		if v := (thing{}); plain.Read(doc, &v) {
			t.Errorf("%s: %s was read", name, doc)
		}
	}
	if plain.Read(good, thing{}) || plain.Read(good, (*thing)(nil)) || plain.Read(good, nil) {
		t.Error("read into what holds nothing")
	}
}

func TestDoc(t *testing.T) {
	type line struct {
		Kind  string           `json:"kind"`
		Thing plain.Doc[thing] `json:"thing,omitempty"`
		More  string           `json:"more,omitempty"`
	}
	var l line
	doc := standard(t, full())
	if !plain.Read(`{"kind":"k","thing":`+doc+`,"more":"m"}`, &l) || l.Kind != "k" || string(l.Thing) != doc || l.More != "m" {
		t.Fatalf("read %+v", l)
	}
	var got, want thing
	if err := json.Unmarshal([]byte(doc), &want); err != nil || !l.Thing.Read(&got) || !reflect.DeepEqual(got, want) {
		t.Errorf("the document gave %+v, %v", got, err)
	}
	for _, bad := range []string{`{"kind":"k","thing":{"n":"1"}}`, `{"kind":"k","thing":{"text":1}}`, `{"kind":"k","thing":{"at":"2026-02-30T12:00:00Z"}}`,
		`{"kind":"k","thing":{"what":1}}`, `{"kind":"k","thing":[]}`, `{"kind":"k","thing":{"is":1}}`} {
		if l := (line{}); plain.Read(bad, &l) {
			t.Errorf("%s was read", bad)
		}
	}
}

// FuzzRead holds what is read and written against encoding/json.
func FuzzRead(f *testing.F) {
	for _, v := range []any{full(), catalog.Entry{Name: "a", CreatedAt: noon}, catalog.Entry{Dataset: &catalog.DatasetDetails{Spatial: []string{"x"}}}, catalog.Entry{Titles: catalog.Texts{"nl": "a", "de-t-nl": "b"}},
		catalog.Provenance{Rows: []catalog.FieldRow{{Field: "a", ObservedAt: noon}}}, thing{}} {
		f.Add(standard(f, v))
	}
	f.Fuzz(func(t *testing.T, doc string) {
		same[thing](t, doc)
		same[catalog.Entry](t, doc)
		same[catalog.Provenance](t, doc)
		text := thing{Text: doc, All: []inner{}, Must: &inner{}, Map: map[string]int{doc: 1}, Times: map[string]inner{}}
		if b, ok := plain.Append(nil, &text); ok && string(b) != standard(t, text) {
			t.Fatalf("%q became %s", doc, b)
		}
	})
}

func same[T any](t *testing.T, doc string) {
	var v, want T
	if !plain.Read(doc, &v) {
		return
	}
	dec := json.NewDecoder(strings.NewReader(doc))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&want); err != nil || !reflect.DeepEqual(v, want) {
		t.Fatalf("%s gave %+v, encoding/json %+v, %v", doc, v, want, err)
	}
	if b, ok := plain.Append(nil, &v); ok && string(b) != standard(t, v) {
		t.Fatalf("%s, encoding/json %s", b, standard(t, v))
	}
}
