package rendertest

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestFixtureIsValid(t *testing.T) {
	slugs, types, states := map[string]bool{}, map[catalog.EntryType]bool{}, map[catalog.VerificationState]bool{}
	for _, r := range append(Rows(), Many(30)...) {
		if r.Entry.Slug == HostileServer {
			// No way in lets its overrides pass; formats write them all the same.
			r.Entry.Description, r.Entry.PublisherName = catalog.Plain(r.Entry.Description), catalog.Plain(r.Entry.PublisherName)
		}
		if err := r.Entry.Validate(); err != nil {
			t.Errorf("%s: %v", r.Entry.Slug, err)
		}
		if slugs[r.Entry.Slug] {
			t.Errorf("slug %s stands twice", r.Entry.Slug)
		}
		slugs[r.Entry.Slug], types[r.Entry.Type] = true, true
	}
	for _, s := range Scored() {
		states[s.Result.State] = true
	}
	if len(types) != 3 || len(states) != 4 {
		t.Errorf("types %v, states %v", types, states)
	}
}

func TestFixtureIsFrozen(t *testing.T) {
	c := Catalog(t)
	if len(c.Lines) != 9 || len(c.Order) != 8 || len(c.Gone) != 2 || len(c.Redirects) != 3 {
		t.Errorf("%d lines, %d listed, %d gone, %d redirects", len(c.Lines), len(c.Order), len(c.Gone), len(c.Redirects))
	}
	w := Find(t, WeatherAPI)
	if w.Result.Maturity.Level.Level != catalog.MaturityGuaranteed || w.Entry().DocsURL != "https://environment.example.gr/manual" {
		t.Errorf("the weather API is %s with docs %s", w.Result.Maturity.Level.Level, w.Entry().DocsURL)
	}
	for _, slug := range []string{AirDataset, FrenchAir} {
		if Find(t, slug).Qualifier == "" {
			t.Errorf("%s has no qualifier", slug)
		}
	}
}
