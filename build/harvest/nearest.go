package harvest

import (
	"context"
	"errors"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

// nearness tells how near a catalogue is to the publisher of a record (decisions-2
// §A): the publisher's own is the nearest, a portal of what others publish the farthest.
func (r *resolver) nearness(s *catalog.Source, e *catalog.Entry) int {
	switch {
	case s == nil || s.Portal:
		return 0
	case e.InstitutionID != "" && r.runBy(s) == e.InstitutionID:
		return 2
	}
	return 1
}

// runBy is the institution that runs a catalogue, by what is known of it or by the owner of
// its host, "" if unknown.
func (r *resolver) runBy(s *catalog.Source) string {
	if inst := r.byID[s.InstitutionID]; inst != nil {
		return inst.ID
	}
	if key, _, ok := r.domains.Owner(catalog.Host(s.URL)); ok && r.byKey[key] != nil {
		return r.byKey[key].ID
	}
	return ""
}

// nearer tells whether the run's catalogue is nearer to the publisher of a record than
// the one that an entry came from.
func (r *run) nearer(c *candidate, found *catalog.Entry) bool {
	return r.rules.nearness(&r.in.Source, &c.entry) > r.rules.nearness(r.rules.sources[found.SourceID], found)
}

// takeOver merges a record with the entry of a catalogue that is farther from the
// publisher: the entry keeps its id, its names and its life and says from now on what the record
// says; what it said becomes the row of the other listing, which leads to it. It reports false where
// the two together would break a rule.
func (r *run) takeOver(ctx context.Context, b *batchPlan, twin *identity.Twin, c *candidate) (bool, error) {
	named, err := r.newEntry(ctx, b, c)
	if err != nil {
		return false, err
	}
	it, err := b.open(ctx, twin.Entry)
	if err != nil {
		return false, err
	}
	before, rows := own(it.entry), it.rows
	next := overlay(&before, c, r.opts.Now)
	next.UpstreamRef, next.UpstreamAliases = c.entry.UpstreamRef, c.entry.UpstreamAliases
	filled := fill(&next, &before, nil)
	next.Signals = r.rules.support(next.Signals, before.Signals, &next)
	listing := own(&before)
	listing.ID, listing.Slug, listing.FormerSlugs, listing.Revision = named.ID, named.Slug, nil, 0
	listing.CreatedAt, listing.UpdatedAt = r.opts.Now, r.opts.Now
	public := listing
	kind, err := listing.MergeInto(&next, r.opts.Now)
	if err != nil {
		return false, err
	}
	if broken := errors.Join(next.Validate(), listing.Validate()); broken != nil {
		return false, nil //nolint:nilerr // the record is then merged the other way
	}
	changes, err := catalog.Diff(&public, &listing, catalog.LifeCycleFields()...)
	if err != nil {
		return false, err
	}
	*it.entry, it.rows, it.trail = next, c.trail(next.UpstreamRef, r.in), true
	r.appendTrail(it, rows, filled)
	b.book.Keep(it.entry)
	b.add(&item{entry: &listing, rows: rows, trail: true, events: []catalog.Event{{Type: kind, OccurredAt: r.opts.Now, Changes: changes}}})
	b.report.Merged++
	return true, r.reconsider(ctx, b, it, c)
}
