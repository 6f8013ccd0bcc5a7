package transfer

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// key is a name in 16 bytes: enough to tell a billion of them apart, and a
// quarter of the memory of the names.
type key [16]byte

func keyOf(s string) key {
	sum := sha256.Sum256([]byte(s))
	return key(sum[:16])
}

// known are the records that others may refer to.
type known struct {
	institutions, licences, sources map[string]bool
	// entries are those that this import has stored; the store has more.
	entries map[key]bool
}

func loadKnown(ctx context.Context, st catalog.Store) (*known, error) {
	k := &known{institutions: map[string]bool{}, licences: map[string]bool{}, sources: map[string]bool{}, entries: map[key]bool{}}
	err := st.View(ctx, func(tx catalog.Tx) error {
		institutions, err := tx.Institutions().All(ctx)
		if err != nil {
			return err
		}
		for i := range institutions {
			k.institutions[institutions[i].ID] = true
		}
		licences, err := tx.Licences().All(ctx)
		if err != nil {
			return err
		}
		for i := range licences {
			k.licences[licences[i].ID] = true
		}
		sources, err := tx.Sources().All(ctx)
		for i := range sources {
			k.sources[sources[i].ID] = true
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the tables: %w", err)
	}
	return k, nil
}

// add takes over what a committed batch stored. It copies the ids, which are
// parts of their lines.
func (k *known) add(b *batchResult) {
	for id := range b.institutions {
		k.institutions[strings.Clone(id)] = true
	}
	for id := range b.licences {
		k.licences[strings.Clone(id)] = true
	}
	for id := range b.sources {
		k.sources[strings.Clone(id)] = true
	}
	for id := range b.entries {
		k.entries[keyOf(id)] = true
	}
}

// duplicates finds entries that the file has twice.
type duplicates struct {
	ids, slugs, identities map[key]int
}

func newDuplicates() *duplicates {
	return &duplicates{ids: map[key]int{}, slugs: map[key]int{}, identities: map[key]int{}}
}

// check tells whether an earlier line has the id, a slug or the identity of
// the line's entry, and remembers them. A removed entry (a merged duplicate is
// one) may share its identity with another.
func (d *duplicates) check(l *parsed) *source.Rejection {
	if l.rec.Kind != kindEntry {
		return nil
	}
	e := l.rec.Entry
	id, identity := keyOf(e.ID), keyOf(e.IdentityKey)
	slugs := make([]key, 0, 1+len(e.FormerSlugs))
	if e.ID != "" {
		if n, ok := d.ids[id]; ok {
			return fault(CodeDuplicateID, fmt.Sprintf("line %d has the id %s too", n, e.ID), "keep one of the two")
		}
	}
	for _, s := range append([]string{e.Slug}, e.FormerSlugs...) {
		slugs = append(slugs, keyOf(s))
		if n, ok := d.slugs[slugs[len(slugs)-1]]; ok && s != "" {
			return fault(CodeDuplicateSlug, fmt.Sprintf("line %d has the slug %q too", n, s), "give one of the two another slug")
		}
	}
	live := e.Status != catalog.StatusRemoved
	if n, ok := d.identities[identity]; ok && live {
		return fault(CodeDuplicateIdentity, fmt.Sprintf("line %d is the same source: %s", n, e.IdentityKey), "keep one of the two")
	}
	if e.ID != "" {
		d.ids[id] = l.number
	}
	for _, s := range slugs {
		d.slugs[s] = l.number
	}
	if live {
		d.identities[identity] = l.number
	}
	return nil
}
