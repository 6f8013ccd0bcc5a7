package build_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/search/segment"
)

// openIndex reads the search index of a snapshot in a tree.
func openIndex(t *testing.T, out, id string) *segment.Segment {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(out, output.HiddenDir, id, segment.File))
	if err != nil {
		t.Fatal(err)
	}
	s, err := segment.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASnapshotHasItsSearchIndex(t *testing.T) {
	r, out := register(t, 60), filepath.Join(tempDir(t), "site")
	o := options(out, r.Now)
	first := mustBuild(t, r.Store, o)
	if s := openIndex(t, out, first.Snapshot); s.Documents() != first.Entries || s.Terms() < 100 {
		t.Errorf("%d documents with %d terms, want %d", s.Documents(), s.Terms(), first.Entries)
	}
	// A snapshot that an older release wrote gets its index with the next build.
	if err := os.Remove(filepath.Join(out, output.HiddenDir, first.Snapshot, segment.File)); err != nil {
		t.Fatal(err)
	}
	if again := mustBuild(t, r.Store, o); again.Snapshot != first.Snapshot {
		t.Fatal("the same register has another snapshot")
	}
	openIndex(t, out, first.Snapshot)
	o = expiring(o)
	second := mustBuild(t, r.Store, o)
	if second.Snapshot == first.Snapshot {
		t.Fatal("the next day has the same snapshot")
	}
	openIndex(t, out, second.Snapshot)
	if _, err := os.Stat(filepath.Join(out, output.HiddenDir, first.Snapshot)); err == nil {
		t.Error("the index of an expired snapshot is still there")
	}
}

// expiring keeps no snapshot but the next day's.
func expiring(o build.Options) build.Options {
	o.At, o.Now, o.Keep, o.KeepFor = o.At.AddDate(0, 0, 1), o.Now.AddDate(0, 0, 1), 1, 0
	return o
}
