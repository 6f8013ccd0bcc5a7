package identity

import (
	"context"

	"github.com/assay-register/assay/render/catalog"
)

// Record is what a source tells of the identity of one of its records.
type Record struct {
	// Entry has the references by which the record is known: its upstream ref,
	// the best, and its aliases.
	Entry *catalog.Entry
	// Former are references that identify nothing, by which the register may
	// know the record from earlier.
	Former []string
	// Edition marks one of several documents of one API.
	Edition bool
	// Self is the id of the entry that the record already is, if it is one.
	Self string
	// Anew tells that the record is compared though its evidence is what it was.
	Anew bool
	// Met tells whether the run has met an entry already.
	Met func(id string) bool
}

// refs are the references of the record, best first.
func (r *Record) refs() []string {
	if r.Entry.UpstreamRef == "" {
		return nil
	}
	return append([]string{r.Entry.UpstreamRef}, r.Entry.UpstreamAliases...)
}

// own tells whether an entry is of the record's source.
func (r *Record) own(e *catalog.Entry) bool {
	return e.SourceID == "" || e.SourceID == r.Entry.SourceID
}

// Own finds the entry of the source that is the record, and the reference that
// led to it, "" if it was none of the record's. An entry whose own reference the
// record has comes before one of which it is an alias. By the match key
// an entry is found that has no reference or one that identifies nothing, or
// by a record that has none; two records with references are never one. An
// entry that a moderator removed keeps out what is called and placed as it. What
// identifies nothing leads to no entry that another record of the run is.
func (b *Book) Own(ctx context.Context, r *Record) (found *catalog.Entry, by string, err error) {
	refs := r.refs()
	var alias *catalog.Entry
	for _, ref := range refs {
		switch found := b.named(ref, r.own); {
		case found == nil:
		case found.UpstreamRef == ref:
			return found, ref, nil
		case alias == nil:
			alias, by = found, ref
		}
	}
	if alias != nil {
		return alias, by, nil
	}
	for _, ref := range r.Former {
		if found := b.named(ref, r.own); found != nil && !r.Met(found.ID) {
			return found, "", nil
		}
	}
	found, err = b.alike(ctx, r.Entry, func(e *catalog.Entry) bool {
		switch {
		case !r.own(e):
			return false
		case len(refs) == 0 || r.Edition || e.Status == catalog.StatusRemoved && e.MergedIntoID == "":
			return true
		}
		return (e.UpstreamRef == "" || catalog.SkolemRef(e.UpstreamRef)) && !r.Met(e.ID)
	})
	return found, "", err
}

// Holders are the entries of a source that have a reference.
func (b *Book) Holders(sourceID, ref string) (list []*catalog.Entry) {
	for _, id := range b.byKey[ref] {
		if e := b.byID[id]; e != nil && e.SourceID == sourceID {
			list = append(list, e)
		}
	}
	return list
}
