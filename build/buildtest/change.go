package buildtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// Kind is one kind of change of a catalog.
type Kind string

// Kinds of changes.
const (
	Edit       Kind = "edit"
	Deprecate  Kind = "deprecate"
	Reactivate Kind = "reactivate"
	Remove     Kind = "remove"
	Merge      Kind = "merge"
	Add        Kind = "add"
	Succeed    Kind = "deprecate in favour of a new entry"
	Rename     Kind = "rename"
	Check      Kind = "check"
	Fail       Kind = "fail"
	Override   Kind = "override"
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{Edit, Deprecate, Reactivate, Remove, Merge, Add, Succeed, Rename, Check, Fail, Override}
}

// Change makes one change of the kind to some entry, a minute after the one
// before, and returns the id of the entry.
func (r *Register) Change(ctx context.Context, kind Kind) (string, error) {
	r.Now = r.Now.Add(time.Minute)
	if kind == Add {
		return r.addNow(ctx)
	}
	want := catalog.StatusActive
	if kind == Reactivate {
		want = catalog.StatusDeprecated
	}
	e, err := r.pick(ctx, want, "")
	if err != nil {
		return "", fmt.Errorf("%s: %w", kind, err)
	}
	if err := r.change(ctx, kind, e); err != nil {
		return "", fmt.Errorf("%s entry %s: %w", kind, e.ID, err)
	}
	return e.ID, nil
}

// Some makes n changes of random kinds; where there is nothing to change it
// adds an entry.
func (r *Register) Some(ctx context.Context, n int) error {
	for range n {
		_, err := r.Change(ctx, Kinds()[r.rand.IntN(len(Kinds()))])
		if errors.Is(err, catalog.ErrNotFound) {
			_, err = r.Change(ctx, Add)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Register) change(ctx context.Context, kind Kind, e *catalog.Entry) error {
	e.UpdatedAt = r.Now
	switch kind {
	case Edit:
		e.Description, e.ContentChangedAt = fmt.Sprintf("Edited at %s. %s", r.Now.Format(time.RFC3339), strings.Repeat("ώ ", r.rand.IntN(500))), r.Now
		return r.put(ctx, e, catalog.EventUpdated)
	case Deprecate:
		return r.move(ctx, e, catalog.Change{To: catalog.StatusDeprecated, Reason: "upstream_gone", At: r.Now})
	case Succeed:
		id, err := r.addNow(ctx)
		if err != nil {
			return err
		}
		return r.move(ctx, e, catalog.Change{To: catalog.StatusDeprecated, Reason: "replaced", SuccessorID: id, At: r.Now})
	case Reactivate:
		return r.move(ctx, e, catalog.Change{To: catalog.StatusActive, At: r.Now})
	case Remove:
		r.leaving(e, "")
		return r.move(ctx, e, catalog.Change{To: catalog.StatusRemoved, Reason: "gone", At: r.Now})
	case Merge:
		older, err := r.pick(ctx, catalog.StatusActive, e.ID)
		if err != nil {
			return err
		}
		if older.CreatedAt.After(e.CreatedAt) {
			*older, *e = *e, *older
			e.UpdatedAt = r.Now
		}
		r.leaving(e, "")
		event, err := e.MergeInto(older, r.Now)
		if err != nil {
			return err
		}
		return r.put(ctx, e, event)
	case Rename:
		e.Name += " renamed"
		e.FormerSlugs = append(e.FormerSlugs, e.Slug)
		e.IdentityKey = catalog.IdentityKey(e.Type, e.PrimarySourceURL, e.Name)
		e.MatchKey = catalog.MatchKey(e.Type, e.PrimarySourceURL, search.Fold(e.Name))
		slug := r.slug(e)
		r.leaving(e, slug)
		e.Slug = slug
		return r.put(ctx, e, catalog.EventUpdated)
	case Check, Fail:
		return r.probe(ctx, e, kind == Check)
	default:
		return r.Store.Update(ctx, func(tx catalog.Tx) error {
			return tx.Overrides().Put(ctx, override(e.ID, "description_en", fmt.Sprintf("%q", "Curated at "+r.Now.Format(time.RFC3339)), r.Now))
		})
	}
}

func (r *Register) leaving(e *catalog.Entry, newSlug string) {
	if r.Leaving != nil {
		r.Leaving(e, newSlug)
	}
}

func (r *Register) put(ctx context.Context, e *catalog.Entry, kind catalog.EventKind) error {
	return r.Store.Update(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: kind, OccurredAt: r.Now}}})
	})
}

func (r *Register) move(ctx context.Context, e *catalog.Entry, c catalog.Change) error {
	kind, err := e.Transition(c)
	if err != nil {
		return err
	}
	return r.put(ctx, e, kind)
}

func (r *Register) probe(ctx context.Context, e *catalog.Entry, up bool) error {
	return r.Store.Update(ctx, func(tx catalog.Tx) error {
		state, err := tx.CheckStates().Get(ctx, e.ID)
		if err != nil {
			state = nil
		}
		var events []catalog.Event
		var judged []verify.Judged
		times := 1
		if !up {
			times = verify.FailuresToFail
		}
		for i := range times {
			c := probe(e, r.Now.Add(time.Duration(i-times)*time.Second), up, 80+r.rand.IntN(900))
			next, event := verify.Next(state, &c)
			judged = append(judged, verify.Judged{Host: "host.example", Check: &c, Before: state, After: &next})
			state = &next
			if event != nil {
				events = append(events, *event)
			}
			if err := tx.Checks().Append(ctx, c); err != nil {
				return err
			}
		}
		if err := tx.CheckStates().Set(ctx, []catalog.CheckState{*state}, events); err != nil {
			return err
		}
		return verify.KeepIncidents(ctx, tx, judged...)
	})
}

// addNow makes a new active entry that is public at once.
func (r *Register) addNow(ctx context.Context) (string, error) {
	e := r.entry(r.made)
	e.Status, e.StatusReason, e.MergedIntoID, e.SuccessorID = catalog.StatusActive, "", "", ""
	e.RemovedAt, e.DeprecatedAt = time.Time{}, time.Time{}
	e.CreatedAt, e.UpdatedAt, e.PublishedAt, e.ContentChangedAt = r.Now, r.Now, r.Now, r.Now
	err := r.Store.Update(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Put(ctx, catalog.Write{Entry: &e, Provenance: &catalog.Provenance{EntryID: e.ID},
			Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: r.Now}}})
	})
	if err != nil {
		return "", fmt.Errorf("add: %w", err)
	}
	r.made++
	r.ids = append(r.ids, e.ID)
	return e.ID, nil
}

// Entry reads an entry.
func (r *Register) Entry(ctx context.Context, id string) (*catalog.Entry, error) {
	var e catalog.Entry
	err := r.Store.View(ctx, func(tx catalog.Tx) error {
		found, err := tx.Entries().Get(ctx, id)
		if err == nil && len(found) == 0 {
			err = catalog.ErrNotFound
		}
		if err == nil {
			e = found[0]
		}
		return err
	})
	return &e, err
}

// Pick chooses a visible entry of a status.
func (r *Register) Pick(ctx context.Context, want catalog.Status) (*catalog.Entry, error) {
	return r.pick(ctx, want, "")
}

// Of a register of more entries than scanned, entries are drawn until one fits, at most so
// often: to read all of it for each change takes the square of its size.
const (
	scanned = 1000
	drawn   = 200
)

func (r *Register) pick(ctx context.Context, want catalog.Status, not string) (*catalog.Entry, error) {
	for i := 0; i < drawn && len(r.ids) > scanned; i++ {
		e, err := r.Entry(ctx, r.ids[r.rand.IntN(len(r.ids))])
		if err != nil && !errors.Is(err, catalog.ErrNotFound) {
			return nil, err
		}
		if err == nil && e.Status == want && e.ID != not && e.Visible(r.Now) {
			return e, nil
		}
	}
	var found []catalog.Entry
	err := r.Store.View(ctx, func(tx catalog.Tx) error {
		found = nil
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.Status == want && e.ID != not && e.Visible(r.Now) {
				found = append(found, *e)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		return &found[r.rand.IntN(len(found))], nil
	}
	return nil, fmt.Errorf("no entry is %s: %w", want, catalog.ErrNotFound)
}
