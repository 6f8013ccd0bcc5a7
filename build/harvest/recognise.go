package harvest

import (
	"context"
	"slices"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// met tells whether the run, or the batch, has met an entry.
func (r *run) met(b *batchPlan, id string) bool { return r.seen[id] || b.seen[id] }

func (r *run) record(b *batchPlan, c *candidate) *identity.Record {
	return &identity.Record{Entry: &c.entry, Former: c.former, Edition: c.edition, Met: func(id string) bool { return r.met(b, id) }}
}

// recognise finds the entry that a record of this source already is, nil for a
// new one. A reference by which another record was met in this run is nobody's:
// both go on under their other ones.
func (r *run) recognise(ctx context.Context, b *batchPlan, c *candidate) (*catalog.Entry, error) {
	for {
		c.choose(r.ambiguous)
		found, by, err := b.book.Own(ctx, r.record(b, c))
		if err != nil {
			return nil, err
		}
		if found != nil && by != "" && r.met(b, found.ID) && !c.same(found) && c.basis(by) != source.RefIRI {
			c.ambiguous = append(slices.Clip(c.ambiguous), by)
			r.ambiguous.add(&r.ambiguous.refs, by)
			continue
		}
		return found, r.forsake(ctx, b, c, found)
	}
}

// choose fills the references of the entry with those that are the record's
// alone. The address of a page counts only where there is nothing better.
func (c *candidate) choose(known *ambiguous) {
	e := &c.entry
	e.UpstreamRef, e.UpstreamAliases = "", nil
	for _, ref := range c.refs {
		switch {
		case slices.Contains(c.ambiguous, ref.Ref) || known.refs[ref.Ref] || ref.Basis == source.RefPage && e.UpstreamRef != "":
		case e.UpstreamRef == "":
			e.UpstreamRef = ref.Ref
		default:
			e.UpstreamAliases = append(e.UpstreamAliases, ref.Ref)
		}
	}
}

func (c *candidate) basis(ref string) source.RefBasis {
	for _, x := range c.refs {
		if x.Ref == ref {
			return x.Basis
		}
	}
	return 0
}

// has tells whether the record has a reference.
func (c *candidate) has(ref string) bool { return c.basis(ref) != 0 }

// same tells whether an entry that this run met was made of this very record:
// it has the record's IRI among what was delivered last, or, where the record
// has none, its name and address.
func (c *candidate) same(found *catalog.Entry) bool {
	for _, ref := range c.refs {
		if ref.Basis == source.RefIRI {
			latest := found.UpstreamAliases[:min(len(found.UpstreamAliases), len(c.refs))]
			return found.UpstreamRef == ref.Ref || slices.Contains(latest, ref.Ref)
		}
	}
	return found.MatchKey == c.entry.MatchKey
}

// forsake takes the references that several records have from the entries
// that have them, but for the one that the record is.
func (r *run) forsake(ctx context.Context, b *batchPlan, c *candidate, own *catalog.Entry) error {
	for _, ref := range c.ambiguous {
		for _, e := range b.book.Holders(r.in.Source.ID, ref) {
			if own != nil && e.ID == own.ID {
				continue
			}
			next := *e
			if !identity.Forsake(&next, ref) {
				continue
			}
			it, err := b.open(ctx, e)
			if err != nil {
				return err
			}
			identity.Forsake(it.entry, ref)
			b.book.Keep(it.entry)
		}
	}
	return nil
}

// open is the item of an entry of the store, or of the batch.
func (b *batchPlan) open(ctx context.Context, found *catalog.Entry) (*item, error) {
	if it := b.byID[found.ID]; it != nil {
		return it, b.load(ctx, it)
	}
	next := own(found)
	it := &item{origin: found, entry: &next}
	if err := b.load(ctx, it); err != nil {
		return nil, err
	}
	b.items = append(b.items, it)
	b.byID[found.ID] = it
	return it, nil
}

// trail is the provenance of the record, with that of the reference that its
// entry has.
func (c *candidate) trail(ref string, in *source.Input) []catalog.FieldRow {
	rows := slices.Clone(c.rows)
	for _, x := range c.refs {
		if x.Upstream == "" {
			continue
		}
		rows = slices.DeleteFunc(rows, func(row catalog.FieldRow) bool { return row.Field == "upstream_ref" })
		if x.Ref == ref {
			return append(rows, catalog.FieldRow{Field: "upstream_ref", Basis: catalog.BasisComputed, SourceID: in.Source.ID, SourceURL: c.entry.SourceSeedURL,
				UpstreamField: x.Upstream, Transform: source.RefTransform, ObservedAt: in.Now})
		}
	}
	return rows
}
