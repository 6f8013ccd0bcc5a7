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
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/dynamic/eventlog"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// rebuildFlags say how a site is kept fresh.
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
	if keys, err := a.signing(); err == nil { // else what signs says so
		for _, k := range keys {
			site.LogKeys += k.Public + "\n"
		}
	}
	return build.Options{Out: out, Site: site, At: at, Now: now(), Workers: runtime.GOMAXPROCS(0), Keep: a.keep, KeepFor: a.keepFor,
		Record: true, Program: renderer(), Log: a.log, Begin: setup.BuildMemory}
}

// firstSite builds the site if there is none yet.
func (a *app) firstSite(ctx context.Context, st catalog.Store, p place) error {
	if id, err := output.Present(p.folder()); err != nil || id != "" {
		return err
	}
	if _, err := a.buildSite(ctx, st, p, build.Options{At: now()}, a.printBuild); err != nil {
		return fmt.Errorf("--rebuild: %w", err)
	}
	return nil
}

// tailer lays what changed over the snapshot that a folder presents, whoever builds it.
func (a *app) tailer(st catalog.Store, folder string) *build.Tailer {
	return &build.Tailer{Store: st, Folder: folder, Clock: now, Max: snapshot.OverlayMax, Log: a.log,
		Refresh: func(ctx context.Context, site snapshot.Site, at time.Time, ids []string) (build.Refreshed, error) {
			o := a.buildOptions(folder, at)
			o.Site = site
			return build.Refresh(ctx, st, o, ids)
		}}
}

// rebuilder keeps a site fresh.
func (a *app) rebuilder(st catalog.Store, p place, f *rebuildFlags, events *eventlog.Watcher) *build.Rebuilder {
	linker := build.NewLinker()
	return &build.Rebuilder{Store: st, Grown: events.Grown, Clock: now, Quiet: f.quiet, Latest: f.latest, Log: a.log,
		Build: func(ctx context.Context, at time.Time, live func(entry string) bool) error {
			_, err := a.buildSite(ctx, st, p, build.Options{At: at, Live: live}, func(r *build.Report) { logBuild(a.log, r) })
			return err
		},
		Refresh: func(ctx context.Context, at time.Time, ids []string) (build.Refreshed, error) {
			return build.Refresh(ctx, st, a.buildOptions(p.folder(), at), ids)
		},
		Link: func(ctx context.Context, at time.Time, ids []string) error {
			return linker.Link(ctx, st, a.buildOptions(p.folder(), at), ids)
		}}
}

// logBuild writes the line of a build.
func logBuild(log *slog.Logger, r *build.Report) {
	seconds := 0.0
	for i := range r.Stages {
		seconds += r.Stages[i].Seconds
	}
	log.Info("built", "snapshot", r.Snapshot, "entries", r.Entries, "listed", r.Listed, "written", r.Written, "bytes", r.Bytes, "unchanged", r.Unchanged,
		"problems", len(r.Problems), "seconds", int(seconds))
}
