package search

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func isFilter(name string) bool { return name == "country" || name == "type" }

// show writes a query in short.
func show(q *Query) string {
	out := []string{q.String()}
	for _, f := range q.Filters {
		out = append(out, f.Name+"="+strings.Join(f.Values, "|"))
	}
	return strings.Join(out, " & ")
}

func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		"":                             "",
		"Air  Quality":                 "air quality",
		"Κτίρια ΠΟΛΗΣ":                 "ktiria polis",
		`"air quality" water`:          `"air quality" water`,
		`"air`:                         "air",
		`a"b c"d`:                      `a "b c" d`,
		"wat*":                         "wat*",
		"*":                            "",
		"-bus air":                     "-bus air",
		`-"bus stop"`:                  `-"bus stop"`,
		"air - bus":                    "air bus",
		"Estado -RUVTE-":               "estado ruvte",
		"real-time":                    "real time",
		"country:FR air type:API,MCP":  "air & country=FR & type=API|MCP",
		"COUNTRY:fr":                   " & country=fr",
		`country:"FR,DE"`:              " & country=FR,DE",
		"country: air":                 "air",
		"country:,":                    "",
		"-country:FR":                  "-country -fr",
		"title:water":                  "title:water",
		`title:"air quality" -title:x`: `title:"air quality" -title:x`,
		"note:this 12:30":              "note this 12 30",
		"https://example.org/x?y=z":    "https example org x y z",
		"北京市":                          "北京 京市",
		"((a OR b) AND [c])":           "a or b and c",
		"a\x00b":                       "a b",
	} {
		q, err := Parse(query, isFilter)
		if err != nil {
			t.Errorf("%q: %v", query, err)
		} else if got := show(q); got != want {
			t.Errorf("%q is read as %q, want %q", query, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for query, want := range map[string]string{
		strings.Repeat("x", 1001):         "at most 1000 bytes, not 1001",
		strings.Repeat("country:GR ", 21): "at most 20 conditions",
		"a\xff":                           "UTF-8",
	} {
		_, err := Parse(query, isFilter)
		var refused *QueryError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", query, err, want)
		}
	}
}

// A long title is looked for by its first words, and is known as a whole.
func TestParseCuts(t *testing.T) {
	title := "Kaart -WMS " + strings.Repeat("van het water ", 20)
	q, err := Parse(title, isFilter)
	if err != nil || len(q.Terms) != TermsMax || !q.Terms[1].Not || q.Title != TitleHash(Key(title, "nl")) {
		t.Errorf("%+v, %v", q, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`"a b" -c title:d country:FR,DE e*`, `"`, "-", ":", "::", `country:"`, "title:-", "\xff", strings.Repeat("(", 99), "北京 -市"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := Parse(s, isFilter)
		if err != nil {
			return
		}
		if len(q.Terms) > TermsMax || len(q.Filters) > FiltersMax {
			t.Fatalf("%d words, %d conditions", len(q.Terms), len(q.Filters))
		}
		for _, term := range q.Terms {
			if len(term.Words) == 0 || term.Prefix && term.Quoted {
				t.Fatalf("%q gives %+v", s, term)
			}
			for _, w := range term.Words {
				if w == "" || len(w) > termMax {
					t.Fatalf("%q gives the word %q", s, w)
				}
			}
		}
		// The normal form means the same.
		if again, err := Parse(q.String(), func(string) bool { return false }); err == nil && len(q.String()) <= QueryMax {
			if fmt.Sprint(again.String()) != q.String() && !strings.Contains(q.String(), `"`) {
				t.Fatalf("%q is read as %q, that as %q", s, q.String(), again.String())
			}
		}
	})
}
