package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/assay-register/assay/render/catalog"
)

// readTimeout bounds how long the store is asked for its state.
const readTimeout = 3 * time.Second

// State is what is read when somebody looks, rather than counted.
type State struct {
	Now func() time.Time
	// Snapshot tells which snapshot answers, as of when, and how many entries
	// it lists; "" for none.
	Snapshot func() (id string, asOf time.Time, entries int)
	// Store is asked whether it answers, and for its jobs; nil for none.
	Store catalog.Store
}

var (
	snapshotInfo    = prometheus.NewDesc("assay_snapshot_info", "The snapshot that answers.", []string{"snapshot"}, nil)
	snapshotAge     = prometheus.NewDesc("assay_snapshot_age_seconds", "Time since the latest change that the snapshot shows.", nil, nil)
	snapshotEntries = prometheus.NewDesc("assay_snapshot_entries", "Entries that the snapshot lists.", nil, nil)
	storeUp         = prometheus.NewDesc("assay_store_up", "1 if the store answers, else 0.", nil, nil)
	jobCount        = prometheus.NewDesc("assay_jobs", "Jobs by kind and state.", []string{"kind", "state"}, nil)
)

// Describe implements prometheus.Collector.
func (s *State) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{snapshotInfo, snapshotAge, snapshotEntries, storeUp, jobCount} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (s *State) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	if id, asOf, entries := s.Snapshot(); id != "" {
		gauge(snapshotInfo, 1, id)
		gauge(snapshotAge, max(0, s.Now().Sub(asOf).Seconds()))
		gauge(snapshotEntries, float64(entries))
	}
	if s.Store == nil {
		return
	}
	counts, err := s.jobs()
	if err != nil {
		gauge(storeUp, 0)
		return
	}
	gauge(storeUp, 1)
	for _, c := range counts {
		gauge(jobCount, float64(c.Jobs), c.Kind, string(c.State))
	}
}

func (s *State) jobs() (counts []catalog.JobCount, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	err = s.Store.View(ctx, func(tx catalog.Tx) error {
		counts, err = tx.Jobs().Depth(ctx)
		return err
	})
	return counts, err
}
