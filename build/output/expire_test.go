package output_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/snapshot"
)

func snap(n int) string { return fmt.Sprintf("20261121-%012x", n) }

// TestExpire tries the rules of retention with a controlled clock.
func TestExpire(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	// Snapshot n was published n hours ago; 0 is the present one.
	for _, c := range []struct {
		name    string
		ages    map[int]float64
		keep    int
		keepFor time.Duration
		want    []int
	}{
		{"the newest three stay however old", map[int]float64{0: 30, 1: 40, 2: 50, 3: 60}, 3, 2 * time.Hour, []int{0, 1, 2}},
		{"replaced less than two hours ago", map[int]float64{0: 0, 1: 0.5, 2: 1, 3: 1.5, 4: 1.9, 5: 3, 6: 4}, 3, 2 * time.Hour, []int{0, 1, 2, 3, 4, 5}},
		{"the present one is not the newest on disk", map[int]float64{0: 90, 1: 1, 2: 2, 3: 3}, 2, 0, []int{0, 1}},
		{"keep one", map[int]float64{0: 0, 1: 1, 2: 2}, 1, 0, []int{0}},
		{"keep none", map[int]float64{0: 0, 1: 1, 2: 2}, 0, 0, []int{0}},
		{"keep none but for a time", map[int]float64{0: 0, 1: 1, 2: 5}, 0, 90 * time.Minute, []int{0, 1, 2}},
		{"a clock that went backwards", map[int]float64{0: 0, 1: -5, 2: 1, 3: 2}, 2, 0, []int{0, 1}},
		{"alone", map[int]float64{0: 9}, 0, 0, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for n, age := range c.ages {
				put(t, dir, snapshot.FileOf(snap(n)), []byte("a snapshot"))
				at := now.Add(-time.Duration(age * float64(time.Hour)))
				if err := os.Chtimes(filepath.Join(dir, snapshot.FileOf(snap(n))), at, at); err != nil {
					t.Fatal(err)
				}
			}
			put(t, dir, "notes.txt", []byte("not a snapshot"))
			if err := output.ExpireFiles(dir, snap(0), c.keep, c.keepFor, now); err != nil {
				t.Fatal(err)
			}
			want := []string{"notes.txt"}
			for _, n := range c.want {
				want = append(want, snapshot.FileOf(snap(n)))
			}
			left, err := buildtest.ReadTree(dir)
			if err != nil {
				t.Fatal(err)
			}
			got := slices.Sorted(maps.Keys(left))
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("left are %q, want %q", got, want)
			}
		})
	}
}

func TestOwn(t *testing.T) {
	empty, hidden, strange, ours := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	put(t, hidden, ".git/config", nil)
	put(t, strange, "thesis.txt", []byte("years of work"))
	put(t, ours, snapshot.FileOf(snap(1)), nil)
	put(t, ours, snapshot.PresentFile, nil)
	for dir, want := range map[string]bool{empty: true, hidden: true, strange: false, ours: true, filepath.Join(empty, "new"): true} {
		if err := output.Own(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if _, err := build.Build(t.Context(), nil, build.Options{Out: strange}, time.Now); err == nil || !strings.Contains(err.Error(), "thesis.txt") {
		t.Errorf("build into a stranger's directory: %v", err)
	}
	if _, err := os.Stat(filepath.Join(strange, output.HiddenDir)); err == nil {
		t.Error("a refused build left its directory behind")
	}
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	unlock, err := output.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := output.Lock(dir); err == nil || !strings.Contains(err.Error(), "another build is at work") {
		t.Errorf("second lock: %v", err)
	}
	unlock()
	again, err := output.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

// put writes a file and its folders.
func put(t *testing.T, dir, path string, body []byte) {
	t.Helper()
	full := filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, body, 0o644); err != nil {
		t.Fatal(err)
	}
}
