package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
)

// ErrGate says that publishing would break a promise to readers, or would show
// them something broken.
var ErrGate = errors.New("deploy gate")

// faultsShown is how many faults an error of the gate lists.
const faultsShown = 5

// gate refuses a site that is broken or, measured by what is live, breaks a
// promise.
func (p *publisher) gate(ctx context.Context, s Site, made *plan) error {
	r, err := p.check(ctx, s, made)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrGate, err)
	}
	if r.FaultCount == 0 {
		return nil
	}
	var texts []string
	for _, f := range r.Faults[:min(len(r.Faults), faultsShown)] {
		texts = append(texts, f.Route+": "+f.What)
	}
	return fmt.Errorf("%w: %d faults: %s; assay check %s lists them", ErrGate, r.FaultCount, strings.Join(texts, "; "), s.Root)
}

// check verifies what changed since the present generation, of a first one every document.
// On demand it verifies all that a check of a site does.
func (p *publisher) check(ctx context.Context, s Site, made *plan) (check.Report, error) {
	switch {
	case s.Whole && made.steps == 0 && !p.opts.Verify:
		return check.Report{}, nil // the file is there
	case s.Whole:
		return p.checkWhole(ctx, s)
	}
	var before output.Pages
	if p.now.N > 0 {
		before = bucket.Live{Bucket: p.bucket, Keys: s.Keys}
	}
	if p.opts.Verify || p.now.N > 0 && p.now.Index < indexForm {
		return check.Site(ctx, p.built, before, p.opts.Progress)
	}
	return check.Changed(ctx, p.built, &check.Change{Documents: made.changed.All(), Count: made.changed.Len(), Promises: made.promises.All(), Before: before}, p.opts.Progress)
}
