package fixes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// bestShown is how many things to mend a digest names.
const bestShown = 5

// atOnce is how many entries are read at a time to find those of a source.
const atOnce = 500

// Mending is what the owner of a digest can mend, as a snapshot has it.
func (o *Owners) Mending(ctx context.Context, c *snapshot.Catalog, d *catalog.Digest) (*catalog.Mending, error) {
	f := &found{}
	ordinals, err := o.Of(ctx, c, d)
	if err != nil {
		return nil, err
	}
	lines := make([]*snapshot.Line, len(ordinals))
	for i, o := range ordinals {
		lines[i] = &c.Lines[o]
	}
	f.add(lines)
	out := &catalog.Mending{Total: len(f.gaps), Entries: f.entries, Sum: f.sum()}
	for _, g := range f.gaps[:min(bestShown, len(f.gaps))] {
		l := g.line
		out.Best = append(out.Best, catalog.Mend{Rule: g.Rule.ID, Slug: l.Slug, Name: l.Name, Points: g.Points.Float()})
	}
	return out, nil
}

// Owners finds the entries of what was claimed. A snapshot does not tell the source of an entry, so the
// store does, once for each source and snapshot.
type Owners struct {
	Store catalog.Store

	mu       sync.Mutex
	snapshot string
	sources  map[string][]int32
}

// Of are the ordinals of the entries of what a digest follows, in their order.
func (o *Owners) Of(ctx context.Context, c *snapshot.Catalog, d *catalog.Digest) (list []int32, err error) {
	for i := range c.Lines {
		if slices.Contains(d.Institutions, c.Lines[i].InstitutionID) {
			list = append(list, int32(i))
		}
	}
	for _, id := range d.Sources {
		more, err := o.source(ctx, c, id)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// sourcesKept is of how many sources the entries are remembered.
const sourcesKept = 64

func (o *Owners) source(ctx context.Context, c *snapshot.Catalog, id string) ([]int32, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.snapshot != c.ID || len(o.sources) >= sourcesKept {
		o.snapshot, o.sources = c.ID, map[string][]int32{}
	}
	if list, known := o.sources[id]; known {
		return list, nil
	}
	var list []int32
	for from := 0; from < len(c.Lines); from += atOnce {
		part := c.Lines[from:min(from+atOnce, len(c.Lines))]
		at := make(map[string]int32, len(part))
		ids := make([]string, len(part))
		for i := range part {
			ids[i], at[part[i].ID] = part[i].ID, int32(from+i)
		}
		err := o.Store.View(ctx, func(tx catalog.Tx) error {
			entries, err := tx.Entries().Get(ctx, ids...)
			for i := range entries {
				if entries[i].SourceID == id {
					list = append(list, at[entries[i].ID])
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	o.sources[id] = list
	return list, nil
}

// sum stands for all that is to be mended, in whatever order.
func (f *found) sum() string {
	if len(f.gaps) == 0 {
		return ""
	}
	lines := make([]string, len(f.gaps))
	for i := range f.gaps {
		lines[i] = f.gaps[i].line.ID + " " + f.gaps[i].Rule.ID
	}
	slices.Sort(lines)
	hash := sha256.New()
	for _, l := range lines {
		fmt.Fprintln(hash, l)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}
