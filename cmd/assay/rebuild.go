package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/render/catalog"
)

// rebuildFlags say how a tree is kept fresh.
type rebuildFlags struct {
	on            bool
	quiet, latest time.Duration
}

func (f *rebuildFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.on, "rebuild", false, "keep the site fresh: pages of changed entries within seconds, the whole after changes have calmed down")
	set.DurationVar(&f.quiet, "rebuild-quiet", build.DefaultQuiet, "with --rebuild: build the whole when nothing has changed for this long")
	set.DurationVar(&f.latest, "rebuild-latest", build.DefaultLatest, "with --rebuild: build the whole at the latest this long after the first change")
}

// quietMin is the least pause between a change and a build of the whole.
const quietMin = 100 * time.Millisecond

func (f *rebuildFlags) check() error {
	if f.on && (f.quiet < quietMin || f.latest < f.quiet) {
		return errors.New("--rebuild-quiet, --rebuild-latest: use at least 100ms, and no less for the second than for the first")
	}
	return nil
}

// buildOptions are those of a build of the instant.
func (a *app) buildOptions(out string, at time.Time) build.Options {
	site := a.site
	site.BaseURL = strings.TrimSuffix(site.BaseURL, "/")
	return build.Options{Out: out, Site: site, At: at, Now: now(), Workers: runtime.GOMAXPROCS(0), Keep: a.keep, KeepFor: a.keepFor,
		Record: true, Program: renderer(), Log: a.log, Begin: setup.BuildMemory}
}

// firstSite builds the site if there is none yet.
func (a *app) firstSite(ctx context.Context, st catalog.Store, out string) error {
	setup.Public()
	if err := setup.Own(out); err != nil {
		return fmt.Errorf("--site: %w", err)
	}
	if form, err := formIn(out); err != nil || form != "" {
		return err
	}
	r, err := a.buildSite(ctx, st, build.Options{Out: out, At: now()})
	if err != nil {
		return fmt.Errorf("--rebuild: %w", err)
	}
	a.printBuild(r)
	return nil
}

// keeper keeps a site fresh and tells the overlay of a search what changed.
func (a *app) keeper(st catalog.Store, out string, f *rebuildFlags, over *searchOverlay) (*build.Keeper, error) {
	form, err := formIn(out)
	if err != nil {
		return nil, err
	}
	options := func(at time.Time) build.Options {
		o := a.buildOptions(out, at)
		o.File = form == formFile
		return o
	}
	k := &build.Keeper{Store: st, Clock: now, Quiet: f.quiet, Latest: f.latest, Log: a.log, Told: over.told,
		Build: func(ctx context.Context, at time.Time, live, spare func(string) bool) error {
			o := options(at)
			o.Live, o.Spare = live, spare
			r, err := build.Build(ctx, st, o, now)
			if err == nil {
				over.built(r.Snapshot)
				logBuild(a.log, &r)
			}
			return err
		}}
	k.Refresh = func(ctx context.Context, at time.Time, ids []string) (build.Refreshed, error) {
		return build.Refresh(ctx, st, options(at), ids)
	}
	linker := build.NewLinker()
	k.Link = func(ctx context.Context, at time.Time, ids []string) ([]string, error) {
		return linker.Link(ctx, st, options(at), ids)
	}
	return k, nil
}

// logBuild writes the line of a build.
func logBuild(log *slog.Logger, r *build.Report) {
	seconds := 0.0
	for i := range r.Stages {
		seconds += r.Stages[i].Seconds
	}
	log.Info("built", "snapshot", r.Snapshot, "entries", r.Entries, "listed", r.Listed, "written", r.Written, "bytes", r.Bytes, "unchanged", r.Unchanged,
		"removed", r.Removed, "problems", len(r.Problems), "seconds", int(seconds))
}
