package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/eventlog"
	"github.com/assay-register/assay/render/catalog"
)

const (
	// metaAnnounced is the number of the last event that was looked at.
	metaAnnounced = "announced_event"
	// announceBatch is how many events are looked at in one transaction, and so
	// how many entries are in memory.
	announceBatch = 100
)

// Announcer follows the log for entries that were admitted before their time of
// publication. What happened to them before is not public, so when that time
// comes an event says that they are there.
type Announcer struct {
	Store catalog.Store
	Now   func() time.Time
	// Events tells when the log has grown.
	Events *eventlog.Watcher
}

// Run follows the log until the context ends, and queues what Task does.
func (a *Announcer) Run(ctx context.Context) error {
	return a.Events.Follow(ctx, "announce", a.follow)
}

// follow looks at the next events and queues a job for each entry that is to
// appear later; the place in the log moves in the same transaction.
func (a *Announcer) follow(ctx context.Context) (more bool, err error) {
	at, last, err := a.place(ctx)
	if err != nil || at >= last {
		return false, err
	}
	err = a.Store.Update(ctx, func(tx catalog.Tx) error {
		list, err := tx.Events().After(ctx, at, announceBatch)
		if err != nil || len(list) == 0 {
			return err
		}
		var created []catalog.Event
		for _, e := range list {
			if e.Type == catalog.EventCreated {
				created = append(created, e)
			}
		}
		entries, err := catalog.EntriesOf(ctx, tx, created)
		if err != nil {
			return err
		}
		var jobs []catalog.Job
		for i := range created {
			if e := entries[created[i].EntryID]; e != nil && e.PublishedAt.After(created[i].OccurredAt) && !created[i].Public(e) {
				jobs = append(jobs, a.job(e))
			}
		}
		if _, err := tx.Jobs().Enqueue(ctx, jobs...); err != nil {
			return err
		}
		through := list[len(list)-1].Number
		more = through < last
		return tx.Meta().Set(ctx, metaAnnounced, strconv.FormatInt(through, 10))
	})
	return more, err
}

func (a *Announcer) place(ctx context.Context) (at, last int64, err error) {
	err = a.Store.View(ctx, func(tx catalog.Tx) error {
		text, err := tx.Meta().Get(ctx, metaAnnounced)
		if err == nil && text != "" {
			at, err = strconv.ParseInt(text, 10, 64)
		}
		if err == nil {
			last, err = tx.Events().Last(ctx)
		}
		return err
	})
	return at, last, err
}

// job is the same for the same entry and time, so it is queued once.
func (a *Announcer) job(e *catalog.Entry) catalog.Job {
	payload, err := json.Marshal(e.ID)
	if err != nil {
		payload = nil // a text always marshals
	}
	return catalog.Job{ID: catalog.NewID("announce", e.ID+"|"+e.PublishedAt.UTC().Format(time.RFC3339Nano)), Kind: catalog.JobAnnounce, UniqueKey: catalog.JobAnnounce + "|" + e.ID,
		Payload: payload, RunAt: e.PublishedAt, MaxAttempts: mailAttempts, CreatedAt: a.Now().UTC()}
}

// Task writes the event of an entry whose time has come, in the transaction that
// ends its job. A job that a wrong clock began too early waits on.
func (a *Announcer) Task() catalog.JobTask {
	return catalog.JobTask{Name: "announce", Kinds: []string{catalog.JobAnnounce}, Do: func(ctx context.Context, h catalog.HeldJob) error {
		var id string
		if err := json.Unmarshal(h.Job().Payload, &id); err != nil {
			return fmt.Errorf("payload of job %s: %w: %w", h.Job().ID, catalog.ErrInvalid, err)
		}
		until, err := a.dueAt(ctx, id)
		if err != nil {
			return err
		}
		if until.After(a.Now()) {
			return h.Wait(ctx, until)
		}
		return h.Finish(ctx, func(tx catalog.Tx) error { return a.announce(ctx, tx, id) })
	}}
}

// dueAt is when the entry is to appear, the zero time if there is none.
func (a *Announcer) dueAt(ctx context.Context, id string) (at time.Time, err error) {
	err = a.Store.View(ctx, func(tx catalog.Tx) error {
		found, err := tx.Entries().Get(ctx, id)
		if err == nil && len(found) == 1 {
			at = found[0].PublishedAt
		}
		return err
	})
	return at, err
}

func (a *Announcer) announce(ctx context.Context, tx catalog.Tx, id string) error {
	now := a.Now()
	found, err := tx.Entries().Get(ctx, id)
	// One that was withdrawn before it appeared is not told of.
	if err != nil || len(found) != 1 || !found[0].Visible(now) {
		return err
	}
	return tx.Events().Append(ctx, catalog.Event{Type: catalog.EventCreated, EntryID: id, OccurredAt: now.UTC()})
}
