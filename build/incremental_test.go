package build_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/catalog"
)

// ofOne tells whether a path is that of one entry's or one institution's file:
// a segment of it, but for its extension, is an id or a slug.
func ofOne(path string, slugs map[string]bool) bool {
	for segment := range strings.SplitSeq(path, "/") {
		name, _, _ := strings.Cut(segment, ".")
		if catalog.IsID(name) || slugs[name] {
			return true
		}
	}
	return false
}

// TestOneChangeWritesLittle changes one entry; only its own pages, the pages
// that show it and those that name the snapshot may be others afterwards.
func TestOneChangeWritesLittle(t *testing.T) {
	r := register(t, 28)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	kinds := []buildtest.Kind{buildtest.Fail, buildtest.Edit, buildtest.Override}
	if testing.Short() {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		before := readTree(t, dir)
		id := mustChange(t, r, kind)
		e, err := r.Entry(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		mustBuild(t, r.Store, options(dir, r.Now))
		after := readTree(t, dir)
		touched := buildtest.Touched(before, after)
		own, slugs := 0, map[string]bool{}
		for _, other := range visible(t, r) {
			slugs[other.Slug] = true
		}
		for _, path := range touched {
			bodies := before[path].Body + after[path].Body
			switch {
			case strings.Contains(path, id), strings.Contains(path, e.Slug):
				own++
			case !ofOne(path, slugs), strings.Contains(bodies, id), strings.Contains(bodies, e.Slug):
			default:
				t.Errorf("%s of %s: %s was written", kind, e.Slug, path)
			}
		}
		if own < 2 {
			t.Errorf("%s: only %d pages of the entry itself were written: %q", kind, own, touched)
		}
		for _, must := range []string{"api/v1/entries/index.json", "api/v1/entries/facets/index.json", "snapshot.json", "routes.ndjson"} {
			if before[must].Body == after[must].Body {
				t.Errorf("%s: %s is the same", kind, must)
			}
		}
	}
}

func TestNoChangeWritesNothing(t *testing.T) {
	r := register(t, 28)
	dir := filepath.Join(tempDir(t), "site")
	o := options(dir, r.Now)
	o.Record = true
	mustBuild(t, r.Store, o)
	// The same again after changes of a day that has been recorded.
	if err := r.Some(context.Background(), 20); err != nil {
		t.Fatal(err)
	}
	o.At = r.Now
	mustBuild(t, r.Store, o)
	before := readTree(t, dir)
	// Neither a later clock, nor a later instant of the same day, nor what the
	// build recorded in the store is a change.
	o.Now, o.At = o.Now.Add(time.Hour), o.At.Add(90*time.Minute)
	report := mustBuild(t, r.Store, o)
	if d := buildtest.Touched(before, readTree(t, dir)); len(d) > 0 {
		t.Errorf("written again: %q", d)
	}
	if report.Written != 0 || report.Bytes != 0 || report.Unchanged == 0 {
		t.Errorf("report %+v", report)
	}
}

// TestNewDay moves to the next UTC day: what depends on the day changes, and
// the entry whose publication time has come appears.
func TestNewDay(t *testing.T) {
	r := register(t, 60)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	before := readTree(t, dir)
	var waiting []catalog.Entry
	next := r.Now.Truncate(24*time.Hour).AddDate(0, 0, 1).Add(2 * time.Hour)
	err := r.Store.View(context.Background(), func(tx catalog.Tx) error {
		return tx.Entries().Scan(context.Background(), catalog.Range{}, func(e *catalog.Entry) error {
			if !e.Visible(r.Now) && e.Visible(next) {
				waiting = append(waiting, *e)
			}
			return nil
		})
	})
	if err != nil || len(waiting) == 0 {
		t.Fatalf("%d entries wait, %v", len(waiting), err)
	}
	mustBuild(t, r.Store, options(dir, next))
	after := readTree(t, dir)
	for _, e := range waiting {
		for _, name := range []string{e.ID, e.Slug} {
			path := "api/v1/entries/" + name + "/index.json"
			if _, early := before[path]; early {
				t.Errorf("%s was public before its time", path)
			}
			if _, ok := after[path]; !ok {
				t.Errorf("%s did not appear at its time", path)
			}
		}
	}
	for path, f := range before {
		parts := strings.Split(path, "/")
		if len(parts) == 5 && parts[2] == "entries" && catalog.IsID(parts[3]) && (parts[4] == "index.json") && after[path].Body == f.Body {
			t.Errorf("%s still shows the scores of the day before", path)
		}
		if path == "openapi.json" && (after[path].Body != f.Body) {
			t.Error("openapi.json depends on the day")
		}
	}
	for path, f := range after {
		if strings.HasSuffix(path, "/quality-score/index.json") && !strings.Contains(f.Body, `"day":"`+next.Format(time.DateOnly)+`"`) {
			t.Errorf("%s is not of the new day", path)
		}
	}
	noFaults(t, "next day", openSite(t, dir), nil)
	scratch := filepath.Join(tempDir(t), "scratch")
	mustBuild(t, fresh(t, r.Store, 3), options(scratch, next))
	equal(t, "next day", readTree(t, scratch).WithoutFeed(), after.WithoutFeed())
}

// TestBadRows keeps an override that does not apply from hiding the entry or
// the overrides beside it.
func TestBadRows(t *testing.T) {
	ctx := context.Background()
	r := register(t, 12)
	e, err := r.Pick(ctx, catalog.StatusActive)
	if err != nil {
		t.Fatal(err)
	}
	at := r.Now
	err = r.Store.Update(ctx, func(tx catalog.Tx) error {
		return tx.Overrides().Put(ctx,
			catalog.Override{ID: catalog.NewID("override", "1"), EntryID: e.ID, Field: "no_such_field", Value: []byte(`"x"`), Reason: "r", CreatedAt: at.Add(-3 * time.Minute)},
			catalog.Override{ID: catalog.NewID("override", "2"), EntryID: e.ID, Field: "tags", Value: []byte(`"not a list"`), Reason: "r", CreatedAt: at.Add(-2 * time.Minute)},
			catalog.Override{ID: catalog.NewID("override", "3"), EntryID: e.ID, Field: "name_en", Value: []byte(`"Laid over it"`), Reason: "r", CreatedAt: at.Add(-time.Minute)},
			catalog.Override{ID: catalog.NewID("override", "4"), EntryID: e.ID, Field: "also_unknown", Value: []byte(`1`), Reason: "r", CreatedAt: at, RevokedAt: at})
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(tempDir(t), "site")
	report, err := build.Build(ctx, r.Store, options(dir, r.Now), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(report.Problems, "\n")
	if len(report.Problems) != 2 || !strings.Contains(all, "no_such_field") || !strings.Contains(all, "tags") || strings.Count(all, e.ID) != 2 {
		t.Errorf("problems %q, want one for each override that does not apply, naming entry %s", report.Problems, e.ID)
	}
	page, err := buildtest.ReadRoute(dir, "/api/v1/entries/"+e.Slug)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), `"name_en":"Laid over it"`) {
		t.Error("the override that applies was dropped with the others")
	}
	noFaults(t, "site with bad rows", openSite(t, dir), nil)
}

// TestBrokenOff cancels builds in the middle: the site stays as it was, and nothing is
// left of them.
func TestBrokenOff(t *testing.T) {
	r := register(t, 50) // lists have three pages
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	stages := []string{"entries", "relations", "lists"}
	if testing.Short() {
		stages = stages[:1]
	}
	for _, stage := range stages {
		if err := r.Some(context.Background(), 5); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		o := options(dir, r.Now)
		o.Progress = func(s string, done, _ int) {
			if s == stage && done > 0 {
				cancel()
			}
		}
		_, err := build.Build(ctx, r.Store, o, time.Now)
		cancel()
		if stage == "entries" && err == nil {
			t.Fatal("a cancelled build succeeded")
		}
		wholeFile(t, "cancelled in "+stage, dir)
		if left, _ := filepath.Glob(filepath.Join(dir, ".assay", "tmp", "*")); len(left) > 0 {
			t.Errorf("cancelled in %s: unfinished files %q are left", stage, left)
		}
	}
	mustBuild(t, r.Store, options(dir, r.Now))
	noFaults(t, "completed", openSite(t, dir), nil)
	scratch := filepath.Join(tempDir(t), "scratch")
	mustBuild(t, fresh(t, r.Store, 1), options(scratch, r.Now))
	equal(t, "completed", readTree(t, scratch).WithoutFeed(), readTree(t, dir).WithoutFeed())
}

func TestLock(t *testing.T) {
	r := register(t, 12)
	dir := filepath.Join(tempDir(t), "site")
	o := options(dir, r.Now)
	inner := error(nil)
	tried := false
	o.Progress = func(string, int, int) {
		if !tried {
			tried = true
			_, inner = build.Build(context.Background(), r.Store, options(dir, r.Now), time.Now)
		}
	}
	mustBuild(t, r.Store, o)
	if inner == nil || !strings.Contains(inner.Error(), "another build is at work") || !strings.Contains(inner.Error(), dir) {
		t.Errorf("a second build in the same directory: %v", inner)
	}
	noFaults(t, "after the refused build", openSite(t, dir), nil)
	mustBuild(t, r.Store, options(dir, r.Now))
}
