package harvest

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// How many records are held before they are written: those of a page stay
// together with its cursor, so far as memory allows.
const (
	defaultBatch = 500
	pageBatch    = 2000
)

// run is one harvest under way.
type run struct {
	store  catalog.Store
	in     *source.Input
	opts   Options
	rules  *resolver
	report Report
	// row is the run in the log as it was last stored.
	row     catalog.HarvestRun
	session *fetch.Session
	// pending are the records of the batch that is being filled.
	pending []*candidate
	// seen are the ids of the entries this run has met.
	seen map[string]bool
	// refs are the upstream refs of records that were rejected.
	refs   map[string]bool
	fields tally
	// known are the validators that the source was asked with.
	known []catalog.Validator
	// marked is the run as it was at the last stored cursor.
	marked milestone
}

// milestone is the state of a run at a cursor.
type milestone struct {
	report Report
	fields tally
	// fresh are the keys that were met since.
	fresh []string
}

// Run harvests one source into the store and writes the run into the log.
// Records are taken in batches, each in one transaction; a connector that marks
// its place has the records before a mark stored together with it, and a run
// that broke off goes on from the last mark. A bad record is counted in the
// report and never stops the run; the error is for an input or a store that
// fails.
func Run(ctx context.Context, st catalog.Store, c source.Connector, in source.Input, opts Options) (Report, error) {
	r := &run{store: st, in: &in, opts: opts.orDefault(), seen: map[string]bool{}, refs: map[string]bool{}}
	r.report = Report{Source: in.Source.ID, Key: in.Source.Key, Kind: in.Source.Kind, Rejections: []source.Rejection{}}
	if err := register(ctx, st, &in, opts.Now); err != nil {
		return r.report, err
	}
	r.report.Source = in.Source.ID
	if err := r.begin(ctx); err != nil {
		return r.report, fmt.Errorf("begin the harvest of %s: %w", in.Source.ID, err)
	}
	r.connect(ctx)
	var err error
	if r.rules, err = newResolver(ctx, st, &in, &r.opts); err == nil {
		err = c.Run(ctx, in, r.emit(ctx), r.reject)
	}
	return r.report, r.end(ctx, err)
}

// connect gives the connector what it reads a live source with.
func (r *run) connect(ctx context.Context) {
	r.in.Now = r.opts.Now
	r.in.Mark = func(cursor string) error { return r.flush(ctx, &cursor) }
	r.in.Cursor, r.in.Since = r.row.Cursor, r.row.Since
	if r.session == nil {
		return
	}
	r.in.Fetch = r.session.Fetch
	if r.in.Name == "" {
		r.in.Name = r.in.Source.URL
	}
	r.in.Open = func(ctx context.Context) (io.ReadCloser, error) {
		resp, err := r.session.Fetch(ctx, source.Request{URL: r.in.Name})
		if err != nil {
			return nil, err
		}
		return resp.Body, nil
	}
}

func (r *run) emit(ctx context.Context) func(source.Draft) error {
	return func(d source.Draft) error {
		r.fields.add(&d)
		r.pending = append(r.pending, r.rules.prepare(d))
		if len(r.pending) < r.opts.Batch {
			return nil
		}
		return r.flush(ctx, nil)
	}
}

func (r *run) reject(x source.Rejection) error {
	r.report.In++
	r.report.reject(x)
	if x.UpstreamRef != "" {
		r.met(refKey(x.UpstreamRef))
	}
	return nil
}

// flush writes the pending records, with a cursor if there is one.
func (r *run) flush(ctx context.Context, cursor *string) error {
	batch := r.pending
	r.pending = nil
	if len(batch) == 0 && cursor == nil {
		return nil
	}
	if err := r.write(ctx, batch, cursor); err != nil {
		return &storeError{fmt.Errorf("store %d records of %s: %w", len(batch), r.in.Name, err)}
	}
	if r.opts.Progress != nil {
		r.opts.Progress(r.report.In)
	}
	return nil
}

// write stores a batch in one transaction. When the store refuses it for one
// record's sake, the halves are tried, so that only that record is lost.
func (r *run) write(ctx context.Context, batch []*candidate, cursor *string) error {
	var b *batchPlan
	var row catalog.HarvestRun
	err := r.store.Update(ctx, func(tx catalog.Tx) error {
		if err := r.hold(ctx, tx); err != nil {
			return err
		}
		var err error
		if b, err = r.plan(ctx, tx, batch); err != nil || cursor == nil {
			return err
		}
		row, err = r.keepPlace(ctx, tx, b, len(batch), *cursor)
		return err
	})
	switch {
	case err == nil:
		r.adopt(b, len(batch))
		if cursor != nil {
			r.row, r.marked = row, milestone{report: r.report.clone(), fields: r.fields.clone()}
		}
		return nil
	case !errors.Is(err, catalog.ErrConflict) && !errors.Is(err, catalog.ErrInvalid), len(batch) == 0:
		return err
	case len(batch) == 1:
		if err := r.reject(source.Rejection{Place: batch[0].place, Code: CodeStoreRefused, Reason: err.Error(),
			Remedy: "correct the record", UpstreamRef: batch[0].entry.UpstreamRef}); err != nil || cursor == nil {
			return err
		}
		return r.write(ctx, nil, cursor)
	}
	half := len(batch) / 2
	if err := r.write(ctx, batch[:half], nil); err != nil {
		return err
	}
	return r.write(ctx, batch[half:], cursor)
}

// adopt takes over what a committed batch did.
func (r *run) adopt(b *batchPlan, records int) {
	r.report.In += records
	r.report.add(&b.report)
	for id := range b.seen {
		r.met(id)
	}
}

// met remembers the id of an entry, or the key of a rejected record's ref.
func (r *run) met(key string) {
	set := r.seen
	if isRef(key) {
		set = r.refs
	}
	if !set[key] {
		set[key] = true
		r.marked.fresh = append(r.marked.fresh, key)
	}
}
