package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// leased holds the lease of a job and stores its progress.
type leased struct {
	worker *Worker
	st     catalog.Store
	job    string

	mu       sync.Mutex
	progress JobProgress
	records  map[string]int
	err      error
}

func newLeased(w *Worker, st catalog.Store, job string, sources int) *leased {
	return &leased{worker: w, st: st, job: job, progress: JobProgress{Sources: sources}, records: map[string]int{}}
}

// hold extends the lease three times as often as needed, until stop is called,
// which returns why it could not be held. A lost lease ends the context.
func (l *leased) hold(ctx context.Context) (held context.Context, stop func() error) {
	held, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(l.worker.lease() / 3)
		defer tick.Stop()
		for {
			select {
			case <-held.Done():
				return
			case <-tick.C:
			}
			err := l.store(held)
			if errors.Is(err, catalog.ErrLeaseLost) {
				l.fail(err)
				cancel()
				return
			}
		}
	}()
	return held, func() error {
		cancel()
		<-done
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.err
	}
}

func (l *leased) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

func (l *leased) tell(s *catalog.Source, records int, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress.Records += records - l.records[s.ID]
	l.records[s.ID] = records
	if ended {
		l.progress.Ended++
	}
}

// store extends the lease and stores the progress.
func (l *leased) store(ctx context.Context) error {
	l.mu.Lock()
	doc, err := json.Marshal(l.progress)
	l.mu.Unlock()
	if err != nil {
		return err
	}
	return l.st.Update(ctx, func(tx catalog.Tx) error {
		return tx.Jobs().Extend(ctx, l.job, l.worker.Name, l.worker.Batch.Clock().Add(l.worker.lease()), doc)
	})
}

// withProgress is the batch with another listener.
func (b *Batch) withProgress(tell func(*catalog.Source, int, bool)) *Batch {
	return &Batch{Connectors: b.Connectors, Hosts: b.Hosts, Fetcher: b.Fetcher, Clock: b.Clock, Limits: b.Limits, Options: b.Options,
		AllowPrivate: b.AllowPrivate, Progress: tell}
}
