package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/cmd/internal/setup"
)

func (a *app) build() *cobra.Command {
	var o build.Options
	var p place
	var at, report string
	cmd := &cobra.Command{
		Use: "build", Short: "Freeze the catalog and render the site", Args: noArgs,
		GroupID: groupPublish, Annotations: kept("the site is as it was"),
		Example: `  assay build
  assay build --site snapshots --at 2026-11-21T06:00:00Z --report build.json
  assay build --out www`,
		Long: "Freezes the catalog of the store into a snapshot and renders the site from it: one file in the folder of\n" +
			"--site, which appears when it is complete. What the file before has with the same bytes is copied, and a build\n" +
			"that would change nothing writes nothing. Earlier files stay for as long as readers may turn their pages.\n\n" +
			"With --out a directory is brought up to date, too, which any web server can serve.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			setup.BuildOnly()
			var err error
			if o.At, err = parseInstant(at); err != nil {
				return err
			}
			st, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer st.Close()
			r, err := a.buildSite(cmd.Context(), st, p, o, a.printBuild)
			if reportErr := writeReport(report, r); err == nil {
				err = reportErr
			}
			if err != nil {
				return err
			}
			return nil
		},
	}
	f := cmd.Flags()
	p.registerSite(f)
	p.registerOut(f)
	f.StringVar(&at, "at", "", "instant that decides what is visible, RFC 3339 (default: now)")
	f.BoolVar(&o.Full, "full", false, "make every document anew instead of copying what the file before has")
	f.StringVar(&report, "report", "", "write a JSON report to this file")
	a.retention(cmd)
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

func (a *app) printBuild(r *build.Report) {
	logBuild(a.runLog(), r)
	a.say("snapshot %s as of %s: %d entries, %d listed", r.Snapshot, r.AsOf, r.Entries, r.Listed)
	a.say("documents: %d made anew (%d bytes), %d kept", r.Written, r.Bytes, r.Unchanged)
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
