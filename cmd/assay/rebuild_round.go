package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// round is what a timer asks for: from the sources to what readers see.
type round struct {
	out, to, reports string
}

func (a *app) rebuildCmd() *cobra.Command {
	var r round
	cmd := &cobra.Command{
		Use: "rebuild", Short: "Harvest what is due, build, check and publish: what a timer runs", Args: cobra.NoArgs,
		GroupID: groupPublish, Annotations: kept("what was done stays; run it again"),
		Long: "Does one after the other what the commands harvest, build, check and publish do. A source that fails keeps\n" +
			"the others from nothing; a site that breaks a promise is not published. Without --to (`to` in assay.yaml)\n" +
			"nothing is uploaded: the site is served from where it was built.",
		Example: "  assay rebuild\n  assay rebuild --to s3://bucket/prefix --reports reports",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.rebuildRound(cmd, &r) },
	}
	f := cmd.Flags()
	f.StringVar(&r.out, "out", "out", "directory of the site")
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
	switch err := a.step(cmd, append([]string{"harvest"}, report("harvest")...)); {
	case ctx.Err() != nil:
		return cmp.Or(err, context.Cause(ctx))
	case err != nil:
		a.say("assay harvest: %v; the rest goes on with what the catalog has", err)
	}
	steps := [][]string{append([]string{"build", "--out", r.out}, report("build")...), {"check", r.out}}
	if r.to != "" {
		steps = append(steps, append([]string{"publish", "--site", r.out, "--to", r.to}, report("publish")...))
	}
	for _, args := range steps {
		if err := a.step(cmd, args); errors.Is(err, errFailed) {
			return err
		} else if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
	}
	if r.to == "" {
		a.say("nothing was uploaded: `to` names no target; the site is in %s", r.out)
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
