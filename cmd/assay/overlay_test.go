package main

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/snapshot"
)

// finder is a service as an overlay sees it.
type finder struct {
	snapshot string
	ids      []string
}

// Snapshot implements searcher.
func (f *finder) Snapshot() string { return f.snapshot }

// Current implements searcher.
func (f *finder) Current() *snapshot.Catalog { return &snapshot.Catalog{ID: f.snapshot} }

// Overlay implements searcher.
func (f *finder) Overlay(changes []query.Change) error {
	f.ids = nil
	for _, c := range changes {
		f.ids = append(f.ids, c.ID)
	}
	return nil
}

func refreshed(ids ...string) (r build.Refreshed) {
	for _, id := range ids {
		r.Visible = append(r.Visible, build.RefreshedEntry{Line: snapshot.Line{ID: id}})
	}
	return r
}

func TestOverlayFollowsTheSnapshots(t *testing.T) {
	t.Parallel()
	f := &finder{snapshot: "s1"}
	o := &searchOverlay{log: slog.New(slog.DiscardHandler), service: f}
	check := func(when string, want ...string) {
		t.Helper()
		if fmt.Sprint(f.ids) != fmt.Sprint(want) {
			t.Errorf("%s: overlay of %v, want %v", when, f.ids, want)
		}
	}
	o.told(refreshed("a"))
	o.told(build.Refreshed{Gone: []string{"b"}})
	check("before the build", "a", "b")
	o.told(refreshed("c")) // while the build is at work
	o.built("s2")
	o.told(refreshed("c"))
	o.renew()
	check("before the service has the new snapshot", "a", "b", "c")
	f.snapshot, f.ids = "s2", nil // as the overlay ends with its snapshot
	o.renew()
	check("over the new snapshot", "c")
	o.renew()
	f.snapshot, f.ids = "s0", nil
	o.renew()
	check("over a snapshot of another builder", "c")
}

// TestOverlayOfATailer: what is told anew is all that there is.
func TestOverlayOfATailer(t *testing.T) {
	t.Parallel()
	f := &finder{snapshot: "s1"}
	o := &searchOverlay{log: slog.New(slog.DiscardHandler), service: f}
	if c := o.served(); c == nil || c.ID != "s1" {
		t.Errorf("serves %+v", c)
	}
	for _, x := range []struct {
		anew bool
		told build.Refreshed
		want string
	}{
		{true, refreshed("a", "b"), "[a b]"}, {false, refreshed("c"), "[a b c]"}, {false, build.Refreshed{Gone: []string{"a"}}, "[a b c]"},
		{true, refreshed("d"), "[d]"}, {true, build.Refreshed{}, "[]"}, {false, refreshed("e"), "[e]"},
	} {
		if x.anew {
			f.ids = nil // as the overlay ends with its snapshot
		}
		o.followed(x.anew, x.told)
		if got := fmt.Sprint(f.ids); got != x.want {
			t.Errorf("overlay of %s, want %s", got, x.want)
		}
	}
	if none := (&searchOverlay{}).served(); none != nil {
		t.Errorf("before it serves: %+v", none)
	}
}

func TestOverlayIsBounded(t *testing.T) {
	t.Parallel()
	f := &finder{}
	o := &searchOverlay{log: slog.New(slog.DiscardHandler), service: f}
	for i := range query.OverlayMax + 5 {
		o.told(refreshed(fmt.Sprint("e", i)))
	}
	o.told(refreshed("e1"))
	if len(f.ids) != query.OverlayMax {
		t.Errorf("an overlay of %d", len(f.ids))
	}
}
