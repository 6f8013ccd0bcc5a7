package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/cmd/internal/setup"
	"github.com/assay-register/assay/render/catalog"
)

func (a *app) build() *cobra.Command {
	var o build.Options
	var at, report string
	cmd := &cobra.Command{
		Use: "build", Short: "Freeze the catalog and render the site", Args: cobra.NoArgs,
		GroupID: groupPublish, Annotations: kept("what was written stays; the next build completes the site"),
		Example: `  assay build --out site
  assay build --out site --at 2026-11-21T06:00:00Z --report build.json
  assay build --out snapshots --form file`,
		Long: "Freezes the catalog of the store into a snapshot and renders the site from it. What is already\n" +
			"there with the same bytes stays untouched; readers of the site never meet a torn page.\n\n" +
			"With --form file the site is one file, which appears when it is complete; earlier ones stay for as long\n" +
			"as readers may turn their pages. A build that would change nothing writes none.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			setup.BuildOnly()
			setup.Public()
			err := setup.Own(o.Out)
			if err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			if o.At, err = parseInstant(at); err != nil {
				return err
			}
			st, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer st.Close()
			r, err := a.buildSite(cmd.Context(), st, o)
			if reportErr := writeReport(report, r); err == nil {
				err = reportErr
			}
			if err != nil {
				return err
			}
			a.printBuild(r)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Out, "out", "out", "directory of the site")
	f.StringVar(&at, "at", "", "instant that decides what is visible, RFC 3339 (default: now)")
	f.BoolVar(&o.Full, "full", false, "make everything anew instead of comparing with the site that is there: a tree beside it, which takes its place when it is complete, and earlier snapshots go; or a snapshot file that copies nothing of the one before")
	f.StringVar(&report, "report", "", "write a JSON report to this file")
	a.retention(cmd)
	a.formOf(cmd)
	return cmd
}

func (a *app) retention(cmd *cobra.Command) {
	cmd.Flags().IntVar(&a.keep, "keep-snapshots", 3, "how many snapshots' list pages stay")
	cmd.Flags().DurationVar(&a.keepFor, "keep-for", 2*time.Hour, "how long a snapshot's list pages stay at least after it was replaced")
}

func parseInstant(at string) (time.Time, error) {
	if at == "" {
		return now(), nil
	}
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return t, fmt.Errorf("--at %s: write an instant such as 2026-11-21T06:00:00Z", at)
	}
	return t.UTC(), nil
}

// buildSite builds to where o leads; what all builds share is added.
func (a *app) buildSite(ctx context.Context, st catalog.Store, o build.Options) (build.Report, error) {
	defer a.bar.Done()
	full := o.Full
	o = a.buildOptions(o.Out, o.At)
	o.Full, o.Progress = full, a.bar.Set
	if err := a.shape(&o); err != nil {
		return build.Report{}, err
	}
	return build.Build(ctx, st, o, now)
}

func (a *app) printBuild(r build.Report) {
	logBuild(a.runLog(), &r)
	a.say("snapshot %s as of %s: %d entries, %d listed", r.Snapshot, r.AsOf, r.Entries, r.Listed)
	a.say("files: %d written (%d bytes), %d unchanged, %d removed", r.Written, r.Bytes, r.Unchanged, r.Removed)
	var parts []string
	seconds := 0.0
	for _, s := range r.Stages {
		seconds += s.Seconds
		parts = append(parts, fmt.Sprintf("%s %.2f s", s.Name, s.Seconds))
	}
	if a.verbose {
		a.say("time: %s", strings.Join(parts, ", "))
	} else {
		a.say("built in %.1f s", seconds)
	}
	for _, p := range r.Problems {
		a.say("problem: %s", p)
	}
}
