package query

import (
	"log/slog"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/snapshot"
)

// TestHolding replaces a snapshot: what is held is told before the next one is
// read, and afterwards.
func TestHolding(t *testing.T) {
	dir := t.TempDir()
	first := sitetest.Make(t, dir, sitetest.Options{Entries: 12})
	var told []int64
	l, err := Open(dir, slog.New(slog.DiscardHandler), func(bytes int64) { told = append(told, bytes) })
	if err != nil {
		t.Fatal(err)
	}
	size := func(id string) int64 {
		lines, err := l.File(id).part(snapshot.LinesFile)
		if err != nil {
			t.Fatal(err)
		}
		return lines.Size()
	}
	a := size(first.Catalog.ID)
	next := sitetest.Make(t, dir, sitetest.Options{Entries: 12, Generation: 1})
	if err := l.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	b := size(next.Catalog.ID)
	want := []int64{a, a, a + b, a + b}
	if len(told) != len(want) {
		t.Fatalf("told %v, want %v", told, want)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("told %v, want %v", told, want)
		}
	}
}

func TestTrimmed(t *testing.T) {
	sized := func(sizes ...int64) (list []*Snapshot) {
		for _, n := range sizes {
			list = append(list, &Snapshot{size: n})
		}
		return list
	}
	for _, c := range []struct {
		name string
		list []*Snapshot
		want int
	}{
		{"few", sized(1, 2), 2},
		{"too many", sized(1, 2, 3), 2},
		{"too large together", sized(olderBytes, 1), 1},
		{"the last is too large", sized(1, olderBytes+1), 0},
	} {
		got := trimmed(c.list)
		if len(got) != c.want || c.want > 0 && got[len(got)-1] != c.list[len(c.list)-1] {
			t.Errorf("%s: %d stay, want %d", c.name, len(got), c.want)
		}
	}
}
