package publish

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

var at = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// hour is when generation g is published.
func hour(g int) Options {
	return Options{Workers: 4, Keep: 2, KeepFor: time.Hour, Now: at.Add(time.Duration(g) * time.Hour)}
}

func mustPublish(t *testing.T, b bucket.Bucket, root string, o Options) Report {
	t.Helper()
	r, err := Publish(t.Context(), b, Site{Root: root}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOnlyWhatChangedMoves publishes a site, the same one, and a changed one; after the
// first publish the bucket is never listed.
func TestOnlyWhatChangedMoves(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	makeSite(t, root, 1, 9)
	if r := mustPublish(t, b, root, hour(1)); r.New != 2*10+8 || r.Changed+r.Left+r.Deleted+r.Unchanged != 0 || r.Generation != 1 {
		t.Errorf("the first publish reports %+v", r)
	}
	want := stored{b.pages()["api/v1/entries/e3"].body, bucket.Object{Type: "application/json; charset=utf-8", Cache: "public, no-cache"}}
	got := b.pages()["api/v1/entries/e3"]
	if want.Size, want.Modified = int64(len(got.body)), got.Modified; got != want || got.body == "" {
		t.Errorf("a page is stored as %+v", got)
	}
	if got := b.pages()["s/"+snapshotOf(1)+"/api/v1/entries/pages/1"].Cache; got != "public, max-age=7200, immutable" {
		t.Errorf("a pinned page has Cache-Control %s", got)
	}
	b.writes, b.puts, b.lists = 0, nil, 0
	if r := mustPublish(t, b, root, hour(1)); r.Unchanged != 28 || b.writes != 0 || r.Generation != 1 {
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
	if b.lists != 0 {
		t.Errorf("the bucket was listed %d times", b.lists)
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
	for o := range b.List(t.Context(), genDir) {
		if key := o.Key; !strings.HasPrefix(key, genDir+"4/") && key != genDir+"5/"+indexFile {
			t.Errorf("%s is left over", o.Key)
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
	damaged, verify := filepath.Join(root, snapshot.FileOf(snapshotOf(1))), hour(2)
	verify.Verify = true
	file, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)/2] ^= 1
	if err := os.WriteFile(damaged, file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Publish(t.Context(), b, Site{Root: root}, verify); err == nil {
		t.Error("a damaged file is published")
	}
	if _, err := Publish(t.Context(), b, Site{Root: t.TempDir()}, hour(2)); err == nil || !strings.Contains(err.Error(), "assay build") {
		t.Errorf("an empty directory: %v", err)
	}
}

// TestCompressed: documents that lie compressed are stored so on demand; by file
// their forms go with them, and a form that is a route stays what it is.
func TestCompressed(t *testing.T) {
	root := t.TempDir()
	makeSite(t, root, 1, 9)
	for _, c := range []struct {
		site Site
		want map[string]bucket.Object
	}{
		{Site{Root: root}, map[string]bucket.Object{"export.ndjson": {Type: artifact.NDJSON}, "export.ndjson.gz": {Type: artifact.Gzip}}},
		{Site{Root: root, Gzip: true}, map[string]bucket.Object{"export.ndjson": {Type: artifact.NDJSON, Encoding: "gzip"}, "export.ndjson.gz": {Type: artifact.Gzip}}},
		{Site{Root: root, Keys: bucket.ByFile}, map[string]bucket.Object{"export.ndjson": {Type: artifact.NDJSON}, "export.ndjson.gz": {Type: artifact.Gzip},
			"export.ndjson.br": {Type: artifact.NDJSON, Encoding: "br"}, "export.ndjson.zst": {Type: artifact.NDJSON, Encoding: "zstd"}}},
	} {
		b := newMemory()
		if _, err := Publish(t.Context(), b, c.site, hour(1)); err != nil {
			t.Fatal(err)
		}
		for key, want := range c.want {
			if got := b.pages()[key]; got.Type != want.Type || got.Encoding != want.Encoding || got.body == "" {
				t.Errorf("%+v: %s is %+v, want %+v", c.site, key, got.Object, want)
			}
		}
		if n := strings.Count(strings.Join(b.puts, " ")+" ", "export.ndjson"); n != len(c.want) {
			t.Errorf("%+v: %d objects of the export were written, want %d", c.site, n, len(c.want))
		}
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
