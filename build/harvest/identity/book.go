package identity

import (
	"context"
	"fmt"
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translit"
)

// Book knows what the register holds under the keys of one batch of records,
// inside one transaction, including what the batch itself has added so far.
type Book struct {
	tx    catalog.Tx
	byKey map[string][]string
	byID  map[string]*catalog.Entry
	slugs map[string]string
}

// Open looks up everything the batch can meet, and what has one of the further
// keys. The keys of its entries must be filled.
func Open(ctx context.Context, tx catalog.Tx, batch []*catalog.Entry, more ...string) (*Book, error) {
	b := &Book{tx: tx, byID: make(map[string]*catalog.Entry, len(batch))}
	keys, ids, slugs := slices.Clone(more), make([]string, 0, len(batch)), make([]string, 0, len(batch))
	for _, e := range batch {
		keys = append(keys, e.MatchKey)
		if e.UpstreamRef != "" {
			keys = append(keys, e.UpstreamRef)
		}
		keys = append(keys, e.UpstreamAliases...)
		keys = append(keys, e.Identifiers...)
		if e.ID != "" {
			ids = append(ids, e.ID)
		} else {
			ids = append(ids, catalog.EntryID(e.UpstreamRef, e.IdentityKey, 1))
		}
		if slug := e.Slug; slug != "" {
			slugs = append(slugs, slug)
		} else if slug = Slug(e); slug != "" {
			slugs = append(slugs, slug)
		}
		slugs = append(slugs, e.FormerSlugs...)
	}
	var err error
	if b.byKey, err = tx.Entries().Match(ctx, keys...); err != nil {
		return nil, fmt.Errorf("match %d records: %w", len(batch), err)
	}
	for _, found := range b.byKey {
		ids = append(ids, found...)
	}
	if err := b.load(ctx, ids...); err != nil {
		return nil, err
	}
	if b.slugs, err = tx.Entries().BySlug(ctx, slugs...); err != nil {
		return nil, fmt.Errorf("look up %d slugs: %w", len(slugs), err)
	}
	return b, nil
}

func (b *Book) load(ctx context.Context, ids ...string) error {
	list, err := b.tx.Entries().Get(ctx, ids...)
	if err != nil {
		return fmt.Errorf("load %d entries: %w", len(ids), err)
	}
	for i := range list {
		b.byID[list[i].ID] = &list[i]
	}
	return nil
}

// ByID is the entry with the id, or nil. It must be an id of the batch.
func (b *Book) ByID(id string) *catalog.Entry { return b.byID[id] }

// SlugOwner is the id of the entry that has or had the slug, or "".
func (b *Book) SlugOwner(slug string) string { return b.slugs[slug] }

// Find returns the entry that the record e is about, whichever source lists it:
// the one with its upstream ref, else, if one of them has none, the one with its
// match key. An entry that was merged stands for the one it became part of. One
// that was removed is found only when no other is. The result is nil when there
// is none; it must not be changed.
func (b *Book) Find(ctx context.Context, e *catalog.Entry) (*catalog.Entry, error) {
	if found := b.named(e.UpstreamRef, func(*catalog.Entry) bool { return true }); found != nil {
		return b.Survivor(ctx, found)
	}
	return b.alike(ctx, e, func(found *catalog.Entry) bool {
		return e.UpstreamRef == "" || found.UpstreamRef == "" || found.UpstreamRef == e.UpstreamRef || found.Status == catalog.StatusRemoved
	})
}

// named is the entry with an upstream ref: its own before an alias.
func (b *Book) named(ref string, fits func(*catalog.Entry) bool) *catalog.Entry {
	if ref == "" {
		return nil
	}
	var alias *catalog.Entry
	for _, id := range b.byKey[ref] {
		found := b.byID[id]
		switch {
		case found == nil || !fits(found):
		case found.UpstreamRef == ref:
			return found
		case alias == nil && slices.Contains(found.UpstreamAliases, ref):
			alias = found
		}
	}
	return alias
}

// alike is the survivor of the first entry with the match key of e that fits,
// one that was removed only when there is no other.
func (b *Book) alike(ctx context.Context, e *catalog.Entry, fits func(*catalog.Entry) bool) (*catalog.Entry, error) {
	var removed *catalog.Entry
	for _, id := range b.byKey[e.MatchKey] {
		found := b.byID[id]
		if found == nil || found.MatchKey != e.MatchKey || !fits(found) {
			continue
		}
		found, err := b.Survivor(ctx, found)
		if err != nil || found.Status != catalog.StatusRemoved {
			return found, err
		}
		if removed == nil {
			removed = found
		}
	}
	return removed, nil
}

// mergeDepth bounds how many merges in a row are followed.
const mergeDepth = 16

// Survivor is the entry that a merged one became part of, and any other itself.
func (b *Book) Survivor(ctx context.Context, e *catalog.Entry) (*catalog.Entry, error) {
	for range mergeDepth {
		if e.MergedIntoID == "" {
			return e, nil
		}
		if b.byID[e.MergedIntoID] == nil {
			if err := b.load(ctx, e.MergedIntoID); err != nil {
				return nil, err
			}
		}
		next := b.byID[e.MergedIntoID]
		if next == nil {
			return e, nil
		}
		e = next
	}
	return e, nil
}

// Assign gives a new entry the id and the slug that it lacks.
func (b *Book) Assign(ctx context.Context, e *catalog.Entry) error {
	for try := 1; e.ID == ""; try++ {
		id := catalog.EntryID(e.UpstreamRef, e.IdentityKey, try)
		if try > 1 && b.byID[id] == nil {
			if err := b.load(ctx, id); err != nil {
				return err
			}
		}
		if b.byID[id] == nil {
			e.ID = id
		}
	}
	if e.Slug != "" {
		return nil
	}
	var failed error
	first := Slug(e)
	e.Slug = catalog.ChooseSlug(first, e.Type, e.IdentityKey, func(s string) bool {
		if _, ok := b.slugs[s]; !ok && s != first && failed == nil {
			owners, err := b.tx.Entries().BySlug(ctx, s)
			if err != nil {
				failed = fmt.Errorf("look up slug %s: %w", s, err)
			}
			if owner, ok := owners[s]; ok {
				b.slugs[s] = owner
			}
		}
		_, taken := b.slugs[s]
		return taken
	})
	return failed
}

// Keep makes an entry that is about to be written known to the rest of the
// batch.
func (b *Book) Keep(e *catalog.Entry) {
	for _, key := range slices.Concat([]string{e.MatchKey, e.UpstreamRef}, e.UpstreamAliases, e.Identifiers) {
		if key != "" && !slices.Contains(b.byKey[key], e.ID) {
			b.byKey[key] = append(b.byKey[key], e.ID)
		}
	}
	b.byID[e.ID] = e
	for _, s := range append([]string{e.Slug}, e.FormerSlugs...) {
		b.slugs[s] = e.ID
	}
}

// Slug is the transliterated name of an entry, from which ChooseSlug starts.
func Slug(e *catalog.Entry) string {
	return translit.Slug(e.Name, e.NativeLang, catalog.SlugMax)
}
