package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
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

// each makes files for 0..n-1 with several workers, which take size of them at
// a time, stores them with put and logs them in order.
func (r *run) each(ctx context.Context, stage string, n, size int, render func(int) ([]artifact.File, error), put func(artifact.File) error) error {
	done := 0
	return pipeline(ctx, r.opts.Workers, spans(n, size), func(s span) ([]logged, error) {
		var out []logged
		for i := s.from; i < s.to; i++ {
			files, err := render(i)
			if err != nil {
				return nil, err
			}
			for i := range files {
				if err := put(files[i]); err != nil {
					return nil, err
				}
				out = append(out, note(&files[i]))
				files[i].Free()
			}
		}
		return out, nil
	}, func(files []logged) error {
		done = min(done+size, n)
		r.progress(stage, done, n)
		return r.log(files)
	})
}

func (r *run) log(files []logged) error {
	for i := range files {
		if err := r.routes.add(&files[i]); err != nil {
			return err
		}
	}
	return nil
}

// arrive writes the pages that a published tree does not have yet before those
// that will lead to them. They are logged with all others later.
func (r *run) arrive(ctx context.Context) error {
	if r.tree.Fresh() {
		return nil
	}
	for _, f := range r.formats {
		if f.Arrive == nil {
			continue
		}
		err := f.Arrive(r.catalog, r.tree.Has, func(file artifact.File) error { return errors.Join(ctx.Err(), r.tree.Put(file)) })
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// link writes the pages that set each entry beside others.
func (r *run) link(ctx context.Context) error {
	return r.each(ctx, "relations", len(r.catalog.Lines), batchSize, func(i int) ([]artifact.File, error) {
		var files []artifact.File
		for _, f := range r.formats {
			if f.Linked == nil {
				continue
			}
			made, err := f.Linked(r.catalog, i)
			if err != nil {
				return nil, err
			}
			files = append(files, made...)
		}
		return files, nil
	}, r.tree.Put)
}

// pin writes the pages that bear the snapshot's name; they appear at once.
func (r *run) pin(ctx context.Context) error {
	stage, err := r.tree.StagePinned(r.catalog.ID)
	if err != nil {
		return err
	}
	for _, f := range r.formats {
		if f.Pinned == nil {
			continue
		}
		err := r.each(ctx, "lists", f.Pages(r.catalog), pinnedSize, func(i int) ([]artifact.File, error) {
			page, err := f.Pinned(r.catalog, i+1)
			return []artifact.File{page}, err
		}, stage.Put)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return stage.Commit(r.opts.Now)
}

// index writes the pages that lead to the pinned ones.
func (r *run) index(context.Context) error {
	for _, f := range r.formats {
		if f.Index == nil {
			continue
		}
		page, err := f.Index(r.catalog)
		if err == nil {
			err = errors.Join(r.tree.Put(page), r.log([]logged{note(&page)}))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// writeRoutes places the index of hashes and routes.ndjson, and then
// snapshot.json, by which a server learns that the build is complete.
func (r *run) writeRoutes(f *os.File) func(context.Context) error {
	return func(context.Context) error {
		if err := r.routes.w.Flush(); err != nil {
			return err
		}
		var g errgroup.Group
		g.Go(r.keepHashes)
		g.Go(func() error { return r.tree.PutFile("/routes.ndjson", artifact.NDJSON, f) })
		if err := g.Wait(); err != nil {
			return err
		}
		page, err := encodeSnapshotPage(r.snapshotPage())
		if err != nil {
			return err
		}
		return r.tree.Put(page)
	}
}

// stays tells whether a file of the tree is not to be swept away.
func (r *run) stays(path string) bool {
	return r.routes.has(path) || r.opts.Spare != nil && r.opts.Spare(path)
}

// remove takes away what the snapshot no longer has.
func (r *run) remove(context.Context) error {
	var err error
	if !r.tree.Fresh() {
		err = r.tree.Sweep(r.stays)
	}
	// A new tree, too, may hold the encoded snapshot of a killed build.
	return errors.Join(err, r.tree.Expire(r.catalog.ID, r.opts.Keep, r.opts.KeepFor, r.opts.Now))
}

// record ends the build with one transaction: the day's scores, what moved,
// and that the catalog was built (decisions §6). A snapshot that the store has
// recorded before is not recorded again.
func (r *run) record(ctx context.Context, st catalog.Store) error {
	if !r.opts.Record {
		return nil
	}
	return st.Update(ctx, func(tx catalog.Tx) error {
		last, err := tx.Meta().Get(ctx, metaSnapshot)
		if err != nil || last == r.catalog.ID && len(r.scores) == 0 {
			return err
		}
		for chunk := range slices.Chunk(r.scores, 1000) {
			if err := tx.Scores().Put(ctx, chunk...); err != nil {
				return err
			}
		}
		data, err := jsonx.Marshal(struct {
			Snapshot string `json:"snapshot"`
			Entries  int    `json:"entries"`
		}{r.catalog.ID, len(r.catalog.Lines)})
		if err != nil {
			return err
		}
		built := catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: r.opts.At.UTC().Truncate(time.Second), Data: data}
		if err := tx.Events().Append(ctx, append(r.moved, built)...); err != nil {
			return err
		}
		return tx.Meta().Set(ctx, metaSnapshot, r.catalog.ID)
	})
}

// metaSnapshot names the last snapshot that was built from the store.
const metaSnapshot = "built_snapshot"
