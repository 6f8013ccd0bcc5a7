package build_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestRefreshWritesWhatTheNextBuildWrites changes entries and writes their
// pages at once: they are those of the next build, byte for byte, and nothing
// else is touched.
func TestRefreshWritesWhatTheNextBuildWrites(t *testing.T) {
	r := register(t, 20)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	for _, kind := range []buildtest.Kind{buildtest.Edit, buildtest.Add, buildtest.Deprecate, buildtest.Check, buildtest.Override, buildtest.Rename, buildtest.Remove} {
		before := readTree(t, dir)
		id := mustChange(t, r, kind)
		done, err := build.Refresh(t.Context(), r.Store, options(dir, r.Now), []string{id})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		e, err := r.Entry(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		refreshed := readTree(t, dir)
		for _, path := range buildtest.Touched(before, refreshed) {
			if !strings.Contains(path, id) && !strings.Contains(path, e.Slug) && !strings.HasPrefix(path, ".assay/"+snapshot.RefreshedDir) {
				t.Errorf("%s of %s: %s was touched", kind, e.Slug, path)
			}
		}
		mustBuild(t, r.Store, options(dir, r.Now))
		built := readTree(t, dir)
		for _, path := range done.Paths {
			if refreshed[path].Body == "" || refreshed[path].Body != built[path].Body {
				t.Errorf("%s: %s differs from the build's", kind, path)
			}
		}
		page := "api/v1/entries/" + id + "/index.json"
		if kind == buildtest.Remove {
			if len(done.Gone) != 1 || refreshed[page].Body != "" || built[page].Body != "" {
				t.Errorf("removed: %+v", done)
			}
			continue
		}
		if len(done.Visible) != 1 || done.Visible[0].Line.ID != id || refreshed[page].Body == before[page].Body || len(done.Paths) < 8 {
			t.Errorf("%s: visible %d, %d paths", kind, len(done.Visible), len(done.Paths))
		}
	}
}

// TestBuildSparesWhatWasRefreshed lets an entry appear while a build is at
// work that does not know it yet.
func TestBuildSparesWhatWasRefreshed(t *testing.T) {
	r := register(t, 30)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	o := options(dir, r.Now)
	id := mustChange(t, r, buildtest.Add) // a minute after the build's instant
	done, err := build.Refresh(t.Context(), r.Store, options(dir, r.Now), []string{id})
	if err != nil {
		t.Fatal(err)
	}
	edited := mustChange(t, r, buildtest.Edit)
	newer, err := build.Refresh(t.Context(), r.Store, options(dir, r.Now), []string{edited})
	if err != nil {
		t.Fatal(err)
	}
	want := readTree(t, dir)
	o.Live = func(id string) bool { return id == edited }
	paths := slices.Concat(done.Paths, newer.Paths)
	o.Spare = func(path string) bool { return slices.Contains(paths, path) }
	mustBuild(t, r.Store, o)
	got := readTree(t, dir)
	for _, path := range paths {
		if got[path].Body != want[path].Body {
			t.Errorf("the build touched %s", path)
		}
	}
}

// keeper keeps the tree of a register with the real Refresh and Build.
func keeper(t testing.TB, st catalog.Store, dir string, at func() time.Time) *build.Keeper {
	return &build.Keeper{Store: st, Clock: at, Poll: 20 * time.Millisecond, Quiet: time.Hour, Latest: time.Hour, Log: slog.New(slog.DiscardHandler),
		Refresh: func(ctx context.Context, at time.Time, ids []string) (build.Refreshed, error) {
			return build.Refresh(ctx, st, options(dir, at), ids)
		},
		Build: func(ctx context.Context, at time.Time, live, spare func(string) bool) error {
			o := options(dir, at)
			o.Live, o.Spare, o.Record = live, spare, true
			_, err := build.Build(ctx, st, o, time.Now)
			return err
		}}
}

func appears(t testing.TB, path string, within time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	for time.Since(began) < within {
		if _, err := os.Stat(path); err == nil {
			return time.Since(began)
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s did not appear within %s", path, within)
	return 0
}

// follow tells of entries as a service that searches for them is told.
func follow(ctx context.Context, t testing.TB, st catalog.Store, at func() time.Time) <-chan string {
	told, began := make(chan string, 100), make(chan struct{})
	f := &build.Follower{Store: st, Clock: at, Poll: 20 * time.Millisecond, Max: 1000, Log: slog.New(slog.DiscardHandler),
		Served: func() (string, int64) { return "served", 0 },
		Look: func(ctx context.Context, at time.Time, ids []string) (build.Refreshed, error) {
			return build.Look(ctx, st, site, at, ids)
		},
		Told: func(anew bool, r build.Refreshed) {
			if anew {
				close(began)
			}
			for i := range r.Visible {
				told <- r.Visible[i].Line.ID
			}
		}}
	go func() {
		if err := f.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	<-began
	return told
}

// TestNewEntryAppears adds entries while the keeper runs, also while a
// build does, and waits for page and search. ASSAY_SOAK=1 makes it a register of
// 100,000.
func TestNewEntryAppears(t *testing.T) {
	n, rounds, in := 200, 5, tempDir
	if soak { // the site is too large for a disk in memory
		n, rounds, in = 100_000, 40, testing.TB.TempDir
	}
	r := register(t, n)
	dir := filepath.Join(in(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	at := r.Now.Add(24 * time.Hour)
	k := keeper(t, r.Store, dir, func() time.Time { return at })
	// What changed before the keeper looks for the first time is left to its build.
	began, first := make(chan struct{}), k.Build
	k.Build = func(ctx context.Context, at time.Time, live, spare func(string) bool) error {
		close(began) // there is one build only, all changes are recent
		return first(ctx, at, live, spare)
	}
	ctx, stop := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := k.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	defer ended.Wait()
	defer stop()
	<-began
	told := follow(ctx, t, r.Store, k.Clock)
	var took []time.Duration
	for range rounds {
		id, changed := mustChange(t, r, buildtest.Add), time.Now()
		appears(t, filepath.Join(dir, "api", "v1", "entries", id, "index.json"), time.Minute)
		for found := ""; found != id; {
			select {
			case found = <-told:
			case <-time.After(time.Minute):
				t.Fatalf("%s cannot be found", id)
			}
		}
		took = append(took, time.Since(changed))
		time.Sleep(50 * time.Millisecond)
	}
	slices.Sort(took)
	p95 := took[len(took)*95/100]
	t.Log(n, "entries: page and search show it after", took[len(took)/2], "median,", p95, "p95, longest", took[len(took)-1], "of "+strconv.Itoa(rounds))
	if p95 > 3*time.Second {
		t.Errorf("p95 %s, goal 3 s", p95)
	}
}

// TestKeeperBuildsOnChangesOnly counts builds with a clock of its own.
func TestKeeperBuildsOnChangesOnly(t *testing.T) {
	r := register(t, 10)
	var now atomic.Int64
	began := r.Now
	clock := func() time.Time { return began.Add(time.Duration(now.Load())) }
	var builds, refreshes atomic.Int64
	k := &build.Keeper{Store: r.Store, Clock: clock, Poll: time.Millisecond, Quiet: time.Minute, Latest: 5 * time.Minute, Log: slog.New(slog.DiscardHandler),
		Refresh: func(_ context.Context, _ time.Time, ids []string) (build.Refreshed, error) {
			refreshes.Add(int64(len(ids)))
			return build.Refreshed{}, nil
		},
		Build: func(ctx context.Context, at time.Time, _, _ func(string) bool) error {
			builds.Add(1)
			return r.Store.Update(ctx, func(tx catalog.Tx) error { // as the end of a build does
				return tx.Events().Append(ctx, catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: at})
			})
		}}
	ctx, stop := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { k.Run(ctx) })
	defer ended.Wait()
	defer stop()
	wait := func(what string, ok func() bool) {
		t.Helper()
		for range 2000 {
			if ok() {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatalf("%s: %d builds, %d refreshes", what, builds.Load(), refreshes.Load())
	}
	wait("the first build", func() bool { return builds.Load() == 1 })
	now.Add(int64(time.Hour))
	time.Sleep(30 * time.Millisecond)
	if builds.Load() != 1 {
		t.Fatal("the event of a build led to a build")
	}
	mustChange(t, r, buildtest.Edit)
	wait("the refresh", func() bool { return refreshes.Load() == 1 })
	time.Sleep(20 * time.Millisecond)
	if builds.Load() != 1 {
		t.Fatal("a build began before changes calmed down")
	}
	now.Add(int64(2 * time.Minute))
	wait("the build after the calm", func() bool { return builds.Load() == 2 })
	for range 8 { // never calm: a change each 50 s
		mustChange(t, r, buildtest.Edit)
		time.Sleep(10 * time.Millisecond)
		now.Add(int64(50 * time.Second))
		time.Sleep(10 * time.Millisecond)
	}
	wait("the build at the latest", func() bool { return builds.Load() >= 3 })
	now.Add(int64(time.Hour))
	time.Sleep(30 * time.Millisecond)
	calm := builds.Load()
	now.Add(int64(24 * time.Hour))
	time.Sleep(30 * time.Millisecond)
	now.Add(int64(2 * time.Minute))
	wait("the build of the next day", func() bool { return builds.Load() == calm+1 })
}

// TestLinkWritesWhatTheNextBuildWrites adds and removes an entry and writes the
// pages on which it stands beside others: they are those of the next build.
func TestLinkWritesWhatTheNextBuildWrites(t *testing.T) {
	r := register(t, 20)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	linker := build.NewLinker()
	for _, kind := range []buildtest.Kind{buildtest.Add, buildtest.Edit, buildtest.Remove} {
		id := mustChange(t, r, kind)
		e, err := r.Entry(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		paths, err := linker.Link(t.Context(), r.Store, options(dir, r.Now), []string{id})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		linked := readTree(t, dir)
		page := "entry/" + e.Slug + "/index.html"
		if kind == buildtest.Remove {
			if linked[page].Body != "" || len(paths) > 0 {
				t.Errorf("the page of a removed entry is still there: %q", paths)
			}
			continue
		}
		if linked[page].Body == "" || linked["api/v1/entries/"+id+"/related/index.json"].Body == "" {
			t.Errorf("%s: pages are missing: %q", kind, paths)
		}
		mustBuild(t, r.Store, options(dir, r.Now))
		built := readTree(t, dir)
		for _, path := range paths {
			if linked[path].Body != built[path].Body {
				t.Errorf("%s: %s differs from the build's", kind, path)
			}
		}
	}
}
