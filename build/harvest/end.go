package harvest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// The codes of errors of a run that no fetch explains.
const (
	// CodeInterrupted is a run that was told to stop, or whose process died.
	CodeInterrupted source.Code = "interrupted"
	// CodeStoreFailed is a register that could not write.
	CodeStoreFailed source.Code = "store_failed"
	// CodeUnreadableInput is an input that is not what its kind says.
	CodeUnreadableInput source.Code = "unreadable_input"
)

// lastWords is how long a run that was told to stop may take to say so.
const lastWords = 30 * time.Second

// keepRuns is how many runs of a source are kept.
const keepRuns = 500

// broken are the faults after which an input was not read to its end.
var broken = []source.Code{source.CodeTruncatedGzip, source.CodeCorruptGzip, source.CodeTruncated, source.CodeInputTooLarge,
	source.CodeDecompressionBomb, source.CodeRepeatedPage, source.CodeUpstreamError}

// unsure are the faults behind which records may be hidden that nobody can
// tell from missing ones.
var unsure = []source.Code{source.CodeBrokenJSON, source.CodeUnreadable, source.CodeWindow}

// storeError is a failure of the register's own store.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e *storeError) Unwrap() error { return e.err }

// whileTold is a context that lives on for a while after the run was told to
// stop.
func whileTold(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() { time.AfterFunc(lastWords, cancel) })
	return ctx, func() { stop(); cancel() }
}

// end stores what is left, decides on the state of the run and closes it. err
// is how the connector ended.
func (r *run) end(ctx context.Context, err error) error {
	err = errors.Join(err, r.wait())
	r.stopped = ctx.Err() != nil
	r.pages = r.fetched()
	defer func() {
		if r.rules != nil {
			r.report.Publishers = r.rules.decisions.list()
		}
	}()
	ctx, cancel := whileTold(ctx)
	defer cancel()
	r.report.State = catalog.RunComplete
	switch {
	case fetch.Unchanged(err) && r.report.In == 0 && r.pending.empty():
		r.report.State, err = catalog.RunUnchanged, nil
	case err != nil && r.row.Cursor != "":
		// What came behind the cursor will come again.
		r.report, r.fields, r.pending = r.marked.report, r.marked.fields, load{}
		r.report.State = catalog.RunPartial
	default:
		err = errors.Join(err, r.flush(ctx, nil), r.wait())
		r.release()
		err = errors.Join(err, r.flush(ctx, nil), r.wait())
	}
	if errors.Is(err, ErrTakenOver) {
		return fmt.Errorf("harvest %s: %w", r.in.Name, err)
	}
	if err != nil {
		r.fail(err)
		err = fmt.Errorf("harvest %s: %w", r.in.Name, err)
	} else if r.report.State == catalog.RunComplete {
		r.whole()
	}
	if !r.stopped && err == nil {
		if err = r.relate(ctx); err != nil {
			r.fail(err)
			err = fmt.Errorf("harvest %s: %w", r.in.Name, err)
		}
	}
	gap, missed := r.absent(ctx)
	if missed != nil {
		return errors.Join(err, &storeError{missed})
	}
	if err == nil {
		err = r.fruitless(gap)
	}
	return errors.Join(err, r.settle(ctx, gap), r.report.check())
}

// fail decides what a run is that ended with an error.
func (r *run) fail(err error) {
	r.report.State = catalog.RunFailed
	if r.report.In > 0 || r.row.Cursor != "" {
		r.report.State = catalog.RunPartial
	}
	r.report.Errors = append(r.report.Errors, r.publicError(err))
}

// whole looks whether the input really was read to its end.
func (r *run) whole() {
	for _, code := range broken {
		if r.report.RejectedBy[code] == 0 {
			continue
		}
		r.report.State = catalog.RunPartial
		r.report.Errors = append(r.report.Errors, catalog.RunError{Code: string(code), Text: "the input was not read to its end", At: r.opts.Clock()})
	}
}

// publicError is an error as the log shows it.
func (r *run) publicError(err error) catalog.RunError {
	e := catalog.RunError{Code: string(CodeUnreadableInput), Text: publicWords(r.in.Name, err.Error()), At: r.opts.Clock()}
	var fetched *source.FetchError
	var stored *storeError
	var bound *endlessError
	switch {
	case r.stopped:
		e.Code, e.Text = string(CodeInterrupted), "the run was told to stop"
	case errors.As(err, &stored):
		e.Code, e.Text = string(CodeStoreFailed), "the register could not store what it read"
	case errors.As(err, &bound):
		e.Code, e.Text = string(CodeEndless), bound.Error()
	case errors.As(err, &fetched):
		e.Code, e.Status, e.Text = string(fetched.Code), fetched.Status, publicWords(r.in.Name, fetched.Error())
	}
	return e
}

// settle closes the row of the run in the transaction that counts what is
// missing, so that nothing is counted twice.
func (r *run) settle(ctx context.Context, gap *gap) error {
	decided := r.report.clone()
	err := r.store.Update(ctx, func(tx catalog.Tx) error {
		r.report = decided.clone()
		if err := r.hold(ctx, tx); err != nil {
			return err
		}
		if err := r.judgeGap(ctx, tx, gap); err != nil {
			return err
		}
		if err := r.ambiguous.save(ctx, tx, r.in.Source.ID); err != nil {
			return err
		}
		if err := r.keepCompared(ctx, tx); err != nil {
			return err
		}
		if err := r.keepDecisions(ctx, tx); err != nil {
			return err
		}
		row := r.row
		row.State, row.Notice = r.report.State, publicWords(r.in.Name, r.report.Notice)
		row.Owner, row.LeaseUntil = "", time.Time{}
		row.UpdatedAt = r.opts.Clock()
		row.FinishedAt = row.UpdatedAt
		r.count(&row, &r.report)
		if r.session != nil && row.State == catalog.RunComplete {
			row.Validators = r.session.Validators()
		}
		if row.State == catalog.RunUnchanged {
			row.Validators = r.known
		}
		if !row.Resumable() {
			row.Cursor = ""
		}
		r.report.Pages, r.report.Fields = row.Pages, row.Fields
		if err := tx.Runs().Put(ctx, row); err != nil {
			return err
		}
		if _, err := tx.RawRecords().Prune(ctx, r.opts.Now.Add(-r.opts.KeepRaw.Abs())); err != nil {
			return err
		}
		_, err := tx.Runs().Prune(ctx, row.SourceID, keepRuns)
		return err
	})
	if err != nil {
		return &storeError{fmt.Errorf("close run %s of %s: %w", r.row.ID, r.in.Name, err)}
	}
	return nil
}

// count fills the row with what the report counts.
func (r *run) count(row *catalog.HarvestRun, from *Report) {
	row.Pages = from.Pages + r.pages
	row.Counts = catalog.RunCounts{In: from.In, Created: from.Created, Updated: from.Updated, Unchanged: from.Unchanged, Merged: from.Merged,
		PossibleDuplicates: from.PossibleDuplicates,
		Quarantined:        from.Quarantined, Suppressed: from.Suppressed, Repeated: from.Repeated, Rejected: from.Rejected, Missing: from.Missing, Deprecated: from.Gone}
	if len(from.RejectedBy) > 0 {
		row.Counts.RejectedBy = map[string]int{}
	}
	for code, n := range from.RejectedBy {
		row.Counts.RejectedBy[string(code)] = n
	}
	row.Fields = r.fields.fields()
	row.Rejections = nil
	for i := range from.Rejections[:min(len(from.Rejections), publicListed)] {
		row.Rejections = append(row.Rejections, publicRejection(r.in.Name, &from.Rejections[i]))
	}
	row.Repeats = nil
	for i := range from.Repeats[:min(len(from.Repeats), publicListed)] {
		row.Repeats = append(row.Repeats, publicRejection(r.in.Name, &from.Repeats[i]))
	}
	row.Errors = from.Errors
}

// recall is the other way: what a stored run had counted.
func (r *Report) recall(row *catalog.HarvestRun) {
	c := &row.Counts
	r.In, r.Created, r.Updated, r.Unchanged, r.Merged = c.In, c.Created, c.Updated, c.Unchanged, c.Merged
	r.PossibleDuplicates = c.PossibleDuplicates
	r.Quarantined, r.Suppressed, r.Repeated, r.Rejected = c.Quarantined, c.Suppressed, c.Repeated, c.Rejected
	r.Resumed, r.Pages, r.Errors = row.Resumed, row.Pages, row.Errors
	for code, n := range c.RejectedBy {
		if r.RejectedBy == nil {
			r.RejectedBy = map[source.Code]int{}
		}
		r.RejectedBy[source.Code(code)] = n
	}
	for i := range row.Rejections {
		r.Rejections = append(r.Rejections, recalled(&row.Rejections[i]))
	}
	for i := range row.Repeats {
		r.Repeats = append(r.Repeats, recalled(&row.Repeats[i]))
	}
}

func recalled(x *catalog.RunRejection) source.Rejection {
	return source.Rejection{Place: x.Place, Code: source.Code(x.Code), Reason: x.Reason, Remedy: x.Remedy, UpstreamRef: x.Record}
}
