package build_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/snapshot"
)

// TestPreviewTellsWhatRefreshDoes and leaves the site alone.
func TestPreviewTellsWhatRefreshDoes(t *testing.T) {
	r := register(t, 20)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	ids := []string{mustChange(t, r, buildtest.Add), mustChange(t, r, buildtest.Edit), mustChange(t, r, buildtest.Remove)}
	before := readTree(t, dir)
	o := options(dir, r.Now)
	looked, err := build.Preview(t.Context(), r.Store, o.Site, r.Now, ids)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, readTree(t, dir)); d != "" {
		t.Errorf("looking changed the site:\n%s", d)
	}
	refreshed, err := build.Refresh(t.Context(), r.Store, o, ids)
	if err != nil {
		t.Fatal(err)
	}
	if len(looked.Visible) == 0 || len(looked.Gone) == 0 {
		t.Errorf("%d are visible, %d gone", len(looked.Visible), len(looked.Gone))
	}
	if d := cmp.Diff(refreshed, looked, cmpopts.IgnoreUnexported(snapshot.Line{})); d != "" {
		t.Errorf("a look tells another thing than a refresh (-refresh +look):\n%s", d)
	}
}

// told is what a follower told, each time on a line.
type told []string

func (l *told) take(anew bool, r build.Refreshed) {
	ids := slices.Clone(r.Gone)
	for i := range r.Visible {
		ids = append(ids, r.Visible[i].Line.ID)
	}
	slices.Sort(ids)
	*l = append(*l, fmt.Sprint(anew, ids))
}

// TestFollowerTellsWhatASnapshotDoesNotShow follows a register over two builds.
func TestFollowerTellsWhatASnapshotDoesNotShow(t *testing.T) {
	r := register(t, 20)
	o := options(filepath.Join(tempDir(t), "site"), r.Now)
	id, through, broken := "", int64(0), error(nil)
	var got told
	f := &build.Tailer{Store: r.Store, Clock: func() time.Time { return r.Now }, Max: 3, Notify: got.take,
		Served: func() (string, int64) { return id, through },
		Preview: func(ctx context.Context, at time.Time, ids []string) (build.Refreshed, error) {
			if broken != nil {
				return build.Refreshed{}, broken
			}
			return build.Preview(ctx, r.Store, o.Site, at, ids)
		}}
	follow := func(want ...string) {
		t.Helper()
		got = got[:0]
		if err := f.Follow(t.Context()); err != broken {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	list := func(anew bool, ids ...string) string {
		slices.Sort(ids)
		return fmt.Sprint(anew, ids)
	}
	follow() // nothing is served
	serve := func() {
		o.At = r.Now
		mustBuild(t, r.Store, o)
		id, through = served(t, o.Out)
	}
	serve()
	added, edited := mustChange(t, r, buildtest.Add), mustChange(t, r, buildtest.Edit)
	follow(list(true, added, edited))
	follow()
	broken = errors.New("the store does not answer")
	removed := mustChange(t, r, buildtest.Remove)
	follow()
	broken = nil
	follow(list(false, removed))
	again := mustChange(t, r, buildtest.Add) // more than Max
	follow()
	serve() // shows all that
	follow("true []")
	last := mustChange(t, r, buildtest.Add)
	follow(list(false, last))
	id, through = "20260101-000000000000", 0 // of an older release
	follow("true []")
	if strings.Contains(fmt.Sprint(got), again) {
		t.Error("what a snapshot of an older release shows is told")
	}
}

// served is the snapshot that a folder presents and the last event that it shows.
func served(t *testing.T, dir string) (string, int64) {
	t.Helper()
	s := openSite(t, dir)
	in, err := s.Document(snapshot.PartRoute(snapshot.ThroughFile))
	if err != nil {
		t.Fatal(err)
	}
	var through int64
	if _, err := fmt.Fscan(in, &through); err != nil {
		t.Fatal(err)
	}
	return s.ID, through
}
