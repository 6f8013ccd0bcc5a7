package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/assay-register/assay/render/catalog"
)

// readTimeout bounds how long the store is asked for its state.
const readTimeout = 3 * time.Second

// State is what is read when somebody looks, rather than counted: it is the same
// whichever process did the work.
type State struct {
	Now func() time.Time
	// Snapshot tells which snapshot answers, as of when, when it was built, and how
	// many entries it lists; "" for none.
	Snapshot func() (id string, asOf, built time.Time, entries int)
	// Store is asked whether it answers, and for its jobs, probes and sources; nil
	// for none.
	Store catalog.Store
	// Write tells whether the store takes writes; nil for nobody knows.
	Write func(context.Context) error
}

var (
	snapshotInfo    = describe("assay_snapshot_info", "The snapshot that answers.", "snapshot")
	snapshotAge     = describe("assay_snapshot_age_seconds", "Time since the latest change that the snapshot shows.")
	snapshotBuilt   = describe("assay_snapshot_built_timestamp_seconds", "When the snapshot that answers was built.")
	snapshotEntries = describe("assay_snapshot_entries", "Entries that the snapshot lists.")
	storeUp         = describe("assay_store_up", "1 if the store answers and takes writes, else 0.")
	jobCount        = describe("assay_jobs", "Jobs by kind and state.", "kind", "state")
	jobWait         = describe("assay_job_wait_seconds", "For how long the job of a kind that waits longest is due.", "kind")
	probeCount      = describe("assay_probes_total", "Probes by outcome, of all processes on the store.", "outcome")
	probeLast       = describe("assay_probe_last_timestamp_seconds", "When the latest outcome of a probe was stored, by any process; 0 for never.")
	probesLate      = describe("assay_probes_overdue", "Entries whose probe is due for more than a quarter of an hour; all of them before the first probe.")
	sourceSuccess   = describe("assay_source_last_success_timestamp_seconds", "When an enabled source was last read to its end; 0 for never.", "source")
	sourceInterval  = describe("assay_source_interval_seconds", "How often an enabled source is to be read.", "source")
	sourceRecords   = describe("assay_source_records", "Records of the last run of an enabled source, by outcome.", "source", "outcome")
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// Describe implements prometheus.Collector.
func (s *State) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{snapshotInfo, snapshotAge, snapshotBuilt, snapshotEntries, storeUp, jobCount, jobWait,
		probeCount, probeLast, probesLate, sourceSuccess, sourceInterval, sourceRecords} {
		ch <- d
	}
}

// sink takes the values of one look.
type sink chan<- prometheus.Metric

func (c sink) gauge(d *prometheus.Desc, v float64, labels ...string) {
	c <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}

func (c sink) counter(d *prometheus.Desc, v int64, labels ...string) {
	c <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
}

// stamp shows an instant, 0 for never.
func (c sink) stamp(d *prometheus.Desc, at time.Time, labels ...string) {
	v := 0.0
	if !at.IsZero() {
		v = float64(at.UnixMilli()) / 1000
	}
	c.gauge(d, v, labels...)
}

// Collect implements prometheus.Collector.
func (s *State) Collect(ch chan<- prometheus.Metric) {
	c := sink(ch)
	id, asOf, built, entries := s.Snapshot()
	if id != "" {
		c.gauge(snapshotInfo, 1, id)
		c.gauge(snapshotAge, max(0, s.Now().Sub(asOf).Seconds()))
		c.stamp(snapshotBuilt, built)
		c.gauge(snapshotEntries, float64(entries))
	}
	if s.Store == nil {
		return
	}
	seen, err := s.look()
	if err != nil {
		c.gauge(storeUp, 0)
		return
	}
	c.gauge(storeUp, s.writes())
	seen.show(c, s.Now(), entries)
}

// writes is 1 if the store takes writes. One that waits for a long write takes
// them.
func (s *State) writes() float64 {
	if s.Write == nil {
		return 1
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	if err := s.Write(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return 0
	}
	return 1
}

// look reads the store, in one transaction.
func (s *State) look() (*seen, error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	var v *seen
	err := s.Store.View(ctx, func(tx catalog.Tx) (err error) {
		v, err = readStore(ctx, tx, s.Now())
		return err
	})
	return v, err
}
