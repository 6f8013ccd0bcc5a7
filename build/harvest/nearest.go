package harvest

import (
	"context"
	"slices"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

// nearness is how near a catalogue is to the publisher of a record (decisions-2
// §A): first whether the publisher itself runs it, or a body that it is a part of
// or that is a part of it; then whether it is the catalogue of a place or a body, of
// a country, or of several; then whether it is no portal of what others publish. The
// greater is nearer. Whoever proposes a source is no catalogue.
func (r *resolver) nearness(s *catalog.Source, e *catalog.Entry) [3]int {
	if s == nil || s.Kind == submissionKind {
		return [3]int{}
	}
	by, n := r.runBy(s), [3]int{0, r.level(s), 1}
	switch {
	case by == "" || e.InstitutionID == "":
	case by == e.InstitutionID:
		n[0] = 2
	case r.within(by, e.InstitutionID) || r.within(e.InstitutionID, by):
		n[0] = 1
	}
	if s.Portal {
		n[2] = 0
	}
	return n
}

// The levels of a catalogue.
const (
	levelSeveral = iota // of several countries
	levelCountry        // of a country, or not known
	levelBody           // of a place or of one body
)

// level is what the one who runs a catalogue makes of it; a ministry or a
// government, and whoever is not known, runs that of its country.
func (r *resolver) level(s *catalog.Source) int {
	inst := r.byID[r.runBy(s)]
	switch {
	case inst == nil, inst.Type == catalog.InstGovernment, inst.Type == "":
		return levelCountry
	case inst.Type == catalog.InstInternational:
		return levelSeveral
	}
	return levelBody
}

// parentsMax bounds how many parents in a row are followed.
const parentsMax = 8

// within tells whether an institution is a part of another one, or of a part of it.
func (r *resolver) within(id, whole string) bool {
	for range parentsMax {
		if id = r.parents[id]; id == "" || id == whole {
			return id != ""
		}
	}
	return false
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

// nearer tells whether the catalogue of a record is nearer to the publisher than that of
// another one. Where neither is the publisher's own, the one that the other harvested from
// is: the address that both state as an identifier lies there.
func (r *resolver) nearer(a, b *catalog.Entry) bool {
	ours, theirs := r.sources[a.SourceID], r.sources[b.SourceID]
	near, far := r.nearness(ours, a), r.nearness(theirs, b)
	if near[0] == far[0] && ours != nil && theirs != nil {
		here, there := harvestedFrom(a, b, ours), harvestedFrom(a, b, theirs)
		if here != there {
			return here
		}
	}
	return slices.Compare(near[:], far[:]) > 0
}

// harvestedFrom tells whether an identifier of both entries lies at the host of a
// catalogue.
func harvestedFrom(a, b *catalog.Entry, s *catalog.Source) bool {
	host := catalog.Host(s.URL)
	return host != "" && slices.ContainsFunc(a.Identifiers, func(id string) bool {
		return catalog.Host(id) == host && !catalog.Skolem(id) && slices.Contains(b.Identifiers, id)
	})
}

// takeOver merges a record with the entry of a catalogue that is farther from the
// publisher: the entry keeps its id, its names and its life and says from now on what the record
// says; what it said becomes the row of the other listing, which leads to it. It reports false where
// the two together would break a rule.
func (r *run) takeOver(ctx context.Context, b *batchPlan, duplicate *identity.Duplicate, c *candidate) (bool, error) {
	named, err := r.newEntry(ctx, b, c)
	if err != nil {
		return false, err
	}
	it, err := b.open(ctx, duplicate.Entry)
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
	identity.ForgetDetails(&listing)
	identity.StampDetails(&listing, nil, r.opts.Now)
	public := listing
	kind, err := listing.MergeInto(&next, r.opts.Now)
	if err != nil {
		return false, err
	}
	if fits := next.Validate() == nil && listing.Validate() == nil; !fits {
		return false, nil // the record is then merged the other way
	}
	changes, err := catalog.Diff(&public, &listing, catalog.LifeCycleFields()...)
	if err != nil {
		return false, err
	}
	*it.entry, it.rows, it.trail = next, c.trail(next.UpstreamRef, r.in), true
	r.appendTrail(it, rows, filled, before.SourceID)
	b.book.Keep(it.entry)
	b.add(&item{entry: &listing, rows: rows, trail: true, events: []catalog.Event{{Type: kind, OccurredAt: r.opts.Now, Changes: changes}}})
	b.report.Merged++
	return true, r.reconsider(ctx, b, it, c)
}
