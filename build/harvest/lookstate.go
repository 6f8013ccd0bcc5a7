package harvest

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// lookLease is how long a look is held without a sign of life, lookBeat how often
// it gives one between two entries, each of which takes less than the difference.
const lookLease, lookBeat = 10 * time.Minute, time.Minute

// lookState is what looks at the web remember between each other.
type lookState struct {
	// After is the last entry that was looked at.
	After string `json:"after,omitempty"`
	// Failures counts, by entry and kind of proof, how often in a row a page
	// could not be read.
	Failures map[string]int `json:"failures,omitempty"`
	// Owner is who looks now, until its lease ends.
	Owner      string    `json:"owner,omitempty"`
	LeaseUntil time.Time `json:"lease_until,omitzero"`
}

func lookKey(sourceID string) string { return "harvest.proofs." + sourceID }

func (l *look) readState(ctx context.Context, tx catalog.Tx) (s lookState, err error) {
	value, err := tx.Meta().Get(ctx, lookKey(l.opts.Source))
	if err == nil && value != "" {
		err = json.Unmarshal([]byte(value), &s)
	}
	if err != nil {
		return s, fmt.Errorf("read where the last look ended: %w", err)
	}
	if s.Failures == nil {
		s.Failures = map[string]int{}
	}
	return s, nil
}

func (l *look) writeState(ctx context.Context, tx catalog.Tx) error {
	doc, err := json.Marshal(l.state)
	if err != nil {
		return fmt.Errorf("encode where the look ended: %w", err)
	}
	return tx.Meta().Set(ctx, lookKey(l.opts.Source), string(doc))
}

// begin leases the look; a BusyError while another process has it.
func (l *look) begin(ctx context.Context) error {
	return l.store.Update(ctx, func(tx catalog.Tx) error {
		s, err := l.readState(ctx, tx)
		if err != nil {
			return err
		}
		now := l.opts.Clock()
		if s.Owner != "" && catalog.LeaseHeld(s.LeaseUntil, now) {
			return &BusyError{Worker: workerOf(s.Owner), Since: s.LeaseUntil.Add(-lookLease), Until: s.LeaseUntil}
		}
		s.Owner, s.LeaseUntil = cmp.Or(l.opts.Worker, "a process")+" "+rand.Text(), now.Add(lookLease)
		l.state = s
		return l.writeState(ctx, tx)
	})
}

// hold gives a sign of life, if it is time for one, and notes how far the look is.
func (l *look) hold(ctx context.Context) error {
	now := l.opts.Clock()
	if l.state.LeaseUntil.Sub(now) > lookLease-lookBeat && l.state.LeaseUntil.Sub(now) <= lookLease {
		return nil
	}
	return l.keep(ctx, l.state.Owner, now.Add(lookLease))
}

// end notes where the look ended, and lets others look.
func (l *look) end(ctx context.Context) error {
	err := l.keep(context.WithoutCancel(ctx), "", time.Time{})
	if errors.Is(err, catalog.ErrLeaseLost) {
		return nil // the other one notes where it ends
	}
	return err
}

func (l *look) keep(ctx context.Context, owner string, until time.Time) error {
	return l.store.Update(ctx, func(tx catalog.Tx) error {
		s, err := l.readState(ctx, tx)
		if err != nil {
			return err
		}
		if s.Owner != l.state.Owner {
			return fmt.Errorf("the look of another process: %w", catalog.ErrLeaseLost)
		}
		before := l.state
		l.state.Owner, l.state.LeaseUntil = owner, until
		if err := l.writeState(ctx, tx); err != nil || owner == "" {
			l.state.Owner, l.state.LeaseUntil = before.Owner, before.LeaseUntil
			return err
		}
		return nil
	})
}
