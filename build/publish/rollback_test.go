package publish

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/publish/bucket"
)

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
		if _, err := Rollback(t.Context(), b, bucket.ByRoute, snapshotOf(g), o); err != nil {
			t.Fatal(err)
		}
		got := b.pages()
		for key, want := range states[g] {
			if got[key].body != want.body {
				t.Errorf("back in %d, %s is %q, want %q", g, key, cut(got[key].body), cut(want.body))
			}
		}
	}
	if _, err := Rollback(t.Context(), b, bucket.ByRoute, snapshotOf(7), o); err == nil || !strings.Contains(err.Error(), snapshotOf(3)) {
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
		if _, err := Rollback(t.Context(), b, bucket.ByRoute, snapshotOf(1), hour(3)); err != nil {
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
