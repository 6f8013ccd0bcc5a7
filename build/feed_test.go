package build_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/events"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// happen writes further events of an entry that is public, and some that no
// build tells of: the trailing ones are a build's own.
func happen(t *testing.T, r *buildtest.Register, n int) {
	t.Helper()
	ctx := context.Background()
	id := visible(t, r)[0].ID
	var events []catalog.Event
	for i := range n {
		to, err := json.Marshal(i)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, catalog.Event{Type: catalog.EventVerified, EntryID: id, OccurredAt: r.Now.Add(time.Duration(i) * time.Millisecond),
			Changes: []catalog.FieldChange{{Field: "n", From: json.RawMessage("null"), To: to}}})
	}
	events = append(events, catalog.Event{Type: catalog.EventScoreChanged, EntryID: id, OccurredAt: r.Now}, catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: r.Now})
	if err := r.Store.Update(ctx, func(tx catalog.Tx) error { return tx.Events().Append(ctx, events...) }); err != nil {
		t.Fatal(err)
	}
}

func readPage[T any](t *testing.T, dir, route string) (v T, body []byte) {
	t.Helper()
	body, err := buildtest.ReadRoute(dir, route)
	if err == nil {
		err = json.Unmarshal(body, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v", route, err)
	}
	return v, body
}

// TestFeedPages walks the static pages of the feed and compares them with the
// log; a complete page stays as it is.
func TestFeedPages(t *testing.T) {
	r := register(t, 20)
	dir := filepath.Join(tempDir(t), "site")
	written := map[string]string{}
	for round, n := range []int{10, 2500, 700} {
		happen(t, r, n)
		mustBuild(t, r.Store, options(dir, r.Now))
		head, _ := readPage[wire.FeedHead](t, dir, wire.RouteFeedHead)
		var told []string
		for page := 1; page <= head.FullPages; page++ {
			p, body := readPage[wire.FeedStatic](t, dir, wire.RouteFeedPage(page))
			if p.Page != page || (p.Prev == nil) != (page == 1) || p.NextCursor != wire.Cursor(int64(page)*wire.FeedPageSize) {
				t.Errorf("page %d: %d, %v, %s", page, p.Page, p.Prev, p.NextCursor)
			}
			for _, e := range p.Events {
				told = append(told, e.ID)
			}
			route := wire.RouteFeedPage(page)
			if old := written[route]; old != "" && old != string(body) {
				t.Errorf("round %d wrote page %d anew", round, page)
			}
			written[route] = string(body)
		}
		for _, e := range head.Events {
			told = append(told, e.ID)
		}
		if want := publicEvents(t, r); !slices.Equal(told, want) {
			t.Errorf("round %d: %d events are told, %d are public", round, len(told), len(want))
		}
	}
	if len(written) < 3 {
		t.Errorf("only %d pages", len(written))
	}
	// Another address, another page.
	o := options(dir, r.Now)
	o.Site.BaseURL = "https://elsewhere.example"
	mustBuild(t, r.Store, o)
	if p, _ := readPage[wire.FeedStatic](t, dir, wire.RouteFeedPage(1)); p.Head != "https://elsewhere.example"+wire.RouteFeedHead {
		t.Errorf("page 1 leads to %s", p.Head)
	}
}

// publicEvents are the ids of all that the log may tell, but for what the last
// build wrote at its end.
func publicEvents(t *testing.T, r *buildtest.Register) (ids []string) {
	t.Helper()
	ctx := context.Background()
	err := r.Store.View(ctx, func(tx catalog.Tx) error {
		list, err := tx.Events().After(ctx, 0, 1_000_000)
		if err != nil {
			return err
		}
		entries := map[string]*catalog.Entry{}
		err = tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			copied := *e
			entries[e.ID] = &copied
			return nil
		})
		for len(list) > 0 && (list[len(list)-1].Type == catalog.EventCatalogBuilt || list[len(list)-1].Type == catalog.EventScoreChanged) {
			list = list[:len(list)-1]
		}
		for i := range list {
			if e, ok := wire.NewFeedEvent(site, &list[i], entries[list[i].EntryID]); ok {
				ids = append(ids, e.ID)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) == 0 {
		t.Fatal("nothing is public")
	}
	return ids
}

// TestFeedSaysWhatEntriesSay compares the pages with what whole entries give: of events of every kind, around the
// instant of publication, of entries that stay, left and came back.
func TestFeedSaysWhatEntriesSay(t *testing.T) {
	r := register(t, 20)
	ctx, dir := context.Background(), filepath.Join(tempDir(t), "site")
	leaves := []catalog.EventKind{catalog.EventRemoved, catalog.EventMerged, catalog.EventReopened}
	successors := 0
	err := r.Store.Update(ctx, func(tx catalog.Tx) error {
		var events []catalog.Event
		n := 0
		err := tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			// A page reads the whole entry where one of its events needs it, so most entries have none that does.
			around := []time.Duration{0, time.Hour}
			if n%4 == 0 {
				around = append(around, -2*time.Second, -1500*time.Millisecond, -time.Second, -999*time.Millisecond)
			}
			departs := n%4 == 1 || e.SuccessorID != ""
			if departs && e.SuccessorID != "" && e.Visible(r.Now) {
				successors++
			}
			for i, off := range around {
				kind := catalog.EventVerified
				if departs {
					kind = leaves[(i+n)%len(leaves)]
				}
				events = append(events, catalog.Event{Type: kind, EntryID: e.ID, OccurredAt: cmp.Or(e.PublishedAt, r.Now).Add(off)})
			}
			n++
			return nil
		})
		for err == nil && len(events) < 2*wire.FeedPageSize {
			events = append(events, events...)
		}
		return errors.Join(err, tx.Events().Append(ctx, events...))
	})
	if err != nil {
		t.Fatal(err)
	}
	o := options(dir, r.Now)
	mustBuild(t, r.Store, o)
	head, _ := readPage[wire.FeedHead](t, dir, wire.RouteFeedHead)
	if head.FullPages < 2 || successors == 0 {
		t.Fatalf("%d full pages, %d entries with a successor", head.FullPages, successors)
	}
	for n := 1; n <= head.FullPages; n++ {
		_, body := readPage[wire.FeedStatic](t, dir, wire.RouteFeedPage(n))
		if want := pageOfEntries(t, r.Store, o.Site, n); string(body) != string(want) {
			t.Errorf("page %d:\n%s\nwant\n%s", n, body, want)
		}
	}
}

// pageOfEntries is a page that is made of whole entries.
func pageOfEntries(t *testing.T, st catalog.Store, site snapshot.Site, n int) []byte {
	t.Helper()
	var told []wire.FeedEvent
	err := st.View(context.Background(), func(tx catalog.Tx) error {
		after, through := events.Range(n)
		list, err := tx.Events().After(context.Background(), after, int(through-after))
		if err != nil {
			return err
		}
		entries, err := catalog.EntriesOf(context.Background(), tx, list)
		for i := range list {
			if e, ok := wire.NewFeedEvent(site, &list[i], entries[list[i].EntryID]); ok {
				told = append(told, e)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := events.Page(site, n, told)
	if err != nil {
		t.Fatal(err)
	}
	return page.Body
}
