package verify

import (
	"context"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// session checks the due entries of one leased host, one after the other.
type session struct {
	*work
	lease *catalog.HostLease
	// done are the entries that have had their turn.
	done map[string]bool
	// downSince and failingAt are the host's, as they change.
	downSince, failingAt time.Time
	// freeAt is from when the host may be asked again.
	freeAt time.Time
	// last are the notes of the last probe; they go with the release.
	last []*note
}

func (w *work) visitHost(ctx context.Context, l *catalog.HostLease, a *agenda) {
	s := &session{work: w, lease: l, done: map[string]bool{},
		downSince: l.DownSince, failingAt: l.FailingAt, freeAt: w.now().Add(w.Prober.Gap())}
	due := map[string]catalog.Probe{}
	for _, p := range l.Due {
		due[p.EntryID] = p
	}
	for _, gone := range a.gone {
		s.hand(&note{host: l.Host, worker: l.Worker, downSince: s.downSince, failingAt: s.failingAt, probe: s.next(due[gone.id]), gone: true, left: gone.left})
	}
	if len(a.targets) == 0 {
		s.freeAt = w.now().Add(max(w.idle(), w.Prober.Gap()))
	}
	end := w.now().Add(w.session())
	for _, t := range a.targets {
		if ctx.Err() != nil || !w.now().Before(end) {
			break
		}
		o := w.Prober.Probe(ctx, t)
		if ctx.Err() != nil {
			break
		}
		s.done[t.EntryID] = true
		if goOn := s.take(ctx, due[t.EntryID], t, &o); !goOn || s.yields() {
			break
		}
	}
	if len(s.last) == 0 {
		s.last = []*note{{host: l.Host, worker: l.Worker, downSince: s.downSince, failingAt: s.failingAt}}
	}
	n := s.last[len(s.last)-1]
	n.release, n.freeAt = true, s.freeAt
	w.book.add(s.last...)
}

// yields tells whether others wait for the host, who were asked for entries there.
func (s *session) yields() bool { return s.only.only == nil && s.Prober.wanted.is(s.lease.Host) }

// next is the place of a probe in the timetable after its turn.
func (s *session) next(p catalog.Probe) catalog.Probe {
	p.DueAt, p.FailedAt = NextSlot(p.EntryID, s.cadence(), s.now()), time.Time{}
	return p
}

// hand gives the notes of the probe before to the book and keeps these.
func (s *session) hand(list ...*note) {
	s.book.add(s.last...)
	s.last = list
}

// take decides what an outcome means, hands it on and tells whether
// the host can be asked for its next entry.
func (s *session) take(ctx context.Context, p catalog.Probe, t Target, o *Outcome) bool {
	s.doubt(ctx, p, t, o)
	now := s.now()
	s.freeAt = later(now.Add(s.Prober.Gap()), o.RestUntil)
	n := &note{host: s.lease.Host, worker: s.lease.Worker, entries: s.lease.Entries, target: t, outcome: o, confirming: !p.FailedAt.IsZero()}
	n.probe = s.next(p)
	goOn := o.RestUntil.IsZero()
	switch {
	case o.Withheld:
		n.probe.DueAt, goOn = o.Deferred, false
	case !o.Deferred.IsZero():
		n.probe.DueAt, n.probe.FailedAt = o.Deferred, p.FailedAt
	case o.Check.Up:
		n.check = &o.Check
		s.survey(ctx, n)
	case p.FailedAt.IsZero() && s.confirm() > 0:
		n.probe.FailedAt, n.probe.DueAt = now, later(now.Add(s.confirm()), o.RestUntil)
		if !o.Reached {
			// The whole host may be down: nothing else is asked before that
			// is known.
			s.freeAt, goOn = later(s.freeAt, n.probe.DueAt), false
		}
	case s.hostFails(p, o):
		s.recordHost(p, n)
		return false
	default:
		n.check = &o.Check
	}
	if o.Reached {
		if !s.failingAt.IsZero() {
			n.hostEvent = hostEvent(catalog.EventHostRecovered, s.lease, o, s.downSince)
		}
		s.downSince, s.failingAt = time.Time{}, time.Time{}
	}
	n.downSince, n.failingAt = s.downSince, s.failingAt
	s.hand(n)
	return goOn
}

// doubt withholds a failure that would count where nobody can be reached from here: its source is asked anew, in two
// tries, when that may be over.
func (s *session) doubt(ctx context.Context, p catalog.Probe, t Target, o *Outcome) {
	switch {
	case o.Reached:
		s.hear(t)
	case o.Silent:
		s.Prober.line.quiet(s.lease.Host)
	}
	first := p.FailedAt
	if s.confirm() <= 0 {
		first = s.now().Add(-lineEvery) // there is no second try
	}
	if o.Silent && !first.IsZero() && s.lineDown(ctx, s.lease.Host, first) {
		o.Withheld, o.Deferred = true, NextSlot(p.EntryID, lineRetry, s.now().Add(lineRetry))
	}
}

// hostFails takes note of a confirmed failure and tells whether it is that of
// the whole host: one with several entries, none of which has been reached for
// HostPatience.
func (s *session) hostFails(p catalog.Probe, o *Outcome) bool {
	if o.Reached || s.lease.Entries < 2 {
		return false
	}
	if s.downSince.IsZero() {
		if s.downSince = p.FailedAt; s.downSince.IsZero() {
			s.downSince = o.Check.At
		}
	}
	return !s.failingAt.IsZero() || o.Check.At.Sub(s.downSince) >= s.cadence()/patienceShare
}

// recordHost records the failure of the host for every entry that is due
// there: asking each of them would tell nothing else.
func (s *session) recordHost(p catalog.Probe, first *note) {
	o := first.outcome
	if s.failingAt.IsZero() {
		s.failingAt = o.Check.At
		first.hostEvent = hostEvent(catalog.EventHostFailing, s.lease, o, s.downSince)
	}
	list := []*note{first}
	for _, due := range s.lease.Due {
		if due.EntryID != p.EntryID && !s.done[due.EntryID] && s.only.wants(due.EntryID) {
			list = append(list, &note{host: s.lease.Host, worker: s.lease.Worker, probe: s.next(due)})
		}
	}
	for _, n := range list {
		c := o.Check
		c.EntryID, c.HostDown, c.Error = n.probe.EntryID, true, short("the whole host is down: "+c.Error)
		n.check, n.downSince, n.failingAt = &c, s.downSince, s.failingAt
	}
	s.hand(list...)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
