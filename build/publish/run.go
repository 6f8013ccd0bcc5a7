package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
)

// markEvery is after how many operations the progress is noted.
const markEvery = 200

// runner carries out a plan.
type runner struct {
	bucket  bucket.Bucket
	site    Site
	built   output.Site
	id      string
	n       int
	now     int
	workers int
	report  func(stage string, done, total int)

	mu sync.Mutex
	// done tells which operations are done; all below low are.
	done               []bool
	low, count, marked int
}

// all does one phase after the other, several operations of one at a time.
func (r *runner) all(ctx context.Context, ops []op) error {
	r.done = make([]bool, len(ops))
	for from := 0; from < len(ops); {
		to := from
		for to < len(ops) && ops[to].phase() == ops[from].phase() {
			to++
		}
		if err := r.phase(ctx, ops, from, to); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// phase carries out the operations of one phase. What comes first is safe
// before its objects are touched: the plan, the pages that they lead to, the
// copies for a rollback.
func (r *runner) phase(ctx context.Context, ops []op, from, to int) error {
	err := r.each(ctx, ops, from, to, func(ctx context.Context, i int) error {
		if r.now == 0 || !ops[i].keep {
			return nil
		}
		return r.keep(ctx, &ops[i])
	})
	if err == nil {
		err = r.bucket.Sync(ctx)
	}
	if err != nil {
		return err
	}
	return r.each(ctx, ops, from, to, func(ctx context.Context, i int) error {
		if err := r.one(ctx, &ops[i]); err != nil {
			return err
		}
		return r.finished(ctx, i)
	})
}

// each does one step of several operations at a time.
func (r *runner) each(ctx context.Context, ops []op, from, to int, do func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, r.workers))
	for i := from; i < to && ctx.Err() == nil; i++ {
		g.Go(func() error {
			if err := do(ctx, i); err != nil {
				return fmt.Errorf("%s: %w", ops[i].Key, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// finished notes an operation, and now and then how far all are done.
func (r *runner) finished(ctx context.Context, i int) error {
	r.mu.Lock()
	r.done[i] = true
	r.count++
	for r.low < len(r.done) && r.done[r.low] {
		r.low++
	}
	low, count, due := r.low, r.count, r.low >= r.marked+markEvery
	if due {
		r.marked = low
	}
	r.report("publish", count, len(r.done))
	r.mu.Unlock()
	if !due {
		return nil
	}
	return r.note(ctx, low)
}

// note writes the progress, once what it tells of is safe. Notes may overtake each other; an older one only
// says less than is true, and is no harm.
func (r *runner) note(ctx context.Context, low int) error {
	if err := r.bucket.Sync(ctx); err != nil {
		return err
	}
	return writeJSON(ctx, r.bucket, genKey(r.n, progressFile), progress{Plan: r.id, Done: low})
}

func (r *runner) one(ctx context.Context, o *op) error {
	if o.Delete {
		return r.bucket.Delete(ctx, o.Key)
	}
	if o.item.from != "" {
		return r.bucket.Copy(ctx, o.item.from, o.Key)
	}
	if o.item.path == "" {
		return nil // the publish that was to replace it did not come to it
	}
	stored, err := r.built.Stored(o.item.route, o.item.path, o.item.form)
	if errors.Is(err, fs.ErrNotExist) && o.item.form == nil {
		stored, err = output.Dir(r.site.Root).Stored(o.item.route, o.item.path, nil) // a report
	}
	if err != nil {
		return err
	}
	defer stored.Close()
	object := o.item.object
	object.Size, object.Modified = stored.Size, stored.Modified
	return r.bucket.Put(ctx, o.Key, stored, object)
}

// keep copies an object aside as it is in the present generation. One that was
// kept by a publish that did not end must not be replaced: what lies under the
// key now may be newer.
func (r *runner) keep(ctx context.Context, o *op) error {
	to := genKey(r.now, keptDir+o.Key)
	if o.touched {
		there, err := r.bucket.Exists(ctx, to)
		if err != nil || there {
			return err
		}
	}
	if err := r.bucket.Copy(ctx, o.Key, to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil // it was to be written by a publish that did not come to it
}
