package thesaurus

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/codelist"
)

// TestConcepts checks that the table can be used: every concept once, named in all of its
// languages, with codes that exist.
func TestConcepts(t *testing.T) {
	codes := map[string]bool{}
	for c := range codelist.Codes() {
		if c.List == "data-theme" || c.List == "hvd" {
			codes[c.Code] = true
		}
	}
	head, _, _ := strings.Cut(concepts, "\n")
	languages := strings.Split(head, "\t")[2:]
	if len(languages) < 10 {
		t.Errorf("names in %d languages", len(languages))
	}
	known := map[string]bool{}
	for _, c := range Concepts() {
		if known[c.ID] {
			t.Errorf("%s stands twice", c.ID)
		}
		known[c.ID] = true
		for _, code := range c.Codes {
			if !codes[code] {
				t.Errorf("%s: no code %s", c.ID, code)
			}
		}
		for _, l := range languages {
			if !slices.ContainsFunc(c.Names, func(n Name) bool { return n.Lang == l }) {
				t.Errorf("%s has no name in %s", c.ID, l)
			}
		}
	}
	if len(known) < 200 {
		t.Errorf("%d concepts", len(known))
	}
	for _, theme := range codesOf("data-theme") {
		if theme != "OP_DATPRO" && !slices.ContainsFunc(Concepts(), func(c Concept) bool { return slices.Contains(c.Codes, theme) }) {
			t.Errorf("no concept means the theme %s", theme)
		}
	}
}

func codesOf(list string) (out []string) {
	for c := range codelist.Codes() {
		if c.List == list && c.Code != "data-theme" {
			out = append(out, c.Code)
		}
	}
	return out
}

func TestPlaces(t *testing.T) {
	code := regexp.MustCompile(`^(country:[A-Z]{2}|region:[A-Z]{2}(-[A-Z0-9]{1,3})?|nuts:[A-Z]{2}[0-9A-Z]{0,3}|geonames:[0-9]+)$`)
	known := map[string]bool{}
	for _, p := range Places() {
		for _, c := range p.Codes {
			if !code.MatchString(c) {
				t.Errorf("%s: code %s", p.ID, c)
			}
		}
		if known[p.ID] {
			t.Errorf("%s stands twice", p.ID)
		}
		known[p.ID] = true
		if len(p.Names) < 2 {
			t.Errorf("%s has one name only", p.ID)
		}
	}
	if !known["country:BE"] || !known["geonames:2800866"] || !known["region:BE-BRU"] {
		t.Error("Belgium or Brussels is no place")
	}
}
