package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/spool"
)

// markEvery is after how many operations the progress is noted.
const markEvery = 200

// runner carries out a plan.
type runner struct {
	bucket  bucket.Bucket
	site    Site
	built   *output.SnapshotFile
	id      string
	n       int
	now     int
	workers int
	report  func(stage string, done, total int)
	total   int
	// kept gets the keys of the objects that were copied aside.
	kept *spool.Sorted[kept]

	mu sync.Mutex
	// All operations below low are done, and those in done.
	done               map[int]bool
	low, count, marked int
}

// all does one phase after the other, several operations of one at a time.
func (r *runner) all(ctx context.Context, p *plan) error {
	r.done, r.total = map[int]bool{}, p.steps
	from := 0
	for _, phase := range p.order() {
		if err := r.phase(ctx, p.phases[phase], from); err != nil {
			return err
		}
		from += p.phases[phase].Len()
	}
	return nil
}

// phase carries out the operations of one phase. What comes first is safe
// before its objects are touched: the plan, the pages that they lead to, the
// copies for a rollback.
func (r *runner) phase(ctx context.Context, steps *spool.List[step], from int) error {
	if r.now > 0 {
		err := r.each(ctx, steps, from, func(ctx context.Context, s *step, _ int) error { return r.keep(ctx, s) })
		if err != nil {
			return err
		}
	}
	if err := r.bucket.Sync(ctx); err != nil {
		return err
	}
	return r.each(ctx, steps, from, func(ctx context.Context, s *step, at int) error {
		if err := r.one(ctx, s); err != nil {
			return err
		}
		return r.finished(ctx, at)
	})
}

// each does something for several operations at a time; from is the place of the first in
// the plan.
func (r *runner) each(ctx context.Context, steps *spool.List[step], from int, do func(ctx context.Context, s *step, at int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, r.workers))
	var broken error
	for s, err := range steps.All() {
		if broken = err; err != nil || ctx.Err() != nil {
			break
		}
		at := from
		from++
		g.Go(func() error {
			if err := do(ctx, &s, at); err != nil {
				return fmt.Errorf("%s: %w", s.Key, err)
			}
			return nil
		})
	}
	return errors.Join(g.Wait(), broken)
}

// finished notes an operation, and now and then how far all are done.
func (r *runner) finished(ctx context.Context, at int) error {
	r.mu.Lock()
	r.done[at] = true
	r.count++
	for r.done[r.low] {
		delete(r.done, r.low)
		r.low++
	}
	low, count, due := r.low, r.count, r.low >= r.marked+markEvery
	if due {
		r.marked = low
	}
	r.report("publish", count, r.total)
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

func (r *runner) one(ctx context.Context, s *step) error {
	switch i := s.Item; {
	case s.Delete:
		return r.bucket.Delete(ctx, s.Key)
	case i.From != "":
		return r.bucket.Copy(ctx, i.From, s.Key)
	case i.Document == nil && i.File == "" && i.Text == "":
		return nil // the publish that was to replace it did not come to it
	}
	stored, err := r.open(s.Item)
	if err != nil {
		return err
	}
	defer stored.Close()
	object := s.Item.object()
	object.Size, object.Modified = stored.Size, stored.Modified
	return r.bucket.Put(ctx, s.Key, stored, object)
}

// open opens the bytes of an item.
func (r *runner) open(i *item) (output.Stored, error) {
	switch {
	case i.Text != "":
		return output.Stored{ReadSeekCloser: text{strings.NewReader(i.Text)}, Size: int64(len(i.Text))}, nil
	case i.File != "":
		return openFile(i.File)
	}
	form := output.FormOf(i.Form)
	stored, err := r.built.Stored(i.Document, form)
	if errors.Is(err, fs.ErrNotExist) && form == nil {
		return output.Dir(r.site.reports()).Stored(i.Document) // a report
	}
	return stored, err
}

func openFile(path string) (output.Stored, error) {
	in, err := os.Open(path)
	if err != nil {
		return output.Stored{}, err
	}
	info, err := in.Stat()
	if err != nil {
		return output.Stored{}, errors.Join(err, in.Close())
	}
	return output.Stored{ReadSeekCloser: in, Size: info.Size(), Modified: info.ModTime()}, nil
}

type text struct{ io.ReadSeeker }

// Close implements io.Closer.
func (text) Close() error { return nil }

// keep copies an object aside as it is in the present generation. One that was
// kept by a publish that did not end must not be replaced: what lies under the
// key now may be newer.
func (r *runner) keep(ctx context.Context, s *step) error {
	if !s.Keep {
		return nil
	}
	to := genKey(r.now, keptDir+s.Key)
	there := false
	if s.Touched {
		var err error
		if there, err = r.bucket.Exists(ctx, to); err != nil {
			return err
		}
	}
	if !there {
		err := r.bucket.Copy(ctx, s.Key, to)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was to be written by a publish that did not come to it
		}
		if err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept.Add(kept{Key: s.Key, N: r.now})
}
