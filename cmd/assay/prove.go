package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/proof"
	"github.com/assay-register/assay/render/catalog"
)

// prove looks at the web for the proofs that a listing cannot give, reciprocal
// links and policies, of entries of the sources that were just read from there.
func (a *app) prove(ctx context.Context, st catalog.Store, b *harvest.Batch, h *harvestFlags, sources ...catalog.Source) error {
	if h.prove <= 0 {
		return nil
	}
	web := proof.NewWeb(b.Fetcher.Session(nil).Fetch, proof.Limits{})
	var sum harvest.ProveReport
	var errs []error
	for i := range sources {
		s := &sources[i]
		if s.File != "" {
			continue
		}
		r, err := harvest.Prove(ctx, st, web, harvest.ProveOptions{Now: clock(), Clock: clock, Worker: b.Worker, Source: s.ID, Entries: h.prove, PublishWindow: h.publishWindow,
			Thresholds: a.thresholds})
		sum.Looked, sum.Failed = sum.Looked+r.Looked, sum.Failed+r.Failed
		sum.Changed, sum.Approved = sum.Changed+r.Changed, sum.Approved+r.Approved
		if busy := new(harvest.BusyError); errors.As(err, &busy) {
			a.say("proofs of %s: another process looks at them", cmp.Or(s.Key, s.ID))
			continue
		}
		errs = append(errs, err)
	}
	if sum.Looked > 0 {
		a.say("proofs: %d entries looked at, %d changed, %d approved, %d with a page that could not be read", sum.Looked, sum.Changed, sum.Approved, sum.Failed)
	}
	return errors.Join(errs...)
}
