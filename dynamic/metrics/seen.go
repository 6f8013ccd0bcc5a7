package metrics

import (
	"cmp"
	"context"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

const (
	// lateAfter is from when on a due probe is overdue.
	lateAfter = 15 * time.Minute
	// runsBack is how many runs of a source are looked at for the last success.
	runsBack = 20
)

// seen is what the store holds at one instant.
type seen struct {
	jobs    []catalog.JobCount
	probes  catalog.ProbeTally
	overdue int
	sources []sourceSeen
}

// sourceSeen is an enabled source.
type sourceSeen struct {
	name     string
	interval time.Duration
	success  time.Time
	last     *catalog.RunCounts
}

func readStore(ctx context.Context, tx catalog.Tx, now time.Time) (*seen, error) {
	var v seen
	var err error
	if v.jobs, err = tx.Jobs().Depth(ctx); err != nil {
		return nil, err
	}
	if v.probes, err = catalog.ReadProbeTally(ctx, tx.Meta()); err != nil {
		return nil, err
	}
	if v.overdue, err = tx.Probes().Due(ctx, now.Add(-lateAfter)); err != nil {
		return nil, err
	}
	sources, err := tx.Sources().All(ctx)
	if err != nil {
		return nil, err
	}
	for i := range sources {
		if !sources[i].Enabled {
			continue
		}
		one, err := readSource(ctx, tx, &sources[i])
		if err != nil {
			return nil, err
		}
		v.sources = append(v.sources, one)
	}
	return &v, nil
}

func readSource(ctx context.Context, tx catalog.Tx, s *catalog.Source) (sourceSeen, error) {
	out := sourceSeen{name: cmp.Or(s.Key, s.ID)}
	// A schedule that cannot be read is refused where it is set.
	out.interval, _ = catalog.ParseSchedule(s.Schedule)
	for _, back := range []int{1, runsBack} { // nearly always the last one was a success
		runs, err := tx.Runs().Latest(ctx, s.ID, back)
		if err != nil || len(runs) == 0 {
			return out, err
		}
		out.last = &runs[0].Counts
		for i := range runs {
			if runs[i].Reached() {
				out.success = runs[i].FinishedAt
				return out, nil
			}
		}
	}
	return out, nil
}

// show hands the values on; entries is how many the snapshot lists.
func (v *seen) show(c sink, now time.Time, entries int) {
	for _, j := range v.jobs {
		c.gauge(jobCount, float64(j.Jobs), j.Kind, string(j.State))
		if j.State == catalog.JobQueued {
			c.gauge(jobWait, max(0, now.Sub(j.Since).Seconds()), j.Kind)
		}
	}
	t := &v.probes
	c.counter(probeCount, t.Up, "up")
	c.counter(probeCount, t.Down, "down")
	c.counter(probeCount, t.HostDown, "host_down")
	c.counter(probeCount, t.Unconfirmed, "unconfirmed")
	c.counter(probeCount, t.Deferred, "deferred")
	c.counter(probeCount, t.Withheld, "withheld")
	c.stamp(probeLast, t.Last)
	if t.Last.IsZero() {
		// Without a prober nothing is in its timetable either.
		v.overdue = max(v.overdue, entries)
	}
	c.gauge(probesLate, float64(v.overdue))
	for i := range v.sources {
		v.sources[i].show(c)
	}
}

func (s *sourceSeen) show(c sink) {
	c.stamp(sourceSuccess, s.success, s.name)
	c.gauge(sourceInterval, s.interval.Seconds(), s.name)
	n := s.last
	if n == nil {
		return
	}
	for _, o := range []struct {
		outcome string
		records int
	}{{"created", n.Created}, {"updated", n.Updated}, {"unchanged", n.Unchanged}, {"merged", n.Merged}, {"quarantined", n.Quarantined},
		{"suppressed", n.Suppressed}, {"repeated", n.Repeated}, {"rejected", n.Rejected}} {
		c.gauge(sourceRecords, float64(o.records), s.name, o.outcome)
	}
}
