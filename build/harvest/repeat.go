package harvest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// waiting are older records that wait for the end of the run, by the id of their
// entry: the source is known to list a newer one behind them. They are counted
// when it is known what becomes of them.
type waiting map[string]*candidate

// outdated tells whether a record is to wait.
func (r *run) outdated(found *catalog.Entry, c *candidate) bool {
	return r.ambiguous.entries[found.ID] && !c.last && newer(found, &c.entry)
}

// newer tells whether a record was modified after another one; of two with the
// same date, or none, whether it states more. A catalogue lists one record in
// two profiles, and the smaller one is cut out of the other.
func newer(a, b *catalog.Entry) bool {
	if !a.SourceModifiedAt.Equal(b.SourceModifiedAt) {
		return a.SourceModifiedAt.After(b.SourceModifiedAt)
	}
	return statements(a) > statements(b)
}

// statements counts what an entry states in members that a source fills.
func statements(e *catalog.Entry) int {
	n := len(e.Titles) + len(e.Descriptions) + len(e.Tags) + len(e.Formats) + len(e.Themes)
	for _, there := range []bool{e.LicenseRaw != "", e.PublisherName != "", e.Contact != nil, e.AccessRights != "", !e.SourceIssuedAt.IsZero()} {
		if there {
			n++
		}
	}
	if d := e.Dataset; d != nil {
		n += len(d.Distributions) + len(d.Spatial)
	}
	return n
}

// again takes a record of which another one had the identity already: the one
// that was modified last is kept, the other counted with its place.
func (r *run) again(ctx context.Context, b *batchPlan, found *catalog.Entry, c *candidate) error {
	older, earlier := b.waiting[found.ID], false
	if older == nil && !b.freed[found.ID] {
		older, earlier = r.waiting[found.ID], true
	}
	switch {
	case older != nil && c.last:
		b.freed[found.ID] = true
		return r.update(ctx, b, found, c)
	case older != nil && newer(&c.entry, &older.entry):
		if earlier {
			b.released++
		}
		b.freed[found.ID] = true
		b.report.repeat(repeated(older, found))
		if r.outdated(found, c) {
			b.waiting[found.ID] = c
			return nil
		}
		delete(b.waiting, found.ID)
		return r.update(ctx, b, found, c)
	case !newer(&c.entry, found):
		b.report.repeat(repeated(c, found))
		return nil
	}
	b.report.repeat(repeated(c, found))
	r.ambiguous.add(&r.ambiguous.entries, found.ID)
	return r.replace(ctx, b, found, c)
}

func repeated(c *candidate, found *catalog.Entry) source.Rejection {
	return source.Rejection{Place: c.place, Code: CodeRepeated, Reason: fmt.Sprintf("it has the identity of %s, which this source lists more than once", found.Slug),
		Remedy: "list each record once, with an identifier of its own", UpstreamRef: c.entry.UpstreamRef}
}

// replace puts a newer record in the place of the one that an entry was made of
// in this run.
func (r *run) replace(ctx context.Context, b *batchPlan, found *catalog.Entry, c *candidate) error {
	it, err := b.open(ctx, found)
	if err != nil {
		return err
	}
	before := *it.entry
	*it.entry = overlay(&before, c, r.opts.Now)
	if it.origin != nil {
		if err := r.keepFilled(ctx, b, it); err != nil {
			return err
		}
	}
	it.entry.Signals = r.rules.reprove(before.Signals, c.entry.Signals, it.entry)
	invalid := it.entry.Validate()
	if invalid == nil {
		b.book.Keep(it.entry)
		return r.replaceTrail(ctx, b, it, c.trail(it.entry.UpstreamRef, r.in))
	}
	*it.entry = before // of two records that make no entry together, the first one stays
	return nil
}

// records is how many of n records of a batch have an outcome, those that
// waited before included.
func (b *batchPlan) records(n int) int { return n - len(b.waiting) + b.released }

// release lets the records go that waited in vain.
func (r *run) release() {
	for _, id := range slices.Sorted(maps.Keys(r.waiting)) {
		c := r.waiting[id]
		c.last = true
		r.pending.batch = append(r.pending.batch, c)
	}
}
