package redact

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestRecord(t *testing.T) {
	for _, c := range []struct {
		media, in, want string
		n               int
	}{
		{"application/json", `{"b":1.50,"a":"x","author":"Ann Lee","maintainer_email":"","author_email":"ann@a.example"}`,
			`{"b":1.50,"a":"x","author":"[withheld]","maintainer_email":"","author_email":"[withheld]"}`, 2},
		{"application/json", `{"notes":"write to ann.lee@a.example, or mailto:bob%40b.example","dcat:contactPoint":{"fn":"Ann"}}`,
			`{"notes":"write to [withheld], or [withheld]","dcat:contactPoint":"[withheld]"}`, 3},
		{"application/ld+json", `[{"vcard:hasEmail":[{"@id":"mailto:a@b.example"}],"user":null},"<&>"]`, `[{"vcard:hasEmail":"[withheld]","user":null},"<&>"]`, 1},
		{"application/xml", `<a xmlns:g="u"><g:individualName><g:CharacterString>Ann &amp; Lee</g:CharacterString></g:individualName><t href="mailto:a&#64;b.example">x&#x40;y.example</t><!-- Ann --></a>`,
			`<a xmlns:g="u"><g:individualName><g:CharacterString>[withheld]</g:CharacterString></g:individualName><t href="[withheld]">[withheld]</t></a>`, 4},
		{"application/xml", `<a><fax/><b>kept</b><contact><x/>Ann</contact><c>kept</c></a>`, `<a><fax/><b>kept</b><contact><x/>[withheld]</contact><c>kept</c></a>`, 1},
		{"application/yaml", "info:\n  title: Tides\n  contact:\n    name: Ann Lee\n    url: https://a.example\n  version: '1'\n",
			"info:\n  title: Tides\n  contact: [withheld]\n  version: '1'\n", 1},
		{"text/markdown", "---\ntitle: Tides\nowner: Ann\n---\nWrite to ann@a.example.\n", "---\ntitle: Tides\nowner: [withheld]\n---\nWrite to [withheld].\n", 2},
		{"text/csv", "name,contact\r\nTides,ann@a.example\r\n", "name,contact\r\nTides,[withheld]\r\n", 1},
	} {
		out, n, err := Record(c.media, []byte(c.in))
		if err != nil || string(out) != c.want || n != c.n {
			t.Errorf("%s: %s\n%s, %d, %v; want\n%s, %d", c.media, c.in, out, n, err, c.want, c.n)
		}
		again, _, err := Record(c.media, out)
		if err != nil || string(again) != string(out) {
			t.Errorf("%s: once more: %s, %v", c.media, again, err)
		}
	}
	for media, in := range map[string]string{"application/json": `{"a":`, "application/xml": `<a`, "text/json": `{} {}`} {
		if out, _, err := Record(media, []byte(in)); !errors.Is(err, errNotRead) {
			t.Errorf("%s %s: %s, %v", media, in, out, err)
		}
	}
	if !slices.IsSorted(members) {
		t.Error("the members are looked up by their order")
	}
}

// FuzzRecord: whatever comes in, no address of mail comes out, and a form stays one.
func FuzzRecord(f *testing.F) {
	f.Add("application/json", `{"a":{"b":["x@y.example"]}}`)
	f.Add("application/xml", `<a b='x@y.example'><?p x?><![CDATA[x@y.example]]></a>`)
	f.Add("text/csv", "a,b")
	f.Fuzz(func(t *testing.T, media, in string) {
		media, _, _ = strings.Cut(media, ";")
		out, _, err := Record(media, []byte(in))
		if err != nil {
			return
		}
		if mails.Match(out) {
			t.Errorf("%q: %q", in, out)
		}
		if strings.HasSuffix(media, "json") && !json.Valid(out) {
			t.Errorf("%q is no JSON: %q", in, out)
		}
		if strings.HasSuffix(media, "xml") && !strings.Contains(in, "<!") {
			d := xml.NewDecoder(strings.NewReader(string(out)))
			for {
				if _, err := d.RawToken(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%q: %v: %q", in, err, out)
				}
			}
		}
	})
}

func TestSaid(t *testing.T) {
	for text, want := range map[string]string{
		"Write to ann.b@mail.example now": "Write to [withheld] now", "call +32 (0)2 123 45 67.": "call [withheld]", "pay BE68 5390 0754 7034 please": "pay [withheld] please",
		"https://data.example/a?b=2026-11-24 gives 500": "https://data.example/a?b=2026-11-24 gives 500", "EPSG:31370 and 1+1": "EPSG:31370 and 1+1", "": "",
	} {
		if got := Said(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func FuzzSaid(f *testing.F) {
	f.Add("mailto:a@b.example +32 2 123 45 67 BE68539007547034")
	f.Fuzz(func(t *testing.T, s string) {
		once := Said(s)
		if again := Said(once); again != once {
			t.Errorf("%q became %q, and then %q", s, once, again)
		}
	})
}
