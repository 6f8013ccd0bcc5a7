package build_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/dynamic/store/sqlite"
)

// wholeFile holds a folder of snapshot files to what readers may meet at any moment:
// nothing yet, or a site without a fault. It gives the snapshot, "" for none.
func wholeFile(t *testing.T, what, folder string) string {
	t.Helper()
	s, err := output.OpenPresent(folder)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if s == nil {
		return ""
	}
	defer s.Close()
	noFaults(t, what, s, nil)
	list, err := os.ReadDir(folder)
	if err != nil || len(list) > 20 {
		t.Errorf("%s: %d files, %v", what, len(list), err)
	}
	return s.ID
}

// TestKilledFile kills builds of snapshot files at random moments, with no build
// between that ends: after each, readers have a whole site. Then one ends and leaves
// nothing behind.
func TestKilledFile(t *testing.T) {
	rounds, seed := 4, uint64(time.Now().UnixNano())
	switch {
	case soak:
		rounds = 100
	case testing.Short():
		rounds = 1
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 11))
	o := place(t, 45)
	o.File = true
	seen := map[string]bool{}
	for round := range rounds {
		o.Seed = seed + uint64(round)
		cmd := spawn(t, o)
		time.Sleep(time.Duration(rng.IntN(900_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		killed(t, cmd)
		seen[wholeFile(t, fmt.Sprintf("round %d", round), o.Dir)] = true
		if t.Failed() {
			return
		}
	}
	t.Logf("%d snapshots were met", len(seen))
	st, err := sqlite.Open(t.Context(), o.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	r, err := buildtest.Resume(t.Context(), st, seed)
	if err != nil {
		t.Fatal(err)
	}
	opts := killOptions(o.Dir, r.Now)
	opts.File = true
	report := mustBuild(t, st, opts)
	if id := wholeFile(t, "built to the end", o.Dir); id != report.Snapshot {
		t.Errorf("%q is presented, %q was built", id, report.Snapshot)
	}
	left, err := filepath.Glob(filepath.Join(o.Dir, output.HiddenDir, "tmp", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
}

// TestFileWithoutRoom builds where the disk is full at some point: the build says so,
// and the site stays as it was.
func TestFileWithoutRoom(t *testing.T) {
	o := place(t, 45)
	o.File, o.StopAt = true, 1<<30
	if killed(t, spawn(t, o)) {
		t.Fatal("a build without a limit was killed")
	}
	_, before := openPack(t, o.Dir)
	for _, share := range []int{1, 5, 9} {
		o.Most = uint64(len(before) * share / 10)
		o.Seed++
		cmd := spawn(t, o)
		if err := cmd.Wait(); err == nil {
			t.Fatalf("a build with %d of %d bytes succeeded", o.Most, len(before))
		}
		if _, after := openPack(t, o.Dir); !bytes.Equal(before, after) {
			t.Errorf("with %d tenths of the room the present file is another", share)
		}
		wholeFile(t, "no room", o.Dir)
	}
}
