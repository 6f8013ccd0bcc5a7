package build_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // a machine without zones must not pass by default

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

func TestMain(m *testing.M) {
	if os.Getenv("ASSAY_BUILD_CHILD") != "" {
		child()
		return
	}
	os.Exit(m.Run())
}

var site = snapshot.Site{BaseURL: "https://register.example/assay", Name: "Test", License: "CC0-1.0"}

// soak tells whether the long tests were asked for.
var soak = os.Getenv("ASSAY_SOAK") == "1"

func openStore(t testing.TB, path string) catalog.Store {
	t.Helper()
	st, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

// register makes n entries in a fresh store.
func register(t testing.TB, n int) *buildtest.Register {
	t.Helper()
	r, err := buildtest.New(context.Background(), openStore(t, filepath.Join(tempDir(t), "a.db")), n, 7)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// options are those of a build of the instant into a directory.
func options(out string, at time.Time) build.Options {
	return build.Options{Out: out, Site: site, At: at, Now: time.Now(), Workers: 2, Keep: 3, KeepFor: 2 * time.Hour}
}

func mustBuild(t testing.TB, st catalog.Store, o build.Options) build.Report {
	t.Helper()
	r, err := build.Build(context.Background(), st, o, time.Now)
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	if len(r.Problems) > 0 {
		t.Fatalf("problems: %q", r.Problems)
	}
	return r
}

func readTree(t testing.TB, dir string) buildtest.Tree {
	t.Helper()
	tree, err := buildtest.ReadSite(dir)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// openSite opens the present snapshot file of a folder.
func openSite(t testing.TB, dir string) *output.SnapshotFile {
	t.Helper()
	s, err := output.OpenPresent(dir)
	if err != nil || s == nil {
		t.Fatalf("no site in %s: %v", dir, err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mustChange(t testing.TB, r *buildtest.Register, kind buildtest.Kind) string {
	t.Helper()
	id, err := r.Change(context.Background(), kind)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// fresh copies the catalog into a new store in another order.
func fresh(t testing.TB, from catalog.Store, seed uint64) catalog.Store {
	t.Helper()
	st := openStore(t, filepath.Join(tempDir(t), "copy.db"))
	if err := buildtest.Copy(context.Background(), from, st, seed); err != nil {
		t.Fatal(err)
	}
	return st
}

func equal(t testing.TB, what string, a, b buildtest.Tree) {
	t.Helper()
	if d := buildtest.Diff(a, b); len(d) > 0 {
		t.Fatalf("%s:\n%s", what, strings.Join(d, "\n"))
	}
}

func noFaults(t testing.TB, what string, site, before output.Pages) check.Report {
	t.Helper()
	r, err := check.Site(context.Background(), site, before, func(string, int, int) {})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, f := range r.Faults {
		t.Errorf("%s: %s %s", what, f.Route, f.What)
	}
	if t.Failed() {
		t.FailNow()
	}
	return r
}

// TestEqualBytes builds one catalog from stores that were filled in different
// orders, in different places, zones, at different times and with different
// numbers of workers.
func TestEqualBytes(t *testing.T) {
	r := register(t, 140)
	var want buildtest.Tree
	for i, zone := range []string{"Pacific/Kiritimati", "America/St_Johns"} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("TZ", zone)
		here := time.Local
		t.Cleanup(func() { time.Local = here })
		time.Local = location
		st, dir := r.Store, filepath.Join(tempDir(t), "site")
		if i > 0 {
			st, dir = fresh(t, r.Store, uint64(i)), filepath.Join(tempDir(t), "other", "place")
		}
		o := options(dir, r.Now.In(location))
		o.Workers, o.Now = 1+3*i, time.Now().AddDate(i, i, 0)
		mustBuild(t, st, o)
		tree := readTree(t, dir)
		if i == 0 {
			want = tree
			noFaults(t, "first site", openSite(t, dir), nil)
		}
		equal(t, "site of "+zone, want, tree)
		time.Local = here
	}
	if len(want) < 140*7 {
		t.Fatalf("only %d files", len(want))
	}
}

// TestIncrementalEqualsFull applies every kind of change, several between two builds,
// and compares the tree with one that was built from nothing.
func TestIncrementalEqualsFull(t *testing.T) {
	r := register(t, 28)
	dir := filepath.Join(tempDir(t), "site")
	o := options(dir, r.Now)
	o.Record = true
	mustBuild(t, r.Store, o)
	kinds := append(buildtest.Kinds(), "several", "next day")
	if testing.Short() {
		kinds = kinds[len(kinds)-2:]
	}
	for round, kind := range kinds {
		switch kind {
		case "several":
			if err := r.Some(context.Background(), 25); err != nil {
				t.Fatal(err)
			}
		case "next day":
			r.Now = r.Now.AddDate(0, 0, 1)
			mustChange(t, r, buildtest.Edit)
		default:
			mustChange(t, r, kind)
		}
		// Those that are left out are built with the next; the records' test builds each.
		if round%5 != 0 && kind != "several" && kind != "next day" && !soak {
			continue
		}
		o.At = r.Now
		o.Workers = 1 + round%4
		before := readTree(t, dir).Snapshot()
		mustBuild(t, r.Store, o)
		tree := readTree(t, dir)
		if tree.Snapshot() == before {
			t.Fatalf("after %s the snapshot is the same", kind)
		}
		// What one change made, the next ones leave there.
		if soak || kind == "several" || kind == "next day" {
			noFaults(t, string(kind), openSite(t, dir), nil)
		}
		scratch := filepath.Join(tempDir(t), "scratch")
		mustBuild(t, fresh(t, r.Store, uint64(round)), options(scratch, r.Now))
		equal(t, "after "+string(kind), readTree(t, scratch).WithoutFeed(), tree.WithoutFeed())
	}
	full := o
	full.Full = true
	before := readTree(t, dir)
	mustBuild(t, r.Store, full)
	equal(t, "full build", before, readTree(t, dir))
}

// TestStoppedFullBuild: until a full build is complete, the site is as it was.
func TestStoppedFullBuild(t *testing.T) {
	t.Parallel()
	r := register(t, 20)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	before := readTree(t, dir)
	mustChange(t, r, buildtest.Edit)
	stages := map[string]bool{}
	for stage := range 3 {
		o := options(dir, r.Now)
		o.Full = true
		ctx, stop := context.WithCancel(t.Context())
		n := 0
		o.Progress = func(name string, _, _ int) {
			if stages[name] = true; n == stage {
				stop()
			}
			n++
		}
		if _, err := build.Build(ctx, r.Store, o, time.Now); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at step %d of %v: %v", stage, stages, err)
		}
		stop()
		equal(t, "after a stop", before, readTree(t, dir))
	}
	o := options(dir, r.Now)
	o.Full = true
	mustBuild(t, r.Store, o)
	noFaults(t, "after all", openSite(t, dir), nil)
	if readTree(t, dir).Snapshot() == before.Snapshot() {
		t.Error("the full build shows nothing new")
	}
}

// TestNoListedEntryOfAType: the pages of entries that are not listed lead to the
// list of their type, which may be empty.
func TestNoListedEntryOfAType(t *testing.T) {
	r := register(t, 12)
	ctx := context.Background()
	for _, id := range r.IDs() {
		e, err := r.Entry(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if e.Status != catalog.StatusActive {
			continue
		}
		e.Status, e.StatusReason, e.DeprecatedAt = catalog.StatusDeprecated, "upstream_gone", r.Now
		err = r.Store.Update(ctx, func(tx catalog.Tx) error {
			return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventDeprecated, EntryID: id, OccurredAt: r.Now}}})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(tempDir(t), "site")
	if done := mustBuild(t, r.Store, options(dir, r.Now)); done.Entries == 0 || done.Listed != 0 {
		t.Fatalf("%d entries, %d listed", done.Entries, done.Listed)
	}
	noFaults(t, "nothing is listed", openSite(t, dir), nil)
}

// visible are the entries that a build of the register shows.
func visible(t testing.TB, r *buildtest.Register) []catalog.Entry {
	t.Helper()
	var out []catalog.Entry
	err := r.Store.View(context.Background(), func(tx catalog.Tx) error {
		return tx.Entries().Scan(context.Background(), catalog.Range{}, func(e *catalog.Entry) error {
			if e.Visible(r.Now) {
				out = append(out, *e)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
