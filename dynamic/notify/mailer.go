package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/assay-register/assay/dynamic/eventlog"
	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// MailConfig is what a mailer needs; zero fields below Site have defaults.
type MailConfig struct {
	Store  catalog.Store
	Sender mail.Sender
	Keys   *Keys
	Site   func() snapshot.Site
	Now    func() time.Time
	Log    *slog.Logger
	// Mend tells what the owner of a digest can mend, nil where that is not known now; without
	// it digests tell of events alone.
	Mend func(ctx context.Context, d *catalog.Digest) (*catalog.Mending, error)
	// Operator is the address that is told of disabled webhooks, "" for none.
	Operator string
	// Events tells when the log has grown.
	Events *eventlog.Watcher
	// Gather is how long immediate mail waits for more events.
	Gather time.Duration
	// Each is how many mails are sent at the same time.
	Each int
	// Observe is told of each mail; nil for nobody.
	Observe func(ok bool)
}

// Mailer sends the mail of watches, and the notices for the operator: Run queues
// it, Task sends it.
type Mailer struct {
	MailConfig
}

// How long a mail may take, and the pause before it is tried again.
const (
	mailTimeout  = 2 * time.Minute
	mailRetryMin = 30 * time.Second
	mailRetryMax = time.Hour
	eachMail     = 4
)

// NewMailer makes a mailer; Run and Task make it work.
func NewMailer(c MailConfig) *Mailer {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	positive(&c.Gather, gather)
	positive(&c.Each, eachMail)
	if c.Observe == nil {
		c.Observe = func(bool) {}
	}
	return &Mailer{c}
}

// Run takes events for watches and queues their mail until the context ends.
func (m *Mailer) Run(ctx context.Context) error {
	var tidied sync.WaitGroup
	defer tidied.Wait()
	tidied.Go(func() { m.tidy(ctx) })
	return m.Events.Follow(ctx, "watches", m.watch)
}

// expireEvery is how often what nobody confirmed is looked for.
const expireEvery = 10 * time.Minute

func (m *Mailer) tidy(ctx context.Context) {
	tick := time.NewTicker(expireEvery)
	defer tick.Stop()
	for {
		if err := m.expire(ctx); err != nil && ctx.Err() == nil {
			m.Log.Error("watches", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// expire deletes the watches that nobody confirmed in time, and what was counted
// longer ago than any limit looks.
func (m *Mailer) expire(ctx context.Context) error {
	return m.Store.Update(ctx, func(tx catalog.Tx) error {
		if _, err := tx.Tallies().Prune(ctx, m.Now().Add(-catalog.VerifyWithin)); err != nil {
			return err
		}
		_, err := tx.Watches().Expire(ctx, m.Now().Add(-catalog.VerifyWithin))
		return err
	})
}

// Task sends the mails that are queued.
func (m *Mailer) Task() catalog.JobTask {
	return catalog.JobTask{Name: "mail", Kinds: m.kinds(), Concurrency: m.Each, Do: m.send, GivenUp: m.told,
		Retry: func(attempt int, failure error) (time.Duration, bool) {
			if errors.Is(failure, errTurn) {
				return turnEvery, true
			}
			return backoff(attempt), !errors.Is(failure, mail.ErrPermanent)
		}}
}

// kinds are those of the jobs that this process can do.
func (m *Mailer) kinds() []string {
	if m.Operator == "" {
		return []string{JobConfirm, JobDigest}
	}
	return []string{JobConfirm, JobDigest, JobDisabled}
}

// send sends a mail and ends its job. What was sent is written down even when
// the process is told to end.
func (m *Mailer) send(ctx context.Context, h catalog.HeldJob) error {
	timed, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	j, began := h.Job(), m.Now()
	if err := m.work(timed, j); err != nil {
		var taken *takenError
		if errors.As(err, &taken) {
			return h.Wait(ctx, taken.until)
		}
		if ctx.Err() == nil && !errors.Is(err, errTurn) {
			m.Observe(false)
		}
		return err
	}
	m.Observe(true)
	m.Log.Info("mail sent", "kind", j.Kind, "job", j.ID, "attempt", j.Attempt, "ms", m.Now().Sub(began).Milliseconds())
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), mailTimeout)
	defer cancel()
	return h.Finish(last, func(tx catalog.Tx) error { return m.told(last, tx, j) })
}

func (m *Mailer) work(ctx context.Context, j *catalog.Job) error {
	var w job
	if err := json.Unmarshal(j.Payload, &w); err != nil {
		return fmt.Errorf("job %s: %w: %w", j.ID, err, mail.ErrPermanent)
	}
	var message *mail.Message
	var err error
	switch j.Kind {
	case JobConfirm:
		message, err = m.confirm(ctx, w.Watch, j.ID)
	case JobDisabled:
		message, err = m.disabled(ctx, w.Watch, j.ID)
	default:
		message, err = m.digest(ctx, w.Watch, j.ID)
	}
	if err != nil || message == nil {
		return err
	}
	return m.Sender.Send(ctx, message)
}

// takenError says that the day has a digest of the watch already: this one waits.
type takenError struct{ until time.Time }

func (e *takenError) Error() string {
	return "the day has its digest; the next is due at " + e.until.Format(time.RFC3339)
}

// told ends what a digest told of, or could not tell. Events that came while it
// was under way get a mail of their own; the next mail to an owner is always queued.
func (m *Mailer) told(ctx context.Context, tx catalog.Tx, j *catalog.Job) error {
	if j.Kind != JobDigest {
		return nil
	}
	var w job
	if err := json.Unmarshal(j.Payload, &w); err != nil {
		return nil //nolint:nilerr // the mail failed for it
	}
	more, err := tx.WatchItems().Told(ctx, w.Watch, j.ID)
	if err != nil {
		return err
	}
	followed, err := tx.Watches().Get(ctx, w.Watch)
	if errors.Is(err, catalog.ErrNotFound) || err == nil && followed.Digest == nil && !more {
		return nil
	}
	if err != nil {
		return err
	}
	now := m.Now().UTC()
	next := NewMailJob(JobDigest, w.Watch, now, m.due(followed, now))
	// The job that ends here still bears the key of the watch.
	next.UniqueKey += "|" + j.ID
	_, err = tx.Jobs().Enqueue(ctx, next)
	return err
}

// backoff doubles the pause with every attempt.
func backoff(attempt int) time.Duration {
	return min(mailRetryMin<<min(max(attempt-1, 0), 10), mailRetryMax)
}
