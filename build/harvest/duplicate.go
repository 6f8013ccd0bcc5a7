package harvest

import (
	"context"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

// meetDuplicates looks up what other catalogues list like the records of a batch.
func (r *run) meetDuplicates(ctx context.Context, b *batchPlan, batch []*candidate) error {
	records := make([]*identity.Record, len(batch))
	for i, c := range batch {
		records[i] = r.record(b, c)
		records[i].Anew = r.anew
	}
	return b.book.Meet(ctx, records)
}

// join merges a new record with the entry of another catalogue that is the
// same. The record keeps a row of its own, which leads there: by it the next
// harvest finds it, and what was merged can be taken apart.
func (r *run) join(ctx context.Context, b *batchPlan, duplicate *identity.Duplicate, c *candidate) error {
	if r.rules.nearer(&c.entry, duplicate.Entry) {
		if done, err := r.takeOver(ctx, b, duplicate, c); err != nil || done {
			return err
		}
	}
	e, err := r.newEntry(ctx, b, c)
	if err != nil {
		return err
	}
	v := r.judge(c, &e)
	if v.rejection != nil {
		v = verdict{status: catalog.StatusPending, reason: v.rejection.Reason}
	}
	v.apply(&e, &r.opts)
	before := e
	kind, err := e.MergeInto(duplicate.Entry, r.opts.Now)
	if err != nil {
		return err
	}
	if e.Validate() == nil {
		changes, err := catalog.Diff(&before, &e, catalog.LifeCycleFields()...)
		if err != nil {
			return err
		}
		row := v.row(r.in)
		row.Note += "; merged for " + duplicate.Why
		b.add(&item{entry: &e, rows: append(c.trail(e.UpstreamRef, r.in), row), trail: true,
			events: []catalog.Event{{Type: kind, OccurredAt: r.opts.Now, Changes: changes}}, audit: v.audit(e.ID, r.opts.Now)})
	}
	return r.merge(ctx, b, duplicate.Entry, c)
}

// proposedMax is how many possible duplicates an entry is shown with.
const proposedMax = 20

// propose notes at both entries that a new one may be the same as one of
// another catalogue.
func (r *run) propose(ctx context.Context, b *batchPlan, it *item, likely *identity.Duplicate) error {
	if likely == nil || len(likely.Entry.MayBe()) >= proposedMax {
		return nil
	}
	older, err := b.open(ctx, likely.Entry)
	if err != nil {
		return err
	}
	it.entry.Propose(older.entry)
	older.entry.Propose(it.entry)
	b.book.Keep(older.entry)
	b.report.PossibleDuplicates++
	return nil
}
