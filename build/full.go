package build

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/catalog"
)

// buildFull builds a new site beside the one that is there, to whose promises it
// is held, and lets it take that one's place once it is complete: a build that
// is stopped leaves the site as it was.
func buildFull(ctx context.Context, st catalog.Store, opts Options, clock func() time.Time) (Report, error) {
	unlock, err := output.Lock(opts.Out)
	if err != nil {
		return Report{}, fmt.Errorf("build into %s: %w", opts.Out, err)
	}
	defer unlock()
	site := opts.Out
	beside := output.BesideOf(site)
	if err := os.RemoveAll(beside); err != nil {
		return Report{}, fmt.Errorf("build beside %s: %w", site, err)
	}
	opts.Out, opts.Full, opts.before = beside, false, site
	r, err := Build(ctx, st, opts, clock)
	if err == nil {
		err = replace(site, beside, opts.Log)
	}
	return r, errors.Join(err, os.RemoveAll(beside))
}

// replace keeps other builds out of the new site, too, which is at the path of the
// old one before all is done.
func replace(site, beside string, log *slog.Logger) error {
	unlock, err := output.Lock(beside)
	if err != nil {
		return err
	}
	defer unlock()
	return output.Replace(site, beside, inParts(site, log))
}

// inParts warns that readers may find parts of two sites while one takes the place of
// the other, and why.
func inParts(site string, log *slog.Logger) func(why error) {
	return func(why error) {
		if log != nil {
			log.Warn("the new site cannot change places with the old one in one instant: its parts take the place of the old ones one by one, and who reads meanwhile finds parts of both; if this process is killed, build again",
				"site", site, "error", why)
		}
	}
}
