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

func TestOverlayIsBounded(t *testing.T) {
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
