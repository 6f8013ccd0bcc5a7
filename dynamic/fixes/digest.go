package fixes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// bestShown is how many things to mend a digest names.
const bestShown = 5

// atOnce is how many entries are read at a time to find those of a source.
const atOnce = 500

// Mending is what the owner of a digest can mend, as a snapshot has it.
func Mending(ctx context.Context, store catalog.Store, c *snapshot.Catalog, d *catalog.Digest) (*catalog.Mending, error) {
	f := &found{}
	ordinals, err := owned(ctx, store, c, d)
	if err != nil {
		return nil, err
	}
	f.add(c, ordinals)
	f.order(c)
	out := &catalog.Mending{Total: len(f.gaps), Entries: f.entries, Sum: f.sum(c)}
	for _, g := range f.gaps[:min(bestShown, len(f.gaps))] {
		l := &c.Lines[g.ordinal]
		out.Best = append(out.Best, catalog.Mend{Rule: g.Rule.ID, Slug: l.Slug, Name: l.Name, Points: g.Points.Float()})
	}
	return out, nil
}

// owned are the entries of what was claimed. A snapshot does not tell the source of an entry, so the
// store does.
func owned(ctx context.Context, store catalog.Store, c *snapshot.Catalog, d *catalog.Digest) (list []int32, err error) {
	var others []int32
	for i := range c.Lines {
		if slices.Contains(d.Institutions, c.Lines[i].InstitutionID) {
			list = append(list, int32(i))
		} else if len(d.Sources) > 0 {
			others = append(others, int32(i))
		}
	}
	for part := range slices.Chunk(others, atOnce) {
		ids := make([]string, len(part))
		for i, o := range part {
			ids[i] = c.Lines[o].ID
		}
		err := store.View(ctx, func(tx catalog.Tx) error {
			entries, err := tx.Entries().Get(ctx, ids...)
			for i := range entries {
				if k := slices.Index(ids, entries[i].ID); d.Has(&entries[i]) {
					list = append(list, part[k])
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// sum stands for all that is to be mended, in whatever order.
func (f *found) sum(c *snapshot.Catalog) string {
	if len(f.gaps) == 0 {
		return ""
	}
	lines := make([]string, len(f.gaps))
	for i := range f.gaps {
		lines[i] = c.Lines[f.gaps[i].ordinal].ID + " " + f.gaps[i].Rule.ID
	}
	slices.Sort(lines)
	hash := sha256.New()
	for _, l := range lines {
		fmt.Fprintln(hash, l)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}
