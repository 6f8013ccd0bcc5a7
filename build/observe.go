package build

import (
	"context"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// worked is what the rows of one entry say about the register's own work.
type worked struct {
	// host is where the entry is checked, "" where it cannot be.
	host string
	// days has a bit for each UTC day with a check, the lowest for the
	// snapshot's own.
	days              uint64
	trace             verify.Retraced
	delivered, traced int
}

func workOn(row *catalog.Row, day time.Time) worked {
	var w worked
	if t, ok := verify.TargetOf(&row.Entry); ok && row.Entry.Status == catalog.StatusActive {
		w.host = t.Host
	}
	checks := score.Window(row.Checks, day)
	for i := range checks {
		if n := int(day.Sub(checks[i].At.UTC().Truncate(24*time.Hour)) / (24 * time.Hour)); n >= 0 && n < 64 {
			w.days |= 1 << n
		}
	}
	w.trace = verify.Retrace(checks, row.State)
	return w
}

// watch sums up the work on all entries.
type watch struct {
	pace     verify.Pace
	down     map[string]catalog.ProbeHost
	hosts    map[string]int
	days     uint64
	observed snapshot.Observed
}

// readPace reads how often the store's entries are checked, and which hosts
// are down.
func (r *run) readPace(ctx context.Context, tx catalog.Tx) (err error) {
	r.watch = watch{down: map[string]catalog.ProbeHost{}, hosts: map[string]int{}}
	if r.watch.pace, err = verify.ReadPace(ctx, tx); err != nil {
		return err
	}
	return tx.Probes().Hosts(ctx, func(h *catalog.ProbeHost) error {
		if !h.FailingAt.IsZero() && !h.FailingAt.After(r.opts.At) {
			r.watch.down[h.Host] = *h
		}
		return nil
	})
}

// readOutages reads the latest incidents and the maintenance that was announced.
func (r *run) readOutages(ctx context.Context, tx catalog.Tx) (err error) {
	r.outages = snapshot.Outages{}
	if r.outages.Incidents, err = tx.Incidents().List(ctx, catalog.IncidentFilter{Limit: snapshot.IncidentsKept}); err != nil {
		return err
	}
	since := r.frame.Day.AddDate(0, 0, -snapshot.MaintenanceDays)
	var list []catalog.Statement
	err = tx.Claims().ScanStatements(ctx, catalog.Range{}, func(s *catalog.Statement) error {
		if s.Kind == catalog.StateMaintenance && s.Until.After(since) {
			list = append(list, *s)
		}
		return nil
	})
	if err != nil {
		return err
	}
	said, err := catalog.Told(ctx, tx.Claims(), list)
	for i := range said {
		for _, w := range catalog.Windows(said[i : i+1]) {
			r.outages.Announced = append(r.outages.Announced, snapshot.Announced{EntryID: said[i].EntryID, Window: w, SaidAt: said[i].CreatedAt})
		}
	}
	slices.SortStableFunc(r.outages.Announced, func(a, b snapshot.Announced) int { return a.From.Compare(b.From) })
	return err
}

func (r *run) observe(f *frozen) {
	w, o := &r.watch, &r.watch.observed
	if host := f.work.host; host != "" {
		n, known := w.hosts[host]
		if !known {
			host = strings.Clone(host) // it may lie in a document
		}
		w.hosts[host] = n + 1
	}
	w.days |= f.work.days
	o.Changes += f.work.trace.Changes
	o.Failing += f.work.trace.Failing
	o.FalseFailing += f.work.trace.FalseFailing
	o.Delivered += f.work.delivered
	o.Traced += f.work.traced
}

// observed are the sums over all entries.
func (r *run) observed() snapshot.Observed {
	w := &r.watch
	o := w.observed
	o.Cadence, o.Days = w.pace.Cadence, daysOf(w.days)
	for host, n := range w.hosts {
		h := snapshot.Host{ProbeHost: catalog.ProbeHost{Host: host, Entries: n}}
		if d, ok := w.down[host]; ok {
			h.DownSince, h.FailingAt = d.DownSince, d.FailingAt
		}
		h.Cadence = verify.RealCadence(&h.ProbeHost, w.pace.Cadence, w.pace.Gap)
		o.Hosts = append(o.Hosts, h)
	}
	return o
}

// daysOf is on how many of the WindowDays up to the last one with a check there was one: windows of entries
// end with their own last checks, so that days has more.
func daysOf(days uint64) int {
	return bits.OnesCount64(days >> bits.TrailingZeros64(days) & (1<<score.WindowDays - 1))
}
