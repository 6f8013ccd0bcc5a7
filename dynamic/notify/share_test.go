package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/dynamic/eventlog"
	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
)

// onBoth runs a test on a store of each kind.
func onBoth(t *testing.T, test func(t *testing.T, s catalog.Store)) {
	for name, target := range map[string]func() string{
		"sqlite": func() string { return filepath.Join(t.TempDir(), "a.db") }, "postgres": func() string { return pgtest.NewStoreURL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := openStore(t.Context(), target())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			test(t, s)
		})
	}
}

// background runs loops until the test ends.
func background(t *testing.T, loops ...func(context.Context) error) {
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, loop := range loops {
		all.Go(func() {
			if err := loop(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() { stop(); all.Wait() })
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute until %s", what)
		}
	}
}

// TestProcessesShareEndpoints lets three dispatchers serve the same endpoints:
// no message is sent twice.
func TestProcessesShareEndpoints(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		var mu sync.Mutex
		times := map[string]int{}
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			times[r.Header.Get("webhook-id")]++
		}))
		t.Cleanup(server.Close)
		const endpoints, events = 4, 60
		for i := range endpoints {
			now := time.Now().UTC()
			w := catalog.Webhook{ID: catalog.NewID("webhook", fmt.Sprint(i)), URL: server.URL, State: catalog.WebhookActive, CreatedAt: now, UpdatedAt: now}
			w.Rotate(NewSecret(), now, now)
			if err := s.Update(t.Context(), func(tx catalog.Tx) error { return tx.Webhooks().Put(t.Context(), w) }); err != nil {
				t.Fatal(err)
			}
		}
		background(t, hasty(s).Run, hasty(s).Run, hasty(s).Run)
		for i := range events {
			if err := change(t.Context(), s, i); err != nil {
				t.Fatal(err)
			}
		}
		until(t, "all is delivered", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(times) == endpoints*events
		})
		time.Sleep(100 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		for id, n := range times {
			if n != 1 {
				t.Errorf("%s was sent %d times", id, n)
			}
		}
	})
}

// outbox is a sender that remembers, and fails when it is told to.
type outbox struct {
	mu   sync.Mutex
	got  []mail.Message
	fail func(n int) error
}

func (o *outbox) Send(_ context.Context, m *mail.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.got = append(o.got, *m)
	if o.fail != nil {
		return o.fail(len(o.got))
	}
	return nil
}

func (o *outbox) mails() []mail.Message {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]mail.Message(nil), o.got...)
}

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// leaseOfTests outlasts what tests move their clock by, so that a job is not taken again while its mail is under way.
// It is the tick as well: a look at the clock would end a lease as long as no clock of one store gives.
const leaseOfTests = 1000 * time.Hour

func mailers(t *testing.T, s catalog.Store, o *outbox, c *clock, n int) {
	// The first look at the clock ends such a lease, too: no job may be there before.
	var looks atomic.Int64
	looked := func(context.Context) error { looks.Add(1); return nil }
	var loops []func(context.Context) error
	for i := range n {
		events := eventlog.New(s, 5*time.Millisecond, slog.New(slog.DiscardHandler))
		m := NewMailer(MailConfig{Store: s, Sender: o, Keys: NewKeys(s, ""), Site: faultSite, Now: c.now, Events: events, Gather: time.Millisecond})
		r := jobs.Runner{Store: s, Worker: fmt.Sprint("mailer ", i), Tasks: []catalog.JobTask{m.Task()}, Schedules: []func(context.Context) error{looked}, Lease: leaseOfTests, Tick: leaseOfTests, Idle: 5 * time.Millisecond, Clock: c.now, Log: m.Log}
		loops = append(loops, events.Run, m.Run, r.Run)
	}
	background(t, loops...)
	until(t, "the log and the clock are followed", func() bool { return looks.Load() >= int64(n) && metaOf(t, s, metaWatched) != "" })
}

func metaOf(t *testing.T, s catalog.Store, name string) (value string) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		value, err = tx.Meta().Get(ctx, name)
		return err
	})
	return value
}

// follow makes a confirmed watch of the entry that change(0) writes.
func follow(t *testing.T, s catalog.Store, c *clock, n int, f catalog.Frequency) {
	t.Helper()
	w := catalog.Watch{ID: catalog.NewID("watch", fmt.Sprint(n)), Email: fmt.Sprintf("reader%d@readers.example", n), State: catalog.WatchActive, Frequency: f,
		Filter: catalog.EventFilter{Entries: []string{catalog.EntryID("data.example:dataset:0", "", 1)}}, CreatedAt: c.now(), UpdatedAt: c.now()}
	err := s.Update(t.Context(), func(tx catalog.Tx) (err error) {
		if w.Since, err = Begin(t.Context(), tx); err != nil {
			return err
		}
		return tx.Watches().Put(t.Context(), w)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhoFollowsBeforeTheFirstLookIsTold confirms a watch of a new register, of which
// something happens before the mailer looks at the log for the first time.
func TestWhoFollowsBeforeTheFirstLookIsTold(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		o, c := &outbox{}, &clock{at: time.Now()}
		if err := change(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		follow(t, s, c, 1, catalog.FrequencyImmediate)
		if err := change(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		mailers(t, s, o, c, 1)
		until(t, "the mail is sent", func() bool { c.move(time.Second); return len(o.mails()) == 1 })
	})
}

// TestMailIsSentOnceByOne lets two mailers share the watches: each watch gets
// one mail.
func TestMailIsSentOnceByOne(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		o, c := &outbox{}, &clock{at: time.Now()}
		if err := change(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		mailers(t, s, o, c, 2)
		for n := range 10 {
			follow(t, s, c, n, catalog.FrequencyImmediate)
		}
		if err := change(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		until(t, "the mail is queued", func() bool { return watchedAt(t, s) })
		c.move(time.Second)
		until(t, "all mail is sent", func() bool { return len(o.mails()) >= 10 })
		time.Sleep(100 * time.Millisecond)
		to := map[string]bool{}
		for _, m := range o.mails() {
			to[m.To] = true
		}
		if len(o.mails()) != 10 || len(to) != 10 {
			t.Errorf("%d mails to %d readers", len(o.mails()), len(to))
		}
	})
}

// watchedAt tells whether all events were taken for the watches.
func watchedAt(t *testing.T, s catalog.Store) (done bool) {
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		at, last, err := watched(ctx, tx)
		done = at == last
		return err
	})
	return done
}

// TestAMailThatIsTriedAgainIsTheSame: the server fails after it took the mail,
// and more happens meanwhile; the second try has the same id, links and events.
func TestAMailThatIsTriedAgainIsTheSame(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		o, c := &outbox{fail: func(n int) error {
			if n == 1 {
				return errors.New("the connection broke")
			}
			return nil
		}}, &clock{at: time.Now()}
		if err := change(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		mailers(t, s, o, c, 1)
		follow(t, s, c, 1, catalog.FrequencyImmediate)
		for want := 1; want <= 3; want++ {
			if want != 2 { // the second mail is the first one again
				if err := change(t.Context(), s, 0); err != nil {
					t.Fatal(err)
				}
				until(t, "it was taken", func() bool { return watchedAt(t, s) })
			}
			until(t, fmt.Sprintf("mail %d is sent", want), func() bool { c.move(10 * time.Second); return len(o.mails()) >= want })
		}
		got := o.mails()
		if got[0] != got[1] || got[0].ID == got[2].ID || !strings.Contains(got[2].Text, "E (Dataset)") {
			t.Errorf("got %+v", got)
		}
	})
}

// TestDigests: daily mail waits for the hour and tells of all at once; a mail
// that can never be delivered is given up, and nothing is sent when nothing
// happened.
func TestDigests(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		o, c := &outbox{}, &clock{at: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
		if err := change(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		mailers(t, s, o, c, 1)
		follow(t, s, c, 1, catalog.FrequencyDaily)
		for range 3 {
			if err := change(t.Context(), s, 0); err != nil {
				t.Fatal(err)
			}
		}
		until(t, "they were taken", func() bool { return watchedAt(t, s) })
		c.move(20 * time.Hour)
		time.Sleep(50 * time.Millisecond)
		if n := len(o.mails()); n != 0 {
			t.Fatalf("%d mails before the hour", n)
		}
		c.move(time.Hour + time.Second)
		until(t, "the digest is sent", func() bool { return len(o.mails()) == 1 })
		if m := o.mails()[0]; m.Subject != "3 changes: E" || m.Unsubscribe == "" || m.ID == "" {
			t.Errorf("got %+v", m)
		}
		o.mu.Lock()
		o.fail = func(int) error { return fmt.Errorf("no such reader: %w", mail.ErrPermanent) }
		o.mu.Unlock()
		if err := change(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		until(t, "it was taken", func() bool { return watchedAt(t, s) })
		c.move(24 * time.Hour)
		until(t, "it was tried", func() bool { return len(o.mails()) == 2 })
		c.move(48 * time.Hour)
		time.Sleep(50 * time.Millisecond)
		if n := len(o.mails()); n != 2 {
			t.Errorf("%d mails", n)
		}
	})
}
