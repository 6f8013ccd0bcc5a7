package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/build/survey"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/cmd/internal/outbound"
	"github.com/assay-register/assay/render/catalog"
)

// verifyFlags say what is checked, and how.
type verifyFlags struct {
	all, due, once, dryRun, watch bool
	concurrency                   int
	rate                          float64
	confirm, cadence, timeout     time.Duration
	survey                        time.Duration
	report                        string
}

func (a *app) verify() *cobra.Command {
	var v verifyFlags
	cmd := &cobra.Command{
		Use: "verify [ENTRY…]", Short: "Check whether the sources answer",
		GroupID: groupFill, Annotations: kept("each check that ended is recorded; the next run checks the others"),
		Example: `  assay verify
  assay verify --once bus-departures --dry-run
  assay verify --watch --cadence 1h`,
		Long: "Probes the named entries (ids or slugs), or all that are due: asks each source in the way that fits its kind,\n" +
			"confirms a failure by a second probe, and records check, verdict and event. Several processes may share the\n" +
			"work of one PostgreSQL store. --once explains the verdict of an entry step by step.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := v.check(args); err != nil {
				return err
			}
			if os.Getenv("GOMEMLIMIT") == "" {
				debug.SetMemoryLimit(verify.MemoryLimit)
			}
			st, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer st.Close()
			return a.verifyWith(cmd, a.runner(st, &v), &v, args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&v.all, "all", false, "check every entry, due or not")
	f.BoolVar(&v.due, "due", false, "check what is due (the default)")
	f.BoolVar(&v.watch, "watch", false, "go on until stopped: what becomes due, queued jobs, STALE and retention")
	f.BoolVar(&v.once, "once", false, "explain the check of the one named entry step by step")
	f.BoolVar(&v.dryRun, "dry-run", false, "with --once: write nothing")
	f.IntVar(&v.concurrency, "concurrency", verify.DefaultConcurrency, "how many hosts are asked at the same time, at most 5000")
	f.Float64Var(&v.rate, "rate-per-host", 1, "requests per second to one host, which gets one at a time")
	f.DurationVar(&v.confirm, "confirm-after", verify.DefaultConfirm, "pause before a failure is confirmed by a second probe; 0 counts it at once")
	f.DurationVar(&v.cadence, "cadence", verify.DefaultCadence, "how often an entry is checked")
	f.DurationVar(&v.timeout, "timeout", verify.DefaultTimeout, "how long a probe may take, pauses between its requests not counted")
	f.DurationVar(&v.survey, "survey-every", verify.DefaultSurveyEvery, "how often the data, the API description or the tools of a source that answers are looked at; 0 never")
	f.StringVar(&v.report, "report", "", "write a JSON report to this file")
	return cmd
}

func (v *verifyFlags) check(args []string) error {
	chosen := 0
	for _, b := range []bool{v.all, v.due, v.watch, len(args) > 0} {
		if b {
			chosen++
		}
	}
	switch {
	case v.once && len(args) != 1:
		return errors.New("--once: name one entry")
	case v.dryRun && !v.once:
		return errors.New("--dry-run: use it with --once")
	case chosen > 1:
		return errors.New("use one of --all, --due, --watch and names of entries")
	}
	return nil
}

// verifyIdle bounds the connections that are kept between two probes.
const verifyIdle = 512

func (a *app) runner(st catalog.Store, v *verifyFlags) *verify.Runner {
	client := outbound.Client(outbound.Options{AllowPrivate: a.allowPrivate, Only: a.only, MaxIdle: verifyIdle, Version: release, Contact: a.contact()})
	confirm := v.confirm
	if confirm == 0 {
		confirm = -1
	}
	r := &verify.Runner{Store: st, Log: a.runLog(), Worker: a.workerName(), Cadence: v.cadence, Confirm: confirm, Concurrency: v.concurrency, Clock: now,
		Prober:   verify.NewProber(verify.ProberOptions{Client: client, Gap: time.Duration(float64(time.Second) / v.rate), Timeout: v.timeout, Clock: now}),
		Progress: func(p verify.Progress) { a.bar.Set("verify", p.Checked, p.Total) }}
	if v.survey > 0 {
		r.SurveyEvery = v.survey
		run := catalog.NewID("verify-run", r.Worker+" "+clock().Format(time.RFC3339Nano))
		r.Surveyor = &survey.Surveyor{Store: st, Run: run, Clock: now, Report: func(id string, err error) {
			a.log.Info("closer look failed", "entry", id, "error", err)
		}}
	}
	return r
}

func (a *app) verifyWith(cmd *cobra.Command, r *verify.Runner, v *verifyFlags, names []string) error {
	ctx := cmd.Context()
	ids, err := verify.Resolve(ctx, r.Store, names)
	if err != nil {
		return err
	}
	switch {
	case v.watch:
		return a.verifyWatch(ctx, r)
	case v.once:
		return a.verifyOnce(cmd, r, v, ids[0])
	}
	if err := a.verifyJobs(ctx, r); err != nil {
		return err
	}
	sum, err := r.Run(ctx, verify.Selection{Entries: ids, All: v.all})
	if err == nil {
		err = ctx.Err() // a run that is told to end does so without one
	}
	a.bar.Done()
	if sum != nil {
		err = errors.Join(err, writeReport(v.report, sum))
		a.printSummary(sum)
	}
	return err
}

// verifyJobs carries out the scheduled and the queued jobs that are due.
func (a *app) verifyJobs(ctx context.Context, r *verify.Runner) error {
	if err := verify.Schedule(ctx, r.Store, clock()); err != nil {
		return err
	}
	_, err := a.jobs(r.Store, r.Tasks()...).Drain(ctx)
	return err
}

// watchJobs is how often a watch looks for jobs.
const watchJobs = 5 * time.Second

func (a *app) verifyWatch(ctx context.Context, r *verify.Runner) error {
	r.Log = a.log
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		sum, err := r.Run(ctx, verify.Selection{Forever: true})
		if sum != nil {
			a.bar.Done()
			a.printSummary(sum)
		}
		return err
	})
	g.Go(func() error {
		for {
			if err := a.verifyJobs(ctx, r); err != nil && ctx.Err() == nil {
				return err
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(watchJobs):
			}
		}
	})
	return g.Wait()
}

func (a *app) verifyOnce(cmd *cobra.Command, r *verify.Runner, v *verifyFlags, id string) error {
	tell := func(x *verify.Explained) {
		if x.EntryID() == id {
			fmt.Fprintln(legible{cmd.OutOrStdout()}, strings.Join(x.Lines(), "\n")+"\n")
		}
	}
	if v.dryRun {
		return r.Rehearse(cmd.Context(), id, tell)
	}
	r.Explain, r.Progress = tell, nil
	sum, err := r.Run(cmd.Context(), verify.Selection{Entries: []string{id}})
	if err != nil {
		return err
	}
	if sum.Probes == 0 {
		a.say("the entry was not probed: it is not active, has no http address, or another worker has just checked it")
	}
	return writeReport(v.report, sum)
}

func (a *app) printSummary(s *verify.Summary) {
	a.say("%d entries checked with %d probes on %d hosts in %s: %d up (%d require auth), %d down, %d on hosts that are down",
		s.Checked, s.Probes, s.Hosts, s.Finished.Sub(s.Started).Round(time.Second), s.Up, s.RequiresAuth, s.Down, s.HostDown)
	for _, class := range slices.Sorted(maps.Keys(s.Classes)) {
		a.say("  %-12s %d", class, s.Classes[class])
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Changes)) {
		a.say("  %-16s %d", kind, s.Changes[kind])
	}
	for _, result := range slices.Sorted(maps.Keys(s.Surveys)) {
		a.say("  looked at: %-11s %d", result, s.Surveys[result])
	}
	if s.Refuted > 0 {
		a.say("%d failures were not confirmed by the second probe and do not count", s.Refuted)
	}
	if s.Withheld > 0 {
		a.say("%d failures do not count, because nobody could be reached from here: look at the network of this machine", s.Withheld)
	}
	for _, h := range s.Dead[:min(len(s.Dead), rejectionsMax)] {
		a.say("host down since %s: %s (%d entries)", h.Since.Format(time.RFC3339), h.Host, h.Entries)
	}
	for _, h := range s.Slow[:min(len(s.Slow), rejectionsMax)] {
		a.say("%s: %d entries are checked every %s, because the host gets one request at a time", h.Host, h.Entries, time.Duration(h.CadenceSeconds)*time.Second)
	}
}
