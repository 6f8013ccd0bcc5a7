package verify

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Bounds of a batch of notes.
const (
	notesMax     = 1000
	notesTime    = 200 * time.Millisecond
	writeTries   = 5
	lastWordTime = 20 * time.Second
)

// note is what a session has to store: the outcome of a probe, or that the
// host is given back.
type note struct {
	host string
	// worker is who leased the host.
	worker string
	// probe has the new times of the entry; no entry id is no probe.
	probe catalog.Probe
	// check is nil when the outcome does not count (yet).
	check      *catalog.Check
	hostEvent  *catalog.Event
	downSince  time.Time
	failingAt  time.Time
	release    bool
	freeAt     time.Time
	confirming bool
	// surveyed is the result of a closer look, "" where none was taken.
	surveyed string
	target   Target
	outcome  *Outcome
	// entries is how many entries are checked on the host; gone tells that the entry is not
	// checked there any more since it left.
	entries int
	gone    bool
	left    time.Time
}

// book stores the notes of all sessions of a run in batches, each in one
// transaction: check rows, verdicts, events and the timetable (decisions §6:
// no change without its event).
type book struct {
	runner  *Runner
	only    *choice
	nudge   func()
	notes   chan *note
	pending atomic.Int64
	ended   chan struct{}

	mu     sync.Mutex
	failed error
	sum    *Summary
	// round is what came since the last line in the log.
	round *Summary
}

func newBook(r *Runner, only *choice, nudge func()) *book {
	b := &book{runner: r, only: only, nudge: nudge, notes: make(chan *note, 2*notesMax), ended: make(chan struct{}),
		sum: newSummary(r.now()), round: newSummary(r.now())}
	go b.keep()
	return b
}

// add hands notes in; it waits while the store is behind.
func (b *book) add(list ...*note) {
	b.pending.Add(int64(len(list)))
	for _, n := range list {
		b.notes <- n
	}
}

// idle tells whether everything is stored.
func (b *book) idle() bool { return b.pending.Load() == 0 }

func (b *book) err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// close stores what is left.
func (b *book) close() (*Summary, error) {
	close(b.notes)
	<-b.ended
	b.sum.Finished = b.runner.now()
	b.endRound()
	return b.sum, b.err()
}

func (b *book) keep() {
	defer close(b.ended)
	for n := range b.notes {
		list := b.collect(n)
		if b.err() == nil {
			if err := b.store(list); err != nil {
				b.mu.Lock()
				b.failed = err
				b.mu.Unlock()
			}
		}
		b.pending.Add(int64(-len(list)))
		b.nudge()
	}
}

// collect gathers a batch: what comes within a short time.
func (b *book) collect(first *note) []*note {
	list := []*note{first}
	t := time.NewTimer(notesTime)
	defer t.Stop()
	for len(list) < notesMax {
		select {
		case n, ok := <-b.notes:
			if !ok {
				return list
			}
			list = append(list, n)
		case <-t.C:
			return list
		}
	}
	return list
}

// store writes a batch, also when the run has been told to end, and tries
// again when the database is away for a moment.
func (b *book) store(list []*note) error {
	ctx, cancel := context.WithTimeout(context.Background(), lastWordTime)
	defer cancel()
	var page *page
	var err error
	for try := range writeTries {
		now := b.runner.now()
		for _, n := range list {
			b.runner.bring(n, now)
		}
		err = b.runner.Store.Update(ctx, func(tx catalog.Tx) (err error) {
			page, err = writePage(ctx, tx, now, list)
			return err
		})
		if err == nil || sleep(ctx, time.Second<<try) != nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("store %d outcomes: %w", len(list), err)
	}
	b.tell(page)
	return nil
}

// tell counts a stored page and reports it.
func (b *book) tell(p *page) {
	b.sum.count(p)
	b.round.count(p)
	if b.runner.now().Sub(b.round.Started) >= roundTime {
		b.endRound()
	}
	for _, err := range p.refused {
		if b.runner.Log != nil {
			b.runner.Log.Warn("not stored", "error", err)
		}
	}
	var ids []string
	for _, n := range p.kept {
		if n.check != nil {
			ids = append(ids, n.probe.EntryID)
		}
	}
	progress := b.only.checked(ids...)
	if b.runner.Progress != nil {
		b.runner.Progress(progress)
	}
	if b.runner.Explain == nil {
		return
	}
	for i := range p.explained {
		b.runner.Explain(&p.explained[i])
	}
}

// page is what one transaction stored.
type page struct {
	kept      []*note
	lost      int
	events    []catalog.Event
	explained []Explained
	// refused are what could not be stored of single entries.
	refused []error
	turns   []turn
}

// writePage stores the notes of leases that still hold; what is noted about other
// hosts has been checked by someone else.
func writePage(ctx context.Context, tx catalog.Tx, now time.Time, list []*note) (*page, error) {
	held, err := tx.Probes().Hold(ctx, hostsOf(list)...)
	if err != nil {
		return nil, err
	}
	p := &page{}
	for _, n := range list {
		if held[n.host] == n.worker {
			p.kept = append(p.kept, n)
		} else if n.check != nil {
			p.lost++
		}
	}
	states, checks, err := p.apply(ctx, tx)
	if err != nil {
		return nil, err
	}
	if err := tx.Checks().Append(ctx, checks...); err != nil {
		return nil, err
	}
	if err := tx.CheckStates().Set(ctx, states, p.events); err != nil {
		return nil, err
	}
	if err := p.keepIncidents(ctx, tx); err != nil {
		return nil, err
	}
	if err := tx.Probes().Settle(ctx, settled(p.kept)...); err != nil {
		return nil, err
	}
	return p, p.tally(ctx, tx, now)
}

// apply runs the state machine over the checks.
func (p *page) apply(ctx context.Context, tx catalog.Tx) (states []catalog.CheckState, checks []catalog.Check, err error) {
	var ids []string
	for _, n := range p.kept {
		if n.probe.EntryID != "" {
			ids = append(ids, n.probe.EntryID)
		}
	}
	old, err := tx.CheckStates().Of(ctx, ids...)
	if err != nil {
		return nil, nil, err
	}
	known := make(map[string]*catalog.CheckState, len(old))
	for i := range old {
		known[old[i].EntryID] = &old[i]
	}
	if err := p.takeAnnounced(ctx, tx); err != nil {
		return nil, nil, err
	}
	if err := p.takeAccess(ctx, tx, known); err != nil {
		return nil, nil, err
	}
	for _, n := range p.kept {
		before := known[n.probe.EntryID]
		x := Explained{note: n, Before: before, After: before}
		if n.check != nil {
			next, event := Next(before, n.check)
			states, checks = append(states, next), append(checks, *n.check)
			known[n.probe.EntryID], x.After, x.Event = &next, &next, event
			if event != nil {
				p.events = append(p.events, *event)
			}
		}
		if n.check != nil || n.gone || n.hostEvent != nil {
			p.turns = append(p.turns, turn{n, before, x.After})
		}
		if n.hostEvent != nil {
			p.events = append(p.events, *n.hostEvent)
		}
		if n.outcome != nil {
			p.explained = append(p.explained, x)
		}
	}
	return states, checks, nil
}

func hostsOf(list []*note) []string {
	hosts := make([]string, len(list))
	for i, n := range list {
		hosts[i] = n.host
	}
	return hosts
}

// settled sums the notes up by host: the last word counts.
func settled(list []*note) []catalog.HostSettled {
	var out []catalog.HostSettled
	place := map[string]int{}
	for _, n := range list {
		i, ok := place[n.host]
		if !ok {
			i = len(out)
			place[n.host] = i
			out = append(out, catalog.HostSettled{Worker: n.worker, Host: n.host})
		}
		h := &out[i]
		h.DownSince, h.FailingAt = n.downSince, n.failingAt
		if n.probe.EntryID != "" {
			p := n.probe
			p.Host = n.host
			h.Probes = append(h.Probes, p)
		}
		if n.release {
			h.Release, h.FreeAt = true, n.freeAt
		}
	}
	return out
}
