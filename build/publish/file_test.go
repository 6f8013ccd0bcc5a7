package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// TestVerify: what is not in the bucket as the index says is written again on demand, or
// where the index is lost, and what no publish wrote stays.
func TestVerify(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	makeSite(t, root, 1, 9)
	mustPublish(t, b, root, hour(1))
	want := b.pages()
	harm := func() {
		delete(b.objects, "api/v1/entries/e3")
		b.objects["llms.txt"] = stored{body: "cut", Object: b.objects["llms.txt"].Object}
		b.objects["foreign/file"] = stored{body: "no page of the site"}
		b.objects[genKey(77, planFile)] = stored{body: "a book of nothing"}
	}
	harm()
	b.lists = 0
	if r := mustPublish(t, b, root, hour(1)); r.Changed+r.New+r.Strange != 0 || b.lists != 0 {
		t.Errorf("without a look the publish reports %+v and lists %d times", r, b.lists)
	}
	o := hour(1)
	o.Verify = true
	for name, again := range map[string]int{"on demand": 2, "without an index": len(want)} {
		harm()
		if name == "without an index" {
			o.Verify = false
			var s state
			if err := readJSON(t.Context(), b, stateKey, &s); err != nil {
				t.Fatal(err)
			}
			delete(b.objects, genKey(s.current().N, indexFile))
			again-- // of which one is not there
		}
		r := mustPublish(t, b, root, o)
		if r.Changed != again || r.Strange != 1 || r.Left+r.Deleted != 0 {
			t.Errorf("%s: %+v, want %d written again", name, r, again)
		}
		if _, there := b.objects[genKey(77, planFile)]; there == o.Verify {
			t.Errorf("%s: a stray book is there: %t", name, there)
		}
		got := b.pages()
		if got["foreign/file"].body == "" {
			t.Errorf("%s: what no publish wrote is gone", name)
		}
		delete(got, "foreign/file")
		same(t, got, want)
		o.Verify = true
	}
}

// TestOlderBooks: a target of a release whose index named no entries, and that kept what
// was replaced without a list of it, is gone on with, and can be rolled back.
func TestOlderBooks(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	long := hour(1)
	long.Keep = 9
	makeSite(t, root, 1, 9)
	mustPublish(t, b, root, long)
	first := b.pages()
	makeSite(t, root, 2, 9)
	mustPublish(t, b, root, long)
	s := b.objects[stateKey]
	s.body = strings.NewReplacer(`,"index":2`, "", `,"kept":true`, "").Replace(s.body)
	b.objects[stateKey] = s
	delete(b.objects, genKey(1, keptFile))
	makeSite(t, root, 3, 9)
	if r := mustPublish(t, b, root, long); r.Changed == 0 || r.Generation != 3 {
		t.Errorf("%+v", r)
	}
	if _, err := Rollback(t.Context(), b, bucket.ByRoute, snapshotOf(1), long); err != nil {
		t.Error(err)
	}
	bodies(t, b.pages(), first)
	for g := 4; g < 8; g++ {
		makeSite(t, root, g, 9)
		mustPublish(t, b, root, hour(g))
	}
	for key := range b.objects {
		if strings.HasPrefix(key, genDir) && !strings.HasPrefix(key, genKey(7, "")) && !strings.HasPrefix(key, genKey(8, "")) {
			t.Errorf("%s is left over", key)
		}
	}
}

// TestGateOfWhatChanged: what a new snapshot file changes is held to the same rules as a
// whole site.
func TestGateOfWhatChanged(t *testing.T) {
	for name, c := range map[string]struct {
		breakIt func(s *madeSite)
		want    string
	}{
		"no tombstone": {func(s *madeSite) { s.write("/tombstones.ndjson", artifact.NDJSON, artifact.ClassCatalog, nil) }, "vanished without a tombstone"},
		"another time": {func(s *madeSite) {
			s.page("/api/v1/entries/e1", artifact.ClassEntry, map[string]any{"id": "e1", "published_at": "2026-11-21T00:00:00Z"})
		}, "published_at moved"},
		"a dead link": {func(s *madeSite) {
			s.page("/api/v1/entries/new", artifact.ClassEntry, map[string]any{"links": map[string]any{"self": "/api/v1/nowhere"}})
		}, "dead link to /api/v1/nowhere"},
		"no JSON": {func(s *madeSite) {
			s.write("/api/v1/entries/e5", artifact.JSON, artifact.ClassEntry, []byte("{"))
		}, "is not JSON"},
	} {
		root, b := t.TempDir(), newMemory()
		makeSite(t, root, 1, 9)
		mustPublish(t, b, root, hour(1))
		s := &madeSite{t: t, root: root}
		if name != "no tombstone" {
			for _, i := range entriesOf(1, 9) {
				s.page(fmt.Sprintf("/api/v1/entries/e%d", i), artifact.ClassEntry, map[string]any{"id": fmt.Sprint("e", i), "published_at": "2026-11-20T00:00:00Z", "version": 0})
			}
		}
		c.breakIt(s)
		s.books(snapshotOf(2))
		b.writes = 0
		_, err := Publish(t.Context(), b, Site{Root: root}, hour(2))
		if !errors.Is(err, ErrGate) || !strings.Contains(err.Error(), c.want) || b.writes != 0 {
			t.Errorf("%s: %v, %d writes", name, err, b.writes)
		}
	}
}

// TestWhole publishes snapshot files as they are: what "present" names is there, whole,
// at every moment, and files go when no generation that is kept has them.
func TestWhole(t *testing.T) {
	root, target := t.TempDir(), t.TempDir()
	d, err := bucket.OpenDir(target)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	site := Site{Root: root, Keys: bucket.ByFile, Whole: true}
	for g := 1; g <= 4; g++ {
		makeSite(t, root, g, 9)
		r, err := Publish(t.Context(), d, site, hour(g))
		if err != nil {
			t.Fatal(err)
		}
		if g == 2 && (r.New != 2 || r.Changed != 1 || r.Left != 2) {
			t.Errorf("a second file: %+v", r)
		}
		if r, err = Publish(t.Context(), d, site, hour(g)); err != nil || r.New+r.Changed != 0 || r.Generation != g {
			t.Errorf("the same file: %+v, %v", r, err)
		}
	}
	present := func(want int) {
		t.Helper()
		s, err := output.OpenPresent(target)
		if err != nil || s == nil || s.ID != snapshotOf(want) {
			t.Fatalf("present is %+v, %v", s, err)
		}
		defer s.Close()
		if sum, _, err := sumFile(s.Path); err != nil {
			t.Error(err)
		} else if text, err := os.ReadFile(filepath.Join(target, snapshot.SumOf(s.ID))); err != nil || string(text) != sum+"  "+snapshot.FileOf(s.ID)+"\n" {
			t.Errorf("the hash of the file reads %q, %v", text, err)
		}
	}
	present(4)
	for g, want := range map[int]bool{2: false, 3: true, 4: true} {
		if _, err := os.Stat(filepath.Join(target, snapshot.FileOf(snapshotOf(g)))); (err == nil) != want {
			t.Errorf("file %d: there is %t, want %t", g, err == nil, want)
		}
	}
	if _, err := Rollback(t.Context(), d, bucket.ByFile, snapshotOf(3), hour(4)); err != nil {
		t.Fatal(err)
	}
	present(3)
	if _, err := Publish(t.Context(), d, Site{Root: root, Keys: bucket.ByFile}, hour(5)); !errors.Is(err, errForm) {
		t.Errorf("pages into a target of files: %v", err)
	}
}

// TestWholeKilled kills a publish of snapshot files at each of its writes.
func TestWholeKilled(t *testing.T) {
	root := t.TempDir()
	for kill := 0; ; kill++ {
		b := newMemory()
		b.watch = func() {
			id := strings.TrimSpace(b.objects[snapshot.PresentFile].body)
			if id == "" {
				return
			}
			if sum := b.objects[snapshot.SumOf(id)].body; b.objects[snapshot.FileOf(id)].body == "" || !strings.Contains(sum, snapshot.FileOf(id)) {
				t.Errorf("killed at %d: %s is present and not there", kill, id)
			}
		}
		killed := false
		for g := 1; g <= 3; g++ {
			makeSite(t, root, g, 2)
			b.left = -1
			if g == 2 {
				b.left = kill
			}
			_, err := Publish(context.Background(), b, Site{Root: root, Whole: true}, hour(g))
			if errors.Is(err, errKilled) {
				killed = true
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if id := strings.TrimSpace(b.objects[snapshot.PresentFile].body); id != snapshotOf(3) || t.Failed() {
			t.Fatalf("killed at %d, in the end %q is present", kill, id)
		}
		if !killed {
			return
		}
	}
}

// TestNothingNew: a publish of what is there already reads no index, unless something waits
// for its deletion, or becomes another object.
func TestNothingNew(t *testing.T) {
	root, b := t.TempDir(), newMemory()
	reads := func(o Options, s Site) bool { // a damaged index stops who reads it
		s.Root = root
		book := genKey(readState(t, b).current().N, indexFile)
		good := b.objects[book]
		b.objects[book] = stored{body: "damaged"}
		r, err := Publish(t.Context(), b, s, o)
		b.objects[book] = good
		if err == nil && (r.Unchanged == 0 || r.New+r.Changed != 0) {
			t.Errorf("%+v", r)
		}
		return err != nil
	}
	makeSite(t, root, 1, 9)
	mustPublish(t, b, root, hour(1))
	verify := hour(1)
	verify.Verify = true
	for name, got := range map[string]bool{"the same": !reads(hour(1), Site{}), "on demand": reads(verify, Site{}), "compressed": reads(hour(1), Site{Gzip: true}),
		"by file": reads(hour(1), Site{Keys: bucket.ByFile})} {
		if !got {
			t.Errorf("%s: the index is read, or is not", name)
		}
	}
	makeSite(t, root, 2, 9)
	mustPublish(t, b, root, hour(2))
	if !reads(hour(2), Site{}) {
		t.Error("what left is never deleted")
	}
	late := hour(9)
	late.Keep = 1
	if r := mustPublish(t, b, root, late); r.Deleted == 0 {
		t.Errorf("what left stays: %+v", r)
	}
	if reads(late, Site{}) {
		t.Error("nothing is left, and the index is read")
	}
	b.objects[genKey(readState(t, b).current().N+1, planFile)] = stored{body: ""}
	if !reads(late, Site{}) {
		t.Error("a publish that did not end is not gone on with")
	}
}

func readState(t *testing.T, b *memory) *state {
	t.Helper()
	var s state
	if err := readJSON(t.Context(), b, stateKey, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}
