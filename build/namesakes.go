package build

import (
	"cmp"
	"context"
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// namesake is a visible entry with the key of its name.
type namesake struct {
	name snapshot.NameKey
	id   string
}

// tellApart reads the entries whose name several have, so that the frame can tell
// them apart; all that have such a name must be given.
func (r *run) tellApart(ctx context.Context, tx catalog.Tx, all []namesake) error {
	all = slices.DeleteFunc(all, func(n namesake) bool { return !r.frame.Repeated(n.name) })
	if len(all) == 0 {
		return nil
	}
	overrides := map[string][]catalog.Override{}
	err := tx.Overrides().Scan(ctx, catalog.Range{}, func(o *catalog.Override) error {
		overrides[o.EntryID] = append(overrides[o.EntryID], *o)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b namesake) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id)) })
	for len(all) > 0 {
		// Names are read together until they make a batch.
		n := 0
		for n < len(all) && (n < batchSize || all[n].name == all[n-1].name) {
			n++
		}
		if err := r.tellSome(ctx, tx, all[:n], overrides); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

func (r *run) tellSome(ctx context.Context, tx catalog.Tx, some []namesake, overrides map[string][]catalog.Override) error {
	ids := make([]string, len(some))
	names := make(map[string]snapshot.NameKey, len(some))
	for i, n := range some {
		ids[i], names[n.id] = n.id, n.name
	}
	list, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return err
	}
	groups := map[snapshot.NameKey][]*catalog.Entry{}
	for i := range list {
		e, err := catalog.Apply(list[i], overrides[list[i].ID])
		if err != nil {
			return err
		}
		groups[names[e.ID]] = append(groups[names[e.ID]], &e)
	}
	for name, group := range groups {
		r.frame.TellApart(name, group)
	}
	return nil
}

// namesOf are those of all that have the name of one of the entries.
func namesOf(all []namesake, ids []string) []namesake {
	wanted, own := map[snapshot.NameKey]bool{}, make(map[string]bool, len(ids))
	for _, id := range ids {
		own[id] = true
	}
	for _, n := range all {
		if own[n.id] {
			wanted[n.name] = true
		}
	}
	return slices.DeleteFunc(all, func(n namesake) bool { return !wanted[n.name] })
}
