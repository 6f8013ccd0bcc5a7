package build_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// openIndex reads the search index of a snapshot.
func openIndex(t *testing.T, out, id string) *segment.Segment {
	t.Helper()
	f, err := output.OpenSnapshot(filepath.Join(out, snapshot.FileOf(id)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f.Pack.Section(segment.File))
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
	t.Parallel()
	r, out := register(t, 28), filepath.Join(tempDir(t), "site")
	o := options(out, r.Now)
	first := mustBuild(t, r.Store, o)
	if s := openIndex(t, out, first.Snapshot); s.Documents() != first.Entries || s.Terms() < 100 {
		t.Errorf("%d documents with %d terms, want %d", s.Documents(), s.Terms(), first.Entries)
	}
	o = expiring(o)
	second := mustBuild(t, r.Store, o)
	if second.Snapshot == first.Snapshot {
		t.Fatal("the next day has the same snapshot")
	}
	openIndex(t, out, second.Snapshot)
	if _, err := os.Stat(filepath.Join(out, snapshot.FileOf(first.Snapshot))); err == nil {
		t.Error("the expired snapshot is still there")
	}
}

// TestAnotherSearchIndexIsPublished: a release that knows other words, and makes the same documents,
// replaces the file for its search index.
func TestAnotherSearchIndexIsPublished(t *testing.T) {
	t.Parallel()
	r, out := register(t, 20), filepath.Join(tempDir(t), "site")
	o := options(out, r.Now)
	first := mustBuild(t, r.Store, o)
	path := filepath.Join(out, snapshot.FileOf(first.Snapshot))
	x, made := openPack(t, out)
	other := bytes.Replace(made, []byte(x.Directory.SumOf(segment.File)), bytes.Repeat([]byte("0"), 64), 1)
	if err := os.WriteFile(path, other, 0o644); err != nil || bytes.Equal(made, other) {
		t.Fatal(err)
	}
	mustBuild(t, r.Store, o)
	if _, again := openPack(t, out); !bytes.Equal(made, again) {
		t.Error("the file keeps the search index of the release before")
	}
}

// expiring keeps no snapshot but the next day's.
func expiring(o build.Options) build.Options {
	o.At, o.Now, o.Keep, o.KeepFor = o.At.AddDate(0, 0, 1), o.Now.AddDate(0, 0, 1), 1, 0
	return o
}
