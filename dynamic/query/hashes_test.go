package query

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func TestFindHash(t *testing.T) {
	l, ids := history(t, 2)
	now := sitetest.Make(t, string(l.folder), sitetest.Options{Entries: 12, Generation: 1})
	page := now.Page("/api/v1/entries")
	found, searched, err := l.FindHash(sha256.Sum256(page))
	if want := (Found{Snapshot: ids[1], Route: "/api/v1/entries"}); err != nil || len(found) != 1 || found[0] != want || len(searched) != 2 || searched[0] != ids[1] {
		t.Errorf("%v, %v, %v", found, searched, err)
	}
	if found, _, err = l.FindHash(wire.ManifestSum(page)); err != nil || len(found) == 0 || !found[0].Manifest {
		t.Errorf("by its manifest: %v, %v", found, err)
	}
	if !l.Published(ids[1], sha256.Sum256(page)) || l.Published(ids[0], sha256.Sum256(page)) {
		t.Error("the page is in the second snapshot only")
	}
	path := filepath.Join(string(l.folder), snapshot.FileOf(ids[0]))
	os.WriteFile(path, []byte("a broken file of some bytes"), 0o644)
	if _, _, err := l.FindHash(sha256.Sum256(nil)); err == nil {
		t.Error("a broken file is no error")
	}
	os.Remove(path)
	if _, searched, err := l.FindHash(sha256.Sum256(nil)); err != nil || len(searched) != 1 {
		t.Errorf("without one of two files: %v, %v", searched, err)
	}
}

// TestSince is when the present snapshot was presented.
func TestSince(t *testing.T) {
	if !(&Library{}).Since().IsZero() {
		t.Error("a library without a snapshot has a present one")
	}
	l, _ := history(t, 1)
	info, err := os.Stat(l.folder.page())
	if err != nil || !l.Since().Equal(info.ModTime()) {
		t.Errorf("%v, %v", l.Since(), err)
	}
}
