package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/build/harvest"
	httpfetch "github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/build/submission"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/cmd/internal/outbound"
	"github.com/assay-register/assay/render/catalog"
)

// workerFlags say how queued work is carried out.
type workerFlags struct {
	harvest harvestFlags
	verify  verifyFlags
	// checks is how many submissions are checked at the same time.
	checks int
	// probe goes on with what is due to be probed, beside the jobs.
	probe bool
}

func (w *workerFlags) register(f *pflag.FlagSet) {
	h, v := &w.harvest, &w.verify
	f.StringSliceVar(&h.blocklist, "blocklist", nil, "hosts of which nothing is taken, nor of hosts below them")
	f.DurationVar(&h.publishWindow, "publish-window", 0, "window from which the delay before a new entry is public is drawn")
	f.IntVar(&w.checks, "checks", 4, "how many submissions are checked at the same time")
	f.Float64Var(&v.rate, "rate-per-host", 1, "requests per second to one host when entries are probed")
	f.DurationVar(&v.confirm, "confirm-after", verify.DefaultConfirm, "pause before a failure is confirmed by a second probe; 0 counts it at once")
	f.DurationVar(&v.cadence, "cadence", verify.DefaultCadence, "how often an entry is checked")
	f.DurationVar(&v.survey, "survey-every", verify.DefaultSurveyEvery, "how often the data, the API description or the tools of a source that answers are looked at; 0 never")
	f.DurationVar(&h.gap, "gap", time.Second, "least time between two requests to one host when sources are harvested")
	h.registerBounds(f)
	h.hosts = 4
	v.concurrency, v.timeout = verify.DefaultConcurrency, verify.DefaultTimeout
}

func (w *workerFlags) registerProbe(f *pflag.FlagSet) {
	f.BoolVar(&w.probe, "probe", true, "also probe the entries that are due, as verify --watch does")
}

func (a *app) workerCmd() *cobra.Command {
	var w workerFlags
	cmd := &cobra.Command{
		Use: "worker", Short: "Carry out queued work: checks of submissions, harvests, verification", Args: noArgs,
		GroupID: groupRun, Annotations: kept("finished work is stored, the rest is queued again"),
		Example: `  assay worker --db postgres://register@db.example/register`,
		Long: "Takes jobs from the store until it is stopped: checks what people propose, harvests sources that are due or were\n" +
			"triggered, verifies entries. Several workers may share one PostgreSQL store; each job is done by one of them.\n" +
			"`assay serve` works as well, unless it is told not to.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withSources(cmd, func(ctx context.Context, st catalog.Store, _ time.Time) error {
				a.log.Info("worker started", "worker", a.workerName(), "probe", w.probe)
				err := a.work(ctx, st, &w, true, nil)
				a.log.Info("worker stopped", "worker", a.workerName())
				return err
			})
		},
	}
	w.register(cmd.Flags())
	w.registerProbe(cmd.Flags())
	return cmd
}

// work carries out queued work until ctx ends. Without timed nothing is queued
// by the clock: a register that stands still has no hours. What others queued is
// carried out by their tasks.
func (a *app) work(ctx context.Context, st catalog.Store, w *workerFlags, timed bool, others []catalog.JobTask) error {
	prober := a.runner(st, &w.verify)
	prober.Progress, prober.Log = nil, a.log
	checks, batch := a.checker(st, w), a.batch(&w.harvest)
	batch.Log = a.log
	runner := a.jobs(st, slices.Concat(checks.Tasks(w.checks), prober.Tasks(), []catalog.JobTask{batch.Task(st)}, others)...)
	if timed {
		runner.Schedules = []func(context.Context) error{
			checks.Schedule,
			func(ctx context.Context) error { return verify.Schedule(ctx, st, clock()) },
			func(ctx context.Context) error { return harvest.Schedule(ctx, st, clock()) },
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return runner.Run(ctx) })
	if w.probe {
		g.Go(func() error { return a.probe(ctx, prober) })
	}
	return g.Wait()
}

// jobs carries out jobs of some kinds.
func (a *app) jobs(st catalog.Store, tasks ...catalog.JobTask) *jobs.Runner {
	return &jobs.Runner{Store: st, Worker: a.workerName(), Tasks: tasks, Clock: now, Log: a.log}
}

// Pauses of a prober whose store fails: the first, doubled up to the last.
const probePause, probePauseMax = time.Second, time.Minute

// probe goes on with what is due to be probed until ctx ends. A failure of the
// store is logged and followed by a pause: the store may come back.
func (a *app) probe(ctx context.Context, r *verify.Runner) error {
	for pause := probePause; ; pause = min(2*pause, probePauseMax) {
		began := time.Now()
		_, err := r.Run(ctx, verify.Selection{Forever: true})
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it was told to end
		}
		a.log.Error("probes broke off; they go on after a pause", "error", err)
		if time.Since(began) > probePauseMax {
			pause = probePause
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// checker checks what people propose; it reaches public addresses only, unless
// the register is told otherwise.
func (a *app) checker(st catalog.Store, w *workerFlags) *submission.Checker {
	client := outbound.Client(outbound.Options{AllowPrivate: a.allowPrivate, Only: a.only, Version: release, Contact: a.contact()})
	runner := a.runner(st, &w.verify)
	return &submission.Checker{Store: st, Clock: now, AllowPrivate: a.allowPrivate, Log: a.log, Prober: runner.Prober,
		Fetcher: httpfetch.New(httpfetch.Options{Client: client, Gap: w.harvest.gap, Attempts: 2}),
		Options: harvest.Options{Country: strings.ToUpper(w.harvest.country), Blocklist: w.harvest.blocklist, PublishWindow: w.harvest.publishWindow,
			Thresholds: a.thresholds}}
}
