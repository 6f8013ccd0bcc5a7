package harvest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Unite makes the newer of two entries a part of the older one, because a person decided
// that they are one thing. What a run that recognises two as one does holds here, too
// (decisions-2 §A): the catalogue nearer to the publisher has the word under the older id,
// and the other one fills what that lacks. Both are changed and written, with their events;
// what else the newer one may be is decided by that. Two that cannot merge are ErrConflict.
func Unite(ctx context.Context, tx catalog.Tx, older, newer *catalog.Entry, now time.Time) error {
	in := &source.Input{Source: catalog.Source{ID: newer.SourceID}, Now: now}
	if src, err := tx.Sources().Get(ctx, newer.SourceID); err == nil {
		in.Source = *src
	} else if !errors.Is(err, catalog.ErrNotFound) {
		return fmt.Errorf("read the source of %s: %w", newer.Slug, err)
	}
	opts := Options{Now: now}.orDefault()
	rules, err := readResolver(ctx, tx, in, &opts)
	if err != nil {
		return err
	}
	r := &run{in: in, opts: opts, rules: rules}
	b := &batchPlan{tx: tx, byID: map[string]*item{}}
	kept, err := b.open(ctx, older)
	if err != nil {
		return err
	}
	part, err := b.open(ctx, newer)
	if err != nil {
		return err
	}
	if err := b.settleDuplicates(ctx, part.entry, kept.entry.ID); err != nil {
		return err
	}
	done, err := r.unify(kept, part, true)
	if err == nil && !done { // together they would break a rule: each stays as it is
		done, err = r.unify(kept, part, false)
	}
	switch {
	case err != nil:
		return err
	case !done:
		return fmt.Errorf("merge %s into %s: %w", newer.Slug, older.Slug, catalog.ErrConflict)
	}
	if err := r.put(ctx, b); err != nil {
		return err
	}
	*older, *newer = *kept.entry, *part.entry
	return nil
}

// settleDuplicates takes back what an entry may be besides the one that it turned out to be.
func (b *batchPlan) settleDuplicates(ctx context.Context, e *catalog.Entry, but string) error {
	for _, id := range e.MayBe() {
		if id == but {
			continue
		}
		e.Distinguish(id)
		duplicates, err := b.tx.Entries().Get(ctx, id)
		if err != nil {
			return fmt.Errorf("read a possible duplicate of %s: %w", e.Slug, err)
		}
		for i := range duplicates {
			it, err := b.open(ctx, &duplicates[i])
			if err != nil {
				return err
			}
			it.entry.Distinguish(e.ID)
		}
	}
	return nil
}

// unite makes the newer of two entries a part of the older one, which says from then on
// what the catalogue nearer to the publisher says. It reports false where one of them is
// not public, or the two together would break a rule.
func (r *run) unite(ctx context.Context, b *batchPlan, mine *item, duplicate *identity.Duplicate) (bool, error) {
	theirs, err := b.open(ctx, duplicate.Entry)
	if err != nil || theirs.entry.Status != catalog.StatusActive || mine.entry.Status != catalog.StatusActive {
		return false, err
	}
	older, newer := theirs, mine
	if mine.entry.CreatedAt.Before(theirs.entry.CreatedAt) || mine.entry.CreatedAt.Equal(theirs.entry.CreatedAt) && mine.entry.ID < theirs.entry.ID {
		older, newer = mine, theirs
	}
	if done, err := r.unify(older, newer, true); err != nil || !done {
		return false, err
	}
	b.book.Keep(older.entry)
	b.book.Keep(newer.entry)
	b.seen[older.entry.ID], b.seen[newer.entry.ID] = true, true
	return true, nil
}

// unify merges the newer of two entries. With share the one of the nearer catalogue has the
// word, and the other one fills what it lacks. It reports false, and changes nothing, where
// the two would break a rule.
func (r *run) unify(older, newer *item, share bool) (bool, error) {
	kept, part, keptRows, partRows := own(older.entry), own(newer.entry), older.rows, newer.rows
	share = share && kept.Type == part.Type
	exchanged := share && r.rules.nearer(&part, &kept)
	if exchanged {
		kept, part = r.exchange(&kept, &part)
		keptRows, partRows = partRows, keptRows
	}
	kept.Distinguish(part.ID)
	part.Distinguish(kept.ID)
	kind, err := part.MergeInto(&kept, r.opts.Now)
	if err != nil {
		return false, err
	}
	var filled map[string]bool
	if share {
		filled = fill(&kept, &part, nil)
		kept.Signals = r.rules.support(kept.Signals, part.Signals, &kept)
		identity.StampDetails(&kept, older.entry, r.opts.Now)
	}
	if fits := kept.Validate() == nil && part.Validate() == nil; !fits {
		return false, nil
	}
	*older.entry, *newer.entry = kept, part
	older.rows, newer.rows = keptRows, partRows
	older.trail, newer.trail = older.trail || exchanged, newer.trail || exchanged
	r.appendTrail(older, partRows, filled, part.SourceID)
	newer.events = append(newer.events, catalog.Event{Type: kind, OccurredAt: r.opts.Now})
	return true, nil
}

// exchange gives each of two entries what the other one says: each keeps its id, its
// names and its life, and what else it may be.
func (r *run) exchange(a, b *catalog.Entry) (catalog.Entry, catalog.Entry) {
	x, y := own(b), own(a)
	for _, p := range []struct{ next, life *catalog.Entry }{{&x, a}, {&y, b}} {
		life(p.next, p.life)
		p.next.Relations = slices.DeleteFunc(slices.Clone(p.next.Relations), func(x catalog.Relation) bool { return x.Kind == catalog.RelationDuplicate })
		keepProposed(p.life, p.next)
		identity.ForgetDetails(p.next)
		identity.StampDetails(p.next, p.life, r.opts.Now)
	}
	return x, y
}
