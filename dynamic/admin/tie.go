package admin

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// tiesMax bounds how far parents and merges are followed; a chain that is longer
// is a circle, or as bad.
const tiesMax = 10

// tie sets what an institution is a part of and what it turned out to be.
func tie(a *act, i *catalog.Institution, req *wire.InstitutionRequest) error {
	if req.Parent == nil && req.MergedInto == nil {
		return nil
	}
	all, err := a.tx.Institutions().All(a.ctx)
	if err != nil {
		return err
	}
	byName := map[string]*catalog.Institution{}
	for n := range all {
		byName[all[n].ID] = &all[n]
		byName[all[n].Key] = &all[n]
	}
	for _, t := range []struct {
		field string
		asked *string
		at    *string
		next  func(*catalog.Institution) string
	}{
		{"parent", req.Parent, &i.ParentID, func(x *catalog.Institution) string { return x.ParentID }},
		{"merged_into", req.MergedInto, &i.MergedIntoID, func(x *catalog.Institution) string { return x.MergedIntoID }},
	} {
		switch {
		case t.asked == nil:
			continue
		case *t.asked == "":
			*t.at = ""
			continue
		}
		to := byName[*t.asked]
		if to == nil {
			return invalid(t.field, *t.asked, "no institution has this key or id; the list of institutions has them")
		}
		x := to
		for n := 0; x != nil; n++ {
			if x.ID == i.ID || n > tiesMax {
				return invalid(t.field, *t.asked, "it would lead back to the institution itself: name another one")
			}
			x = byName[t.next(x)]
		}
		*t.at = to.ID
	}
	return nil
}
