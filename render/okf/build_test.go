package okf_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/okf/okfcheck"
	"github.com/assay-register/assay/render/snapshot"
)

// register is a store with entries in every state of the life cycle.
func register(t *testing.T) *buildtest.Register {
	t.Helper()
	if testing.Short() {
		t.Skip("builds whole sites")
	}
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	r, err := buildtest.New(t.Context(), st, 120, 1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// site builds the register as of an instant and reads its bundle.
func site(t *testing.T, st catalog.Store, dir string, at time.Time, record bool) map[string]string {
	t.Helper()
	_, err := build.Build(t.Context(), st, build.Options{Out: dir, At: at, Now: at, Workers: 2, Keep: 3, KeepFor: time.Hour, Record: record,
		Site: snapshot.Site{BaseURL: "https://assay.example", Name: "Assay", License: "CC0-1.0"}}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	www := filepath.Join(t.TempDir(), "www")
	if err := buildtest.Unpack(dir, www); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(www, "api", "v1", "okf")
	for _, f := range okfcheck.Check(os.DirFS(root)) {
		t.Error(f)
	}
	out := map[string]string{}
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out[path[len(root)+1:]] = string(b)
		return err
	})
	if err != nil || len(out) < 100 {
		t.Fatal("a bundle of", len(out), "files:", err)
	}
	return out
}

func same(t *testing.T, want, got map[string]string) {
	t.Helper()
	for name := range want {
		if want[name] != got[name] {
			t.Errorf("%s differs", name)
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

func TestTwoBuildsGiveTheSameBytes(t *testing.T) {
	r := register(t)
	same(t, site(t, r.Store, t.TempDir(), r.Now, false), site(t, r.Store, t.TempDir(), r.Now, false))
}

// TestNewChecksChangeNoFile checks every entry between builds of the same day
// and of a later one.
func TestNewChecksChangeNoFile(t *testing.T) {
	r, dir := register(t), t.TempDir()
	// By then every entry that waits for its time of publication is visible.
	now := r.Now.AddDate(1, 0, 0)
	want := site(t, r.Store, dir, now, true)
	for _, at := range []time.Time{now.Add(time.Hour), now.Add(25 * time.Hour), now.AddDate(0, 0, 40)} {
		if err := probeAll(t.Context(), r, at); err != nil {
			t.Fatal(err)
		}
		same(t, want, site(t, r.Store, dir, at.Add(time.Minute), false))
	}
	if _, err := r.Change(t.Context(), buildtest.Edit); err != nil {
		t.Fatal(err)
	}
	if got := site(t, r.Store, dir, now.AddDate(0, 0, 41), false); got["bundle.tar.gz"] == want["bundle.tar.gz"] {
		t.Error("an edit leaves the bundle as it was")
	}
}

// probeAll adds a failed check and its verdict to every entry.
func probeAll(ctx context.Context, r *buildtest.Register, at time.Time) error {
	return r.Store.Update(ctx, func(tx catalog.Tx) error {
		var err error
		for _, id := range r.IDs() {
			err = errors.Join(err, tx.Checks().Append(ctx, catalog.Check{EntryID: id, At: at, Kind: "http", Method: "GET", Vantages: 1}),
				tx.CheckStates().Set(ctx, []catalog.CheckState{{EntryID: id, ID: catalog.NewID("check_state", id), State: catalog.StateFailing,
					LastCheckedAt: at, CreatedAt: at, UpdatedAt: at, ConsecutiveFailures: 3, Vantages: 1}}, nil))
		}
		return err
	})
}
