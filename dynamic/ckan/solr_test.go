package ckan

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/snapshot"
)

func here() *call {
	return &call{s: &query.Snapshot{Catalog: &snapshot.Catalog{AsOf: time.Date(2026, 11, 21, 12, 34, 56, 0, time.UTC)}}}
}

func TestInstant(t *testing.T) {
	now := here().s.AsOf
	for text, want := range map[string]string{
		"NOW": "2026-11-21T12:34:56Z", "NOW-7DAYS": "2026-11-14T12:34:56Z", "NOW/DAY": "2026-11-21T00:00:00Z", "NOW-1YEAR/MONTH+2HOURS": "2025-11-01T02:00:00Z",
		"2026-01-02": "2026-01-02T00:00:00Z", "2026-01-02T03:04:05Z": "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678901": "2026-01-02T03:04:05Z",
		"yesterday": "", "NOW-7PARSECS": "", "NOW*2": "", "NOW-9999999DAYS": "",
	} {
		got, err := instant(text, now)
		if err != nil {
			if want != "" {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if at := time.Unix(int64(*got), 0).UTC().Format(time.RFC3339); at != want {
			t.Errorf("%s: got %s, want %s", text, at, want)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{{"a*", "abc", true}, {"*c", "abc", true}, {"a?c", "abc", true}, {"a?c", "ac", false}, {"*b*", "abc", true}, {"", "", true}, {"*", "", true}, {"a*b*c", "a1b2c", true}, {"é*", "été", true}, {"a*d", "abc", false}} {
		if match(c.pattern, c.s) != c.want {
			t.Errorf("%q %q: %t", c.pattern, c.s, !c.want)
		}
	}
}

// FuzzSolr: a query is understood or refused with the words of CKAN, and ends.
func FuzzSolr(f *testing.F) {
	for _, q := range []string{"a", "+a:b -c:(d OR \"e f\")", "metadata_modified:[NOW-1DAY TO *]", "name:a\\ b*", "((", "a:[", "\"", "tags:(a (b", "!", "-", "a:b:c", "http://x"} {
		f.Add(q)
	}
	c := here()
	f.Fuzz(func(t *testing.T, q string) {
		if _, err := c.parse(q); err != nil && !strings.Contains(err.Error(), ": ") {
			t.Errorf("%q: %v", q, err)
		}
	})
}

// TestWhereAQueryIsWrong: what cannot be read is refused with its place.
func TestWhereAQueryIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"AND": `character 1: "AND"`, "tags:a AND": "at its end", "tags:a OR ": "at its end", "NOT": "at its end", "(tags:a AND) tags:b": `character 12: ") tags:b"`,
		"OR tags:a": `character 1: "OR tags:a"`, "tags:é AND OR tags:b": `character 12: "OR tags:b"`, "tags:a)": `character 7: ")"`, "title:[a TO b]": "title is a text", "notes:{a TO *}": "notes is a text",
	} {
		if _, err := here().parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`"AND"`, `tags:"OR"`, "tags:\\AND", "tags:ANDROID", "title:[* TO *]", "tags:a AND(tags:b)", "NOT\ttags:a"} {
		if _, err := here().parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
