package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

var hostileTests = map[string]func(*testing.T, catalog.Store){
	"HostileTextIsKept":    testHostileKept,
	"HostileKeysAreKept":   testHostileKeys,
	"HostileKeysRefused":   testHostileRefused,
	"DocumentOfAMegabyte":  testHostileLarge,
	"ManyParametersAtOnce": testHostileMany,
}

// hostile are texts that break careless quoting, escaping or ordering.
var hostile = []string{
	`'; DROP TABLE entries; --`, `"double" 'single' \back\\slash`, "line\nfeed\ttab", "emoji 😀👩‍👩‍👧", "\u2028\u2029\ufeff",
	`$1 %s ? :name @x`, "<script>&amp;</script>", "e\u0301 é", "İıßſ", "\u202eright to left", "null", `{"json":[1]}`, " ", "\x7f\u0085",
}

func testHostileKept(t *testing.T, s catalog.Store) {
	var writes []catalog.Write
	want := map[string]string{}
	for i, text := range hostile {
		w := newEntry(i)
		w.Entry.Name, w.Entry.Tags = text, []string{text}
		w.Provenance.Rows[0].Note = text
		want[w.Entry.ID] = text
		writes = append(writes, w)
	}
	put(t, s, writes...)
	for _, e := range allEntries(t, s, catalog.Range{}) {
		wantEqual(t, "name", e.Name, want[e.ID])
		wantEqual(t, "tag", e.Tags, []string{want[e.ID]})
	}
}

func testHostileKeys(t *testing.T, s catalog.Store) {
	for i, text := range hostile {
		w := newEntry(i)
		w.Entry.ID, w.Provenance.EntryID, w.Entry.Slug, w.Entry.MatchKey = text, text, text, text
		put(t, s, w)
		wantEqual(t, "owner", owners(t, s, text), map[string]string{text: text})
		wantEqual(t, "match", matches(t, s, text), map[string][]string{text: {text}})
		update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Meta().Set(ctx, text, text) })
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			value, err := tx.Meta().Get(ctx, text)
			wantEqual(t, "meta", value, text)
			return err
		})
	}
}

// testHostileRefused: PostgreSQL takes neither, so no store does.
func testHostileRefused(t *testing.T, s catalog.Store) {
	for _, text := range []string{"nul \x00", "not UTF-8 \xff"} {
		w := newEntry(1)
		w.Entry.Slug = text
		err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, w) })
		wantErr(t, "slug", err, catalog.ErrInvalid)
		err = tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Meta().Set(ctx, "k", text) })
		wantErr(t, "meta", err, catalog.ErrInvalid)
	}
	if n := lastEvent(t, s); n != 0 {
		t.Errorf("last event %d, want 0", n)
	}
}

func testHostileLarge(t *testing.T, s catalog.Store) {
	w := newEntry(1)
	w.Entry.Description = strings.Repeat("ä'\"\\😀", 1<<20/10)
	put(t, s, w)
	got := allEntries(t, s, catalog.Range{})
	if len(got) != 1 || got[0].Description != w.Entry.Description {
		t.Error("the large document came back changed")
	}
	body := []byte(w.Entry.Description)
	putEvidence(t, s, newEvidence(w.Entry.ID, "v", body))
	if list := readEvidence(t, s, catalog.Range{}); len(list) != 1 || string(list[0].Body) != string(body) {
		t.Error("the large body came back changed")
	}
}

func testHostileMany(t *testing.T, s catalog.Store) {
	put(t, s, newEntries(5000)...)
	if n := len(allEntries(t, s, catalog.Range{})); n != 5000 {
		t.Errorf("%d entries, want 5000", n)
	}
}
