package harvest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Batch says how several sources are harvested.
type Batch struct {
	// Connectors are those that may be used; nil is all.
	Connectors map[string]source.Connector
	// Hosts is how many hosts are asked at the same time; 0 is 4. Sources of
	// one host are harvested one after the other.
	Hosts int
	// Fetcher makes the requests.
	Fetcher *fetch.Fetcher
	// Clock is the time; Limits bounds what is read of one source.
	Clock  func() time.Time
	Limits source.Limits
	// Options holds what is the same for all; the rest comes from the sources.
	Options Options
	// AllowPrivate accepts loopback and private addresses in what is listed.
	AllowPrivate bool
	// Worker is this process, Log gets a line for each run; nil for none.
	Worker string
	Log    *slog.Logger
	// Progress is told, by one goroutine at a time, how a source is getting on.
	Progress func(s *catalog.Source, p Progress, ended bool)

	mu sync.Mutex
}

// Outcome is what became of one source.
type Outcome struct {
	Source catalog.Source
	Report Report
	Err    error
}

// Busy tells whether the source was left to another process, which is harvesting
// it or just has.
func (o *Outcome) Busy() bool {
	var busy *BusyError
	return errors.As(o.Err, &busy) || errors.Is(o.Err, ErrHarvested)
}

// Failed tells whether the source was not read to its end, and nobody does.
func (o *Outcome) Failed() bool {
	return o.Err != nil && !o.Busy() || o.Report.State == catalog.RunPartial || o.Report.State == catalog.RunFailed
}

// Run harvests the sources and reports on each in their order. One that fails
// does not stop the others; the end of the context does.
func (b *Batch) Run(ctx context.Context, st catalog.Store, list []catalog.Source) []Outcome {
	out := make([]Outcome, len(list))
	byHost := map[string][]int{}
	var hosts []string
	for i := range list {
		host := hostOf(&list[i])
		if byHost[host] == nil {
			hosts = append(hosts, host)
		}
		byHost[host] = append(byHost[host], i)
	}
	var g errgroup.Group
	g.SetLimit(max(1, b.hosts()))
	for _, host := range hosts {
		g.Go(func() error {
			for _, i := range byHost[host] {
				out[i] = b.one(ctx, st, list[i])
			}
			return nil
		})
	}
	_ = g.Wait()
	return out
}

func (b *Batch) hosts() int {
	if b.Hosts <= 0 {
		return 4
	}
	return b.Hosts
}

func (b *Batch) one(ctx context.Context, st catalog.Store, s catalog.Source) Outcome {
	o := Outcome{Source: s, Report: Report{Source: s.ID, Key: s.Key, Kind: s.Kind, Started: b.Clock()}}
	if o.Err = ctx.Err(); o.Err == nil {
		o.Err = b.harvest(ctx, st, &o)
	}
	o.Report.Finished = b.Clock()
	b.tell(&s, Progress{Records: o.Report.In, Share: 1}, true)
	return o
}

func (b *Batch) harvest(ctx context.Context, st catalog.Store, o *Outcome) error {
	s, connectors := o.Source, b.Connectors
	if connectors == nil {
		connectors = Connectors()
	}
	connector := connectors[s.Kind]
	if connector == nil {
		return fmt.Errorf("source %s: nothing reads sources of kind %q", cmp.Or(s.Key, s.ID), s.Kind)
	}
	in, err := InputOf(s, b.AllowPrivate)
	if err != nil {
		return err
	}
	in.Limits = b.Limits
	opts := b.Options
	opts.Now, opts.Clock, opts.Fetcher = b.Clock(), b.Clock, b.Fetcher
	opts.Institution = cmp.Or(s.DefaultInstitution, opts.Institution)
	opts.Complete, opts.Worker, opts.Log = true, b.Worker, b.Log
	opts.Progress = func(p Progress) { b.tell(&s, p, false) }
	started := o.Report.Started
	o.Report, err = Run(ctx, st, connector, in, opts)
	o.Report.Started = started
	return err
}

func (b *Batch) tell(s *catalog.Source, p Progress, ended bool) {
	if b.Progress == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Progress(s, p, ended)
}

// ErrUnknownSource says that no source has a key or id.
var ErrUnknownSource = errors.New("no such source")

// Choose finds the sources with the given keys or ids; none given means all
// that are enabled and due.
func Choose(ctx context.Context, st catalog.Store, names []string, now time.Time) ([]catalog.Source, error) {
	var list []catalog.Source
	err := st.View(ctx, func(tx catalog.Tx) error {
		list = nil
		all, err := tx.Sources().All(ctx)
		if err != nil {
			return err
		}
		slices.SortStableFunc(all, byKey)
		if len(names) > 0 {
			list, err = named(all, names)
			return err
		}
		for i := range all {
			due, err := isDue(ctx, tx, &all[i], now)
			if err != nil {
				return err
			}
			if due {
				list = append(list, all[i])
			}
		}
		return nil
	})
	return list, err
}

func isDue(ctx context.Context, tx catalog.Tx, s *catalog.Source, now time.Time) (bool, error) {
	if !s.Enabled {
		return false, nil
	}
	runs, err := tx.Runs().Latest(ctx, s.ID, 1)
	if err != nil {
		return false, err
	}
	var last *catalog.HarvestRun
	if len(runs) > 0 {
		last = &runs[0]
	}
	at, err := DueAt(s, last, now)
	return err == nil && !at.After(now), err
}
