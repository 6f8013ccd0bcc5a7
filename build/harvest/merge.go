package harvest

import (
	"context"
	"maps"
	"slices"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/verify"
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
	keepSeen(it)
	return nil
}

// seen are the fields of which the prober sees for itself what they say.
var seen = map[string]func(dst, src *catalog.Entry) bool{"free_access_class": access, "auth_type": authentication}

// keepSeen keeps what the prober saw of the way in, while the same address is
// probed and the source says nothing of it.
func keepSeen(it *item) {
	for i := range it.rows {
		if row := &it.rows[i]; seen[row.Field] != nil && it.seen(row) {
			seen[row.Field](it.entry, it.origin)
		}
	}
}

// seen tells whether a row says what the register saw at the address that is
// probed, and that may still be said.
func (it *item) seen(row *catalog.FieldRow) bool {
	if row.Basis != catalog.BasisObserved || it.origin == nil {
		return false
	}
	if seen[row.Field] == nil {
		return true
	}
	was, _ := verify.TargetOf(it.origin)
	is, _ := verify.TargetOf(it.entry)
	return was.URL == is.URL && row.SourceURL == is.URL && !(row.Field == "free_access_class" && it.entry.AccessRights.Excludes())
}
