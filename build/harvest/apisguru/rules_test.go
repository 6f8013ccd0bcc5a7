package apisguru

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

func TestOwn(t *testing.T) {
	for _, c := range []struct {
		document, provider string
		want               bool
	}{
		{"https://api.example.gov.uk/a.json", "example.gov.uk", true},
		{"https://example.gov.uk/a.json", "api.example.gov.uk", true},
		{"https://other.gov.uk/a.json", "example.gov.uk", false},
		{"https://raw.githubusercontent.com/o/r/main/a.json", "example.gov.uk", true},
		{"https://apisetu.gov.in/a.yaml", "cowin.gov.cin", false},
		{"https://example.local/a.yaml", "example.local", true},
		{"", "example.gov.uk", false},
		{"https://a.example.org", "", false},
	} {
		if got := own(c.document, c.provider); got != c.want {
			t.Errorf("%s of %s: %v", c.document, c.provider, got)
		}
	}
}

func TestProvider(t *testing.T) {
	for _, c := range []struct{ key, stated, publisher, home string }{
		{"a.gov:x", "a.gov", "a.gov", "https://a.gov"},
		{"italy:milan:dati.example.it", "", "dati.example.it", "https://dati.example.it"},
		{"italy:milan:portal", "", "", ""},
		{"a.gov:x", "a.gov/path", "", ""},
		{"a.gov:x", "user@a.gov", "", ""},
		{"cdcgov.local:x", "cdcgov.local", "cdcgov.local", ""},
		{"x", "nowhere", "", ""},
	} {
		in := source.Input{Name: "list.json"}
		b := source.NewBuilder(&in, "x", "", "")
		provider(b, c.key, c.stated)
		if e := b.Draft.Entry; e.PublisherName != c.publisher || e.HomepageURL != c.home || b.Draft.PublisherKey != "" {
			t.Errorf("%s, %q: %q, %q", c.key, c.stated, e.PublisherName, e.HomepageURL)
		}
	}
}

// TestPreferred: without a preferred version that exists it is the one updated
// last, then the last in byte order.
func TestPreferred(t *testing.T) {
	m := mapper{in: &source.Input{Name: "l"}, host: "h"}
	for doc, want := range map[string]string{
		`{"preferred":"1","versions":{"1":{},"2":{}}}`:                                    "1",
		`{"preferred":1,"versions":{"1":{},"2":{}}}`:                                      "1",
		`{"preferred":"9","versions":{"1":{},"2":{}}}`:                                    "2",
		`{"versions":{"1":{"updated":"2024-01-01"},"2":{"updated":"2023-01-01"}}}`:        "1",
		`{"versions":{"1":{"updated":"2024-01-01"},"2":{"updated":"2024-01-01"},"0":{}}}`: "2",
	} {
		if _, got, bad := m.parse("k", json.RawMessage(doc)); bad != nil || got != want {
			t.Errorf("%s: %q, %v", doc, got, bad)
		}
	}
	for _, doc := range []string{`{}`, `7`, `null`, `{"versions":{}}`, `{"versions":[]}`, `{"versions":{"1":{"info":[]}}}`} {
		if _, _, bad := m.parse("k", json.RawMessage(doc)); bad == nil || bad.Code != source.CodeInvalidField || bad.UpstreamRef != "h:apisguru:k" {
			t.Errorf("%s: %v", doc, bad)
		}
	}
}

// TestList takes members apart and stops at the first byte that is no JSON.
func TestList(t *testing.T) {
	for _, c := range []struct {
		doc, keys string
		code      source.Code
	}{
		{`{"a":1,"b":{"c":[]},"a":2}`, "a,b,a", ""},
		{` { } `, "", ""},
		{`{"a":1 "b":2}`, "a", source.CodeBrokenJSON},
		{`{"a":{]}`, "", source.CodeBrokenJSON},
		{`{"a":1`, "a", source.CodeBrokenJSON},
		{`null`, "", source.CodeNoRecords},
		{`{"a":"` + strings.Repeat("x", 300) + `","b":1}`, "", source.CodeRecordTooLarge},
		{`{"a":1,` + strings.Repeat(" ", 3000) + `"b":1}`, "a", source.CodeRecordTooLarge},
	} {
		s, err := source.NewStream(strings.NewReader(c.doc), "l", source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		l := newList(s, "l", 200)
		var keys []string
		var code source.Code
		for {
			key, _, bad, err := l.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if bad != nil {
				code = bad.Code
				continue
			}
			keys = append(keys, key)
		}
		if strings.Join(keys, ",") != c.keys || code != c.code {
			t.Errorf("%.40s: %q, %s", c.doc, keys, code)
		}
	}
}

func TestLoose(t *testing.T) {
	var v struct{ A, B, C, D, E, F loose }
	if err := json.Unmarshal([]byte(`{"A":"x","B":1.50,"C":true,"D":null,"E":{"y":1},"F":[1]}`), &v); err != nil {
		t.Fatal(err)
	}
	if v.A != "x" || v.B != "1.50" || v.C != "true" || v.D != "" || v.E != "" || v.F != "" {
		t.Errorf("%+v", v)
	}
}

// TestMembers bounds the versions that an entry keeps.
func TestMembers(t *testing.T) {
	in := source.Input{Name: "l"}
	b := source.NewBuilder(&in, "x", "", "")
	r := &record{Versions: map[string]version{"1": {}, "2": {SwaggerURL: "http://localhost/x"}, " ": {}}}
	members(b, false, r, "1")
	if got := b.Draft.Entry.Members; len(got) != 1 || got[0].Name != "2" || got[0].URL != "" {
		t.Errorf("%+v", got)
	}
	for i := range catalog.ListMax + 5 {
		r.Versions[fmt.Sprint("v", i)] = version{}
	}
	b = source.NewBuilder(&in, "x", "", "")
	if members(b, false, r, "1"); len(b.Draft.Entry.Members) != catalog.ListMax {
		t.Errorf("%d members", len(b.Draft.Entry.Members))
	}
}
