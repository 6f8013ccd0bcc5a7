package identity_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func api(ref, name, url string) *catalog.Entry {
	e := &catalog.Entry{Type: catalog.TypeAPI, Name: name, PrimarySourceURL: url, UpstreamRef: ref, Status: catalog.StatusActive,
		FreeAccessClass: catalog.AccessUnknown, AuthType: catalog.AuthUnknown, CreatedAt: now, UpdatedAt: now, API: &catalog.APIDetails{}}
	identity.Keys(e)
	return e
}

func TestKeys(t *testing.T) {
	a, b := api("", "Κτίρια", "https://www.x.gov/a/"), api("", "ΚΤΙΡΙΑ", "http://x.gov/a")
	if a.MatchKey != b.MatchKey || a.IdentityKey == b.IdentityKey {
		t.Errorf("match keys %q and %q", a.MatchKey, b.MatchKey)
	}
	if a, b := api("h:k:1", "Same", ""), api("h:k:2", "Same", ""); a.MatchKey == b.MatchKey {
		t.Error("two records without an address and with one name are taken for the same")
	}
}

// with runs fn on a book of the batch in a store that holds the entries.
func with(t *testing.T, stored, batch []*catalog.Entry, fn func(context.Context, *identity.Book)) {
	t.Helper()
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.Update(ctx, func(tx catalog.Tx) error {
		for _, e := range stored {
			if err := tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now}}}); err != nil {
				return err
			}
		}
		book, err := identity.Open(ctx, tx, batch)
		if err != nil {
			return err
		}
		fn(ctx, book)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func stored(id, slug string, e *catalog.Entry) *catalog.Entry {
	e.ID, e.Slug = id, slug
	return e
}

const (
	id1 = "11111111-1111-5111-8111-111111111111"
	id2 = "22222222-2222-5222-8222-222222222222"
	id3 = "33333333-3333-5333-8333-333333333333"
)

func TestFind(t *testing.T) {
	byRef := stored(id1, "a", api("h:k:1", "Old name", "https://x.gov/old"))
	byKey := stored(id2, "b", api("", "New name", "https://x.gov/new"))
	merged := stored(id3, "c", api("h:k:3", "Copy", "https://x.gov/copy"))
	merged.Status, merged.MergedIntoID = catalog.StatusRemoved, id2
	for name, c := range map[string]struct {
		e    *catalog.Entry
		want string
	}{
		"by reference before key":              {api("h:k:1", "New name", "https://x.gov/new"), id1},
		"by key":                               {api("h:k:9", "NEW NAME", "http://www.x.gov/new/"), id2},
		"a merged one stands for its survivor": {api("h:k:3", "Whatever", "https://x.gov/w"), id2},
		"none":                                 {api("h:k:8", "Else", "https://x.gov/else"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			with(t, []*catalog.Entry{byRef, byKey, merged}, []*catalog.Entry{c.e}, func(ctx context.Context, b *identity.Book) {
				found, err := b.Find(ctx, c.e)
				if err != nil {
					t.Fatal(err)
				}
				if got := ""; found != nil {
					got = found.ID
					if got != c.want {
						t.Errorf("found %s, want %q", got, c.want)
					}
				} else if c.want != "" {
					t.Errorf("found nothing, want %s", c.want)
				}
			})
		})
	}
}

func TestAssign(t *testing.T) {
	first, second, third := api("", "Name", "https://x.gov/1"), api("", "Name", "https://x.gov/2"), api("", "1234", "https://x.gov/3")
	taken := stored(catalog.EntryID("", first.IdentityKey, 1), "other", api("", "Other", "https://x.gov/o"))
	with(t, []*catalog.Entry{taken}, []*catalog.Entry{first, second, third}, func(ctx context.Context, b *identity.Book) {
		for _, e := range []*catalog.Entry{first, second, third} {
			if err := b.Assign(ctx, e); err != nil {
				t.Fatal(err)
			}
			b.Keep(e)
		}
		if first.ID != catalog.EntryID("", first.IdentityKey, 2) || first.Slug != "name" {
			t.Errorf("first %s %s", first.ID, first.Slug)
		}
		if second.Slug == "name" || catalog.CheckSlug(second.Slug) != nil || catalog.CheckSlug(third.Slug) != nil {
			t.Errorf("slugs %q, %q", second.Slug, third.Slug)
		}
		if found, err := b.Find(ctx, api("", "NAME", "https://www.x.gov/2")); err != nil || found != second {
			t.Errorf("what the batch added is not found: %v, %v", found, err)
		}
	})
}

func TestChanges(t *testing.T) {
	a := api("h:k:1", "Name", "https://x.gov/1")
	b := *a
	b.API = &catalog.APIDetails{Version: "2", UpdatedAt: now.Add(time.Hour)}
	b.Revision, b.UpdatedAt, b.Status, b.StatusReason = 9, now.Add(time.Hour), catalog.StatusDeprecated, "old"
	list, err := identity.Changes(a, &b)
	if err != nil || len(list) != 3 || list[0].Field != "api.version" || string(list[0].From) != "null" || string(list[0].To) != `"2"` {
		t.Fatalf("%+v, %v", list, err)
	}
	moved, content := identity.Split(list)
	if len(moved) != 2 || len(content) != 1 {
		t.Errorf("split into %+v and %+v", moved, content)
	}
	if list, err := identity.Changes(a, a); err != nil || list != nil {
		t.Errorf("an entry differs from itself: %+v, %v", list, err)
	}
}

func TestStampDetails(t *testing.T) {
	e := &catalog.Entry{ID: id1, Dataset: &catalog.DatasetDetails{Distributions: []catalog.Distribution{
		{AccessURL: "https://x.gov/a"}, {AccessURL: "https://x.gov/a"}, {AccessURL: "https://x.gov/b"}}}}
	identity.StampDetails(e, nil, now)
	seen := map[string]bool{}
	for _, d := range e.Dataset.Distributions {
		if !catalog.IsID(d.ID) || seen[d.ID] {
			t.Errorf("id %q", d.ID)
		}
		seen[d.ID] = true
	}
	later := &catalog.Entry{ID: id1, Dataset: &catalog.DatasetDetails{}}
	identity.StampDetails(later, e, now.Add(time.Hour))
	if later.Dataset.ID != e.Dataset.ID || !later.Dataset.CreatedAt.Equal(now) || !later.Dataset.UpdatedAt.Equal(now) {
		t.Errorf("stamped %+v", later.Dataset)
	}
	identity.TouchDetails(later, []catalog.FieldChange{{Field: "dataset.version"}}, now.Add(time.Hour))
	if !later.Dataset.UpdatedAt.Equal(now.Add(time.Hour)) {
		t.Error("a changed part kept its clock")
	}
}
