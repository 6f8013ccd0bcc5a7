package admin_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// Taken apart, an entry has what its own source says and nothing that the other
// listing brought, at once.
func TestFilledFieldsGoBack(t *testing.T) {
	t.Parallel()
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
			o := &bench{t: t, store: st, at: now}
			ours, theirs := o.entry("rain", catalog.StatusActive), o.entry("snow", catalog.StatusActive)
			ours.SourceID, ours.Description, ours.LicenseRaw, ours.LicenseID = id("ours"), "Of our own.", "Ask us", ""
			ours.DocsURL, ours.Tags = "https://theirs.example/docs", []string{"snow"}
			theirs.SourceID, theirs.Description, theirs.DocsURL, theirs.Tags = id("theirs"), "As they have it.", ours.DocsURL, ours.Tags
			if _, err := theirs.MergeInto(ours, now); err != nil {
				t.Fatal(err)
			}
			filled := func(field, from string) catalog.FieldRow {
				return catalog.FieldRow{Field: field, Basis: catalog.BasisPublisher, SourceID: id(from), Note: catalog.NoteFilled, ObservedAt: now}
			}
			own := catalog.FieldRow{Field: "description", Basis: catalog.BasisPublisher, SourceID: id("ours"), ObservedAt: now}
			o.update(func(ctx context.Context, tx catalog.Tx) error {
				event := func() []catalog.Event { return []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: now}} }
				return tx.Entries().Put(ctx, catalog.Write{Entry: theirs, Events: event()}, catalog.Write{Entry: ours, Events: event(),
					Provenance: &catalog.Provenance{EntryID: ours.ID, Rows: []catalog.FieldRow{own, filled("docs_url", "theirs"), filled("tags", "a third")}}})
			})
			if err := admin.Unmerge(t.Context(), st, theirs.ID, "another thing", access.Actor{By: "cli", Name: "command line"}, now.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			got, back := o.get(ours.ID), o.get(theirs.ID)
			if got.DocsURL != "" || !slices.Equal(got.Tags, []string{"snow"}) || got.Description != "Of our own." || got.LicenseRaw != "Ask us" {
				t.Errorf("the entry says %+v", got)
			}
			if back.MergedIntoID != "" || back.DocsURL != "https://theirs.example/docs" || back.Description != "As they have it." {
				t.Errorf("what was taken apart says %+v", back)
			}
			var rows []catalog.FieldRow
			o.update(func(ctx context.Context, tx catalog.Tx) error {
				p, err := tx.Provenances().Get(ctx, ours.ID)
				if err == nil {
					rows = p.Rows
				}
				return err
			})
			if len(rows) != 2 || slices.ContainsFunc(rows, func(r catalog.FieldRow) bool { return r.SourceID == id("theirs") }) {
				t.Errorf("its provenance is %+v", rows)
			}
		})
	}
}

func id(name string) string { return catalog.NewID("source", name) }
