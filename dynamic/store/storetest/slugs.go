package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var slugTests = map[string]func(*testing.T, catalog.Store){
	"SlugHistory":            testSlugHistory,
	"SlugConflict":           testSlugConflict,
	"SlugConflictInOneCall":  testSlugConflictInside,
	"SlugConflictIsUndone":   testSlugConflictGoesOn,
	"SlugMany":               testSlugMany,
	"MatchByEitherKey":       testMatch,
	"MatchLongKeys":          testMatchLong,
	"MatchOrder":             testMatchOrder,
	"MatchFollowsTheEntry":   testMatchMoves,
	"MatchFindsRemovedOnes":  testMatchRemoved,
	"MatchIgnoresEmptyValue": testMatchEmpty,
	"MatchAliases":           testMatchAliases,
}

func owners(t *testing.T, s catalog.Store, slugs ...string) (got map[string]string) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		got, err = tx.Entries().BySlug(ctx, slugs...)
		return err
	})
	return got
}

func testSlugHistory(t *testing.T, s catalog.Store) {
	w := newEntry(1)
	w.Entry.FormerSlugs = []string{"old-1"}
	put(t, s, w)
	for _, slug := range []string{"renamed", "renamed-again"} {
		// The caller forgets the former slugs; the store does not.
		w.Entry.Slug, w.Entry.FormerSlugs = slug, nil
		put(t, s, w)
	}
	id := w.Entry.ID
	wantEqual(t, "owners", owners(t, s, "rainfall-1", "old-1", "renamed", "renamed-again", "never", "RENAMED", ""),
		map[string]string{"rainfall-1": id, "old-1": id, "renamed": id, "renamed-again": id})
}

func testSlugConflict(t *testing.T, s catalog.Store) {
	first := newEntry(1)
	first.Entry.FormerSlugs = []string{"past"}
	put(t, s, first)
	for _, slug := range []string{"rainfall-1", "past"} {
		for _, former := range []bool{false, true} {
			w := newEntry(2)
			if former {
				w.Entry.FormerSlugs = []string{slug}
			} else {
				w.Entry.Slug = slug
			}
			err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, w) })
			wantErr(t, "slug "+slug, err, catalog.ErrConflict)
			if err != nil && (!strings.Contains(err.Error(), slug) || !strings.Contains(err.Error(), first.Entry.ID)) {
				t.Errorf("error %q does not name slug and owner", err)
			}
		}
	}
	if n := len(allEntries(t, s, catalog.Range{})); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}

func testSlugConflictInside(t *testing.T, s catalog.Store) {
	a, b := newEntry(1), newEntry(2)
	b.Entry.Slug = a.Entry.Slug
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, a, b) })
	wantErr(t, "two entries with one slug", err, catalog.ErrConflict)
}

// testSlugConflictGoesOn catches the conflict inside the transaction, takes
// another slug and commits: nothing of the failed write may remain.
func testSlugConflictGoesOn(t *testing.T, s catalog.Store) {
	put(t, s, newEntry(1))
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		w := newEntry(2)
		w.Entry.Slug = "rainfall-1"
		if err := tx.Entries().Put(ctx, newEntry(3), w); !errors.Is(err, catalog.ErrConflict) {
			t.Errorf("error %v, want a conflict", err)
		}
		w = newEntry(2)
		return tx.Entries().Put(ctx, w)
	})
	if got := allEntries(t, s, catalog.Range{}); len(got) != 2 {
		t.Errorf("%d entries, want 2", len(got))
	}
	if n := lastEvent(t, s); n != 2 {
		t.Errorf("last event %d, want 2", n)
	}
}

func testSlugMany(t *testing.T, s catalog.Store) {
	writes := newEntries(350)
	put(t, s, writes...)
	want, slugs := map[string]string{}, []string{}
	for _, w := range writes {
		want[w.Entry.Slug] = w.Entry.ID
		slugs = append(slugs, w.Entry.Slug, "no-"+w.Entry.Slug)
	}
	wantEqual(t, "owners", owners(t, s, slugs...), want)
}

func matches(t *testing.T, s catalog.Store, keys ...string) (got map[string][]string) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		got, err = tx.Entries().Match(ctx, keys...)
		return err
	})
	return got
}

func testMatch(t *testing.T, s catalog.Store) {
	a, b, c := newEntry(1), newEntry(2), newEntry(3)
	b.Entry.MatchKey = a.Entry.UpstreamRef
	c.Entry.MatchKey = c.Entry.UpstreamRef
	put(t, s, a, b, c)
	wantEqual(t, "matches", matches(t, s, a.Entry.UpstreamRef, a.Entry.UpstreamRef, a.Entry.MatchKey, c.Entry.MatchKey, "nothing"),
		map[string][]string{
			a.Entry.UpstreamRef: {a.Entry.ID, b.Entry.ID},
			a.Entry.MatchKey:    {a.Entry.ID},
			c.Entry.MatchKey:    {c.Entry.ID},
		})
}

func testMatchLong(t *testing.T, s catalog.Store) {
	a, b := newEntry(1), newEntry(2)
	long := strings.Repeat("Ωμέγα/", 3000)
	a.Entry.MatchKey, b.Entry.MatchKey = long+"a", long+"b"
	b.Entry.UpstreamRef = "data.example:" + long
	put(t, s, a, b)
	wantEqual(t, "matches", matches(t, s, long+"a", long+"b", long, b.Entry.UpstreamRef), map[string][]string{
		long + "a": {a.Entry.ID}, long + "b": {b.Entry.ID}, b.Entry.UpstreamRef: {b.Entry.ID}})
}

func testMatchOrder(t *testing.T, s catalog.Store) {
	var writes []catalog.Write
	var want []string
	for i, id := range []string{"c", "a", "b", "é", "B"} {
		w := newEntry(i)
		w.Entry.ID, w.Provenance, w.Entry.MatchKey = id, nil, "same"
		w.Entry.CreatedAt = day
		writes = append(writes, w)
	}
	writes[0].Entry.CreatedAt = day.Add(-time.Microsecond)
	want = []string{"c", "B", "a", "b", "é"}
	put(t, s, writes...)
	wantEqual(t, "matches", matches(t, s, "same"), map[string][]string{"same": want})
}

func testMatchMoves(t *testing.T, s catalog.Store) {
	w := newEntry(1)
	put(t, s, w)
	old := w.Entry.MatchKey
	w.Entry.MatchKey = "new key"
	put(t, s, w)
	wantEqual(t, "matches", matches(t, s, old, "new key"), map[string][]string{"new key": {w.Entry.ID}})
}

func testMatchRemoved(t *testing.T, s catalog.Store) {
	w := newEntry(1)
	w.Entry.Status, w.Entry.MergedIntoID = catalog.StatusRemoved, "other"
	put(t, s, w)
	wantEqual(t, "matches", matches(t, s, w.Entry.MatchKey), map[string][]string{w.Entry.MatchKey: {w.Entry.ID}})
}

func testMatchEmpty(t *testing.T, s catalog.Store) {
	w := newEntry(1)
	w.Entry.UpstreamRef, w.Entry.MatchKey = "", ""
	put(t, s, w)
	wantEqual(t, "matches", matches(t, s, ""), map[string][]string{})
}

// testMatchAliases finds entries by aliases and identifiers of any length, one
// that several have included, and by those that they once had.
func testMatchAliases(t *testing.T, s catalog.Store) {
	a, b := newEntry(1), newEntry(2)
	long, doi := "data.example:dataset:"+strings.Repeat("Ωμέγα/", 300), "https://doi.org/10.1/x"
	a.Entry.UpstreamAliases, a.Entry.Identifiers = []string{"data.example:dataset:old", long, long}, []string{doi}
	b.Entry.Identifiers = []string{doi, b.Entry.UpstreamRef, ""}
	put(t, s, a, b)
	wantEqual(t, "matches", matches(t, s, "data.example:dataset:old", long, doi, b.Entry.UpstreamRef, ""), map[string][]string{
		"data.example:dataset:old": {a.Entry.ID}, long: {a.Entry.ID}, doi: {a.Entry.ID, b.Entry.ID}, b.Entry.UpstreamRef: {b.Entry.ID}})
	a.Entry.UpstreamAliases = []string{"data.example:dataset:new"}
	put(t, s, a)
	put(t, s, a)
	wantEqual(t, "matches", matches(t, s, "data.example:dataset:new", "data.example:dataset:old"), map[string][]string{
		"data.example:dataset:new": {a.Entry.ID}, "data.example:dataset:old": {a.Entry.ID}})
}
