package submissions

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/wire"
)

// hostMax is how many submissions of one host may wait for their checks, which
// ask that host one at a time.
const hostMax = 50

// write stores the requests that can be stored, in one transaction, and gives
// each ticket its answer.
func (d *Handlers) write(ctx context.Context, batch []*ticket) error {
	return d.store.Update(ctx, func(tx catalog.Tx) error {
		b := &booking{handlers: d, tx: tx}
		if err := b.look(ctx, batch); err != nil {
			return err
		}
		for _, t := range batch {
			t.body, t.err = b.take(t)
		}
		return b.store(ctx)
	})
}

// booking is one transaction of submissions.
type booking struct {
	handlers *Handlers
	tx       catalog.Tx
	// What the store knows of the batch, and what the batch itself adds.
	replays map[string]catalog.Replay
	known   map[string][]string
	entries map[string]*catalog.Entry
	open    map[string]string
	waiting map[string]int
	// What is to be written.
	fresh   []catalog.Submission
	answers []catalog.Replay
	events  []catalog.Event
	jobs    []catalog.Job
}

func (b *booking) look(ctx context.Context, batch []*ticket) error {
	var keys, urls, addresses, hosts, ids []string
	for _, t := range batch {
		if t.key != "" {
			keys = append(keys, t.key)
		}
		urls, addresses = append(urls, t.submission.URL), append(addresses, t.submission.Address)
		hosts = append(hosts, catalog.Host(t.submission.URL))
	}
	var err error
	if b.replays, err = b.tx.Replays().Get(ctx, keys...); err != nil {
		return err
	}
	if b.known, err = b.tx.Candidates().At(ctx, urls...); err != nil {
		return err
	}
	for _, list := range b.known {
		ids = append(ids, list...)
	}
	list, err := b.tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	b.entries = make(map[string]*catalog.Entry, len(list))
	for i := range list {
		b.entries[list[i].ID] = &list[i]
	}
	if b.open, err = b.tx.Submissions().OpenAt(ctx, addresses...); err != nil {
		return err
	}
	b.waiting, err = b.tx.Submissions().WaitingOn(ctx, hosts...)
	return err
}

// take decides about one request.
func (b *booking) take(t *ticket) ([]byte, error) {
	s := &t.submission
	if before, ok := b.replays[t.key]; ok && t.key != "" {
		if before.Request != t.request {
			return nil, web.KeyReused()
		}
		return []byte(before.Body), nil
	}
	if err := b.refuse(s); err != nil {
		return nil, err
	}
	body, err := web.JSON(wire.SubmissionReceipt{ID: s.ID, Status: s.State, StatusURL: b.handlers.url(wire.RouteSubmissionStatus + t.token)})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(map[string]string{"submission": s.ID})
	if err != nil {
		return nil, err
	}
	b.fresh = append(b.fresh, *s)
	b.events = append(b.events, catalog.Event{Type: catalog.EventSubmissionReceived, OccurredAt: s.CreatedAt, Data: data})
	b.jobs = append(b.jobs, catalog.NewCheckJob(s.ID, s.CreatedAt))
	if t.key != "" {
		answer := catalog.Replay{Key: t.key, Request: t.request, Status: http.StatusCreated, Body: string(body), At: s.CreatedAt}
		b.answers, b.replays[t.key] = append(b.answers, answer), answer
	}
	b.open[s.Address] = s.ID
	b.waiting[catalog.Host(s.URL)]++
	return body, nil
}

// refuse tells why a source cannot be proposed now, nil if it can.
func (b *booking) refuse(s *catalog.Submission) error {
	e, reviewed := b.same(s)
	if e != nil {
		return &web.Error{Problem: wire.Problem{Status: http.StatusConflict, Detail: "The register has this source.", Entry: b.handlers.link(e)}}
	}
	// What somebody else proposed is told to nobody else: neither which submission it is nor
	// whether it was one at all, for harvests find sources too.
	if _, open := b.open[s.Address]; open || reviewed {
		return &web.Error{Problem: wire.Problem{Status: http.StatusConflict, Detail: "This source waits for a decision already."}}
	}
	if b.waiting[catalog.Host(s.URL)] >= hostMax {
		return web.TooMany("Many sources of this host wait for their checks; try again later.", 10*time.Minute)
	}
	return nil
}

// same finds the entry that the submission is about: the public one, or that
// one waits for a moderator. Several sources may share an address (decisions
// §4), so a submission with a type and a name of its own is another one.
func (b *booking) same(s *catalog.Submission) (e *catalog.Entry, reviewed bool) {
	for _, id := range b.known[s.URL] {
		e := b.entries[id]
		switch {
		case e == nil || s.Type != "" && s.Name != "" && e.MatchKey != catalog.MatchKey(s.Type, s.URL, search.Fold(s.Name)):
		case e.Visible(s.CreatedAt):
			return e, false
		case e.Status == catalog.StatusPending:
			reviewed = true
		}
	}
	return nil, reviewed
}

// store writes what was taken.
func (b *booking) store(ctx context.Context) error {
	if len(b.fresh) == 0 {
		return nil
	}
	if err := b.tx.Submissions().Put(ctx, b.fresh...); err != nil {
		return err
	}
	if len(b.answers) > 0 {
		if err := b.tx.Replays().Put(ctx, b.answers...); err != nil {
			return err
		}
	}
	if err := b.tx.Events().Append(ctx, b.events...); err != nil {
		return err
	}
	_, err := b.tx.Jobs().Enqueue(ctx, b.jobs...)
	return err
}
