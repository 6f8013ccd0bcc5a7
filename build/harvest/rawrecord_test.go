package harvest_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// raw are the records that are kept of an entry.
func (w *world) raw(id string) (list []catalog.RawRecord) {
	w.t.Helper()
	err := w.st.View(w.ctx, func(tx catalog.Tx) (err error) {
		list, err = tx.RawRecords().Of(w.ctx, id)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// bytesOf are those of a record as they came, "" for one that is not kept.
func (w *world) bytesOf(sum string) string {
	w.t.Helper()
	var packed []byte
	err := w.st.View(w.ctx, func(tx catalog.Tx) (err error) {
		packed, err = tx.RawRecords().Body(w.ctx, sum)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if packed == nil {
		return ""
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	defer z.Close()
	b, err := z.DecodeAll(packed, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

// TestRecordsAreKept: what a source published stands beside what became of it, until
// another record has taken its place for a year, or the entry is taken down.
func TestRecordsAreKept(t *testing.T) {
	w := newWorld(t)
	with := func(raw string) source.Draft {
		d := draft("h:k:1", "Tide Times", tides)
		d.Raw, d.RawMedia = []byte(raw), "application/json"
		return d
	}
	first, second := `{"n": 1}`, `{"n": 2}`
	w.run(w.official, harvest.Options{}, with(first))
	e := w.only()
	if r := w.run(w.official, harvest.Options{}, with(first)); r.Unchanged != 1 {
		t.Error(r.Summary())
	}
	sum := func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
	list := w.raw(e.ID)
	if len(list) != 1 || list[0].SHA256 != sum(first) || list[0].Size != len(first) || list[0].SourceID != w.official.ID ||
		!list[0].ObservedAt.Equal(w.now.Add(-time.Hour)) || w.bytesOf(list[0].SHA256) != first {
		t.Fatalf("%+v: %q, now %s, of %s", list, w.bytesOf(list[0].SHA256), w.now, w.official.ID)
	}
	// The entry says what it said; its record is another one.
	if r := w.run(w.official, harvest.Options{}, with(second)); r.Unchanged != 1 {
		t.Error(r.Summary())
	}
	if list = w.raw(e.ID); len(list) != 2 || list[0].SHA256 != sum(second) || !list[1].SupersededAt.Equal(w.now) {
		t.Fatalf("%+v", list)
	}
	w.now = w.now.Add(harvest.DefaultKeepRaw + time.Hour)
	w.run(w.official, harvest.Options{}, with(second))
	if list = w.raw(e.ID); len(list) != 1 || list[0].SHA256 != sum(second) {
		t.Errorf("after a year: %+v", list)
	}
	long := `{"n": "` + strings.Repeat("x", catalog.RawRecordMax) + `"}`
	w.run(w.official, harvest.Options{}, with(long))
	if list = w.raw(e.ID); len(list) != 2 || list[0].SHA256 != sum(long) || w.bytesOf(list[0].SHA256) != "" {
		t.Errorf("a long one: %+v", list)
	}
	w.change(func(e *catalog.Entry) catalog.EventKind {
		kind, err := e.Transition(catalog.Change{To: catalog.StatusRemoved, At: w.now})
		if err != nil {
			t.Fatal(err)
		}
		return kind
	})
	if list = w.raw(e.ID); len(list) != 0 {
		t.Errorf("taken down: %+v", list)
	}
	if r := w.run(w.official, harvest.Options{}, with(first)); r.Suppressed != 1 || len(w.raw(e.ID)) != 0 {
		t.Errorf("after it was taken down: %s, %+v", r.Summary(), w.raw(e.ID))
	}
	w.run(w.official, harvest.Options{KeepRaw: -1}, func() source.Draft {
		d := draft("h:k:2", "Wave Times", "https://api.waves.example.uk/v1")
		d.Raw = []byte(first)
		return d
	}())
	for _, e := range w.entries() {
		if len(w.raw(e.ID)) != 0 {
			t.Errorf("a harvest that keeps none kept %+v", w.raw(e.ID))
		}
	}
}
