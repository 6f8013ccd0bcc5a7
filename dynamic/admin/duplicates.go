package admin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Duplicates are the pairs of entries that may be one thing, those that were
// found last first, and how many they are; at most limit are listed.
func Duplicates(ctx context.Context, tx catalog.Tx, limit int) (pairs [][2]catalog.Entry, total int, err error) {
	found, err := tx.Entries().Match(ctx, catalog.Proposed)
	if err != nil {
		return nil, 0, err
	}
	// The oldest come first there.
	ids := found[catalog.Proposed]
	slices.Reverse(ids)
	for part := range slices.Chunk(ids, 500) {
		list, err := tx.Entries().Get(ctx, part...)
		if err != nil {
			return nil, 0, err
		}
		slices.SortStableFunc(list, func(a, b catalog.Entry) int { return slices.Index(part, a.ID) - slices.Index(part, b.ID) })
		for i := range list {
			older, err := olderDuplicates(ctx, tx, &list[i])
			if err != nil {
				return nil, 0, err
			}
			total += len(older)
			for _, o := range older[:min(len(older), max(0, limit-len(pairs)))] {
				pairs = append(pairs, [2]catalog.Entry{list[i], o})
			}
		}
	}
	return pairs, total, nil
}

// olderDuplicates are the entries before an entry of which it may be a duplicate: of
// each pair, both name the other.
func olderDuplicates(ctx context.Context, tx catalog.Tx, e *catalog.Entry) ([]catalog.Entry, error) {
	if e.Status == catalog.StatusRemoved || len(e.MayBe()) == 0 {
		return nil, nil
	}
	list, err := tx.Entries().Get(ctx, e.MayBe()...)
	return slices.DeleteFunc(list, func(o catalog.Entry) bool { return o.Status == catalog.StatusRemoved || !elder(&o, e) }), err
}

// elder tells whether a was there before b.
func elder(a, b *catalog.Entry) bool {
	if !a.CreatedAt.Equal(b.CreatedAt) {
		return a.CreatedAt.Before(b.CreatedAt)
	}
	return a.ID < b.ID
}

// duplicatesShown is how many pairs one answer lists.
const duplicatesShown = 100

// Duplicates is the operation adminDuplicates.
func (o *API) Duplicates() web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		page := wire.DuplicatesPage{Items: []wire.Duplicate{}}
		err := o.view(r, func(ctx context.Context, tx catalog.Tx) error {
			pairs, total, err := Duplicates(ctx, tx, duplicatesShown)
			if err != nil {
				return err
			}
			sources, err := tx.Sources().All(ctx)
			page.Total = total
			for i := range pairs {
				e, of := &pairs[i][0], &pairs[i][1]
				page.Items = append(page.Items, wire.Duplicate{Entry: o.duplicate(e, sources), Of: o.duplicate(of, sources)})
			}
			return err
		})
		if err != nil {
			return err
		}
		return web.Reply(w, r, http.StatusOK, page)
	}
}

func (o *API) duplicate(e *catalog.Entry, sources []catalog.Source) wire.DuplicateEntry {
	var source *catalog.Source
	if i := slices.IndexFunc(sources, func(s catalog.Source) bool { return s.ID == e.SourceID }); i >= 0 {
		source = &sources[i]
	}
	return wire.NewDuplicateEntry(e, source, o.path("/entry/"+e.Slug))
}

// DecideDuplicate is the operation decideDuplicate.
func (o *API) DecideDuplicate() web.Handler {
	return changeEntry(o, actionDecide, func(a *act, e *catalog.Entry, req *wire.DuplicateDecision) error {
		return a.decideDuplicate(e, req.Of, req.Same, req.Reason)
	})
}

// Unmerge is the operation unmergeEntry.
func (o *API) Unmerge() web.Handler {
	return changeEntry(o, actionUnmerge, func(a *act, e *catalog.Entry, req *wire.ReasonRequest) error { return a.unmerge(e, req.Reason) })
}

// The ids of the operations.
const (
	actionDecide  = catalog.ActionDecideDuplicate
	actionUnmerge = catalog.ActionUnmerge
)

// DecideDuplicate decides whether two entries that may be one thing are the
// same: the newer one becomes part of the older, or it is never asked again. An
// entry that is unknown is a web.Error with 404, a pair that was not proposed one
// with 409.
func DecideDuplicate(ctx context.Context, store catalog.Store, unite Unite, name, of string, same bool, why string, by access.Actor, now time.Time) error {
	return onEntry(ctx, store, actionDecide, name, by, now, func(a *act, e *catalog.Entry) error {
		a.unite = unite
		return a.decideDuplicate(e, of, same, why)
	})
}

// Unmerge takes the merger of an entry back. An entry that is unknown is a
// web.Error with 404, one that was not merged one with 409.
func Unmerge(ctx context.Context, store catalog.Store, name, why string, by access.Actor, now time.Time) error {
	return onEntry(ctx, store, actionUnmerge, name, by, now, func(a *act, e *catalog.Entry) error { return a.unmerge(e, why) })
}

func onEntry(ctx context.Context, store catalog.Store, action, name string, by access.Actor, now time.Time, do func(*act, *catalog.Entry) error) error {
	now = now.UTC().Truncate(time.Microsecond)
	return store.Update(ctx, func(tx catalog.Tx) error {
		e, err := find(ctx, tx, name)
		if err != nil {
			return err
		}
		return do(&act{ctx: ctx, tx: tx, now: now, caller: web.Caller{Token: by.By, Name: by.Name}, action: action}, e)
	})
}

func (a *act) decideDuplicate(e *catalog.Entry, name string, same bool, why string) error {
	why, err := reason(why)
	if err != nil {
		return err
	}
	other, err := find(a.ctx, a.tx, name)
	if err != nil {
		return invalid("of", name, "name the other entry by its id or slug")
	}
	if !slices.Contains(e.MayBe(), other.ID) && !slices.Contains(other.MayBe(), e.ID) {
		return conflict("%s and %s are no possible duplicates of each other, or that was decided already.", e.Slug, other.Slug)
	}
	if same {
		newer, older := e, other
		if elder(newer, older) {
			newer, older = older, newer
		}
		return a.merge(newer, older, why)
	}
	for _, pair := range [][2]*catalog.Entry{{e, other}, {other, e}} {
		if err := a.distinguish(pair[0], pair[1].ID); err != nil {
			return err
		}
	}
	return a.audit(e.ID, why, map[string]any{"of": other.ID, "same": false})
}

// distinguish takes back that an entry may be the same as another one.
func (a *act) distinguish(e *catalog.Entry, id string) error {
	before := *e
	if !e.Distinguish(id) {
		return nil
	}
	return a.write(catalog.EventUpdated, &before, e, nil, "relations")
}

// merge makes an entry part of an older one.
func (a *act) merge(e, older *catalog.Entry, why string) error {
	if err := a.mergeInto(e, older); err != nil {
		return err
	}
	return a.audit(e.ID, why, map[string]any{"into": older.ID})
}

func (a *act) mergeInto(e, older *catalog.Entry) error {
	if a.unite == nil {
		return conflict("This process merges no entries.")
	}
	err := a.unite(a.ctx, a.tx, older, e, a.now)
	if errors.Is(err, catalog.ErrConflict) {
		return conflict("The entry cannot become part of %s: an entry merges once, into an older one that was not removed.", older.Slug)
	}
	return err
}

// unmerge makes an entry of its own again of one that was merged. What its
// listing brought to the other entry goes from there.
func (a *act) unmerge(e *catalog.Entry, why string) error {
	why, err := reason(why)
	if err != nil {
		return err
	}
	before := *e
	kind, err := e.Unmerge(a.now)
	if err != nil {
		return conflict("The entry is %s and part of no other one.", before.Status)
	}
	if err := a.giveBack(e, before.MergedIntoID); err != nil {
		return err
	}
	if err := a.write(kind, &before, e, nil); err != nil {
		return err
	}
	return a.audit(e.ID, why, map[string]any{"from": before.MergedIntoID})
}

// giveBack takes what a listing brought from the entry that it was part of: the fields
// that it filled, and its provenance. What the entry's own source says stays.
func (a *act) giveBack(e *catalog.Entry, from string) error {
	list, err := a.tx.Entries().Get(a.ctx, from)
	if err != nil || len(list) == 0 || e.SourceID == "" || list[0].SourceID == e.SourceID {
		return err
	}
	p, err := a.tx.Provenances().Get(a.ctx, from)
	if errors.Is(err, catalog.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	before, rows := list[0], p.Rows
	list[0].GiveBack(e, rows)
	p.Rows = slices.DeleteFunc(slices.Clone(rows), func(row catalog.FieldRow) bool { return row.SourceID == e.SourceID })
	if len(p.Rows) == len(rows) {
		return nil
	}
	changes, err := catalog.Diff(&before, &list[0], catalog.FilledFields()...)
	if err != nil {
		return err
	}
	if len(changes) > 0 {
		list[0].ContentChangedAt = a.now
	}
	to, err := web.JSON(e.ID)
	if err != nil {
		return err
	}
	return a.put(&list[0], p, catalog.Event{Type: catalog.EventUpdated, OccurredAt: a.now,
		Changes: append(changes, catalog.FieldChange{Field: "provenance", From: to, To: []byte("null")})})
}
