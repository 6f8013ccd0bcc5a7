package harvest_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// onBoth runs a test in a world on a store of each kind.
func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	for name, open := range map[string]func(t *testing.T) (catalog.Store, error){
		"sqlite": func(t *testing.T) (catalog.Store, error) {
			return sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
		},
		"postgres": func(t *testing.T) (catalog.Store, error) { return postgres.Open(t.Context(), pgtest.NewStoreURL(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st, err := open(t)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { st.Close() })
			test(t, worldOf(t, st))
		})
	}
}

// Two entries of two catalogues become one when one of them gains the evidence, with
// what the catalogue nearer to the publisher says under the older id; what moderators
// took apart stays apart.
func TestEntriesAreComparedAgain(t *testing.T) {
	t.Parallel()
	far := "https://tides.example.uk/elsewhere"
	for name, c := range map[string]struct {
		near     bool // the second catalogue is the publisher's own
		gain     func(*catalog.Entry)
		decided  *catalog.AuditRow
		merged   int
		proposed int
	}{
		"an identifier":                   {gain: func(e *catalog.Entry) { e.Identifiers = []string{doi} }, merged: 1},
		"an identifier, at the publisher": {gain: func(e *catalog.Entry) { e.Identifiers = []string{doi} }, near: true, merged: 1},
		"name and address":                {gain: func(e *catalog.Entry) { e.Name, e.PrimarySourceURL = "Tide Times", tides }, merged: 1},
		"the address alone":               {gain: func(e *catalog.Entry) { e.PrimarySourceURL = tides }, proposed: 1},
		"nothing":                         {gain: func(e *catalog.Entry) { e.DocsURL = "https://tides.example.uk/docs" }},
		"an identifier, but decided on":   {gain: func(e *catalog.Entry) { e.Identifiers = []string{doi} }, decided: &catalog.AuditRow{Action: catalog.ActionDecideDuplicate, Details: []byte(`{"of":"OTHER","same":false}`)}},
		"an identifier, but taken apart":  {gain: func(e *catalog.Entry) { e.Identifiers = []string{doi} }, decided: &catalog.AuditRow{Action: catalog.ActionUnmerge, Details: []byte(`{"from":"OTHER"}`)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, w *world) {
				second := w.official
				second.ID, second.URL = harvest.SourceID("second"), "https://second.example.gov/"
				if c.near {
					second.URL = "https://data.tides.example.uk/"
				}
				w.update(func(tx catalog.Tx) error { return tx.Sources().Put(w.ctx, w.official, second) })
				mine := other(draft("a:k:1", "Tide Times", tides), func(e *catalog.Entry) { e.Identifiers, e.Description = []string{doi}, "first" })
				theirs := other(draft("b:k:1", "Tide Heights", far), func(e *catalog.Entry) { e.Description = "second" })
				w.run(w.official, harvest.Options{Complete: true}, mine)
				w.run(second, harvest.Options{Complete: true}, theirs)
				first, last := w.known("a:k:1"), w.known("b:k:1")
				if row := c.decided; row != nil {
					decided := *row
					decided.At, decided.Subject, decided.By = w.now, last.ID, "cli"
					decided.Details = []byte(string(row.Details[:slices.Index(row.Details, 'O')]) + first.ID + string(row.Details[slices.Index(row.Details, 'R')+1:]))
					w.update(func(tx catalog.Tx) error { return tx.Audits().Append(w.ctx, decided) })
				}
				gained := other(theirs, c.gain)
				r := w.run(second, harvest.Options{Complete: true}, gained)
				if r.Merged != c.merged || r.PossibleDuplicates != c.proposed || r.Merged+r.Updated+r.Unchanged != 1 || r.Missing != 0 {
					t.Fatalf("want %d merged, %d possible duplicates\n%s", c.merged, c.proposed, r.Summary())
				}
				w.wantJoined(t, first.ID, last.ID, c.merged == 1, c.near)
				n := len(w.events())
				for range 2 {
					w.run(w.official, harvest.Options{Complete: true}, mine)
					w.run(second, harvest.Options{Complete: true}, gained)
				}
				if len(w.events()) != n {
					t.Errorf("the same again wrote %+v", w.events()[n:])
				}
			})
		})
	}
}

func (w *world) wantJoined(t *testing.T, first, last string, merged, near bool) {
	t.Helper()
	var list []catalog.Entry
	w.update(func(tx catalog.Tx) (err error) { list, err = tx.Entries().Get(w.ctx, first, last); return err })
	kept, part := list[0], list[1]
	if kept.ID != first {
		kept, part = part, kept
	}
	said := map[bool][2]string{false: {"first", "second"}, true: {"second", "first"}}[merged && near]
	if (part.MergedIntoID == first) != merged || kept.MergedIntoID != "" || kept.Description != said[0] || part.Description != said[1] {
		t.Errorf("the older says %q, the newer %q and is part of %q", kept.Description, part.Description, part.MergedIntoID)
	}
	events := slices.DeleteFunc(w.events(), func(e catalog.Event) bool { return e.Type != catalog.EventMerged })
	if (len(events) == 1) != merged || merged && (events[0].EntryID != last || len(events[0].Changes) == 0) {
		t.Errorf("events %+v", events)
	}
	if len(w.rows(first)) == 0 || len(w.rows(last)) == 0 {
		t.Error("one of them has no provenance")
	}
}

// Entries that were there before the rule are compared once, with the next harvest.
func TestEntriesFromBeforeTheRule(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		second := w.official
		second.ID, second.URL = harvest.SourceID("second"), "https://second.example.gov/"
		mine := draft("a:k:1", "Tide Times", tides)
		theirs := other(draft("b:k:1", "Tide Heights", tides+"/else"), func(e *catalog.Entry) { e.Identifiers = []string{doi} })
		w.run(w.official, harvest.Options{}, mine)
		w.run(second, harvest.Options{}, theirs)
		old := w.known("a:k:1")
		old.Identifiers = []string{doi}
		w.update(func(tx catalog.Tx) error {
			return tx.Entries().Put(w.ctx, catalog.Write{Entry: &old, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: w.now}}})
		})
		if r := w.run(second, harvest.Options{}, theirs); r.Merged != 0 {
			t.Fatalf("what was compared is compared again\n%s", r.Summary())
		}
		w.update(func(tx catalog.Tx) error {
			return tx.Meta().Set(context.Background(), "harvest.compared."+second.ID, "")
		})
		for i, want := range []int{1, 1} { // the second time its row leads there
			if r := w.run(second, harvest.Options{}, []source.Draft{theirs}...); r.Merged != want || len(w.living()) != 1 {
				t.Errorf("harvest %d: %s", i, r.Summary())
			}
		}
	})
}
