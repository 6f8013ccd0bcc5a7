package harvest

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

const defaultBatch = 500

// run is one harvest under way.
type run struct {
	store  catalog.Store
	in     *source.Input
	opts   Options
	rules  *resolver
	report Report
	// pending are the records of the batch that is being filled.
	pending []*candidate
	// seen are the ids of the entries this run has met.
	seen map[string]bool
	// refs are the upstream refs of records that were rejected.
	refs map[string]bool
}

// Run harvests one source into the store. Records are taken in batches, each
// in one transaction. A bad record is counted in the report and never stops
// the run; the error is for an input or a store that fails.
func Run(ctx context.Context, st catalog.Store, c source.Connector, in source.Input, opts Options) (Report, error) {
	if opts.Batch <= 0 {
		opts.Batch = defaultBatch
	}
	in.Now = opts.Now
	if err := register(ctx, st, &in, opts.Now); err != nil {
		return Report{Source: in.Source.ID, Kind: in.Source.Kind}, err
	}
	r := &run{store: st, in: &in, opts: opts, seen: map[string]bool{}, refs: map[string]bool{}}
	r.report = Report{Source: in.Source.ID, Kind: in.Source.Kind, Rejections: []source.Rejection{}}
	var err error
	if r.rules, err = newResolver(ctx, st, &in, &opts); err != nil {
		return r.report, err
	}
	if err := c.Run(ctx, in, r.emit(ctx), r.reject); err != nil {
		err = fmt.Errorf("harvest %s: %w", in.Name, err)
		return r.report, errors.Join(err, r.flush(ctx), r.report.check())
	}
	if err := r.flush(ctx); err != nil {
		return r.report, err
	}
	if opts.Complete {
		if err := r.markMissing(ctx); err != nil {
			return r.report, err
		}
	}
	return r.report, r.report.check()
}

func (r *run) emit(ctx context.Context) func(source.Draft) error {
	return func(d source.Draft) error {
		r.pending = append(r.pending, r.rules.prepare(d))
		if len(r.pending) < r.opts.Batch {
			return nil
		}
		return r.flush(ctx)
	}
}

func (r *run) reject(x source.Rejection) error {
	r.report.In++
	r.report.reject(x)
	if x.UpstreamRef != "" {
		r.refs[x.UpstreamRef] = true
	}
	return nil
}

// flush writes the pending records.
func (r *run) flush(ctx context.Context) error {
	batch := r.pending
	r.pending = nil
	if len(batch) == 0 {
		return nil
	}
	if err := r.write(ctx, batch); err != nil {
		return fmt.Errorf("store %d records of %s: %w", len(batch), r.in.Name, err)
	}
	if r.opts.Progress != nil {
		r.opts.Progress(r.report.In)
	}
	return nil
}

// write stores a batch in one transaction. When the store refuses it for one
// record's sake, the halves are tried, so that only that record is lost.
func (r *run) write(ctx context.Context, batch []*candidate) error {
	var b *batchPlan
	err := r.store.Update(ctx, func(tx catalog.Tx) error {
		var err error
		b, err = r.plan(ctx, tx, batch)
		return err
	})
	switch {
	case err == nil:
		r.report.In += len(batch)
		r.report.add(&b.report)
		for id := range b.seen {
			r.seen[id] = true
		}
		return nil
	case !errors.Is(err, catalog.ErrConflict) && !errors.Is(err, catalog.ErrInvalid):
		return err
	case len(batch) == 1:
		return r.reject(source.Rejection{Place: batch[0].place, Code: CodeStoreRefused, Reason: err.Error(),
			Remedy: "correct the record", UpstreamRef: batch[0].entry.UpstreamRef})
	}
	half := len(batch) / 2
	if err := r.write(ctx, batch[:half]); err != nil {
		return err
	}
	return r.write(ctx, batch[half:])
}
