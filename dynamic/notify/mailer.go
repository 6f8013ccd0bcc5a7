package notify

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

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
	// Operator is the address that is told of disabled webhooks, "" for none.
	Operator string
	// Poll is how often the store is looked at, Gather how long immediate mail
	// waits for more events.
	Poll, Gather time.Duration
	// Each is how many mails are sent at the same time.
	Each int
	// Observe is told of each mail; nil for nobody.
	Observe func(ok bool)
}

// Mailer sends the mail of watches, and the notices for the operator.
type Mailer struct {
	MailConfig
	worker string
}

// Lease of a mail, and the pause before it is tried again.
const (
	mailLease    = 3 * time.Minute
	mailTimeout  = 2 * time.Minute
	mailRetryMin = 30 * time.Second
	mailRetryMax = time.Hour
	eachMail     = 4
)

// NewMailer makes a mailer; Run makes it work.
func NewMailer(c MailConfig) *Mailer {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	positive(&c.Poll, defaultPoll)
	positive(&c.Gather, gather)
	positive(&c.Each, eachMail)
	if c.Observe == nil {
		c.Observe = func(bool) {}
	}
	return &Mailer{c, rand.Text()}
}

// Run takes events for watches and sends mail until the context ends.
func (m *Mailer) Run(ctx context.Context) error {
	tick := time.NewTicker(m.Poll)
	defer tick.Stop()
	for n := 0; ; n++ {
		more, err := m.watch(ctx)
		sent, sendErr := m.deliver(ctx)
		err = errors.Join(err, sendErr)
		if n%pruneEvery == 0 {
			err = errors.Join(err, m.expire(ctx))
		}
		if err != nil && ctx.Err() == nil {
			m.Log.Error("watches", "error", err)
		}
		if ctx.Err() == nil && err == nil && (more || sent > 0) {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// expire deletes the watches that nobody confirmed in time.
func (m *Mailer) expire(ctx context.Context) error {
	return m.Store.Update(ctx, func(tx catalog.Tx) error {
		_, err := tx.Watches().Expire(ctx, m.Now().Add(-catalog.VerifyWithin))
		return err
	})
}

// deliver leases mails that are due and sends them.
func (m *Mailer) deliver(ctx context.Context) (int, error) {
	var jobs []catalog.Job
	now := m.Now()
	err := m.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		jobs, err = tx.Jobs().Lease(ctx, m.worker, m.kinds(), now, now.Add(mailLease), m.Each)
		return err
	})
	if err != nil {
		return 0, err
	}
	var all sync.WaitGroup
	for i := range jobs {
		all.Go(func() { m.one(ctx, &jobs[i]) })
	}
	all.Wait()
	return len(jobs), nil
}

// kinds are those of the jobs that this process can do.
func (m *Mailer) kinds() []string {
	if m.Operator == "" {
		return []string{JobConfirm, JobDigest}
	}
	return []string{JobConfirm, JobDigest, JobDisabled}
}

// one sends a mail and settles its job. What was sent is written down even
// when the process is told to end.
func (m *Mailer) one(ctx context.Context, j *catalog.Job) {
	timed, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	failure := m.work(timed, j)
	if ctx.Err() != nil && failure != nil {
		return // the lease runs out and another process goes on
	}
	m.Observe(failure == nil)
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), mailTimeout)
	defer cancel()
	if err := m.Store.Update(ctx, func(tx catalog.Tx) error { return m.settle(ctx, tx, j, failure) }); err != nil && !errors.Is(err, catalog.ErrLeaseLost) {
		m.Log.Error("mail", "job", j.ID, "error", err)
	}
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

// settle ends a job. Events that came while the mail was under way get a mail
// of their own.
func (m *Mailer) settle(ctx context.Context, tx catalog.Tx, j *catalog.Job, failure error) error {
	now := m.Now()
	retry := now.Add(backoff(j.Attempt))
	if errors.Is(failure, mail.ErrPermanent) {
		retry = time.Time{}
	}
	if err := tx.Jobs().Settle(ctx, j.ID, m.worker, now, failure, retry); err != nil {
		return err
	}
	if failure != nil && !retry.IsZero() && j.Attempt < j.MaxAttempts {
		m.Log.Warn("mail is tried again later", "job", j.ID, "attempt", j.Attempt, "error", failure)
		return nil
	}
	if failure != nil {
		m.Log.Error("mail was given up", "job", j.ID, "error", failure)
	}
	if j.Kind != JobDigest {
		return nil
	}
	var w job
	if err := json.Unmarshal(j.Payload, &w); err != nil {
		return nil //nolint:nilerr // the failure above says so
	}
	more, err := tx.WatchItems().Told(ctx, w.Watch, j.ID)
	if err != nil || !more {
		return err
	}
	followed, err := tx.Watches().Get(ctx, w.Watch)
	if err != nil {
		return err
	}
	_, err = tx.Jobs().Enqueue(ctx, NewMailJob(JobDigest, w.Watch, now.UTC(), m.due(followed, now.UTC())))
	return err
}

// backoff doubles the pause with every attempt.
func backoff(attempt int) time.Duration {
	return min(mailRetryMin<<min(max(attempt-1, 0), 10), mailRetryMax)
}
