package citation

import (
	"encoding/json"
	"strings"
	"testing"
)

const page = `{"id":"9d5b","slug":"air-quality","type":"DATASET","name":"Air {quality} & 100 % dust","title_qualifier":"2025","description":"Two\nlines","tags":["air","dust_fine"],
"native_lang":"en","publisher":{"name":"Agency of Air"},"identifiers":["https://doi.org/10.5072/ABC"],"license":{"title":"CC BY 4.0"},"source_modified_at":"2025-03-04T00:00:00Z",
"source_issued_at":"2020-01-01T00:00:00Z","homepage_url":"https://air.example","dataset_details":{"landing_page":"https://air.example/d","version":"2"}}`

func TestForms(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func([]byte, string) ([]byte, error)
		wants []string
	}{
		{"CSL", CSL, []string{`"type":"dataset"`, `"DOI":"10.5072/ABC"`, `"date-parts":[[2020,1,1]]`, `"author":[{"literal":"Agency of Air"}]`, `"URL":"https://air.example/d"`, `"source":"https://r.example/id/9d5b"`}},
		{"BibTeX", BibTeX, []string{"@misc{air-quality,", `title = {{Air \{quality\} \& 100 \% dust (2025)}}`, "year = {2020}", "doi = {10.5072/ABC}", `dust\_fine`, "note = {Described at https://r.example/id/9d5b}"}},
		{"RIS", RIS, []string{"TY  - DATA\r\n", "TI  - Air {quality} & 100 % dust (2025)\r\n", "AB  - Two lines\r\n", "PY  - 2020\r\n", "DO  - 10.5072/ABC\r\n", "KW  - dust_fine\r\n", "ER  - \r\n"}},
	} {
		out, err := c.make([]byte(page), "https://r.example/")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.wants {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s has no %q:\n%s", c.name, want, out)
			}
		}
		if _, err := c.make([]byte("no JSON"), ""); err == nil {
			t.Errorf("%s takes what is no answer", c.name)
		}
		bare, err := c.make([]byte(`{"id":"1","slug":"x","type":"API","name":"X"}`), "https://r.example")
		if err != nil || strings.Contains(string(bare), "0-") || !strings.Contains(string(bare), "https://r.example/id/1") {
			t.Errorf("%s of an entry of which little is known: %s, %v", c.name, bare, err)
		}
	}
	out, _ := CSL([]byte(page), "https://r.example")
	if !json.Valid(out) {
		t.Error("CSL is no JSON")
	}
}
