package harvest_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// Whoever decides that two entries are one thing decides nothing about which of them is
// right: the catalogue nearer to the publisher has the word under the older id, the other
// one fills what it lacks, and the next harvests leave it so.
func TestAPersonUnitesTwo(t *testing.T) {
	t.Parallel()
	for name, farFirst := range map[string]bool{"the portal first": true, "the publisher first": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, w *world) {
				far, near, third := w.official, w.official, w.official
				far.Portal, far.InstitutionID = true, harvest.InstitutionID("fr-meteo")
				near.ID, near.URL = harvest.SourceID("tide-office"), "https://data.tides.example.uk/" // a host of the publisher
				third.ID, third.URL = harvest.SourceID("third"), "https://third.example/"
				w.update(func(tx catalog.Tx) error { return tx.Sources().Put(w.ctx, far, near, third) })
				theirs := other(draft("far:k:1", "Heights of the tide", tides), func(e *catalog.Entry) {
					e.Description, e.LicenseRaw, e.LicenseID, e.DocsURL = "As the portal has it.", "OGL", "OGL-UK-3.0", "https://data.example.gov/docs"
				})
				mine := other(draft("near:k:1", "Tide times", tides), func(e *catalog.Entry) {
					e.Description, e.LicenseRaw = "As the office has it.", "Ask the office"
				})
				harvests := []func() harvest.Report{func() harvest.Report { return w.run(far, harvest.Options{}, theirs) }, func() harvest.Report { return w.run(near, harvest.Options{}, mine) }}
				refs := []string{"far:k:1", "near:k:1"}
				if !farFirst {
					slices.Reverse(harvests)
					slices.Reverse(refs)
				}
				for _, run := range harvests {
					run()
					w.now = w.now.AddDate(0, 0, 1)
				}
				w.run(third, harvest.Options{}, draft("third:k:1", "Tides, as seen from afar", tides))
				older, newer := w.known(refs[0]), w.known(refs[1])
				if len(newer.MayBe()) == 0 || !slices.Contains(older.MayBe(), newer.ID) {
					t.Fatalf("no possible duplicates: %v and %v", older.MayBe(), newer.MayBe())
				}
				// What the third may be besides the older one is decided with the newer.
				other := w.known("third:k:1")
				w.update(func(tx catalog.Tx) error {
					other.Propose(&newer)
					newer.Propose(&other)
					event := func() []catalog.Event { return []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: w.now}} }
					return tx.Entries().Put(w.ctx, catalog.Write{Entry: &other, Events: event()}, catalog.Write{Entry: &newer, Events: event()})
				})
				older, newer = w.known(refs[0]), w.known(refs[1])
				w.update(func(tx catalog.Tx) error { return harvest.Unite(w.ctx, tx, &older, &newer, w.now) })
				e, listing := w.known("near:k:1"), w.known("far:k:1")
				if e.ID != older.ID || e.Slug != older.Slug || e.SourceID != near.ID || e.MergedIntoID != "" || e.Status != catalog.StatusActive || e.Description != "As the office has it." {
					t.Errorf("the entry is %+v", e)
				}
				if e.LicenseRaw != "Ask the office" || e.LicenseID != "" || e.DocsURL != "https://data.example.gov/docs" {
					t.Errorf("licence %q %q, docs %q", e.LicenseRaw, e.LicenseID, e.DocsURL)
				}
				if listing.ID != newer.ID || listing.MergedIntoID != e.ID || listing.Status != catalog.StatusRemoved || listing.Description != "As the portal has it." {
					t.Errorf("the other listing is %+v", listing)
				}
				if third := w.known("third:k:1"); slices.Contains(e.MayBe(), listing.ID) || len(listing.MayBe()) != 0 || slices.Contains(third.MayBe(), listing.ID) || slices.Contains(third.MayBe(), e.ID) != slices.Contains(e.MayBe(), third.ID) {
					t.Errorf("what is still asked: %v, %v, %v", e.MayBe(), listing.MayBe(), third.MayBe())
				}
				if !slices.ContainsFunc(w.rows(e.ID), func(r catalog.FieldRow) bool {
					return r.SourceID == far.ID && r.Note == catalog.NoteFilled && r.Field == "docs_url"
				}) {
					t.Error("the entry does not say what the portal brought")
				}
				merged := func(x catalog.Event) bool { return x.Type == catalog.EventMerged && x.EntryID == listing.ID }
				if !slices.ContainsFunc(w.events(), merged) {
					t.Error("no event tells that the two were merged")
				}
				n := len(w.events())
				for range 2 {
					for _, run := range harvests {
						run()
					}
				}
				if len(w.events()) != n {
					t.Errorf("the same again wrote %+v", w.events()[n:])
				}
				err := w.st.Update(w.ctx, func(tx catalog.Tx) error { return harvest.Unite(w.ctx, tx, &older, &newer, w.now) })
				if !errors.Is(err, catalog.ErrConflict) {
					t.Errorf("merged twice: %v", err)
				}
			})
		})
	}
}

// A draft of the public gives way to any catalogue, and of two that nothing tells apart the
// one that was there first has the word.
func TestWhoeverProposedGivesWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ kind, want string }{"a catalogue": {"ckan", "first"}, "the public": {"submission", "second"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			first, second := w.official, w.official
			first.ID, first.URL, first.Kind = harvest.SourceID("first"), "https://first.example/", c.kind
			second.ID, second.URL, second.Portal, first.Portal = harvest.SourceID("second"), "https://second.example/", true, true
			w.update(func(tx catalog.Tx) error { return tx.Sources().Put(w.ctx, first, second) })
			for i, s := range []catalog.Source{first, second} {
				w.run(s, harvest.Options{}, other(draft([]string{"a:k:1", "b:k:1"}[i], []string{"Tides", "Heights"}[i], tides), func(e *catalog.Entry) { e.Description = []string{"first", "second"}[i] }))
				w.now = w.now.AddDate(0, 0, 1)
			}
			older, newer := w.known("a:k:1"), w.known("b:k:1")
			w.update(func(tx catalog.Tx) error { return harvest.Unite(w.ctx, tx, &older, &newer, w.now) })
			if older.Description != c.want || older.MergedIntoID != "" || newer.MergedIntoID != older.ID {
				t.Errorf("the entry says %q", older.Description)
			}
		})
	}
}
