package upload

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var at = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// hour is when generation g is published.
func hour(g int) Options {
	return Options{Workers: 4, Keep: 2, KeepFor: time.Hour, Now: at.Add(time.Duration(g) * time.Hour)}
}

func mustPublish(t *testing.T, b Bucket, root string, o Options) Report {
	t.Helper()
	r, err := Publish(t.Context(), b, Site{Root: root}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOnlyWhatChangedMoves publishes a site, the same one, and a changed one.
func TestOnlyWhatChangedMoves(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	makeSite(t, root, 1, 9)
	if r := mustPublish(t, b, root, hour(1)); r.New != 2*10+6 || r.Changed+r.Left+r.Deleted+r.Unchanged != 0 || r.Generation != 1 {
		t.Errorf("the first publish reports %+v", r)
	}
	want := stored{b.pages()["api/v1/entries/e3"].body, Object{Type: "application/json; charset=utf-8", Cache: "public, no-cache"}}
	got := b.pages()["api/v1/entries/e3"]
	if want.Size, want.Modified = int64(len(got.body)), got.Modified; got != want || got.body == "" {
		t.Errorf("a page is stored as %+v", got)
	}
	if got := b.pages()["s/"+snapshotOf(1)+"/api/v1/entries/pages/1"].Cache; got != "public, max-age=7200, immutable" {
		t.Errorf("a pinned page has Cache-Control %s", got)
	}
	b.writes, b.puts = 0, nil
	if r := mustPublish(t, b, root, hour(1)); r.Unchanged != 26 || b.writes != 0 || r.Generation != 1 {
		t.Errorf("nothing changed, and %d writes were made: %+v", b.writes, r)
	}
	makeSite(t, root, 2, 9)
	r := mustPublish(t, b, root, hour(2))
	// Entries 3, 6, 9 changed, 11 and 12 are new, 1 left; the list, the
	// tombstones and the two books changed, the pinned page is another one.
	if r.New != 5 || r.Changed != 6+4 || r.Left != 3 || r.Deleted != 0 {
		t.Errorf("the second publish reports %+v", r)
	}
	moved := slices.DeleteFunc(slices.Sorted(slices.Values(b.puts)), func(k string) bool { return strings.HasPrefix(k, hidden) })
	if len(moved) != 15 || slices.Contains(moved, "llms.txt") || slices.Contains(moved, "api/v1/entries/e4") {
		t.Errorf("these moved: %v", moved)
	}
	if _, there := b.pages()["api/v1/entries/e1"]; !there {
		t.Error("an entry was deleted while a pinned page leads to it")
	}
}

// TestDeletionsAfterRetention: what left is deleted when the last snapshot
// that leads to it is.
func TestDeletionsAfterRetention(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	for g := 1; g <= 5; g++ {
		makeSite(t, root, g, 9)
		mustPublish(t, b, root, hour(g))
	}
	for key, want := range map[string]bool{
		"api/v1/entries/e3": false, "s/" + snapshotOf(3) + "/api/v1/entries/pages/1": false,
		"api/v1/entries/e4": true, "s/" + snapshotOf(4) + "/api/v1/entries/pages/1": true, "api/v1/entries/e5": true,
	} {
		if _, there := b.pages()[key]; there != want {
			t.Errorf("%s: there is %t, want %t", key, there, want)
		}
	}
	books, _ := b.List(t.Context(), genDir)
	for _, key := range books {
		if !strings.HasPrefix(key, genDir+"4/") && key != genDir+"5/"+manifestFile {
			t.Errorf("%s is left over", key)
		}
	}
	// Within the hour even a generation that is not among the newest stays.
	o := hour(5)
	for g := 6; g <= 8; g++ {
		makeSite(t, root, g, 9)
		o.Now = o.Now.Add(time.Minute)
		mustPublish(t, b, root, o)
	}
	if _, there := b.pages()["s/"+snapshotOf(5)+"/api/v1/entries/pages/1"]; !there {
		t.Error("a snapshot that was replaced two minutes ago is gone")
	}
}

// TestKilledAnywhere kills a publish before and after each of its writes; the
// next one leaves what an undisturbed one leaves, and readers never meet an
// index that names a missing page.
func TestKilledAnywhere(t *testing.T) {
	roots := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	for i, root := range roots {
		makeSite(t, root, i+1, 9)
	}
	clean := newMemory()
	mustPublish(t, clean, roots[0], hour(1))
	mustPublish(t, clean, roots[1], hour(2))
	writes := clean.writes
	mustPublish(t, clean, roots[2], hour(3))
	for kill := 0; kill < writes; kill += stride() {
		for _, after := range []bool{false, true} {
			b := newMemory()
			b.watch = func() { whole(t, b, fmt.Sprintf("killed at %d, %t", kill, after)) }
			b.left, b.after = kill, after
			publishUntilKilled(t, b, roots)
			b.left = -1
			mustPublish(t, b, roots[1], hour(2))
			mustPublish(t, b, roots[2], hour(3))
			same(t, b.pages(), clean.pages())
			if t.Failed() {
				t.Fatalf("killed at write %d of %d, after it: %t", kill, writes, after)
			}
		}
	}
}

// stride is how many moments lie between two kills: not all in a hurry.
func stride() int {
	if testing.Short() {
		return 7
	}
	return 2
}

func publishUntilKilled(t *testing.T, b *memory, roots []string) {
	for g, root := range roots {
		_, err := Publish(context.Background(), b, Site{Root: root}, hour(g+1))
		if errors.Is(err, errKilled) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// whole reads what leads to others and fails the test if a page is missing.
// The lock of the store is held.
func whole(t *testing.T, b *memory, when string) {
	for key, o := range b.objects {
		if key != "api/v1/entries" && !strings.HasPrefix(key, "s/") {
			continue
		}
		var x index
		if err := json.Unmarshal([]byte(o.body), &x); err != nil {
			t.Errorf("%s: %s: %v", when, key, err)
		}
		for _, route := range x.Routes {
			if _, ok := b.objects[route[1:]]; !ok {
				t.Errorf("%s: %s leads to %s, which is missing", when, key, route)
			}
		}
	}
}

// TestKilledAgainAndAgain kills many publishes of changing sites in a row, of
// which one reverts to an earlier state; what stands at the end is what one
// clean publish makes of it.
func TestKilledAgainAndAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	rounds := 20
	if os.Getenv("ASSAY_SOAK") == "1" {
		rounds = 2000
	}
	for round := range rounds {
		roots := []string{t.TempDir(), t.TempDir(), t.TempDir()}
		for i, root := range roots {
			makeSite(t, root, 1+i, 6)
		}
		b, o := newMemory(), hour(1)
		mustPublish(t, b, roots[0], o)
		for range 4 {
			b.left, b.after = rng.IntN(60), rng.IntN(2) == 0
			o.Now = o.Now.Add(time.Minute)
			_, err := Publish(t.Context(), b, Site{Root: roots[rng.IntN(3)]}, o)
			if err != nil && !errors.Is(err, errKilled) && !errors.Is(err, ErrGate) {
				t.Fatal(err)
			}
		}
		b.left = -1
		mustPublish(t, b, roots[2], o)
		clean := newMemory()
		mustPublish(t, clean, roots[2], o)
		got := b.pages()
		for key, want := range clean.pages() {
			if got[key].body != want.body {
				t.Fatalf("round %d: %s is %q, want %q", round, key, cut(got[key].body), cut(want.body))
			}
		}
	}
}

// TestRollback brings earlier snapshots back, and goes on from there.
func TestRollback(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	states := map[int]map[string]stored{}
	for g := 1; g <= 3; g++ {
		makeSite(t, root, g, 9)
		o := hour(g)
		o.Keep = 5
		mustPublish(t, b, root, o)
		states[g] = b.pages()
	}
	o := hour(4)
	o.Keep = 9
	for _, g := range []int{1, 3, 2, 1} {
		o.Now = o.Now.Add(time.Minute)
		if _, err := Rollback(t.Context(), b, ByRoute, snapshotOf(g), o); err != nil {
			t.Fatal(err)
		}
		got := b.pages()
		for key, want := range states[g] {
			if got[key].body != want.body {
				t.Errorf("back in %d, %s is %q, want %q", g, key, cut(got[key].body), cut(want.body))
			}
		}
	}
	if _, err := Rollback(t.Context(), b, ByRoute, snapshotOf(7), o); err == nil || !strings.Contains(err.Error(), snapshotOf(3)) {
		t.Errorf("a snapshot that is not kept: %v", err)
	}
	makeSite(t, root, 4, 9)
	mustPublish(t, b, root, o)
	clean := newMemory()
	mustPublish(t, clean, root, o)
	for key, want := range clean.pages() {
		if got := b.pages()[key]; got.body != want.body {
			t.Errorf("after the rollback %s is %q", key, cut(got.body))
		}
	}
}

// TestRollbackOfAHalfPublish brings back the snapshot that a killed publish was
// about to replace.
func TestRollbackOfAHalfPublish(t *testing.T) {
	roots := []string{t.TempDir(), t.TempDir()}
	makeSite(t, roots[0], 1, 9)
	makeSite(t, roots[1], 2, 9)
	for kill := range 40 {
		b := newMemory()
		mustPublish(t, b, roots[0], hour(1))
		want := b.pages()
		b.left = kill
		if _, err := Publish(t.Context(), b, Site{Root: roots[1]}, hour(2)); err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		b.left = -1
		if _, err := Rollback(t.Context(), b, ByRoute, snapshotOf(1), hour(3)); err != nil {
			t.Fatal(err)
		}
		got := b.pages()
		for key, w := range want {
			if got[key].body != w.body {
				t.Errorf("killed at %d: %s is %q, want %q", kill, key, cut(got[key].body), cut(w.body))
			}
		}
	}
}

func TestGate(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	makeSite(t, root, 1, 9)
	mustPublish(t, b, root, hour(1))
	for name, breakIt := range map[string]func(s *madeSite){
		"vanished without a tombstone": func(s *madeSite) {
			s.write("/tombstones.ndjson", "application/x-ndjson; charset=utf-8", "catalog", nil)
		},
		"published_at moved": func(s *madeSite) {
			s.page("/api/v1/entries/e1", "entry", map[string]any{"id": "e1", "published_at": "2026-11-21T00:00:00Z"})
			s.page("/api/v1/entries/e2", "entry", map[string]any{"id": "e2", "published_at": "2026-11-21T00:00:00Z"})
		},
	} {
		other := t.TempDir()
		s := &madeSite{t: t, root: other}
		breakIt(s)
		s.books(snapshotOf(2))
		b.writes = 0
		_, err := Publish(t.Context(), b, Site{Root: other}, hour(2))
		if !errors.Is(err, ErrGate) || !strings.Contains(err.Error(), name) || b.writes != 0 {
			t.Errorf("%s: %v, %d writes", name, err, b.writes)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "llms.txt"), []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Publish(t.Context(), b, Site{Root: root}, hour(2)); !errors.Is(err, ErrGate) || !strings.Contains(err.Error(), "other bytes") {
		t.Errorf("a broken site: %v", err)
	}
	if _, err := Publish(t.Context(), b, Site{Root: t.TempDir()}, hour(2)); err == nil || !strings.Contains(err.Error(), "assay build") {
		t.Errorf("an empty directory: %v", err)
	}
}

func TestDryRun(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	makeSite(t, root, 1, 9)
	mustPublish(t, b, root, hour(1))
	makeSite(t, root, 2, 9)
	b.writes = 0
	o, steps := hour(2), map[string]int{}
	o.DryRun, o.Step = true, func(verb, _ string) { steps[verb]++ }
	r := mustPublish(t, b, root, o)
	if b.writes != 0 || steps["add"] != r.New || steps["change"] != r.Changed || steps["delete"] != r.Deleted || r.Changed == 0 {
		t.Errorf("%d writes, steps %v, report %+v", b.writes, steps, r)
	}
}

// TestOvertaken: of two publishes at once the one that ends last fails.
func TestOvertaken(t *testing.T) {
	roots := []string{t.TempDir(), t.TempDir()}
	b := newMemory()
	for i, root := range roots {
		makeSite(t, root, i+1, 9)
	}
	other := hour(1)
	once := false
	o := hour(1)
	o.Progress = func(stage string, done, total int) {
		if stage == "publish" && done == total && !once {
			once = true
			if _, err := Publish(t.Context(), b, Site{Root: roots[0]}, other); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := Publish(t.Context(), b, Site{Root: roots[1]}, o); !errors.Is(err, ErrOvertaken) {
		t.Errorf("both ended: %v", err)
	}
}
