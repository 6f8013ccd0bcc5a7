package notify

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Kinds of the jobs that send mail.
const (
	JobConfirm = "mail.confirm"
	JobDigest  = "mail.digest"
)

const (
	// metaWatched is the number of the last event that was taken for watches.
	metaWatched = "watched_event"
	// gather is how long immediate mail waits for more of the same.
	gather = 20 * time.Second
	// mailAttempts bounds the tries of a mail; they take about a day.
	mailAttempts = 30
)

// job names what a mail is about: a watch, or a webhook.
type job struct {
	Watch string `json:"watch"`
}

// NewMailJob is the job that sends a mail of a kind about a watch. While it is
// queued, another one of the same kind and watch is not.
func NewMailJob(kind, watchID string, now, due time.Time) catalog.Job {
	payload, err := json.Marshal(job{watchID})
	if err != nil {
		payload = nil // a text always marshals
	}
	return catalog.Job{ID: catalog.NewID("mail", rand.Text()), Kind: kind, UniqueKey: kind + "|" + watchID, Payload: payload,
		RunAt: due, MaxAttempts: mailAttempts, CreatedAt: now}
}

// watch takes the next events of the log for those who watch, and tells
// whether there are more.
func (m *Mailer) watch(ctx context.Context) (more bool, err error) {
	behind := false
	err = m.Store.View(ctx, func(tx catalog.Tx) error {
		at, last, err := watched(ctx, tx)
		behind = at < last
		return err
	})
	if err != nil || !behind {
		return false, err
	}
	err = m.Store.Update(ctx, func(tx catalog.Tx) error {
		at, last, err := watched(ctx, tx)
		if err != nil || at >= last {
			return err
		}
		if at < 0 {
			return tx.Meta().Set(ctx, metaWatched, strconv.FormatInt(last, 10))
		}
		list, err := tx.Events().After(ctx, at, takeMax)
		if err != nil || len(list) == 0 {
			return err
		}
		through := list[len(list)-1].Number
		more = through < last
		if err := m.tell(ctx, tx, list); err != nil {
			return err
		}
		return tx.Meta().Set(ctx, metaWatched, strconv.FormatInt(through, 10))
	})
	return more, err
}

// Begin tells from which event on a watch follows that is confirmed in tx. Whoever
// is the first has the log read from there, however late the first look comes.
func Begin(ctx context.Context, tx catalog.Tx) (since int64, err error) {
	at, since, err := watched(ctx, tx)
	if err == nil && at < 0 {
		err = tx.Meta().Set(ctx, metaWatched, strconv.FormatInt(since, 10))
	}
	return since, err
}

// watched tells up to which event the watches were told, -1 before the first
// look, when nobody watches yet (see [Begin]), and which is the last one.
func watched(ctx context.Context, tx catalog.Tx) (at, last int64, err error) {
	at = -1
	text, err := tx.Meta().Get(ctx, metaWatched)
	if err == nil && text != "" {
		at, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil {
		return 0, 0, err
	}
	last, err = tx.Events().Last(ctx)
	return at, last, err
}

// tell notes the events for the watches that follow them, and enqueues their
// mail in the same transaction.
func (m *Mailer) tell(ctx context.Context, tx catalog.Tx, list []catalog.Event) error {
	entries, err := catalog.EntriesOf(ctx, tx, list)
	if err != nil {
		return err
	}
	var ids []string
	for id := range entries {
		ids = append(ids, id)
	}
	watches, err := tx.Watches().Following(ctx, ids...)
	if err != nil || len(watches) == 0 {
		return err
	}
	now := m.Now().UTC()
	var items []catalog.WatchItem
	var jobs []catalog.Job
	for i := range watches {
		w := &watches[i]
		before := len(items)
		for k := range list {
			e := &list[k]
			entry := entries[e.EntryID]
			if w.Follows(e, entry) && e.Public(entry) {
				items = append(items, catalog.WatchItem{WatchID: w.ID, Event: e.Number})
			}
		}
		// The job of an owner's digest is always queued.
		if len(items) > before && w.Digest == nil {
			jobs = append(jobs, NewMailJob(JobDigest, w.ID, now, m.due(w, now)))
		}
	}
	if err := tx.WatchItems().Add(ctx, items...); err != nil {
		return err
	}
	_, err = tx.Jobs().Enqueue(ctx, jobs...)
	return err
}

func (m *Mailer) due(w *catalog.Watch, now time.Time) time.Time {
	if w.Frequency == catalog.FrequencyImmediate {
		return now.Add(m.Gather)
	}
	return w.Next(now)
}

// readEvents reads events by their numbers, with their public form; those that
// are not public are left out.
func (m *Mailer) readEvents(ctx context.Context, tx catalog.Tx, numbers []int64) ([]catalog.Event, map[string]*catalog.Entry, error) {
	var list []catalog.Event
	for _, n := range numbers {
		one, err := tx.Events().After(ctx, n-1, 1)
		if err != nil {
			return nil, nil, err
		}
		if len(one) == 1 && one[0].Number == n {
			list = append(list, one[0])
		}
	}
	entries, err := catalog.EntriesOf(ctx, tx, list)
	return list, entries, err
}

func (m *Mailer) shown(e *catalog.Event, entry *catalog.Entry) (wire.FeedEvent, bool) {
	return wire.NewFeedEvent(m.Site(), e, entry)
}
