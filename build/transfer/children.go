package transfer

import (
	"context"
	"errors"

	"github.com/assay-register/assay/render/catalog"
)

// family collects what belongs to entries, by kind.
type family struct {
	states    []catalog.CheckState
	profiles  []catalog.Profile
	overrides []catalog.Override
	targets   []catalog.Target
	evidences []catalog.Evidence
	uses      []catalog.UseDay
	scores    []catalog.ScoreDay
	days      []catalog.CheckDay
	checks    []catalog.Check
	incidents []catalog.Incident
	events    []catalog.Event
}

// putChildren stores what belongs to entries. Events are part of a register's
// own history: a merge leaves them out.
func (b *batchResult) putChildren(ctx context.Context, tx catalog.Tx, list []*parsed) error {
	var f family
	for _, l := range list {
		r := &l.rec
		switch r.Kind {
		case kindCheckState:
			newer, err := b.newer(ctx, tx, r.CheckState)
			if err != nil {
				return err
			}
			if newer {
				f.states = append(f.states, *r.CheckState)
			}
		case kindProfile:
			f.profiles = append(f.profiles, *r.Profile)
		case kindOverride:
			f.overrides = append(f.overrides, *r.Override)
		case kindTarget:
			f.targets = append(f.targets, *r.Target)
		case kindEvidence:
			f.evidences = append(f.evidences, *r.Evidence)
		case kindScoreDay:
			f.scores = append(f.scores, *r.ScoreDay)
		case kindUseDay:
			f.uses = append(f.uses, *r.UseDay)
		case kindCheckDay:
			f.days = append(f.days, *r.CheckDay)
		case kindCheck:
			f.checks = append(f.checks, *r.Check)
		case kindIncident:
			f.incidents = append(f.incidents, *r.Incident)
		case kindEvent:
			if b.m.restore == nil {
				b.report.Skipped[kindEvent]++
				continue
			}
			f.events = append(f.events, *r.Event)
		}
		b.report.Restored[r.Kind]++
	}
	return f.put(ctx, tx)
}

// newer tells whether a state is to be stored: in a merge, only over an older
// one.
func (b *batchResult) newer(ctx context.Context, tx catalog.Tx, s *catalog.CheckState) (bool, error) {
	if b.m.restore != nil {
		return true, nil
	}
	old, err := tx.CheckStates().Get(ctx, s.EntryID)
	if errors.Is(err, catalog.ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return s.UpdatedAt.After(old.UpdatedAt), nil
}

func (f *family) put(ctx context.Context, tx catalog.Tx) error {
	if len(f.states) > 0 {
		if err := tx.CheckStates().Set(ctx, f.states, nil); err != nil {
			return err
		}
	}
	return errors.Join(
		putAll(ctx, f.profiles, tx.Profiles().Put),
		putAll(ctx, f.overrides, tx.Overrides().Put),
		putAll(ctx, f.targets, tx.Targets().Put),
		putAll(ctx, f.evidences, tx.Evidences().Put),
		putAll(ctx, f.scores, tx.Scores().Put),
		putAll(ctx, f.uses, tx.UseDays().Put),
		putAll(ctx, f.days, tx.Checks().PutDays),
		putAll(ctx, f.checks, tx.Checks().Append),
		putAll(ctx, f.incidents, tx.Incidents().Put),
		putAll(ctx, f.events, tx.Events().Restore),
	)
}

func putAll[T any](ctx context.Context, list []T, put func(context.Context, ...T) error) error {
	if len(list) == 0 {
		return nil
	}
	return put(ctx, list...)
}
