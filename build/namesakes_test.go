package build_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestNamesakesOnTheirPages: entries of one name are told apart on their pages by
// what their records state, also when one page alone is made anew.
func TestNamesakesOnTheirPages(t *testing.T) {
	t.Parallel()
	r := register(t, 10)
	at := r.Now
	var pair []catalog.Entry
	write := func(edit func(tx catalog.Tx) error) {
		t.Helper()
		if err := r.Store.Update(t.Context(), edit); err != nil {
			t.Fatal(err)
		}
	}
	write(func(tx catalog.Tx) error {
		err := tx.Entries().Scan(t.Context(), catalog.Range{}, func(e *catalog.Entry) error {
			if e.Visible(at) && e.Type == catalog.TypeDataset && len(pair) < 2 {
				pair = append(pair, *e)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i, place := range []string{"Gent", "Brugge"} {
			e, d := &pair[i], *pair[i].Dataset
			d.Spatial, d.Version, d.TemporalStart, d.TemporalEnd = []string{place}, "", time.Time{}, time.Time{}
			e.Dataset, e.Name, e.InstitutionID, e.PublisherName = &d, "Trees", "", "Parks"
			e.MatchKey = catalog.MatchKey(e.Type, e.PrimarySourceURL, "trees")
			if err := tx.Entries().Put(t.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: at, Changes: []catalog.FieldChange{{Field: "name", From: json.RawMessage(`"x"`), To: json.RawMessage(`"Trees"`)}}}}}); err != nil {
				return err
			}
		}
		return nil
	})
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, at))
	id, err := output.Present(dir)
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string, e *catalog.Entry, want string) {
		t.Helper()
		site, err := output.OpenSnapshot(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		defer site.Close()
		doc, err := site.Document("/api/v1/entries/" + e.ID)
		var page struct {
			Qualifier string `json:"title_qualifier"`
		}
		if err == nil {
			err = json.NewDecoder(doc).Decode(&page)
		}
		if err != nil || page.Qualifier != want {
			t.Errorf("%s is called %q, %v; want %q", e.ID, page.Qualifier, err, want)
		}
	}
	read(snapshot.FileOf(id), &pair[0], "Parks · Gent")
	read(snapshot.FileOf(id), &pair[1], "Parks · Brugge")
	if _, err := build.Refresh(context.Background(), r.Store, options(dir, at), []string{pair[0].ID}); err != nil {
		t.Fatal(err)
	}
	read(snapshot.OverlayOf(id), &pair[0], "Parks · Gent")
}
