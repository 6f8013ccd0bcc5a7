package harvest_test

import (
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// The catalogue nearest to the publisher has the word: what it says is shown, under the
// id and the names that the entry has, whichever was harvested first; what belongs
// together comes from one of them. Taken apart, each says what its own catalogue said.
func TestTheNearestCatalogueWins(t *testing.T) {
	t.Parallel()
	for name, farFirst := range map[string]bool{"the portal first": true, "the publisher first": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			far, near := w.official, w.official
			far.Portal, far.InstitutionID = true, harvest.InstitutionID("fr-meteo")
			near.ID, near.URL = harvest.SourceID("tide-office"), "https://data.tides.example.uk/" // a host of the publisher
			w.update(func(tx catalog.Tx) error { return tx.Sources().Put(w.ctx, far, near) })
			theirs := other(draft("far:k:1", "Tide Times", tides), func(e *catalog.Entry) {
				e.Description, e.LicenseRaw, e.LicenseID, e.DocsURL = "As the portal has it.", "OGL", "OGL-UK-3.0", "https://data.example.gov/docs"
			})
			mine := other(draft("near:k:1", "Tide times", tides), func(e *catalog.Entry) {
				e.Description, e.LicenseRaw = "As the office has it.", "Ask the office"
			})
			first, second := func() harvest.Report { return w.run(far, harvest.Options{}, theirs) }, func() harvest.Report { return w.run(near, harvest.Options{}, mine) }
			if !farFirst {
				first, second = second, first
			}
			first()
			was := w.entries()[0]
			if r := second(); r.Merged != 1 || r.Created != 0 {
				t.Fatalf("%s", r.Summary())
			}
			e := w.known("near:k:1")
			if e.ID != was.ID || e.Slug != was.Slug || e.SourceID != near.ID || e.MergedIntoID != "" || e.Description != "As the office has it." {
				t.Errorf("the entry is %+v", e)
			}
			if e.LicenseRaw != "Ask the office" || e.LicenseID != "" || e.DocsURL != "https://data.example.gov/docs" {
				t.Errorf("licence %q %q, docs %q", e.LicenseRaw, e.LicenseID, e.DocsURL)
			}
			listing := w.known("far:k:1")
			if listing.MergedIntoID != e.ID || listing.SourceID != far.ID || listing.Description != "As the portal has it." || len(w.rows(listing.ID)) == 0 {
				t.Errorf("the other listing is %+v", listing)
			}
			if !slices.ContainsFunc(w.rows(e.ID), func(r catalog.FieldRow) bool {
				return r.SourceID == far.ID && r.Field == "docs_url" && r.Note == catalog.NoteFilled
			}) {
				t.Error("the entry does not say what the portal brought")
			}
			if e.API.ID == listing.API.ID {
				t.Error("two entries have a part of one id")
			}
			n := len(w.events())
			for range 2 {
				w.run(far, harvest.Options{}, theirs)
				w.run(near, harvest.Options{}, mine)
			}
			if len(w.events()) != n {
				t.Errorf("the same again wrote %+v", w.events()[n:])
			}
			w.update(func(tx catalog.Tx) error {
				kind, err := listing.Unmerge(w.now)
				if err != nil {
					return err
				}
				return tx.Entries().Put(w.ctx, catalog.Write{Entry: &listing, Events: []catalog.Event{{Type: kind, OccurredAt: w.now}}})
			})
			w.run(far, harvest.Options{}, theirs)
			w.run(near, harvest.Options{}, mine)
			if l, e := w.known("far:k:1"), w.known("near:k:1"); l.MergedIntoID != "" || l.Status != catalog.StatusActive || l.Description != "As the portal has it." || e.Description != "As the office has it." {
				t.Errorf("taken apart: %+v and %+v", l, e)
			}
		})
	}
}
