package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// HarvestSeen are keys of what a run that broke off has met; one run may have
// several lines of them.
type HarvestSeen struct {
	RunID string   `json:"run_id"`
	Keys  []string `json:"keys"`
}

// runs writes the harvests of the sources, and after a run that can be resumed
// what it has met.
func (x *exporter) runs() error {
	return x.tx.Runs().Scan(x.ctx, func(r *catalog.HarvestRun) error {
		if err := x.enc.Encode(record{Kind: kindHarvestRun, HarvestRun: r}); err != nil || !r.Resumable() {
			return err
		}
		var keys []string
		flush := func() error {
			if len(keys) == 0 {
				return nil
			}
			full := keys
			keys = nil
			return x.enc.Encode(record{Kind: kindHarvestSeen, HarvestSeen: &HarvestSeen{RunID: r.ID, Keys: full}})
		}
		err := x.tx.Runs().Seen(x.ctx, r.ID, func(key string) error {
			if keys = append(keys, key); len(keys) < page {
				return nil
			}
			return flush()
		})
		if err != nil {
			return err
		}
		return flush()
	})
}

// checkRun checks the keys of a run.
func (r *record) checkRun() *source.Rejection {
	ids := map[string]string{}
	if h := r.HarvestRun; h != nil {
		ids["id"], ids["source_id"] = h.ID, h.SourceID
	} else {
		ids["run_id"] = r.HarvestSeen.RunID
	}
	for _, name := range []string{"id", "source_id", "run_id"} {
		if id, there := ids[name]; there && !catalog.IsID(id) {
			return fault(source.CodeInvalidField, fmt.Sprintf("%s.%s is %q", r.Kind, name, id), "use a lower-case UUID")
		}
	}
	return nil
}

func (t *tables) harvest(l *parsed) {
	if r := l.rec.HarvestRun; r != nil {
		t.runs = append(t.runs, *r)
		return
	}
	t.seen = append(t.seen, *l.rec.HarvestSeen)
}

// putRuns stores harvests. A merge takes only those that have ended: the
// register that lives may be about to resume its own.
func (b *batchResult) putRuns(ctx context.Context, tx catalog.Tx, t *tables) error {
	kept := t.runs[:0:0]
	for i := range t.runs {
		if b.m.restore == nil && t.runs[i].Resumable() {
			b.report.Skipped[kindHarvestRun]++
			continue
		}
		kept = append(kept, t.runs[i])
	}
	if err := putAll(ctx, kept, tx.Runs().Put); err != nil {
		return err
	}
	for range kept {
		b.report.Restored[kindHarvestRun]++
	}
	for _, s := range t.seen {
		if b.m.restore == nil {
			b.report.Skipped[kindHarvestSeen]++
			continue
		}
		if err := b.seenBy(ctx, tx, &s); err != nil {
			return err
		}
		b.report.Restored[kindHarvestSeen]++
	}
	return nil
}

func (b *batchResult) seenBy(ctx context.Context, tx catalog.Tx, s *HarvestSeen) error {
	_, err := tx.Runs().Get(ctx, s.RunID)
	if errors.Is(err, catalog.ErrNotFound) {
		return fmt.Errorf("harvest_seen of run %s: there is no such run: %w", s.RunID, catalog.ErrInvalid)
	}
	if err != nil {
		return err
	}
	return tx.Runs().See(ctx, s.RunID, s.Keys...)
}
