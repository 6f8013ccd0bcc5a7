package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/pack"
)

// span is a run of ordinals or page numbers, from inclusive, to exclusive.
type span struct{ from, to int }

func spans(n, size int) func(func(span) error) error {
	return func(emit func(span) error) error {
		for i := 0; i < n; i += size {
			if err := emit(span{i, min(i+size, n)}); err != nil {
				return err
			}
		}
		return nil
	}
}

// pinnedSize is how many list pages are made together: one may be megabytes
// long, and all workers are to have some.
const pinnedSize = 2

// batch is what is left to do with files that were handed in.
type batch []later

// add takes what is left to do with some, nil for nothing.
func (m *batch) add(rest later) {
	if rest != nil {
		*m = append(*m, rest)
	}
}

// settle does it.
func (m batch) settle() error {
	for _, rest := range m {
		if err := rest.do(); err != nil {
			return err
		}
	}
	return nil
}

// each makes files for 0..n-1 with several workers, which take size of them at
// a time, and does what is left to do with them in order.
func (r *run) each(ctx context.Context, stage string, n, size int, make func(int) (later, error)) error {
	done := 0
	return pipeline(ctx, r.opts.Workers, spans(n, size), func(s span) (batch, error) {
		var m batch
		for i := s.from; i < s.to; i++ {
			rest, err := make(i)
			if err != nil {
				return m, err
			}
			m.add(rest)
		}
		return m, nil
	}, func(m batch) error {
		done = min(done+size, n)
		r.progress(stage, done, n)
		return m.settle()
	})
}

// pin writes the pages that bear the snapshot's name.
func (r *run) pin(ctx context.Context) error {
	for _, f := range r.formats {
		if f.SnapshotPage == nil {
			continue
		}
		err := r.each(ctx, "lists", f.Pages(r.catalog), pinnedSize, func(i int) (later, error) {
			page, err := f.SnapshotPage(r.catalog, i+1)
			if err != nil {
				return nil, err
			}
			return r.file.put("pinned "+page.Route, []artifact.File{page})
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// single takes a document that stands alone.
func (r *run) single(f artifact.File) error {
	rest, err := r.alone(f)
	if err != nil {
		return err
	}
	return rest.do()
}

// alone hands in one document under its route.
func (r *run) alone(f artifact.File) (later, error) {
	return r.file.put(documentKey(f.Route), []artifact.File{f})
}

// index writes the pages that lead to the pinned ones.
func (r *run) index(context.Context) error {
	for _, f := range r.formats {
		if f.Index == nil {
			continue
		}
		pages, err := f.Index(r.catalog)
		for i := range pages {
			if err == nil {
				err = r.single(pages[i])
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// writeRoutes puts routes.ndjson in, and then snapshot.json. No list of routes can name
// these.
func (r *run) writeRoutes(f *os.File) func(context.Context) error {
	return func(context.Context) error {
		r.file.writer.Each(nil)
		if err := r.routes.w.Flush(); err != nil {
			return err
		}
		in, err := os.Open(f.Name())
		if err != nil {
			return err
		}
		defer in.Close()
		_, rest, err := r.file.streamed(&artifact.File{Route: "/routes.ndjson", Type: artifact.NDJSON, Class: artifact.ClassCatalog, Stream: r.routes.stream(in)}, pack.FrameMax, r.file.quotes)
		if err := errors.Join(err, rest.do()); err != nil {
			return err
		}
		snapshotPage := r.snapshotPage()
		if err := r.keepTree(); err != nil {
			return err
		}
		page, err := encodeSnapshotPage(snapshotPage)
		if err != nil {
			return err
		}
		return r.single(page)
	}
}

// record ends the build with one transaction: the day's scores, what moved,
// and that the catalog was built (decisions §6). A snapshot that the store has
// recorded before is not recorded again.
func (r *run) record(ctx context.Context, st catalog.Store) error {
	if !r.opts.Record {
		return nil
	}
	before := r.mark
	return st.Update(ctx, func(tx catalog.Tx) error {
		last, err := tx.Meta().Get(ctx, metaSnapshot)
		if err != nil || last == r.report.Snapshot && len(r.scores) == 0 {
			return err
		}
		meanwhile, known, err := changedSince(ctx, tx, before)
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(r.scores, 1000) {
			if err := tx.Scores().Put(ctx, chunk...); err != nil {
				return err
			}
		}
		told := r.moved
		if last != r.report.Snapshot {
			data, err := jsonx.Marshal(struct {
				Snapshot string `json:"snapshot"`
				Entries  int    `json:"entries"`
			}{r.report.Snapshot, r.report.Entries})
			if err != nil {
				return err
			}
			told = append(told, catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: r.opts.At.UTC().Truncate(time.Second), Data: data})
		}
		if err := tx.Events().Append(ctx, told...); err != nil {
			return err
		}
		if err := tx.Meta().Set(ctx, metaSnapshot, r.report.Snapshot); err != nil || !known || len(meanwhile) > 0 {
			return err
		}
		r.mark, err = tx.Changes().Mark(ctx) // behind what the build wrote itself
		return err
	})
}

// metaSnapshot names the last snapshot that was built from the store.
const metaSnapshot = "built_snapshot"
