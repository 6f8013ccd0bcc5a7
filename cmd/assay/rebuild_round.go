package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// round is what a timer asks for: from the sources to what readers see.
type round struct {
	place
	to, reports string
}

func (a *app) rebuildCmd() *cobra.Command {
	var r round
	cmd := &cobra.Command{
		Use: "rebuild", Short: "Harvest what is due, build, check and publish: what a timer runs", Args: noArgs,
		GroupID: groupPublish, Annotations: kept("what was done stays; run it again"),
		Long: "Does one after the other what the commands harvest, build, check and publish do. A source that fails keeps\n" +
			"the others from nothing; one that another process reads for the first time is waited for; a site that breaks\n" +
			"a promise is not published. Without --to (`to` in assay.yaml)\n" +
			"nothing is uploaded: the site is served from where it was built.",
		Example: "  assay rebuild\n  assay rebuild --to s3://bucket/prefix --reports reports",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.rebuildRound(cmd, &r) },
	}
	f := cmd.Flags()
	r.registerSite(f)
	r.registerOut(f)
	f.StringVar(&r.to, "to", "", "where to publish: s3://BUCKET/PREFIX or file://DIR")
	f.StringVar(&r.reports, "reports", "", "write JSON reports into this directory: harvest.json, build.json, publish.json")
	return cmd
}

func (a *app) rebuildRound(cmd *cobra.Command, r *round) error {
	ctx := cmd.Context()
	report := func(string) []string { return nil }
	if r.reports != "" {
		if err := os.MkdirAll(r.reports, 0o755); err != nil {
			return fmt.Errorf("--reports: %w", err)
		}
		report = func(step string) []string { return []string{"--report", filepath.Join(r.reports, step+".json")} }
	}
	for again := true; again; {
		err := a.step(cmd, append([]string{"harvest"}, report("harvest")...))
		if ctx.Err() != nil {
			return cmp.Or(err, context.Cause(ctx))
		}
		if err != nil {
			a.say("assay harvest: %v; the rest goes on with what the catalog has", err)
		}
		if again, err = a.awaitFirstRuns(ctx); err != nil {
			return err
		}
	}
	site := r.folder()
	built := []string{"build", "--site", site}
	if r.out != "" {
		built = append(built, "--out", r.out)
	}
	steps := [][]string{append(built, report("build")...), {"check", site}}
	if r.to != "" {
		steps = append(steps, append([]string{"publish", "--site", site, "--to", r.to}, report("publish")...))
	}
	for _, args := range steps {
		err := a.step(cmd, args)
		if err != nil && args[0] != "publish" && r.to != "" {
			a.say("nothing was published: what readers have at %s stays as it was", r.to)
		}
		if errors.Is(err, errFailed) {
			return err
		} else if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
	}
	if r.to == "" {
		a.say("nothing was uploaded: `to` names no target; the site is in %s", cmp.Or(r.out, site))
	}
	return nil
}

// step runs another command of the program with the flags that all commands
// share, as they were given to this one.
func (a *app) step(cmd *cobra.Command, args []string) error {
	a.say("assay %s", args[0])
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			args = append(args, "--"+f.Name+"="+f.Value.String())
		}
	})
	root := newRoot(a.stderr)
	root.SetArgs(args)
	root.SetIn(cmd.InOrStdin())
	root.SetOut(cmd.OutOrStdout())
	root.SetErr(cmd.ErrOrStderr())
	return root.ExecuteContext(cmd.Context())
}

// firstRunPause is how often a rebuild looks whether others have ended.
const firstRunPause = time.Second

// awaitFirstRuns waits while other processes, such as the worker of `assay serve`,
// read sources for the first time, and tells whether there were any: what they
// list is to be on the site. Should one have died, its source is due.
func (a *app) awaitFirstRuns(ctx context.Context) (waited bool, err error) {
	err = a.withStore(ctx, func(st catalog.Store) error {
		told := map[string]bool{}
		for {
			list, err := harvest.FirstRuns(ctx, st, clock())
			if err != nil || len(list) == 0 {
				return err
			}
			waited = true
			for i := range list {
				if f := &list[i]; !told[f.Source.ID] {
					told[f.Source.ID] = true
					a.say("waiting for %s, which reads %s for the first time", f.Worker(), cmp.Or(f.Source.Key, f.Source.ID))
				}
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(firstRunPause):
			}
		}
	})
	return waited, err
}
