package feed

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html"
	"strings"
	"testing"
)

// FuzzText compares what is written here with what the standard library makes
// of the same text.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", " a", "a  b", "a\tb", "\r\n", `<&>"'`, "é\u00a0\u2028", "\ufeff\ufffd\xff", "\\\"", "null"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := oneLine(s), strings.Join(strings.Fields(clean(s)), " "); got != want {
			t.Errorf("oneLine gives %q, want %q", got, want)
		}
		var d document
		var want bytes.Buffer
		if err := xml.EscapeText(&want, []byte(clean(s))); err != nil {
			t.Fatal(err)
		}
		if d.text(clean(s)); string(d) != want.String() {
			t.Errorf("text gives %q, want %q", d, want.String())
		}
		d = nil
		if d.text(oneLine(s)); string(d) != html.EscapeString(oneLine(s)) {
			t.Errorf("text gives %q in HTML", d)
		}
	})
}

// FuzzMember reads the members of an item. None that a feed takes is the first.
func FuzzMember(f *testing.F) {
	f.Add("name", `","description":"`, "")
	f.Add("\\", "\u2028", "é")
	f.Fuzz(func(t *testing.T, name, description, lang string) {
		item := map[string]*string{"a": nil, "name": &name, "description": &description, "native_lang": &lang,
			"name_en": nil, "description_en": nil, "primary_source_url": nil, "homepage_url": nil}
		body, err := json.Marshal(item)
		if err != nil {
			t.Fatal(err)
		}
		var e listed
		if err := e.read(body); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		var want struct {
			Name, Description string
			Lang              string `json:"native_lang"`
		}
		if err := json.Unmarshal(body, &want); err != nil || e != (listed{name: want.Name, description: want.Description, lang: want.Lang}) {
			t.Errorf("%s gives %+v, %v", body, e, err)
		}
	})
}
