package output

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// oldSite and newSite are what two sites consist of.
var (
	oldSite = map[string]string{"index.html": "old", "entry/a/index.html": "old a", "entry/b/index.html": "old b", "api/v1/x.json": "1", HiddenDir + "/20260101-0/lines": "old"}
	newSite = map[string]string{"index.html": "new", "entry/a/index.html": "new a", "entry/c/index.html": "new c", "s/1/x.json": "2", HiddenDir + "/20260102-0/lines": "new"}
)

// twoSites are an old site and a new one below it.
func twoSites(t *testing.T) (root, fresh string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "site")
	fresh = BesideOf(root)
	for dir, files := range map[string]map[string]string{root: oldSite, fresh: newSite} {
		for path, text := range files {
			path = filepath.Join(dir, filepath.FromSlash(path))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root, fresh
}

// siteAt reads a site, without what is unfinished and without locks.
func siteAt(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && path == filepath.Join(root, HiddenDir, tmpDir) {
				return fs.SkipDir
			}
			return err
		}
		text, err := os.ReadFile(path)
		if name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))); name != HiddenDir+"/lock" {
			files[name] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestReplaceKilled: after each step of a swap the site is the old one or the new
// one, whole, and the next build clears what the killed one left.
func TestReplaceKilled(t *testing.T) {
	t.Parallel()
	for killed := range len(swap("", "")) + 1 {
		root, fresh := twoSites(t)
		below, err := filepath.Rel(root, fresh)
		if err != nil {
			t.Fatal(err)
		}
		want := oldSite
		for i, step := range swap(root, below)[:killed] {
			if err := step(); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
			if i+1 == appeared {
				want = newSite
			}
		}
		if got := siteAt(t, root); !maps.Equal(got, want) {
			t.Errorf("killed after %d steps the site is %v", killed, got)
		}
		tree, err := Open(root)
		if err != nil {
			t.Fatal(err)
		}
		if got := siteAt(t, root); !maps.Equal(got, want) {
			t.Errorf("the next build finds after %d steps %v", killed, got)
		}
		if left, err := os.ReadDir(filepath.Dir(root)); err != nil || len(left) != 1 {
			t.Errorf("beside the site lie after %d steps %v, %v", killed, left, err)
		}
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestReplace: who has the folder of the site open or mounted finds the new site in
// it, and the times of snapshots stay. So do they where
// folders cannot change places.
func TestReplace(t *testing.T) {
	t.Parallel()
	whole := func(root, fresh string) error {
		return Replace(root, fresh, func(why error) { t.Errorf("by exchange: %v", why) })
	}
	piecemeal := func(root, fresh string) error {
		var told error
		steps := []func() error{func() error { return nil }, func() error { return unix.EINVAL }}
		err := takePlace(steps, root, fresh, func(why error) { told = why })
		if !errors.Is(told, unix.EINVAL) {
			t.Errorf("piecemeal: told is %v", told)
		}
		return err
	}
	for name, replace := range map[string]func(root, fresh string) error{"by exchange": whole, "piecemeal": piecemeal, "by parts": replaceParts} {
		root, fresh := twoSites(t)
		published := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(fresh, "s", "1"), published, published); err != nil {
			t.Fatal(err)
		}
		before, err := os.Stat(root)
		if err != nil {
			t.Fatal(err)
		}
		if err := replace(root, fresh); err != nil {
			t.Fatal(err)
		}
		after, err := os.Stat(root)
		if err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: the folder is another one, %v", name, err)
		}
		if got := siteAt(t, root); !maps.Equal(got, newSite) {
			t.Errorf("%s: the site is %v", name, got)
		}
		if info, err := os.Stat(filepath.Join(root, "s", "1")); err != nil || !info.ModTime().Equal(published) {
			t.Errorf("%s: the snapshot was published at %v, %v", name, info, err)
		}
	}
}
