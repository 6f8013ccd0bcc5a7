package query

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/hashindex"
	"github.com/assay-register/assay/render/snapshot"
)

func sumHex(b []byte) string {
	const digits = "0123456789abcdef"
	sum, out := sha256.Sum256(b), strings.Builder{}
	for _, c := range sum {
		out.WriteByte(digits[c>>4])
		out.WriteByte(digits[c&15])
	}
	return out.String()
}

func TestOwner(t *testing.T) {
	l, _ := history(t, 1)
	if (&Library{}).Present() != (Present{}) {
		t.Error("a library without a snapshot has a present one")
	}
	old := sitetest.Make(t, l.dir, sitetest.Options{Entries: 12})
	next := sitetest.Make(t, l.dir, sitetest.Options{Entries: 12, Generation: 1})
	present := l.Present()
	if present.ID != old.Catalog.ID || present.Since.IsZero() {
		t.Fatalf("present is %+v", present)
	}
	// Every second entry differs between the two.
	changed := ""
	for _, route := range next.Routes() {
		if strings.HasPrefix(route, "/api/v1/entries/e1-") {
			changed = route
		}
	}
	later := present.Since.Add(time.Second)
	for _, c := range []struct {
		name string
		at   time.Time
		body []byte
		want string
	}{
		{"older than the snapshot", present.Since.Add(-time.Nanosecond), []byte("anything"), old.Catalog.ID},
		{"as old, and of it", present.Since, old.Page(changed), old.Catalog.ID},
		{"of the next one", later, next.Page(changed), next.Catalog.ID},
		{"copied, and of it", later, old.Page(changed), old.Catalog.ID},
		{"of one without a name", later, []byte("anything"), Pending},
	} {
		if got := l.Owner(present, c.at, sumHex(c.body)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := l.Owner(present, later, "no hash"); got != Pending {
		t.Errorf("without a hash: %s", got)
	}
	underway := filepath.Join(l.dir, hidden, snapshot.UnderwayFile)
	ended, err := sitetest.Underway(l.dir, "20261121-0123456789ab")
	if err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(l.dir, hidden, snapshot.RefreshedDir, sumHex([]byte("refreshed")))
	if err := errors.Join(os.Chtimes(underway, later, later),
		os.Mkdir(filepath.Dir(mark), 0o755), os.WriteFile(mark, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		at   time.Time
		body string
		want string
	}{
		{"put there by a build under way", later, "anything", "20261121-0123456789ab"},
		{"older than the build under way", later.Add(-time.Nanosecond), "anything", Pending},
		{"refreshed beside it", later, "refreshed", Pending},
	} {
		if got := l.Owner(present, c.at, sumHex([]byte(c.body))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	ended()
	if got := l.Owner(present, later, sumHex([]byte("anything"))); got != Pending {
		t.Errorf("put there by a build that was killed: %s", got)
	}
	if ended, err = sitetest.Underway(l.dir, "20261121-0123456789ab"); err != nil {
		t.Fatal(err)
	}
	defer ended()
	present.beside = readRefreshed(l.dir)
	if got := l.Owner(present, present.Since.Add(-time.Hour), sumHex([]byte("refreshed"))); got == old.Catalog.ID {
		t.Error("refreshed while the snapshot was built: it is not of it")
	}
	if err := os.WriteFile(underway, []byte("no id"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := l.Owner(present, later.Add(time.Hour), sumHex([]byte("anything"))); got != Pending {
		t.Errorf("a build without a name: %s", got)
	}
	if err := os.Remove(filepath.Join(l.dir, hidden, old.Catalog.ID, hashindex.File)); err != nil {
		t.Fatal(err)
	}
	if got := l.Owner(present, later, sumHex([]byte("anything"))); got != old.Catalog.ID {
		t.Errorf("without an index: %s", got)
	}
}

func TestFindHash(t *testing.T) {
	l, ids := history(t, 2)
	now := sitetest.Make(t, l.dir, sitetest.Options{Entries: 12, Generation: 1})
	found, searched, err := l.FindHash(sha256.Sum256(now.Page("/api/v1/entries")))
	if err != nil || len(found) != 1 || found[0].Snapshot != ids[1] || found[0].Route != "/api/v1/entries" || len(searched) != 2 || searched[0] != ids[1] {
		t.Errorf("%v, %v, %v", found, searched, err)
	}
	path := filepath.Join(l.dir, hidden, ids[0], hashindex.File)
	os.WriteFile(path, []byte("broken index of some bytes"), 0o644)
	if _, _, err := l.FindHash(sha256.Sum256(nil)); err == nil {
		t.Error("a broken index is no error")
	}
	os.Remove(path)
	if _, searched, err := l.FindHash(sha256.Sum256(nil)); err != nil || len(searched) != 1 {
		t.Errorf("without one of two indexes: %v, %v", searched, err)
	}
}
