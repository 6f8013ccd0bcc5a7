package harvest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

// comparedBy is the rule by which entries are compared with those of other catalogues.
// Where a source was last compared by another one, all its records are, once.
const comparedBy = "1"

func comparedKey(sourceID string) string { return "harvest.compared." + sourceID }

// compared tells whether all records of the source were compared by the rule.
func (r *run) compared(ctx context.Context, tx catalog.Tx) (bool, error) {
	rule, err := tx.Meta().Get(ctx, comparedKey(r.in.Source.ID))
	if err != nil {
		return false, fmt.Errorf("read how %s was compared: %w", r.in.Source.ID, err)
	}
	return rule == comparedBy, nil
}

// keepCompared notes that a run that read the whole source compared its records.
func (r *run) keepCompared(ctx context.Context, tx catalog.Tx) error {
	if r.anew && r.report.State == catalog.RunComplete && r.row.Since.IsZero() {
		return tx.Meta().Set(ctx, comparedKey(r.in.Source.ID), comparedBy)
	}
	return nil
}

// compare updates an entry, and looks for it in other catalogues if what it would be
// recognised by is not what it was: the record is then merged, or noted as a possible
// duplicate, as a new one would be.
func (r *run) compare(ctx context.Context, b *batchPlan, found *catalog.Entry, c *candidate) error {
	duplicate, err := r.duplicateOf(ctx, b, found, c)
	if err != nil {
		return err
	}
	updated, unchanged := b.report.Updated, b.report.Unchanged
	if err := r.update(ctx, b, found, c); err != nil || duplicate == nil || b.report.Updated+b.report.Unchanged == updated+unchanged {
		return err
	}
	mine, err := b.open(ctx, found)
	if err != nil {
		return err
	}
	if duplicate.Same {
		done, err := r.unite(ctx, b, mine, duplicate)
		if err != nil || done {
			b.report.Updated, b.report.Unchanged = updated, unchanged
			b.report.Merged++
			return err
		}
	}
	return r.propose(ctx, b, mine, duplicate)
}

// duplicateOf is the entry of another catalogue that an entry turned out to be, or may be,
// nil if there is nothing new about that.
func (r *run) duplicateOf(ctx context.Context, b *batchPlan, found *catalog.Entry, c *candidate) (*identity.Duplicate, error) {
	if found.Status != catalog.StatusActive || !r.anew && identity.SameEvidence(found, &c.entry) {
		return nil, nil
	}
	record := r.record(b, c)
	record.Self = found.ID
	duplicate, err := b.book.Elsewhere(ctx, record)
	if err != nil || duplicate == nil || duplicate.Entry.Status == catalog.StatusRemoved {
		return nil, err
	}
	apart, err := decidedApart(ctx, b.tx, found.ID, duplicate.Entry.ID)
	if err != nil || apart {
		return nil, err
	}
	return duplicate, nil
}

// decisionsBack is how many changes of an entry by people are looked back at.
const decisionsBack = 100

// decidedApart tells whether a moderator decided that two entries are two things, or took
// their merger back.
func decidedApart(ctx context.Context, tx catalog.Tx, a, b string) (bool, error) {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		rows, err := tx.Audits().Before(ctx, 0, pair[0], decisionsBack)
		if err != nil {
			return false, fmt.Errorf("read what was decided on %s: %w", pair[0], err)
		}
		for i := range rows {
			var decided struct {
				Of   string `json:"of"`
				Same bool   `json:"same"`
				From string `json:"from"`
			}
			if len(rows[i].Details) == 0 || json.Unmarshal(rows[i].Details, &decided) != nil {
				continue // what people do else has details of another form
			}
			if rows[i].Action == catalog.ActionDecideDuplicate && decided.Of == pair[1] && !decided.Same || rows[i].Action == catalog.ActionUnmerge && decided.From == pair[1] {
				return true, nil
			}
		}
	}
	return false, nil
}
