package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/artifact"
)

func tree(t *testing.T) *Tree {
	t.Helper()
	root := filepath.Join(t.TempDir(), "site")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	// With a file in it the tree is not a new one, which appears as a whole.
	if err := os.WriteFile(filepath.Join(root, "404.html"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tr, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

func file(route, alias, body string) artifact.File {
	return artifact.File{Route: route, Alias: alias, Type: artifact.JSON, Body: []byte(body)}
}

// TestAliasComesFirst watches a page that moves to new slugs: whenever the page
// names its slug, the slug leads to a page.
func TestAliasComesFirst(t *testing.T) {
	tr := tree(t)
	put := func(n int) {
		slug := fmt.Sprintf("slug-%d", n)
		if err := tr.Put(file("/e/id", "/e/"+slug, `{"slug":"`+slug+`"}`)); err != nil {
			t.Error(err)
		}
	}
	put(0)
	done, faults := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(faults)
		for {
			select {
			case <-done:
				return
			default:
			}
			b, err := os.ReadFile(tr.Join("e", "id", "index.json"))
			if err != nil {
				faults <- err
				return
			}
			var page struct{ Slug string }
			if err := json.Unmarshal(b, &page); err != nil {
				faults <- fmt.Errorf("torn: %w", err)
				return
			}
			if _, err := os.Stat(tr.Join("e", page.Slug, "index.json")); err != nil {
				faults <- err
				return
			}
		}
	}()
	for n := range 3000 {
		put(n)
	}
	close(done)
	for err := range faults {
		t.Error(err)
	}
}

// TestSiblingsOfAKilledBuild leaves the states between the renames of a killed
// build and goes back to the old bytes, or on to small ones.
func TestSiblingsOfAKilledBuild(t *testing.T) {
	large := func(c string) string { return `{"x":"` + strings.Repeat(c, siblingMin) + `"}` }
	for name, leave := range map[string]func(t *testing.T, tr *Tree, path string){
		"new siblings before the old document": func(t *testing.T, tr *Tree, path string) {
			tmp := tr.UnfinishedFile()
			if err := os.WriteFile(tmp, []byte(large("n")), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := placeSiblings(tmp, path, []byte(large("n"))); err != nil {
				t.Fatal(err)
			}
		},
		"one sibling dropped": func(t *testing.T, _ *Tree, path string) {
			if err := os.Remove(path + encoders[len(encoders)-1].ext); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, next := range []string{large("o"), large("p"), `{"small":1}`} {
			tr := tree(t)
			if err := tr.Put(file("/page", "", large("o"))); err != nil {
				t.Fatal(err)
			}
			path := tr.Join("page", "index.json")
			leave(t, tr, path)
			if err := tr.Put(file("/page", "", next)); err != nil {
				t.Fatal(err)
			}
			for _, e := range encoders {
				_, err := os.Stat(path + e.ext)
				switch {
				case len(next) <= siblingMin && err == nil:
					t.Errorf("%s: %s stayed beside a small document", name, e.ext)
				case len(next) > siblingMin && (err != nil || !SameSibling(path, path+e.ext, e.ext)):
					t.Errorf("%s: %s is missing or wrong", name, e.ext)
				}
			}
			if len(next) > siblingMin && !siblingsFit(path) {
				t.Errorf("%s: the times of the siblings differ", name)
			}
		}
	}
}

// TestFormsOfADocumentThatNeverCame: a build that was killed had put the forms
// of a large document beside the small one, and the next one keeps the small
// one; its sweep takes the forms away, at the root and below, and no others.
func TestFormsOfADocumentThatNeverCame(t *testing.T) {
	t.Parallel()
	tr := tree(t)
	large := []byte(strings.Repeat("n", siblingMin+1))
	documents := []string{"doc.json", "below/doc.json"}
	for _, path := range documents {
		f := artifact.File{Route: "/" + path, Type: artifact.JSON, Body: []byte("{}")}
		if err := tr.Put(f); err != nil {
			t.Fatal(err)
		}
		tmp, later := tr.UnfinishedFile(), time.Now().Add(time.Minute)
		if err := errors.Join(os.WriteFile(tmp, large, 0o644), os.Chtimes(tmp, later, later)); err != nil {
			t.Fatal(err)
		}
		if err := placeSiblings(tmp, tr.Join(filepath.FromSlash(path)), large); err != nil {
			t.Fatal(err)
		}
		if err := tr.Put(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := tr.Put(artifact.File{Route: "/below/large.json", Type: artifact.JSON, Body: large}); err != nil {
		t.Fatal(err)
	}
	if err := tr.Put(artifact.File{Route: "/below/copy.json.gz", Type: artifact.Gzip, Body: []byte("a route of its own")}); err != nil {
		t.Fatal(err)
	}
	known := append(slices.Clone(documents), "below/large.json", "below/copy.json", "below/copy.json.gz")
	if err := tr.Sweep(func(path string) bool { return slices.Contains(known, path) }); err != nil {
		t.Fatal(err)
	}
	for _, ext := range siblingExtensions() {
		for _, path := range documents {
			if _, err := os.Stat(tr.Join(filepath.FromSlash(path + ext))); err == nil {
				t.Errorf("%s stayed beside a small document", path+ext)
			}
		}
		if _, err := os.Stat(tr.Join("below", "large.json"+ext)); err != nil {
			t.Errorf("a form that fits is gone: %v", err)
		}
	}
	if _, err := os.Stat(tr.Join("below", "copy.json.gz")); err != nil {
		t.Errorf("a route is gone: %v", err)
	}
}

func TestPutFile(t *testing.T) {
	tr := tree(t)
	for i, body := range []string{"small", strings.Repeat("large", siblingMin), strings.Repeat("large", siblingMin), "small again", "small again"} {
		f, err := os.Create(tr.Unfinished("doc"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(body); err != nil {
			t.Fatal(err)
		}
		if err := tr.PutFile("/doc.ndjson", artifact.NDJSON, f); err != nil {
			t.Fatal(err)
		}
		f.Close()
		got, err := os.ReadFile(tr.Join("doc.ndjson"))
		if err != nil || string(got) != body {
			t.Fatalf("step %d: %d bytes, %v", i, len(got), err)
		}
		if fit := siblingsFit(tr.Join("doc.ndjson")); fit != (len(body) > siblingMin) {
			t.Errorf("step %d: siblings %v", i, fit)
		}
	}
	if w, u := tr.Counts.Written.Load(), tr.Counts.Unchanged.Load(); w != 3 || u != 2 {
		t.Errorf("%d written, %d unchanged", w, u)
	}
}

func TestSweep(t *testing.T) {
	tr := tree(t)
	for _, path := range []string{"a/keep/index.json", "a/keep/index.json.gz", "a/keep/old.json", "a/old.json.gz", "a/gone/x/index.json", "a/gone/y/index.json",
		"foreign/file.txt", "CNAME", "s/20261121-000000000000/page.json", ".assay/20261121-000000000000/head.json"} {
		if err := tr.Put(artifact.File{Route: "/" + path, Type: artifact.JSON, Body: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := tr.Sweep(func(path string) bool { return path == "a/keep/index.json" }); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"a/keep/index.json": true, "a/keep/index.json.gz": false, "a/keep/old.json": false, "a/old.json.gz": false,
		"a/gone": false, "foreign/file.txt": true, "CNAME": true, "s/20261121-000000000000/page.json": true, ".assay/20261121-000000000000/head.json": true} {
		if _, err := os.Stat(tr.Join(filepath.FromSlash(path))); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if n := tr.Counts.Removed.Load(); n != 4 {
		t.Errorf("%d removals, want 4", n)
	}
}

// TestFirstSite shows nothing of a new tree before it is published.
func TestFirstSite(t *testing.T) {
	root := filepath.Join(t.TempDir(), "site")
	tr, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	files := []artifact.File{file("/e/id", "/e/slug", `{"slug":"slug"}`), file("/snapshot.json", "", "{}"), file("/e/id/part", "", strings.Repeat(" ", siblingMin)+"{}")}
	if err := tr.PutEntry(files); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(root); err != nil || len(list) != 1 {
		t.Errorf("%d names are visible, %v", len(list), err)
	}
	if err := tr.Publish(); err != nil {
		t.Fatal(err)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"e/id/index.json", "e/slug/index.json", "e/id/part/index.json.br", "snapshot.json"} {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(path))); err != nil {
			t.Error(err)
		}
	}
	if !siblingsFit(filepath.Join(root, "e", "id", "part", "index.json")) {
		t.Error("the siblings do not fit")
	}
}

// broken fails after some bytes with an error that is no end.
type broken struct{ r *bytes.Reader }

// Read implements io.Reader.
func (b broken) Read(p []byte) (int, error) {
	if b.r.Len() == 0 {
		return 0, os.ErrDeadlineExceeded
	}
	return b.r.Read(p)
}

func TestSameContent(t *testing.T) {
	long := strings.Repeat("x", 3<<16)
	for _, c := range []struct {
		a, b string
		want bool
	}{{"", "", true}, {"a", "a", true}, {"a", "b", false}, {"a", "ab", false}, {"ab", "a", false}, {long, long, true}, {long, long + "y", false}, {long, "y" + long[1:], false}} {
		if same, err := sameContent(strings.NewReader(c.a), strings.NewReader(c.b)); same != c.want || err != nil {
			t.Errorf("%d and %d bytes: %v, %v", len(c.a), len(c.b), same, err)
		}
	}
	if same, err := sameContent(strings.NewReader("abc"), broken{bytes.NewReader([]byte("abc"))}); same || err == nil {
		t.Errorf("a broken reader: %v, %v", same, err)
	}
}
