package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/render/catalog"
)

// buildFull builds a new site beside the one that is there, to whose promises it
// is held, and lets it take that one's place once it is complete: a build that
// is stopped leaves the site as it was.
func buildFull(ctx context.Context, st catalog.Store, opts Options, clock func() time.Time) (Report, error) {
	unlock, err := publish.Lock(opts.Out)
	if err != nil {
		return Report{}, fmt.Errorf("build into %s: %w", opts.Out, err)
	}
	defer unlock()
	site := opts.Out
	beside := publish.BesideOf(site)
	if err := os.RemoveAll(beside); err != nil {
		return Report{}, fmt.Errorf("build beside %s: %w", site, err)
	}
	opts.Out, opts.Full, opts.before = beside, false, site
	r, err := Build(ctx, st, opts, clock)
	if err == nil {
		err = replace(site, beside)
	}
	return r, errors.Join(err, os.RemoveAll(beside))
}

// replace keeps other builds out of the new site, too, which is at the path of the
// old one before all is done.
func replace(site, beside string) error {
	unlock, err := publish.Lock(beside)
	if err != nil {
		return err
	}
	defer unlock()
	return publish.Replace(site, beside)
}
