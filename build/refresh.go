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
)

// Refreshed says what became of the entries whose pages were written anew.
type Refreshed struct {
	// Visible are those that are public, by id.
	Visible []RefreshedEntry
	// Gone are the ids of those that are not public, or no longer.
	Gone []string
	// Next is when the next entry becomes public by itself, zero for never.
	Next time.Time
}

// RefreshedEntry is an entry as the next build will list it.
type RefreshedEntry struct {
	Line snapshot.Line
	// Item is the entry's item in lists, Document what a search finds it by.
	Item     []byte
	Document search.Document
}

// Refresh lays the pages that show one entry alone, of the given entries, over the
// snapshot file that a build made, by the code of the build: the next one makes them
// the same. The pages of an entry that is not public are taken away. All else follows
// with the next build. It may run while a build does.
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
	return out.add(row, s, folded, visible)
}

// entryKey and linkedKey name what the formats make of one entry alone, and of it beside
// others.
func entryKey(id string) string  { return "entry " + id }
func linkedKey(id string) string { return "linked " + id }
