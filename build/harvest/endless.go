package harvest

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-register/assay/build/harvest/source"
)

// Defaults of the bounds of one run: no listing that is known has as many records,
// and one that takes longer is no state of the source at any time.
const (
	DefaultMaxRecords = 5_000_000
	DefaultMaxTime    = resumeWithin
)

// CodeEndless is a source that listed more, or took longer, than a run may.
const CodeEndless source.Code = "endless"

// endlessError says which bound a run met.
type endlessError struct{ what, remedy string }

// Error implements error.
func (e *endlessError) Error() string { return e.what + "; " + e.remedy }

// within gives the connector as long as the run may take.
func (r *run) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.opts.MaxTime < 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, r.opts.MaxTime, &endlessError{fmt.Sprintf("the source was not read to its end within %s", r.opts.MaxTime),
		"narrow it by its filters, or raise --max-time if it is that slow"})
}

// endless is the bound that ended the reading, else err.
func endless(ctx context.Context, err error) error {
	var bound *endlessError
	if errors.As(context.Cause(ctx), &bound) {
		return bound
	}
	return err
}

// counted counts a record that the source listed, and fails behind the last that
// it may list.
func (r *run) counted() error {
	r.listed++
	if r.opts.MaxRecords < 0 || r.listed <= r.opts.MaxRecords {
		return nil
	}
	return &endlessError{fmt.Sprintf("the source lists more than %d records, and was not read on", r.opts.MaxRecords),
		"look whether its pages repeat or never end, narrow it by its filters, or raise --max-records if it is that large"}
}
