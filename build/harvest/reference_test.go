package harvest_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

func TestLoadReference(t *testing.T) {
	w := newWorld(t)
	if err := harvest.LoadReference(w.ctx, w.st, w.now); err != nil {
		t.Fatal(err)
	}
	read := func() (list []catalog.Institution, sources []catalog.Source) {
		err := w.st.View(w.ctx, func(tx catalog.Tx) error {
			var err error
			if list, err = tx.Institutions().All(w.ctx); err != nil {
				return err
			}
			sources, err = tx.Sources().All(w.ctx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return list, sources
	}
	before, _ := read()
	if err := harvest.LoadReference(w.ctx, w.st, w.now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	after, sources := read()
	known := map[string]bool{}
	for i := range after {
		known[after[i].ID] = true
		if !after[i].UpdatedAt.Equal(before[i].UpdatedAt) {
			t.Errorf("%s was written again", after[i].Key)
		}
	}
	if len(after) < 300 {
		t.Errorf("%d institutions", len(after))
	}
	for _, s := range sources {
		if s.Official == "" || s.InstitutionID != "" && !known[s.InstitutionID] || s.Enabled || s.ID != harvest.SourceID(s.Key) {
			t.Errorf("source %+v", s)
		}
	}
	if len(harvest.Kinds()) != len(harvest.Connectors()) {
		t.Error("a kind is missing")
	}
}

// TestRealSources harvests the real inputs twice into one store.
func TestRealSources(t *testing.T) {
	ctx := context.Background()
	uk, fr := sourcetest.Shared(t, "data/uk-api-catalogue"), sourcetest.Shared(t, "data/api-gouv-fr")
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := harvest.LoadReference(ctx, st, sourcetest.Now); err != nil {
		t.Fatal(err)
	}
	want := map[string][2]int{"uk-api-catalogue": {221, 10}, "api-gouv-fr": {114, 0}}
	for round := range 2 {
		for _, s := range shipped(t) {
			if want[s.Kind] == [2]int{} {
				continue
			}
			in := source.Input{Name: "api-gouv-fr", Source: s, Files: os.DirFS(fr)}
			if s.Kind == "uk-api-catalogue" {
				in.Name, in.Files = "catalogue.csv", os.DirFS(uk)
				in.Open = func(context.Context) (io.ReadCloser, error) { return os.Open(filepath.Join(uk, "catalogue.csv")) }
			}
			r, err := harvest.Run(ctx, st, harvest.Connectors()[s.Kind], in, harvest.Options{Now: sourcetest.Now.AddDate(0, 0, round), Complete: true})
			if err != nil {
				t.Fatal(err)
			}
			got := r.Created
			if round == 1 {
				got = r.Unchanged
			}
			if w := want[s.Kind]; got != w[0] || r.Rejected != w[1] || r.In != w[0]+w[1] {
				t.Errorf("round %d: %s", round, r.Summary())
			}
		}
	}
	unknown := 0
	err = st.View(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.InstitutionID == "" {
				unknown++
				t.Logf("%s of %s", e.Name, e.PublisherName)
			}
			if e.Admission == nil || e.Status != catalog.StatusActive || len(e.Signals) == 0 {
				t.Errorf("%s: %+v", e.Name, e)
			}
			return e.Validate()
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	// An association and two companies with a public mission are no institutions.
	if unknown > 3 {
		t.Errorf("%d entries without an institution", unknown)
	}
}

func shipped(t *testing.T) []catalog.Source {
	t.Helper()
	list, err := harvest.ShippedSources()
	if err != nil {
		t.Fatal(err)
	}
	return list
}
