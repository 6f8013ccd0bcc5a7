package harvest

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/render/catalog"
)

// relatingMax bounds the records of a run whose relations are followed; those
// beyond it are counted and told.
const relatingMax = 200_000

// relating remembers the records that lead to others: their targets may come
// later in the run.
func (r *run) relating(batch []*candidate) {
	for _, c := range batch {
		switch {
		case c.rejection != nil || len(c.entry.Relations) == 0 || c.entry.UpstreamRef == "":
		case len(r.related) < r.relatingMax:
			r.related = append(r.related, c.entry.UpstreamRef)
		default:
			r.report.Unfollowed++
		}
	}
}

// relate gives the relations of this run's records the ids of the entries that
// they lead to.
func (r *run) relate(ctx context.Context) error {
	for part := range slices.Chunk(r.related, r.opts.Batch) {
		err := r.store.Update(ctx, func(tx catalog.Tx) error {
			if err := r.hold(ctx, tx); err != nil {
				return err
			}
			return r.relateSome(ctx, tx, part)
		})
		if err != nil {
			return &storeError{fmt.Errorf("relate the records of %s: %w", r.in.Name, err)}
		}
	}
	r.related = nil
	if n := r.report.Unfollowed; n > 0 {
		r.opts.Log.Warn("relations of records were not followed", "source", cmp.Or(r.in.Source.Key, r.in.Source.ID), "records", n, "most", r.relatingMax)
	}
	return nil
}

func (r *run) relateSome(ctx context.Context, tx catalog.Tx, refs []string) error {
	found, err := tx.Entries().Match(ctx, refs...)
	if err != nil {
		return err
	}
	var ids []string
	for _, ref := range refs {
		ids = append(ids, found[ref]...)
	}
	list, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	var targets []string
	for i := range list {
		for _, x := range list[i].Relations {
			if x.EntryID == "" && x.Ref != "" {
				targets = append(targets, x.Ref)
			}
		}
	}
	if len(targets) == 0 {
		return nil
	}
	known, err := tx.Entries().Match(ctx, targets...)
	if err != nil {
		return err
	}
	var writes []catalog.Write
	for i := range list {
		w, changed, err := r.led(&list[i], known)
		if err != nil {
			return err
		}
		if changed {
			writes = append(writes, w)
		}
	}
	if len(writes) == 0 {
		return nil
	}
	return tx.Entries().Put(ctx, writes...)
}

// led is the write that gives one entry's relations their targets.
func (r *run) led(e *catalog.Entry, known map[string][]string) (catalog.Write, bool, error) {
	next := own(e)
	next.Relations, next.Members = slices.Clone(e.Relations), slices.Clone(e.Members)
	for i := range next.Relations {
		x := &next.Relations[i]
		if ids := known[x.Ref]; x.EntryID == "" && len(ids) > 0 && ids[0] != e.ID {
			x.EntryID = ids[0]
		}
	}
	joinMembers(&next)
	changes, err := identity.Changes(e, &next)
	if err != nil || len(changes) == 0 {
		return catalog.Write{}, false, err
	}
	if next.UpdatedAt.Before(r.opts.Now) {
		next.UpdatedAt = r.opts.Now
	}
	return catalog.Write{Entry: &next, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: r.opts.Now, Changes: changes}}}, true, nil
}

// joinMembers gives the datasets that a service lists the ids that its
// relations found.
func joinMembers(e *catalog.Entry) {
	ids := map[string]string{}
	for _, x := range e.Relations {
		if x.Kind == catalog.RelationServes && x.EntryID != "" {
			ids[memberName(x.Ref)] = x.EntryID
		}
	}
	for i := range e.Members {
		if id := ids[e.Members[i].Name]; id != "" {
			e.Members[i].EntryID = id
		}
	}
}

// memberName is what follows host and kind in a reference.
func memberName(ref string) string {
	colons := 0
	for i := 0; i < len(ref); i++ {
		if ref[i] == ':' {
			if colons++; colons == 2 {
				return ref[i+1:]
			}
		}
	}
	return ref
}

// keepTargets takes over to which entries the relations led, as long as the
// source still states them.
func keepTargets(found, next *catalog.Entry) {
	defer keepProposed(found, next)
	if len(next.Relations) == 0 || len(found.Relations) == 0 {
		return
	}
	next.Relations, next.Members = slices.Clone(next.Relations), slices.Clone(next.Members)
	ids := map[catalog.Relation]string{}
	for _, x := range found.Relations {
		ids[catalog.Relation{Kind: x.Kind, Ref: x.Ref}] = x.EntryID
	}
	for i := range next.Relations {
		x := &next.Relations[i]
		if x.EntryID == "" {
			x.EntryID = ids[catalog.Relation{Kind: x.Kind, Ref: x.Ref}]
		}
	}
	joinMembers(next)
}

// keepProposed keeps of what an entry may be a duplicate: no source states it.
func keepProposed(found, next *catalog.Entry) {
	next.Relations = slices.Clip(next.Relations)
	for _, x := range found.Relations {
		if x.Kind == catalog.RelationDuplicate {
			next.Relations = append(next.Relations, x)
		}
	}
}
