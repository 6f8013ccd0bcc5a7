package build_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/snapshot"
)

// refreshedMark is where the mark of a page lies.
func refreshedMark(dir string, body string) string {
	sum := sha256.Sum256([]byte(body))
	return filepath.Join(dir, ".assay", snapshot.RefreshedDir, hex.EncodeToString(sum[:]))
}

// TestNothingIsReadOfASnapshotWithoutAName looks at the tree while entries are
// rendered, and again while the pages of the named snapshot arrive.
func TestNothingIsReadOfASnapshotWithoutAName(t *testing.T) {
	r := register(t, 40)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	edited := mustChange(t, r, buildtest.Edit)
	added := mustChange(t, r, buildtest.Add)
	page := filepath.Join(dir, "api", "v1", "entries", edited, "index.json")
	before, underway := readTree(t, dir), filepath.Join(dir, ".assay", snapshot.UnderwayFile)
	looked, named := 0, ""
	o := options(dir, r.Now)
	o.Progress = func(stage string, _, _ int) {
		id, err := os.ReadFile(underway)
		if stage == "entries" {
			looked++
			for _, path := range buildtest.Touched(before, readTree(t, dir)) {
				if !strings.HasPrefix(path, ".assay/tmp/") {
					t.Errorf("while entries are rendered: %s", path)
				}
			}
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("while entries are rendered: %q, %v", id, err)
			}
			return
		}
		if named = string(id); named == "" {
			return
		}
		if !markLocked(t, underway) {
			t.Errorf("%s: nobody holds the mark of the build", stage)
		}
		body, err := os.ReadFile(page)
		_, errAdded := os.Stat(filepath.Join(dir, "api", "v1", "entries", added, "index.json"))
		if err != nil || errAdded != nil || string(body) == before["api/v1/entries/"+edited+"/index.json"].Body {
			t.Errorf("%s: the changed pages are not there: %v, %v", stage, err, errAdded)
		}
	}
	done := mustBuild(t, r.Store, o)
	if looked == 0 || named != done.Snapshot {
		t.Errorf("looked %d times; named %q, not %q", looked, named, done.Snapshot)
	}
	if _, err := os.Stat(underway); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after the build: %v", err)
	}
	scratch := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(scratch, r.Now))
	if diff := buildtest.Diff(readTree(t, scratch).Present(), readTree(t, dir).Present()); len(diff) > 0 {
		t.Errorf("not as built from scratch: %q", diff)
	}
}

// markLocked tells whether a build stands by a mark that lies in a tree.
func markLocked(t *testing.T, path string) bool {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// TestMarkOfABuildThatBrokeOff: one that fails takes its mark away; that of one
// that was killed is not locked, and the next build takes it away before it reads
// anything.
func TestMarkOfABuildThatBrokeOff(t *testing.T) {
	t.Parallel()
	r := register(t, 12)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	mustChange(t, r, buildtest.Edit)
	underway := filepath.Join(dir, ".assay", snapshot.UnderwayFile)
	ctx, stop := context.WithCancel(t.Context())
	o, marked := options(dir, r.Now), false
	o.Progress = func(string, int, int) {
		if _, err := os.Stat(underway); err == nil {
			marked = true
			stop()
		}
	}
	if _, err := build.Build(ctx, r.Store, o, time.Now); err == nil || !marked {
		t.Fatalf("the build was not broken off under way: %v, %t", err, marked)
	}
	if _, err := os.Stat(underway); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a build that failed left its mark: %v", err)
	}
	if err := os.WriteFile(underway, []byte("20261121-0123456789ab"), 0o644); err != nil {
		t.Fatal(err)
	}
	o = options(dir, r.Now)
	o.Begin = func(int) {
		if _, err := os.Stat(underway); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the mark of a killed build is left: %v", err)
		}
	}
	mustBuild(t, r.Store, o)
}

// TestRefreshedPagesBearAMark until a build has them or replaces them.
func TestRefreshedPagesBearAMark(t *testing.T) {
	r := register(t, 30)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	refresh := func() (id, mark string) {
		id = mustChange(t, r, buildtest.Edit)
		if _, err := build.Refresh(t.Context(), r.Store, options(dir, r.Now), []string{id}); err != nil {
			t.Fatal(err)
		}
		return id, refreshedMark(dir, readTree(t, dir)["api/v1/entries/"+id+"/index.json"].Body)
	}
	there := func(mark string) bool { _, err := os.Stat(mark); return err == nil }
	_, first := refresh()
	if !there(first) {
		t.Fatal("a refreshed page has no mark")
	}
	stray := first + "00"
	if err := os.WriteFile(stray, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var late, lateMark string
	o := options(dir, r.Now)
	o.Progress = func(stage string, done, total int) {
		if stage == "entries" && done == total && late == "" { // the build holds its older pages already
			late, lateMark = refresh()
		}
	}
	o.Live = func(id string) bool { return id == late }
	mustBuild(t, r.Store, o)
	if there(first) {
		t.Error("a mark outlived the build that has the page")
	}
	if there(stray) {
		t.Error("what is no mark stays among them")
	}
	if late == "" || !there(lateMark) || refreshedMark(dir, readTree(t, dir)["api/v1/entries/"+late+"/index.json"].Body) != lateMark {
		t.Errorf("the page of %q, refreshed meanwhile, was replaced or lost its mark", late)
	}
	mustBuild(t, r.Store, options(dir, r.Now))
	if there(lateMark) {
		t.Error("the next build left the mark")
	}
}
