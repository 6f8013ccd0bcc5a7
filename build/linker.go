package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// linkedSoon are the formats whose pages of one entry are worth writing before
// the next build: those that people read and those that the entry's own page
// leads to.
var linkedSoon = []string{"api", "okf", "feed", "pages"}

// Linker writes the pages that set single entries beside others. It keeps the
// catalog of the last build in memory.
type Linker struct {
	formats []render.Format
	last    *snapshot.Catalog
	// file is the snapshot file that holds the catalog's items.
	file *output.SnapshotFile
}

// NewLinker makes a linker. It is for one goroutine.
func NewLinker() *Linker { return &Linker{formats: render.Formats()} }

// Link writes the pages of the entries that name others, such as the page that
// people read, as if the snapshot of the last build held the entries as they
// are now. Pages of entries that are not public are taken away.
func (l *Linker) Link(ctx context.Context, st catalog.Store, opts Options, ids []string) (err error) {
	r := &run{opts: opts}
	if r.over, err = openOverlay(opts.Out); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	defer r.over.close()
	if err := l.load(opts.Out); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	var rows []*catalog.Row
	err = st.View(ctx, func(tx catalog.Tx) error {
		rows, _, err = r.readSingle(ctx, tx, ids)
		return err
	})
	if err != nil {
		return fmt.Errorf("link: %w", err)
	}
	c, ordinals, err := l.catalog(r, rows)
	if err != nil {
		return fmt.Errorf("link: %w", err)
	}
	for i, row := range rows {
		if err := l.write(r, c, ordinals[i], row.Entry.Visible(opts.At)); err != nil {
			return fmt.Errorf("link entry %s: %w", row.Entry.ID, err)
		}
	}
	if err := r.over.end(); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	return nil
}

// load reads the snapshot of the last build, unless it was read before.
func (l *Linker) load(folder string) error {
	s, err := output.OpenPresent(folder)
	if err != nil {
		return err
	}
	if l.file != nil && l.file.ID == s.ID {
		return s.Close()
	}
	var parts [3]*io.SectionReader
	for i, name := range []string{snapshot.HeadFile, snapshot.LinesFile, snapshot.ItemsFile} {
		if parts[i], err = s.Document(snapshot.PartRoute(name)); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	c, err := snapshot.Decode(parts[0], parts[1], parts[2])
	if err != nil {
		return errors.Join(err, s.Close())
	}
	if l.file != nil {
		err = l.file.Close()
	}
	l.last, l.file = c, s
	return err
}

// catalog is that of the last build with the rows in place of what it has of
// them; ordinals are the rows' places.
func (l *Linker) catalog(r *run, rows []*catalog.Row) (*snapshot.Catalog, []int, error) {
	fresh := make([]snapshot.Line, len(rows))
	fragments := make([][]artifact.Fragment, len(rows))
	for i, row := range rows {
		var f frozen
		s, folded, err := r.scoreRow(row, &f)
		if err != nil {
			return nil, nil, err
		}
		fresh[i] = snapshot.NewLine(s, folded)
		if _, fresh[i].Cells, err = wire.EncodeItem(s); err != nil {
			return nil, nil, err
		}
		for _, format := range l.formats {
			if format.Fragments == nil || !slices.Contains(linkedSoon, format.Name) {
				continue
			}
			made, err := format.Fragments(s)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", format.Name, err)
			}
			fragments[i] = append(fragments[i], made...)
		}
	}
	d := snapshot.NewDraft(r.frame)
	d.Grow(len(l.last.Lines) + len(fresh))
	if err := l.merge(d, fresh); err != nil {
		return nil, nil, err
	}
	c := d.Finish(l.last.Items)
	ordinals, told := make([]int, len(rows)), snapshot.Fragments{}
	for i := range rows {
		ordinals[i] = c.ByID(rows[i].Entry.ID)
		told.Add(ordinals[i], fragments[i])
	}
	c.Streams = told.Streams()
	return c, ordinals, nil
}

// merge adds all lines in id order, the fresh ones in place of the old.
func (l *Linker) merge(d *snapshot.Draft, fresh []snapshot.Line) error {
	slices.SortFunc(fresh, func(a, b snapshot.Line) int { return cmp.Compare(a.ID, b.ID) })
	old := l.last.Lines
	for len(old) > 0 || len(fresh) > 0 {
		var next snapshot.Line
		switch {
		case len(fresh) == 0 || len(old) > 0 && old[0].ID < fresh[0].ID:
			next, old = old[0], old[1:]
		default:
			if len(old) > 0 && old[0].ID == fresh[0].ID {
				old = old[1:]
			}
			next, fresh = fresh[0], fresh[1:]
		}
		if err := d.Add(next, nil); err != nil {
			return err
		}
	}
	for _, t := range l.last.Gone {
		d.Bury(t)
	}
	return nil
}

func (l *Linker) write(r *run, c *snapshot.Catalog, ordinal int, visible bool) error {
	var made [][]artifact.File
	for _, format := range l.formats {
		if format.Related == nil || !slices.Contains(linkedSoon, format.Name) {
			continue
		}
		files, err := format.Related(c, ordinal)
		if err != nil {
			return fmt.Errorf("%s: %w", format.Name, err)
		}
		for i := range files {
			made = append(made, files[i:i+1])
		}
	}
	return r.over.place(linkedKey(c.Lines[ordinal].ID), made, visible)
}
