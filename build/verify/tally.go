package verify

import (
	"context"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// roundTime is how often a run that goes on for ever says what it did.
const roundTime = 10 * time.Minute

// endRound writes the line of a round into the log, unless nothing was probed.
func (b *book) endRound() {
	s := b.round
	b.round = newSummary(b.runner.now())
	if b.runner.Log == nil || s.Probes == 0 && s.Checked == 0 {
		return
	}
	surveys := 0
	for _, n := range s.Surveys {
		surveys += n
	}
	b.runner.Log.Info("probed", "probes", s.Probes, "checked", s.Checked, "up", s.Up, "requires_auth", s.RequiresAuth, "down", s.Down, "host_down", s.HostDown,
		"refuted", s.Refuted, "deferred", s.Deferred, "withheld", s.Withheld, "lost", s.Lost, "looked_at", surveys, "seconds", catalog.Seconds(s.Started, b.round.Started))
}

// tally adds the page to what was counted before.
func (p *page) tally(ctx context.Context, tx catalog.Tx, now time.Time) error {
	if len(p.kept) == 0 {
		return nil
	}
	t, err := catalog.ReadProbeTally(ctx, tx.Meta())
	if err != nil {
		return err
	}
	counted := false
	for _, n := range p.kept {
		if count := placeOf(&t, n); count != nil {
			*count, counted = *count+1, true
		}
	}
	if !counted {
		return nil
	}
	t.Last = now
	return t.Write(ctx, tx.Meta())
}

// placeOf is the counter for what became of a probe, nil when there was none.
func placeOf(t *catalog.ProbeTally, n *note) *int64 {
	switch {
	case n.check == nil && n.outcome == nil:
		return nil
	case n.check == nil && n.outcome.Withheld:
		return &t.Withheld
	case n.check == nil && !n.outcome.Deferred.IsZero():
		return &t.Deferred
	case n.check == nil:
		return &t.Unconfirmed
	case n.check.Up:
		return &t.Up
	case n.check.HostDown:
		return &t.HostDown
	}
	return &t.Down
}
