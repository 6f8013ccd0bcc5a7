package build_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/snapshot"
)

// changed are the ids of the entries that an overlay tells of, sorted.
func changed(t *testing.T, dir string) (ids []string) {
	t.Helper()
	id, err := output.Present(dir)
	if err != nil {
		t.Fatal(err)
	}
	over, err := output.OpenSnapshot(filepath.Join(dir, snapshot.OverlayOf(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer over.Close()
	list, err := snapshot.ReadChanges(over.Pack.Section(snapshot.ChangesPart))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

// TestTailerLaysWhatASnapshotDoesNotShow follows a register over builds of another process:
// what changed lies over the present snapshot, its pages and what searches need.
func TestTailerLaysWhatASnapshotDoesNotShow(t *testing.T) {
	r := register(t, 20)
	o := options(filepath.Join(tempDir(t), "site"), r.Now)
	var broken error
	f := &build.Tailer{Store: r.Store, Folder: o.Out, Clock: func() time.Time { return r.Now }, Max: 3, Log: slog.New(slog.DiscardHandler),
		Refresh: func(ctx context.Context, site snapshot.Site, at time.Time, ids []string) (build.Refreshed, error) {
			if broken != nil {
				return build.Refreshed{}, broken
			}
			if site != o.Site {
				t.Errorf("the pages are of %+v", site)
			}
			return build.Refresh(ctx, r.Store, options(o.Out, at), ids)
		}}
	follow := func(want ...string) {
		t.Helper()
		if err := f.Follow(t.Context()); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		slices.Sort(want)
		if got := changed(t, o.Out); !slices.Equal(got, want) {
			t.Errorf("the overlay has %q, want %q", got, want)
		}
	}
	present := func() {
		o.At = r.Now
		mustBuild(t, r.Store, o)
	}
	if err := f.Follow(t.Context()); err != nil { // nothing is presented
		t.Fatal(err)
	}
	present()
	follow()
	added, edited := mustChange(t, r, buildtest.Add), mustChange(t, r, buildtest.Edit)
	follow(added, edited)
	appears(t, o.Out, "/api/v1/entries/"+added, time.Second)
	stays := stat(t, o.Out)
	follow(added, edited)
	if stat(t, o.Out) != stays {
		t.Error("an overlay that says the same is written again")
	}
	broken = errors.New("the store does not answer")
	removed := mustChange(t, r, buildtest.Remove)
	follow(added, edited)
	broken = nil
	follow(added, edited, removed)
	mustChange(t, r, buildtest.Add) // more than Max
	follow(added, edited, removed)
	present() // shows all that
	follow()
	last := mustChange(t, r, buildtest.Add)
	follow(last)
	broken = fs.ErrPermission // the folder is for reading only
	mustChange(t, r, buildtest.Add)
	if err := f.Follow(t.Context()); err != nil {
		t.Error(err)
	}
}

// stat is when an overlay was written.
func stat(t *testing.T, dir string) time.Time {
	t.Helper()
	id, err := output.Present(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, snapshot.OverlayOf(id)))
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}
