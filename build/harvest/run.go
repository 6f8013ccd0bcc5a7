package harvest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

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
	// pending is the batch that is being filled, under way tells how the one
	// before it ended; all below belongs to that one until it has ended.
	pending  load
	underway chan error
	// seen are the ids of the entries this run has met.
	seen map[string]bool
	// pages is how many answers lie behind what was written.
	pages int
	// listed is how many records the source has listed, since the run first began.
	listed int
	// refs are the upstream refs of records that were rejected.
	refs   map[string]bool
	fields tally
	// ambiguous are references that several records of the source have.
	ambiguous *ambiguous
	moved     moved
	beside    *beside
	// anew tells that all records are compared with those of other catalogues, not
	// only those of which the evidence is new.
	anew    bool
	waiting waiting
	// known are the validators that the source was asked with.
	known []catalog.Validator
	// marked is the run as it was at the last stored cursor.
	marked milestone
	far    far
	// stopped tells that the process was told to end.
	stopped bool
	// related are the upstream refs of the records that lead to others.
	related []string
	// relatingMax is how many they may be.
	relatingMax int
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
	r := &run{store: st, in: &in, opts: opts.orDefault(), seen: map[string]bool{}, refs: map[string]bool{}, ambiguous: &ambiguous{}, waiting: waiting{}, relatingMax: relatingMax}
	r.report = Report{Source: in.Source.ID, Key: in.Source.Key, Kind: in.Source.Kind, Rejections: []source.Rejection{}}
	if err := register(ctx, st, &in, opts.Now); err != nil {
		return r.report, err
	}
	r.report.Source = in.Source.ID
	r.beside = newBeside(st, &in.Source)
	if err := r.begin(ctx); err != nil {
		return r.report, fmt.Errorf("begin the harvest of %s: %w", cmp.Or(in.Source.Key, in.Source.ID), err)
	}
	r.warnOfCountry()
	alive, stop := r.live(ctx)
	defer stop()
	reading, enough := r.within(alive)
	defer enough()
	err := endless(reading, r.read(reading, c))
	if over := context.Cause(alive); errors.Is(over, ErrTakenOver) {
		err = over
	}
	err = r.end(ctx, err)
	r.tell(err)
	return r.report, err
}

// warnOfCountry tells before the run that an official source names no country:
// its entries have none where neither publisher nor place says it (decisions-2 §B).
func (r *run) warnOfCountry() {
	s := &r.in.Source
	if s.Official == "" || s.CountryCode != "" || r.opts.Country != "" {
		return
	}
	r.opts.Log.Warn("an official source names no country; entries whose publisher and places name none will have none: give it country in assay.yaml, or --country, unless it is of several countries",
		"source", cmp.Or(s.Key, s.ID))
}

// read lets the connector read the source.
func (r *run) read(ctx context.Context, c source.Connector) error {
	r.connect(ctx)
	var err error
	if r.rules, err = newResolver(ctx, r.store, r.in, &r.opts); err != nil {
		return err
	}
	return c.Run(ctx, *r.in, r.emit(ctx), r.reject(ctx))
}

// tell writes the line of the run into the log.
func (r *run) tell(err error) {
	p := &r.report
	line := []any{"source", cmp.Or(p.Key, p.Source), "run", p.Run, "state", p.State, "pages", p.Pages, "in", p.In, "created", p.Created, "updated", p.Updated,
		"unchanged", p.Unchanged, "merged", p.Merged, "possible_duplicates", p.PossibleDuplicates, "repeated", p.Repeated, "quarantined", p.Quarantined, "suppressed", p.Suppressed, "rejected", p.Rejected,
		"missing", p.Missing, "gone", p.Gone, "seconds", catalog.Seconds(r.row.StartedAt, r.opts.Clock())}
	if err != nil {
		r.opts.Log.Warn("harvest", append(line, "error", err)...)
		return
	}
	r.opts.Log.Info("harvest", line...)
}

// connect gives the connector what it reads a live source with.
func (r *run) connect(ctx context.Context) {
	r.in.Now = r.opts.Now
	r.in.Mark = func(cursor string) error { return r.flush(ctx, &cursor) }
	r.in.Cursor, r.in.Since = r.row.Cursor, r.row.Since
	r.far.listener = r.opts.Progress
	r.in.Expect = func(records int) { r.far.expected.Store(int64(records)) }
	if r.session == nil {
		if r.in.Open != nil {
			r.in.Open = r.far.counting(r.in.Open, r.in.Size)
		}
		return
	}
	r.in.Fetch, r.in.Forget = r.session.Fetch, r.session.Forget
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

// load is what a connector delivered between two writes.
type load struct {
	batch   []*candidate
	refused []source.Rejection
	fields  tally
	// pages is how many answers were read up to here.
	pages int
}

func (l *load) empty() bool { return len(l.batch) == 0 && len(l.refused) == 0 }

func (r *run) emit(ctx context.Context) func(source.Draft) error {
	return func(d source.Draft) error {
		if err := r.counted(); err != nil {
			return err
		}
		if err := r.beside.draft(ctx, &d); err != nil {
			return err
		}
		r.pending.fields.add(&d)
		c := r.rules.prepare(d)
		c.former = append(slices.Clip(c.former), r.moved.refs(c)...)
		r.pending.fields.lack(c)
		r.pending.batch = append(r.pending.batch, c)
		return r.full(ctx)
	}
}

func (r *run) reject(ctx context.Context) func(source.Rejection) error {
	return func(x source.Rejection) error {
		if err := r.counted(); err != nil {
			return err
		}
		if err := r.beside.rejection(ctx, &x); err != nil {
			return err
		}
		r.pending.refused = append(r.pending.refused, x)
		return r.full(ctx)
	}
}

// full begins to write the pending records when there are enough of them.
func (r *run) full(ctx context.Context) error {
	if len(r.pending.batch) < r.opts.Batch && len(r.pending.refused) < r.opts.Batch {
		return nil
	}
	return r.flush(ctx, nil)
}

// flush begins to write the pending records, with a cursor if there is one,
// once those before them are written: the connector reads on meanwhile.
func (r *run) flush(ctx context.Context, cursor *string) error {
	if err := r.wait(); err != nil {
		return err
	}
	l := r.pending
	r.pending = load{}
	l.pages = r.fetched()
	if l.empty() && cursor == nil {
		return nil
	}
	done := make(chan error, 1)
	r.underway = done
	// What was read is written even when the process is told to stop: it would
	// have to be read again.
	go func() { done <- r.take(context.WithoutCancel(ctx), &l, cursor) }()
	return nil
}

// fetched is how many answers this process has read for the run.
func (r *run) fetched() int {
	if r.session == nil {
		return 0
	}
	return r.session.Pages()
}

// wait waits for the write under way.
func (r *run) wait() error {
	if r.underway == nil {
		return nil
	}
	err := <-r.underway
	r.underway = nil
	return err
}

// take writes a load and counts it.
func (r *run) take(ctx context.Context, l *load, cursor *string) error {
	r.fields.merge(&l.fields)
	r.pages = l.pages
	for _, x := range l.refused {
		r.refuse(x)
	}
	if len(l.batch) == 0 && cursor == nil {
		return nil
	}
	if err := r.write(ctx, l.batch, cursor); err != nil {
		return &storeError{fmt.Errorf("store %d records of %s: %w", len(l.batch), r.in.Name, err)}
	}
	r.relating(l.batch)
	r.far.records.Store(int64(r.report.In))
	r.far.tell()
	return nil
}

// refuse counts a record that does not get in.
func (r *run) refuse(x source.Rejection) {
	r.report.In++
	r.report.reject(x)
	r.opts.Rejected(&r.in.Source, x)
	for _, ref := range append([]string{x.UpstreamRef}, x.Refs...) {
		if ref != "" {
			r.meet(refKey(ref))
		}
	}
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
		r.refuse(source.Rejection{Place: batch[0].place, Code: CodeStoreRefused, Reason: err.Error(),
			Remedy: "correct the record", UpstreamRef: batch[0].entry.UpstreamRef})
		if cursor == nil {
			return nil
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
	for id := range b.freed {
		delete(r.waiting, id)
	}
	maps.Copy(r.waiting, b.waiting)
	r.report.In += b.records(records)
	r.report.add(&b.report)
	for _, x := range b.report.Rejections {
		r.opts.Rejected(&r.in.Source, x)
	}
	for id := range b.seen {
		r.meet(id)
	}
}

// meet remembers the id of an entry, or the key of a rejected record's ref.
func (r *run) meet(key string) {
	set := r.seen
	if isRef(key) {
		set = r.refs
	}
	if !set[key] {
		set[key] = true
		r.marked.fresh = append(r.marked.fresh, key)
	}
}
