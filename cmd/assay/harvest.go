package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-register/assay/build/harvest"
	httpfetch "github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/cmd/internal/outbound"
	"github.com/assay-register/assay/render/catalog"
)

// harvestFlags say how a harvest is made; the first ones describe a source for
// one run.
type harvestFlags struct {
	kind, file, url, source, institution, country, official, report string
	complete, strict, restart, confirmed, jobs                      bool
	hosts, prove, maxRecords                                        int
	gap, publishWindow, maxTime, keepRecords                        time.Duration
	blocklist                                                       []string
	rejections                                                      reportFile
}

func (a *app) harvest() *cobra.Command {
	var h harvestFlags
	cmd := &cobra.Command{
		Use: "harvest [SOURCE…]", Short: "Take the entries that sources list into the catalog",
		GroupID: groupFill, Annotations: kept("what was read is kept; the same command goes on where each source was left"),
		Example: `  assay harvest
  assay harvest fr-data-gouv gb-data-gov
  assay harvest --kind ckan --file packages.jsonl.gz --report harvest.json --official "the state's own catalogue"
  assay harvest --kind ods --file datasets.json --url https://data.example.gov`,
		Long: "Runs the named sources, or all that are enabled and due: reads each one, recognises known entries, admits new\n" +
			"ones by the rules of officialness, and reports what became of every record. --kind and --file run a source\n" +
			"once that is not configured. A run that broke off goes on where it stopped.",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case h.url != "" && h.file == "":
				return errors.New("--url: use it with --file, which was taken from there")
			case h.source != "" && h.file == "":
				return errors.New("--source: use it with --file, which is known by that name; sources that are configured are named without it")
			case h.kind == "" && h.file == "" && h.jobs:
				return a.withSources(cmd, func(ctx context.Context, st catalog.Store, _ time.Time) error { return a.runJobs(ctx, st, &h) })
			case h.kind == "" && h.file == "":
				return a.withSources(cmd, func(ctx context.Context, st catalog.Store, now time.Time) error {
					return a.harvestSources(ctx, st, &h, args, now)
				})
			case len(args) > 0:
				return errors.New("name sources, or describe one with --kind and --file, not both")
			}
			return a.harvestOnce(cmd.Context(), &h)
		},
	}
	f := cmd.Flags()
	f.StringVar(&h.kind, "kind", "", "protocol of a source for one run: "+strings.Join(harvest.Kinds(), ", "))
	f.StringVar(&h.file, "file", "", "file, directory or URL of a source for one run")
	f.StringVar(&h.url, "url", "", "with --file: address of the portal that the file was taken from")
	f.StringVar(&h.source, "source", "", "with --file: name by which the source is known, so that a copy under another file name is the same one")
	f.StringVar(&h.institution, "institution", "", "institution of records whose publisher is not known: its key or id")
	f.StringVar(&h.country, "country", "", "country of records that name none, ISO 3166-1 alpha-2")
	f.StringVar(&h.official, "official", "", "reason why the source is official and vouches for what it lists")
	f.BoolVar(&h.complete, "complete", false, "the file lists everything the source has: what it lacks counts as missing")
	f.BoolVar(&h.strict, "strict", false, "end with exit code 1 if a record was rejected")
	f.BoolVar(&h.restart, "restart", false, "begin anew instead of where a run broke off, and read what has not changed too")
	f.BoolVar(&h.confirmed, "confirmed", false, "accept a listing that is empty or has shrunk")
	f.BoolVar(&h.jobs, "jobs", false, "carry out the queued harvests instead")
	f.IntVar(&h.hosts, "concurrency", 4, "how many hosts are asked at the same time")
	f.DurationVar(&h.gap, "gap", time.Second, "least time between two requests to one host")
	f.IntVar(&h.prove, "prove", 200, "how many entries of each live source to look up on the web for further proofs, 0 for none")
	f.StringSliceVar(&h.blocklist, "blocklist", nil, "hosts of which nothing is taken, nor of hosts below them")
	f.DurationVar(&h.publishWindow, "publish-window", 0, "window from which the delay before a new entry is public is drawn")
	h.registerBounds(f)
	f.StringVar(&h.report, "report", "", "write a JSON report to this file")
	return cmd
}

// registerBounds registers what one run of a source may bring.
func (h *harvestFlags) registerBounds(f *pflag.FlagSet) {
	f.IntVar(&h.maxRecords, "max-records", harvest.DefaultMaxRecords, "records that a source may list in one run before it is given up as endless, 0 for any number")
	f.DurationVar(&h.keepRecords, "keep-records", harvest.DefaultKeepRaw, "how long records stay as their sources published them after others took their place; the present ones stay")
	f.DurationVar(&h.maxTime, "max-time", harvest.DefaultMaxTime, "time that one run of a source may take before it is given up as endless, 0 for any")
}

// unbounded is a bound as [harvest.Options] has it: there 0 is the default.
func unbounded[T int | time.Duration](bound T) T {
	if bound == 0 {
		return -1
	}
	return bound
}

// batch is how this command harvests.
func (a *app) batch(h *harvestFlags) *harvest.Batch {
	client := outbound.Client(outbound.Options{AllowPrivate: a.allowPrivate, Only: a.only, Version: release, Contact: a.contact()})
	h.rejections.path = h.report
	return &harvest.Batch{Hosts: h.hosts, Fetcher: httpfetch.New(httpfetch.Options{Client: client, Gap: max(h.gap, time.Nanosecond), Backoff: 2 * h.gap}), Clock: clock, AllowPrivate: a.allowPrivate, Worker: a.workerName(), Log: a.runLog(),
		Options: harvest.Options{Institution: h.institution, Country: strings.ToUpper(h.country), Restart: h.restart, Confirmed: h.confirmed,
			Blocklist: h.blocklist, PublishWindow: h.publishWindow, MaxRecords: unbounded(h.maxRecords), MaxTime: unbounded(h.maxTime), KeepRaw: max(h.keepRecords, time.Nanosecond), Thresholds: a.thresholds, Rejected: h.rejections.reject}}
}

// runLog gets a line for each run of a command whose words and tables nobody reads.
func (a *app) runLog() *slog.Logger {
	if a.logFormat == "json" {
		return a.log
	}
	return slog.New(slog.DiscardHandler)
}

// batchReport is the report of several sources.
type batchReport struct {
	Sources []sourceReport `json:"sources"`
}

type sourceReport struct {
	harvest.Report
	Error string `json:"error,omitempty"`
}

// harvestSources runs configured sources and prints a line for each.
func (a *app) harvestSources(ctx context.Context, st catalog.Store, h *harvestFlags, names []string, now time.Time) error {
	list, err := harvest.Choose(ctx, st, names, now)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.Join(a.sayNothingDue(ctx, st, now), writeReport(h.report, batchReport{Sources: []sourceReport{}}))
	}
	b := a.batch(h)
	b.Progress, b.Options.Due = a.watch(ctx, len(list)), len(names) == 0
	outcomes := b.Run(ctx, st, list)
	a.bar.Done()
	report := batchReport{Sources: []sourceReport{}}
	defer h.rejections.remove()
	failed, busy := false, false
	var lists []rejectedOf
	var read []catalog.Source
	for i := range outcomes {
		o := &outcomes[i]
		if busy = busy || o.Busy(); !o.Busy() {
			read = append(read, o.Source)
		}
		line := sourceReport{Report: o.Report}
		if o.Err != nil {
			line.Error = o.Err.Error()
		}
		failed = failed || o.Failed() || h.strict && o.Report.Rejected > 0
		lists = append(lists, rejectedOf{o.Report.Source, o.Report.Rejected})
		line.Rejections = []source.Rejection{}
		report.Sources = append(report.Sources, line)
	}
	if err := h.rejections.write(report, lists...); err != nil {
		return err
	}
	if err := errors.Join(a.printOutcomes(outcomes), a.prove(ctx, st, b, h, read...)); err != nil {
		return err
	}
	switch {
	case failed:
		return errFailed
	case busy && len(names) > 0:
		return errBusy
	}
	return nil
}

// watch draws how far several sources are: how many ended, how many records they
// gave, and the share of the whole, to which each source adds the same. What a
// stop ends has not ended, and of one source that does not tell how much it has
// nobody knows the share.
func (a *app) watch(ctx context.Context, sources int) func(*catalog.Source, harvest.Progress, bool) {
	known, ended := map[string]harvest.Progress{}, 0
	return func(s *catalog.Source, p harvest.Progress, end bool) {
		switch {
		case end && ctx.Err() == nil:
			ended++
		case end:
			p.Share = known[s.ID].Share
		}
		known[s.ID] = p
		records, share := 0, 0.0
		for _, k := range known {
			records += k.Records
			share += max(0, k.Share)
		}
		if sources == 1 && p.Share < 0 {
			share = p.Share
		}
		a.bar.Share(fmt.Sprintf("harvest: %d of %d sources, %d records", ended, sources, records), share/float64(sources))
	}
}

// runJobs carries out queued harvests until there is none that is due.
func (a *app) runJobs(ctx context.Context, st catalog.Store, h *harvestFlags) error {
	n, err := a.jobs(st, a.batch(h).Task(st)).Drain(ctx)
	if err == nil {
		a.say("%d queued harvests carried out", n)
	}
	return err
}

// harvestOnce runs a source that is described on the command line.
func (a *app) harvestOnce(ctx context.Context, h *harvestFlags) error {
	connector, ok := harvest.Connectors()[h.kind]
	if !ok {
		return fmt.Errorf("--kind %q: use one of %s", h.kind, strings.Join(harvest.Kinds(), ", "))
	}
	if h.file == "" {
		return errors.New("--file: name the file, directory or URL to read")
	}
	if h.country != "" && !catalog.CountryShape(strings.ToUpper(h.country)) {
		return fmt.Errorf("--country %s: use two letters (ISO 3166-1 alpha-2)", h.country)
	}
	if h.url != "" {
		if err := catalog.CheckURL("--url", h.url); err != nil {
			return err
		}
	}
	st, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	now := clock()
	if err := harvest.LoadReference(ctx, st, now); err != nil {
		return err
	}
	in, err := a.inputOnce(ctx, st, connector, h, now)
	if err != nil {
		return err
	}
	b := a.batch(h)
	opts := b.Options
	opts.Now, opts.Clock, opts.Fetcher, opts.Complete = now, clock, b.Fetcher, h.complete
	opts.Progress = func(p harvest.Progress) { a.bar.Share(fmt.Sprintf("harvest: %d records", p.Records), p.Share) }
	opts.Worker, opts.Log = b.Worker, b.Log
	defer h.rejections.remove()
	r, err := harvest.Run(ctx, st, connector, in, opts)
	a.bar.Done()
	if busy := new(harvest.BusyError); errors.As(err, &busy) {
		a.say("%v", err)
		return errBusy
	}
	r.Started, r.Finished = now, clock()
	if r.In > 0 || err == nil {
		a.say("%s", strings.TrimSpace(r.Summary()))
		a.listRejections(r.Rejections, r.Rejected)
	}
	whole := r
	whole.Rejections = []source.Rejection{}
	if err := errors.Join(err, h.rejections.write(whole, rejectedOf{r.Source, r.Rejected})); err != nil {
		return err
	}
	if in.Open == nil && in.Files == nil {
		if err := a.prove(ctx, st, b, h, in.Source); err != nil {
			return err
		}
	}
	if once := (harvest.Outcome{Report: r}); once.Failed() || h.strict && r.Rejected > 0 {
		return errFailed
	}
	return nil
}

// putSource stores the source if it is new, which it tells, or its description
// changed.
func putSource(ctx context.Context, st catalog.Store, src *catalog.Source) (fresh bool, err error) {
	err = st.Update(ctx, func(tx catalog.Tx) error {
		known, err := tx.Sources().Get(ctx, src.ID)
		fresh = errors.Is(err, catalog.ErrNotFound)
		switch {
		case errors.Is(err, catalog.ErrNotFound):
			return tx.Sources().Put(ctx, *src)
		case err != nil:
			return err
		}
		official, country := cmp.Or(src.Official, known.Official), cmp.Or(src.CountryCode, known.CountryCode)
		if official == known.Official && country == known.CountryCode {
			*src = *known
			return nil
		}
		now := src.UpdatedAt
		*src = *known
		src.Official, src.CountryCode, src.UpdatedAt = official, country, now
		return tx.Sources().Put(ctx, *src)
	})
	return fresh, err
}
