package harvest

import (
	"context"
	"maps"
	"slices"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

// merge adds a further listing to an entry: its trail is appended, and fields
// that the entry lacks are filled.
func (r *run) merge(ctx context.Context, b *batchPlan, found *catalog.Entry, c *candidate) error {
	b.report.Merged++
	it := b.byID[found.ID]
	if it == nil {
		next := own(found)
		it = &item{origin: found, entry: &next}
		if err := b.load(ctx, it); err != nil {
			return err
		}
	}
	before := own(it.entry)
	filled := fill(it.entry, &c.entry, nil)
	it.entry.Signals = r.rules.support(it.entry.Signals, c.entry.Signals, it.entry)
	identity.StampDetails(it.entry, it.origin, r.opts.Now)
	if it.entry.Validate() != nil {
		// What one listing brings may break a rule only together with the
		// other's; the entry then stays as it is.
		*it.entry, filled = before, nil
	}
	r.appendTrail(it, c.rows, filled, r.in.Source.ID)
	if err := r.reconsider(ctx, b, it, c); err != nil {
		return err
	}
	if b.byID[found.ID] == nil {
		b.add(it)
	}
	return nil
}

// appendTrail appends the rows that are not there yet; those of the fields
// that were filled are marked. from is the source of the listing that filled them.
func (r *run) appendTrail(it *item, fresh []catalog.FieldRow, filled map[string]bool, from string) {
	for _, row := range fresh {
		if row.Field == "admission" {
			continue // the entry has its own
		}
		marked := row
		marked.Note = catalog.NoteFilled
		if filled[row.Field] {
			delete(filled, row.Field)
			row = marked
		}
		if indexRow(it.rows, &row) < 0 && indexRow(it.rows, &marked) < 0 {
			it.rows, it.trail = append(it.rows, row), true
		}
	}
	for _, field := range slices.Sorted(maps.Keys(filled)) {
		it.trail = true
		it.rows = append(it.rows, catalog.FieldRow{Field: field, Basis: catalog.BasisPublisher, SourceID: from,
			Note: catalog.NoteFilled, ObservedAt: r.opts.Now})
	}
}

// keepFilled keeps the fields that another listing filled and that the entry's
// own listing still lacks.
func (r *run) keepFilled(ctx context.Context, b *batchPlan, it *item) error {
	if err := b.load(ctx, it); err != nil {
		return err
	}
	kept := map[string]bool{}
	for i := range it.rows {
		if it.rows[i].Note == catalog.NoteFilled {
			kept[it.rows[i].Field] = true
		}
	}
	if len(kept) > 0 {
		fill(it.entry, it.origin, kept)
	}
	it.keepSeen()
	return nil
}
