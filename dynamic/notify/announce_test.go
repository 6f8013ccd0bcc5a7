package notify

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestAnnounce lets entries appear at once, later, and never; only those that
// appear later get an event of their own, once, and at their time, however far
// away it is.
func TestAnnounce(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	start := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	put := func(name string, published time.Time, status catalog.Status, kind catalog.EventKind) string {
		e := catalog.Entry{ID: catalog.EntryID(name, "", 1), Slug: name, Type: catalog.TypeAPI, Name: name, UpstreamRef: name, IdentityKey: name, MatchKey: name,
			Status: status, CreatedAt: start, UpdatedAt: start, PublishedAt: published}
		if err := s.Update(t.Context(), func(tx catalog.Tx) error {
			return tx.Entries().Put(t.Context(), catalog.Write{Entry: &e, Events: []catalog.Event{{Type: kind, OccurredAt: start}}})
		}); err != nil {
			t.Fatal(err)
		}
		return e.ID
	}
	put("now", start, catalog.StatusActive, catalog.EventCreated)
	later := put("later", start.AddDate(0, 1, 0), catalog.StatusActive, catalog.EventCreated)
	put("pending", time.Time{}, catalog.StatusPending, catalog.EventSubmissionReceived)
	put("withdrawn", start.AddDate(0, 1, 0), catalog.StatusRemoved, catalog.EventCreated)
	now := start
	a := &Announcer{Store: s, Now: func() time.Time { return now }}
	turn := func() (created []catalog.Event) {
		t.Helper()
		for range 2 {
			if _, err := a.follow(t.Context()); err != nil {
				t.Fatal(err)
			}
			r := jobs.Runner{Store: s, Worker: "w", Tasks: []catalog.JobTask{a.Task()}, Clock: a.Now, Log: slog.New(slog.DiscardHandler)}
			if _, err := r.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			created, err = tx.Events().After(ctx, 4, 10)
			return err
		})
		return created
	}
	if got := turn(); len(got) != 0 {
		t.Errorf("announced too early: %+v", got)
	}
	now = start.AddDate(0, 1, 1)
	for range 2 {
		got := turn()
		if len(got) != 1 || got[0].EntryID != later || got[0].Type != catalog.EventCreated || !got[0].OccurredAt.Equal(now) {
			t.Errorf("got %+v", got)
		}
	}
}

func view(t *testing.T, s catalog.Store, fn func(context.Context, catalog.Tx) error) {
	t.Helper()
	if err := s.View(t.Context(), func(tx catalog.Tx) error { return fn(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}
