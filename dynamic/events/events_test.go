package events

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var day = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

// onBoth runs a test on a store of each kind.
func onBoth(t *testing.T, test func(t *testing.T, s catalog.Store)) {
	for name, open := range map[string]func(t *testing.T) (catalog.Store, error){
		"sqlite": func(t *testing.T) (catalog.Store, error) {
			return sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
		},
		"postgres": func(t *testing.T) (catalog.Store, error) { return postgres.Open(t.Context(), pgtest.NewStoreURL(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := open(t)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			test(t, s)
		})
	}
}

func feedOf(s catalog.Store) *Feed {
	return New(s, func() snapshot.Site { return snapshot.Site{BaseURL: "https://register.example/reg"} })
}

func update(t *testing.T, s catalog.Store, fn func(context.Context, catalog.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), func(tx catalog.Tx) error { return fn(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}

// entry is number n; status decides what is known of it.
func entry(n int, status catalog.Status, at time.Time) *catalog.Entry {
	ref := fmt.Sprintf("data.example:dataset:%d", n)
	e := &catalog.Entry{ID: catalog.EntryID(ref, "", 1), Slug: fmt.Sprintf("rain-%d", n), Type: catalog.TypeDataset, Name: fmt.Sprintf("Rain %d", n),
		UpstreamRef: ref, IdentityKey: "k" + ref, MatchKey: "m" + ref, Status: status, CreatedAt: day, UpdatedAt: at,
		CountryCode: []string{"GR", "CY"}[n%2], Tags: []string{"a", "b"}[:n%3], InstitutionID: catalog.NewID("institution", fmt.Sprint(n%2))}
	if status != catalog.StatusPending {
		e.PublishedAt = day
	}
	return e
}

func put(t *testing.T, s catalog.Store, e *catalog.Entry, at time.Time, kinds ...catalog.EventKind) {
	t.Helper()
	var events []catalog.Event
	for _, k := range kinds {
		events = append(events, catalog.Event{Type: k, OccurredAt: at, Changes: []catalog.FieldChange{
			{Field: "name", From: json.RawMessage(`"old"`), To: json.RawMessage(`"new"`)}, {Field: "contact", From: json.RawMessage(`null`), To: json.RawMessage(`{"email":"a@b.example"}`)}}})
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: slices.Clone(events)})
	})
}

func ask(t *testing.T, f *Feed, query string) wire.FeedPage {
	t.Helper()
	w := httptest.NewRecorder()
	if err := f.List(w, httptest.NewRequest("GET", wire.RouteFeed+"?"+query, nil)); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var p wire.FeedPage
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func ids(list []wire.FeedEvent) (out []string) {
	for _, e := range list {
		out = append(out, e.ID)
	}
	return out
}

// follow reads from a cursor to the end in pages of random sizes.
func follow(t *testing.T, f *Feed, cursor, filter string) (all []wire.FeedEvent, end string) {
	t.Helper()
	for {
		p := ask(t, f, fmt.Sprintf("cursor=%s&limit=%d%s", cursor, 1+rand.IntN(7), filter))
		all, cursor = append(all, p.Events...), p.NextCursor
		if !p.HasMore {
			return all, cursor
		}
	}
}

// TestFollowersSeeWhatAReplayShows lets a follower read between random writes
// and compares it with replays from random places.
func TestFollowersSeeWhatAReplayShows(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		f, rng := feedOf(s), rand.New(rand.NewPCG(1, 2))
		states := map[int]*catalog.Entry{}
		var live []wire.FeedEvent
		cursor := wire.Cursor(0)
		var ends []int
		var cursors []string
		for step := range 120 {
			n, at := rng.IntN(12), day.Add(time.Duration(step)*time.Minute)
			switch e := states[n]; {
			case e == nil && rng.IntN(2) == 0:
				states[n] = entry(n, catalog.StatusPending, at)
				put(t, s, states[n], at, catalog.EventSubmissionReceived)
			case e == nil:
				states[n] = entry(n, catalog.StatusActive, at)
				put(t, s, states[n], at, catalog.EventCreated, catalog.EventUpdated)
			case e.Status == catalog.StatusPending && rng.IntN(3) == 0:
				e.Status, e.PublishedAt = catalog.StatusActive, at.Add(300*time.Millisecond)
				put(t, s, e, at, catalog.EventCreated)
			case e.Status == catalog.StatusActive && rng.IntN(6) == 0:
				e.Status, e.RemovedAt = catalog.StatusRemoved, at
				put(t, s, e, at, catalog.EventRemoved)
			default:
				put(t, s, e, at, catalog.EventUpdated)
			}
			if rng.IntN(3) == 0 {
				var more []wire.FeedEvent
				more, cursor = follow(t, f, cursor, "")
				live = append(live, more...)
				ends, cursors = append(ends, len(live)), append(cursors, cursor)
			}
		}
		more, _ := follow(t, f, cursor, "")
		live = append(live, more...)
		replay, _ := follow(t, f, wire.Cursor(0), "")
		if diff := cmp.Diff(live, replay); diff != "" {
			t.Fatalf("the follower and the replay differ (-follower +replay):\n%s", diff)
		}
		if len(live) < 50 {
			t.Fatalf("only %d events are public", len(live))
		}
		for i, c := range cursors {
			if again, _ := follow(t, f, c, ""); !slices.Equal(ids(again), ids(live[ends[i]:])) {
				t.Errorf("replay %d from a cursor differs", i)
			}
		}
		if rest, _ := follow(t, f, wire.Cursor(0), "&type=entry.removed"); len(rest) == 0 || rest[0].Left == nil || rest[0].Left.Reason != "removed" {
			t.Errorf("removals have no tombstone: %v", rest)
		}
		for _, e := range live {
			if e.Type == catalog.EventSubmissionReceived || len(e.Changes) != 1 || e.Changes[0].Field != "name" {
				t.Errorf("event %+v tells what is not public", e)
			}
		}
	})
}

func TestFilters(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		for n := range 6 {
			put(t, s, entry(n, catalog.StatusActive, day), day, catalog.EventCreated, catalog.EventVerified)
		}
		update(t, s, func(ctx context.Context, tx catalog.Tx) error {
			return tx.Events().Append(ctx, catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: day, Data: json.RawMessage(`{"snapshot":"20261101-0123456789ab","by":"secret"}`)})
		})
		f := feedOf(s)
		for query, want := range map[string]int{
			"": 13, "limit=5": 5, "type=catalog.built": 1, "type=entry.created,catalog.built": 7, "country=gr": 6, "country=GR,CY": 12,
			"tag=a": 8, "tag=a,b": 4, "entry=rain-3": 2, "entry=rain-3,rain-4": 4, "entry=" + entry(1, "", day).ID + "&type=entry.created": 1,
			"entry=nobody": 0, "institution=" + catalog.NewID("institution", "1"): 6, "country=FR": 0,
		} {
			if p := ask(t, f, query); len(p.Events) != want {
				t.Errorf("%q gives %d events, want %d", query, len(p.Events), want)
			}
		}
		p := ask(t, f, "type=catalog.built")
		if p.Events[0].Subject == nil || *p.Events[0].Subject != "20261101-0123456789ab" || p.HasMore || p.Events[0].Entry != nil {
			t.Errorf("got %+v", p.Events[0])
		}
		p = ask(t, f, "limit=2&country=cy")
		if !p.HasMore || !strings.HasPrefix(p.Links.Next, "/reg"+wire.RouteFeed+"?country=cy&cursor="+p.NextCursor) || p.Links.Head != "/reg"+wire.RouteFeedHead {
			t.Errorf("links %+v", p.Links)
		}
	})
}

func TestListRefuses(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f := feedOf(s)
	for query, want := range map[string]string{
		"cursor=x": "next_cursor", "cursor=" + wire.Cursor(5): "behind the last event", "limit=0": "1 to 1000", "limit=1001": "1 to 1000",
		"type=nonsense": "use one of", "country=GRC": "two capital letters", "institution=1": "UUID", "entry=": "1 to 50", "tag=": "tag",
		"page=2": "known are cursor", "limit=1&limit=2": "more than once", "tag=" + strings.Repeat("a,", 60): "50",
	} {
		err := f.List(httptest.NewRecorder(), httptest.NewRequest("GET", wire.RouteFeed+"?"+query, nil))
		var e *web.Error
		if !errors.As(err, &e) || e.Problem.Status != 422 || !strings.Contains(e.Problem.Errors[0].Message, want) {
			t.Errorf("%s: %v, want a 422 with %q", query, err, want)
		}
	}
	if err := f.Summary(httptest.NewRecorder(), httptest.NewRequest("GET", wire.RouteFeedSummary+"?x=1", nil)); err == nil {
		t.Error("the summary took a parameter")
	}
}

func TestSummary(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		f := feedOf(s)
		summary := func() (out wire.FeedSummary) {
			w := httptest.NewRecorder()
			if err := f.Summary(w, httptest.NewRequest("GET", wire.RouteFeedSummary, nil)); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
				t.Fatal(err)
			}
			return out
		}
		if got := summary(); got.Latest != nil || got.Counted != 0 || got.BeginCursor != got.EndCursor {
			t.Errorf("an empty log gives %+v", got)
		}
		put(t, s, entry(1, catalog.StatusActive, day), day, catalog.EventCreated, catalog.EventVerified, catalog.EventUpdated, catalog.EventUpdated)
		put(t, s, entry(2, catalog.StatusPending, day), day, catalog.EventSubmissionReceived)
		got := summary()
		want := []wire.TypeCount{{Type: catalog.EventCreated, Count: 1}, {Type: catalog.EventUpdated, Count: 2}, {Type: catalog.EventVerified, Count: 1}}
		if got.Latest == nil || got.Latest.ID != "evt_4" || got.Counted != 4 || !slices.Equal(got.Types, want) {
			t.Errorf("got %+v", got)
		}
		if p := ask(t, f, "cursor="+got.EndCursor); len(p.Events) != 0 || p.HasMore {
			t.Errorf("behind the end: %+v", p)
		}
	})
}
