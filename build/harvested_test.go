package build_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/catalog"
)

// TestSourcesThatAreUsed: the register shows the sources that are enabled, were
// harvested or that entries came from, and not those that it merely knows.
func TestSourcesThatAreUsed(t *testing.T) {
	t.Parallel()
	r := register(t, 12)
	ctx := t.Context()
	var entry catalog.Entry
	err := r.Store.Update(ctx, func(tx catalog.Tx) error {
		at := catalog.Source{Kind: "ckan", CreatedAt: r.Now, UpdatedAt: r.Now}
		for _, name := range []string{"known", "enabled", "harvested", "named", "later"} {
			s := at
			s.ID, s.Title, s.Enabled = catalog.NewID("source", name), name, name == "enabled"
			if err := tx.Sources().Put(ctx, s); err != nil {
				return err
			}
		}
		for name, began := range map[string]time.Time{"harvested": r.Now, "later": r.Now.Add(time.Hour)} {
			id := catalog.NewID("source", name)
			if err := tx.Runs().Put(ctx, catalog.HarvestRun{ID: catalog.NewRunID(id, began, 0), SourceID: id, Kind: "ckan", State: catalog.RunFailed,
				StartedAt: began, UpdatedAt: began, FinishedAt: began}); err != nil {
				return err
			}
		}
		err := tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if entry.ID == "" && e.Visible(r.Now) {
				entry = *e
			}
			return nil
		})
		if err != nil {
			return err
		}
		entry.SourceID = catalog.NewID("source", "named")
		return tx.Entries().Put(ctx, catalog.Write{Entry: &entry, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: r.Now}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	noFaults(t, "with sources that are not shown", openSite(t, dir), nil)
	tree := readTree(t, dir)
	for name, want := range map[string]bool{"known": false, "enabled": true, "harvested": true, "named": true, "later": false} {
		id := catalog.NewID("source", name)
		_, api := tree["api/v1/sources/"+id+"/index.json"]
		_, page := tree["source/"+id+"/index.html"]
		listed := strings.Contains(tree["api/v1/sources/index.json"].Body, id)
		linked := strings.Contains(tree["sources/index.html"].Body, id)
		if api != want || page != want || listed != want || linked != want {
			t.Errorf("%s: page %t, document %t, listed %t, linked %t; want %t", name, page, api, listed, linked, want)
		}
	}
}

// TestHarvestWritesTheLogOnly: a run that changed no entry leaves the snapshot
// as it is; only the pages of its source, their list and the status page are
// written, with the two files that hold the hash of every page.
func TestHarvestWritesTheLogOnly(t *testing.T) {
	r := register(t, 12)
	ctx := context.Background()
	dir := filepath.Join(tempDir(t), "site")
	src, other := catalog.NewID("source", "one"), catalog.NewID("source", "two")
	run := catalog.HarvestRun{ID: catalog.NewRunID(src, r.Now, 0), SourceID: src, Kind: "ckan", State: catalog.RunComplete, StartedAt: r.Now, UpdatedAt: r.Now,
		FinishedAt: r.Now, Counts: catalog.RunCounts{In: 7, Unchanged: 7}}
	put := func(at time.Time, runs ...catalog.HarvestRun) {
		t.Helper()
		err := r.Store.Update(ctx, func(tx catalog.Tx) error {
			for _, id := range []string{src, other} {
				if err := tx.Sources().Put(ctx, catalog.Source{ID: id, Kind: "ckan", Title: id, CreatedAt: r.Now, UpdatedAt: r.Now}); err != nil {
					return err
				}
			}
			return tx.Runs().Put(ctx, runs...)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put(r.Now, run)
	o := options(dir, r.Now.Add(time.Minute))
	first := mustBuild(t, r.Store, o)
	before := readTree(t, dir)
	if body := before["api/v1/sources/"+src+"/runs/index.json"].Body; !strings.Contains(body, run.ID) {
		t.Fatalf("the run is not shown: %s", body)
	}
	// The same again, and a run that begins after the instant of the build.
	late := run
	late.StartedAt = o.At.Add(time.Second)
	late.ID = catalog.NewRunID(src, late.StartedAt, 0)
	put(r.Now, late)
	mustBuild(t, r.Store, o)
	if d := buildtest.Touched(before, readTree(t, dir)); len(d) > 0 {
		t.Errorf("written: %q", d)
	}
	o.At = o.At.Add(time.Minute)
	second := mustBuild(t, r.Store, o)
	if first.Snapshot != second.Snapshot {
		t.Error("a run that changed no entry made another snapshot")
	}
	want := []string{"api/v1/catalog/sources/1/index.json", "api/v1/sources/" + src + "/index.json", "api/v1/sources/" + src + "/runs/index.json",
		"api/v1/sources/index.json", "de/source/" + src + "/index.html", "de/status/index.html", "fr/source/" + src + "/index.html", "fr/status/index.html",
		"nl/source/" + src + "/index.html", "nl/status/index.html", "routes.ndjson", "snapshot.json", "source/" + src + "/index.html", "status/index.html"}
	touched := buildtest.Touched(before, readTree(t, dir))
	slices.Sort(touched)
	if !slices.Equal(touched, want) {
		t.Errorf("written: %q", touched)
	}
}
