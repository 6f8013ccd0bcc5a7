package check_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/wire"
)

// TestLiveAnswers puts what a service knows later than its snapshot in place of the checks
// of an entry.
func TestLiveAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(site(t, entries))); err != nil {
		t.Fatal(err)
	}
	var route string
	for _, l := range routes(t, dir) {
		if strings.HasSuffix(l.Route, "/checks") {
			route = l.Route
		}
	}
	seal := func(live bool) []byte {
		b, err := wire.Seal(map[string]any{"items": []int{}, "note": strings.Repeat("longer ", 5000)}, time.Unix(0, 0), live)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	remote := serve(t, dir)
	for name, c := range map[string]struct {
		body         []byte
		pages        output.Pages
		live, faults int
	}{
		"a live answer":                {seal(true), remote, 1, 0},
		"another document":             {seal(false), remote, 0, 1},
		"no JSON":                      {[]byte("{"), remote, 0, 1},
		"a hash that is not its own":   {bytes.Replace(seal(true), []byte("longer"), []byte("larger"), 1), remote, 1, 1},
		"a live answer in a directory": {seal(true), output.Dir(dir), 0, 1},
	} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(route), "index.json"), c.body, 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := check.Site(t.Context(), c.pages, nil, nil)
		if err != nil || r.Live != c.live || min(r.FaultCount, 1) != c.faults {
			t.Errorf("%s: %d live, %d faults %v, %v", name, r.Live, r.FaultCount, r.Faults, err)
		}
	}
}

// TestChangedSince: what a service says to be newer than its snapshot is no fault, unless it
// breaks the rules of its format; of a directory it is.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(site(t, entries))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(pendingRoute)), []byte("as it is now"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pages        output.Pages
		live, faults int
	}{{serve(t, dir), 1, 0}, {output.Dir(dir), 0, 1}} {
		r, err := check.Site(t.Context(), c.pages, nil, nil)
		if err != nil || r.Live != c.live || min(r.FaultCount, 1) != c.faults {
			t.Errorf("%T: %d live, %d faults %v, %v", c.pages, r.Live, r.FaultCount, r.Faults, err)
		}
	}
}
