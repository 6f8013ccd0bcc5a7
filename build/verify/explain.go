package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Explained is one probe with all that led to the verdict.
type Explained struct {
	note *note
	// Before and After are the running verdict, nil for an entry that was
	// never checked.
	Before, After *catalog.CheckState
	// Event is that of a change of state, nil without one.
	Event *catalog.Event
}

// EntryID is the entry that was probed.
func (x *Explained) EntryID() string { return x.note.target.EntryID }

// finding is what the probe found, for who asked for it.
func (x *Explained) finding() catalog.ProbeFinding {
	c := &x.note.outcome.Check
	f := catalog.ProbeFinding{Entry: x.EntryID(), At: c.At, Up: c.Up, Error: c.Error}
	if x.note.check == nil {
		f.AgainAt = x.note.probe.DueAt
	}
	return f
}

// Lines tell the probe step by step: what was asked, what came, what was
// expected and what follows.
func (x *Explained) Lines() []string {
	o, t := x.note.outcome, &x.note.target
	lines := []string{fmt.Sprintf("probe     %s %s", t.Kind, t.URL)}
	for i, ex := range o.Exchanges {
		lines = append(lines, fmt.Sprintf("request   %d. %s %s", i+1, ex.Method, ex.URL), "answer    "+exchangeLine(&ex))
	}
	return append(lines, "expected  "+expectation(t), "verdict   "+x.verdict(), "before    "+stateLine(x.Before), "after     "+x.after())
}

func exchangeLine(ex *Exchange) string {
	ms := ex.Duration.Milliseconds()
	if ex.Status == 0 {
		return fmt.Sprintf("none after %d ms: %s", ms, ex.Err)
	}
	line := fmt.Sprintf("status %d, %s, %d bytes, %d ms", ex.Status, orText(ex.ContentType, "no content type"), ex.Bytes, ms)
	if ex.RetryAfter > 0 {
		line += fmt.Sprintf(", asks for a pause of %s", ex.RetryAfter)
	}
	return line
}

func expectation(t *Target) string {
	want := "status 2xx, or 401 and 403 (up, requires auth)"
	switch {
	case t.Kind == KindMCP:
		want += "; the protocol handshake, and the list of tools if the server has any"
	case t.Data:
		want += "; not an HTML page, because data was promised"
	default:
		want += "; any content type"
	}
	return want
}

func (x *Explained) verdict() string {
	o, n := x.note.outcome, x.note
	c := &o.Check
	switch {
	case o.Withheld:
		return fmt.Sprintf("none (%s: %s): nobody can be reached from here, so that this says nothing of the source; it is asked again from %s on", c.Class, c.Error, o.Deferred.UTC().Format(time.RFC3339))
	case !o.Deferred.IsZero():
		return "none: the address leads to a host that asks to be left alone until " + o.Deferred.UTC().Format(time.RFC3339)
	case c.Up && c.RequiresAuth:
		return fmt.Sprintf("up, requires auth (status %d)", c.HTTPStatus)
	case c.Up && n.confirming:
		return "up: the failure before was not confirmed and does not count"
	case c.Up:
		return "up"
	case n.check == nil:
		return fmt.Sprintf("failed (%s: %s); it counts if a second probe at %s fails too", c.Class, c.Error, n.probe.DueAt.UTC().Format(time.RFC3339))
	case n.check.HostDown:
		return fmt.Sprintf("the whole host is down (%s: %s); this counts against the host, not the entry", c.Class, c.Error)
	case n.confirming:
		return fmt.Sprintf("down, confirmed by a second probe (%s: %s)", c.Class, c.Error)
	}
	return fmt.Sprintf("down (%s: %s)", c.Class, c.Error)
}

func (x *Explained) after() string {
	line := stateLine(x.After)
	if x.Event != nil {
		line += "; event " + string(x.Event.Type)
	}
	if x.note.check != nil && !x.note.probe.DueAt.IsZero() {
		line += "; next check " + x.note.probe.DueAt.UTC().Format(time.RFC3339)
	}
	return line
}

func stateLine(s *catalog.CheckState) string {
	if s == nil {
		return string(catalog.StateUnverified) + ", never checked"
	}
	parts := []string{string(s.State), fmt.Sprintf("%d failures and %d successes in a row", s.ConsecutiveFailures, s.ConsecutiveSuccesses)}
	if !s.SucceededAt.IsZero() {
		parts = append(parts, "last success "+s.SucceededAt.UTC().Format(time.RFC3339))
	}
	return strings.Join(parts, ", ")
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Rehearse checks one entry as a run would, tells each step, and stores
// nothing. It takes no lease: another worker may ask the host at the same time.
func (r *Runner) Rehearse(ctx context.Context, entryID string, tell func(*Explained)) error {
	t, before, err := r.known(ctx, entryID)
	if err != nil {
		return err
	}
	for confirming := false; ; confirming = true {
		o := r.Prober.Probe(ctx, t)
		if err := ctx.Err(); err != nil {
			return err
		}
		now := r.now()
		x := &Explained{note: &note{target: t, outcome: &o, confirming: confirming, probe: catalog.Probe{DueAt: NextSlot(t.EntryID, r.cadence(), now)}},
			Before: before, After: before}
		again := !o.Check.Up && !confirming && r.confirm() > 0 && o.Deferred.IsZero()
		switch {
		case again:
			x.note.probe.DueAt = later(now.Add(r.confirm()), o.RestUntil)
		case o.Deferred.IsZero():
			next, event := Next(before, &o.Check)
			x.note.check, x.After, x.Event = &o.Check, &next, event
		}
		tell(x)
		if !again {
			return nil
		}
		if err := sleep(ctx, x.note.probe.DueAt.Sub(now)); err != nil {
			return err
		}
	}
}

// known reads what an entry's check needs.
func (r *Runner) known(ctx context.Context, entryID string) (t Target, before *catalog.CheckState, err error) {
	err = r.Store.View(ctx, func(tx catalog.Tx) error {
		list, err := tx.Entries().Get(ctx, entryID)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("%w %q", ErrUnknownEntry, entryID)
		}
		var ok bool
		if t, ok = TargetOf(&list[0]); !ok {
			return fmt.Errorf("entry %s has no http address that could be probed: give it one: %w", list[0].Slug, catalog.ErrInvalid)
		}
		before, err = tx.CheckStates().Get(ctx, entryID)
		if errors.Is(err, catalog.ErrNotFound) {
			return nil
		}
		return err
	})
	return t, before, err
}
