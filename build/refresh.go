package build

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/render"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Refreshed says what became of the entries whose pages were written anew.
type Refreshed struct {
	// Visible are the ids of those that are public, Gone of those that are not, or no longer.
	Visible, Gone []string
	// Next is when the next entry becomes public by itself, zero for never.
	Next time.Time
}

// Refresh lays the given entries as they are now over the snapshot file that a build
// made, by the code of the build: the pages that show one alone, and what lists and searches
// need of it; the next build makes them the same. An entry that is not public is taken
// away. All else follows with the next build. It may run while a build does, and in
// several processes.
func Refresh(ctx context.Context, st catalog.Store, opts Options, ids []string) (Refreshed, error) {
	r := &run{opts: opts, formats: render.Formats(), report: Report{Problems: []string{}}}
	var out Refreshed
	var err error
	if r.over, err = openOverlay(opts.Out); err != nil {
		return out, fmt.Errorf("refresh %s: %w", opts.Out, err)
	}
	defer r.over.close()
	var rows []*catalog.Row
	err = st.View(ctx, func(tx catalog.Tx) error {
		rows, out.Next, err = r.readSingle(ctx, tx, ids)
		return err
	})
	if err != nil {
		return out, fmt.Errorf("refresh: %w", err)
	}
	for _, row := range rows {
		if err := r.refresh(row, &out); err != nil {
			return out, fmt.Errorf("refresh entry %s: %w", row.Entry.ID, err)
		}
	}
	if err := r.over.end(); err != nil {
		return out, fmt.Errorf("refresh: %w", err)
	}
	return out, nil
}

// readSingle reads the rows of single entries, and what the build knows of all
// others when it scores one.
func (r *run) readSingle(ctx context.Context, tx catalog.Tx, ids []string) (rows []*catalog.Row, next time.Time, err error) {
	if _, err := r.newFrame(ctx, tx); err != nil {
		return nil, next, err
	}
	var names []namesake
	err = tx.Entries().Keys(ctx, func(k *catalog.Key) error {
		if kind, name := foldedName(k.MatchKey); k.Visible(r.opts.At) && name != "" {
			r.frame.SawName(kind, name)
			names = append(names, namesake{snapshot.KeyOfName(name), k.ID})
		}
		if k.Visible(k.PublishedAt) && k.PublishedAt.After(r.opts.At) && (next.IsZero() || k.PublishedAt.Before(next)) {
			next = k.PublishedAt
		}
		return nil
	})
	if err != nil {
		return nil, next, err
	}
	if err := r.tellApart(ctx, tx, namesOf(names, ids)); err != nil {
		return nil, next, err
	}
	l := loader{tx: tx, day: r.frame.Day}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		found, err := l.rows(ctx, catalog.Only(id))
		if err != nil {
			return nil, next, err
		}
		rows = append(rows, found...)
	}
	return rows, next, nil
}

// refresh writes or drops the pages of one entry.
func (r *run) refresh(row *catalog.Row, out *Refreshed) error {
	var f frozen
	visible := row.Entry.Visible(r.opts.At)
	s, folded, err := r.scoreRow(row, &f)
	if err != nil {
		return err
	}
	var made [][]artifact.File
	for _, format := range r.formats {
		if format.Entry == nil {
			continue
		}
		files, err := format.Entry(s)
		if err != nil {
			return fmt.Errorf("%s: %w", format.Name, err)
		}
		made = append(made, files)
	}
	if err := r.over.place(entryKey(row.Entry.ID), made, visible); err != nil {
		return err
	}
	c := snapshot.Change{ID: row.Entry.ID}
	if !visible {
		out.Gone = append(out.Gone, c.ID)
		return r.over.tell(&c)
	}
	out.Visible = append(out.Visible, c.ID)
	line := snapshot.NewLine(s, folded)
	if c.Item, line.Cells, err = wire.EncodeItem(s); err != nil {
		return err
	}
	c.Line, c.Document = &line, search.Project(row, s.Institution)
	return r.over.tell(&c)
}

// entryKey and linkedKey name what the formats make of one entry alone, and of it beside
// others.
func entryKey(id string) string  { return "entry " + id }
func linkedKey(id string) string { return "linked " + id }

// documentKey is that of the group of a document that stands alone.
func documentKey(route string) string { return "document " + route }
