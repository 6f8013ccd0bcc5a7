package notify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/render/catalog"
)

// claim makes a proved claim of an institution, and the confirmed digest of its owner.
func claim(t *testing.T, s catalog.Store, c *clock, institution string, f catalog.Frequency) (catalog.Claim, catalog.Watch) {
	t.Helper()
	now := c.now().UTC()
	one := catalog.Claim{ID: catalog.NewID("claim", institution), SubjectID: institution, Method: catalog.ClaimDNS, Domain: "office.example", Value: "v", SecretHash: "h",
		State: catalog.ClaimVerified, VerifiedAt: now, CreatedAt: now}
	w := catalog.Watch{ID: catalog.NewID("watch", institution), Email: "owner@office.example", State: catalog.WatchActive, Frequency: f, Lang: "en",
		Filter: catalog.EventFilter{Types: catalog.DigestKinds()}, Digest: &catalog.Digest{}, CreatedAt: now, UpdatedAt: now}
	w.Digest.Take(&one)
	err := s.Update(t.Context(), func(tx catalog.Tx) error {
		if err := errors.Join(tx.Claims().Put(t.Context(), one), tx.Watches().Put(t.Context(), w)); err != nil {
			return err
		}
		_, err := tx.Jobs().Enqueue(t.Context(), NewMailJob(JobDigest, w.ID, now, w.Next(now)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return one, w
}

// happen writes an entry of an institution with an event.
func happen(t *testing.T, s catalog.Store, c *clock, n int, institution string, kinds ...catalog.EventKind) {
	t.Helper()
	ref := fmt.Sprintf("data.example:owned:%d", n)
	e := catalog.Entry{ID: catalog.EntryID(ref, "", 1), Slug: fmt.Sprintf("owned-%d", n), Type: catalog.TypeDataset, Name: fmt.Sprintf("Owned %d", n), UpstreamRef: ref, IdentityKey: ref, MatchKey: ref,
		InstitutionID: institution, Status: catalog.StatusActive, CreatedAt: time.Unix(1_700_000_000, 0).UTC(), UpdatedAt: c.now().UTC(), PublishedAt: time.Unix(1_700_000_000, 0).UTC()}
	var events []catalog.Event
	for _, k := range kinds {
		events = append(events, catalog.Event{Type: k, OccurredAt: c.now().UTC()})
	}
	err := s.Update(t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(t.Context(), catalog.Write{Entry: &e, Events: append([]catalog.Event(nil), events...)})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// mendable is a list to mend that a test changes.
type mendable struct{ total int }

func (m *mendable) find(context.Context, *catalog.Digest) (*catalog.Mending, error) {
	out := &catalog.Mending{Total: m.total, Entries: 2, Sum: fmt.Sprint(m.total)}
	if m.total == 0 {
		return &catalog.Mending{}, nil
	}
	out.Best = []catalog.Mend{{Rule: "missing.description", Slug: "owned-1", Name: "Owned 1", Points: 3.5}}
	return out, nil
}

// TestAnOwnersDigest comes at most once a UTC day, only with something new, about what was
// claimed alone, and ends with the claim; a mail that is tried again says the same.
func TestAnOwnersDigest(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		c := &clock{at: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
		o, list := &outbox{}, &mendable{}
		m := NewMailer(MailConfig{Store: s, Sender: o, Keys: NewKeys(s, ""), Site: faultSite, Now: c.now, Mend: list.find})
		if _, err := m.watch(t.Context()); err != nil {
			t.Fatal(err)
		}
		office, other := catalog.NewID("institution", "office"), catalog.NewID("institution", "other")
		one, w := claim(t, s, c, office, catalog.FrequencyDaily)
		// day goes through a UTC day: what comes of its mail is returned.
		day := func() []mail.Message {
			t.Helper()
			for more := true; more; {
				var err error
				if more, err = m.watch(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			before := len(o.mails())
			c.move(24 * time.Hour)
			work(t, s, m, c)
			return o.mails()[before:]
		}
		if got := day(); len(got) != 0 {
			t.Errorf("nothing new, but %q", got[0].Subject)
		}
		happen(t, s, c, 1, office, catalog.EventCreated, catalog.EventUpdated, catalog.EventFailing)
		happen(t, s, c, 2, other, catalog.EventFailing)
		list.total = 3
		got := day()
		if len(got) != 1 || got[0].Subject != "2 changes: entries of one institution" || !strings.Contains(got[0].Text, "Things to mend: 3 (entries: 2).") || strings.Contains(got[0].Text, "Owned 2") ||
			!strings.Contains(got[0].Text, "you claimed") || got[0].Unsubscribe == "" {
			t.Fatalf("got %d: %+v", len(got), got)
		}
		if got := day(); len(got) != 0 {
			t.Errorf("nothing new, but %q", got[0].Text)
		}
		list.total = 1
		if got := day(); len(got) != 1 || !strings.Contains(got[0].Text, "The last mail told of 3.") || !strings.Contains(got[0].Subject, "What your entries need") {
			t.Errorf("got %+v", got)
		}
		list.total = 0
		o.fail = func(n int) error {
			if n == len(o.got) && n == 3 {
				return errors.New("the connection broke after the mail was taken")
			}
			return nil
		}
		got = day()
		list.total = 7 // what changes between two tries is told by the next mail
		c.move(time.Hour)
		work(t, s, m, c)
		if all := o.mails(); len(got) != 1 || len(all) != 4 || all[2] != all[3] || !strings.Contains(all[3].Text, "Nothing is left to mend.") {
			t.Fatalf("%d mails: %+v", len(all), all)
		}
		c.move(time.Hour)
		if got := day(); len(got) != 1 || !strings.Contains(got[0].Text, "Things to mend: 7") {
			t.Errorf("got %+v", got)
		}
		happen(t, s, c, 1, office, catalog.EventVerified)
		one.End("given up", c.now())
		if err := s.Update(t.Context(), func(tx catalog.Tx) error { return tx.Claims().Put(t.Context(), one) }); err != nil {
			t.Fatal(err)
		}
		if got := day(); len(got) != 0 {
			t.Errorf("the claim ended, but %q", got[0].Subject)
		}
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			_, err := tx.Watches().Get(ctx, w.ID)
			if !errors.Is(err, catalog.ErrNotFound) {
				t.Errorf("the digest holds: %v", err)
			}
			return nil
		})
	})
}

// work does the mail that is due.
func work(t *testing.T, s catalog.Store, m *Mailer, c *clock) {
	t.Helper()
	r := jobs.Runner{Store: s, Worker: "mailer", Tasks: []catalog.JobTask{m.Task()}, Clock: c.now, Log: m.Log}
	if _, err := r.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}
