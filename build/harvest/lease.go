package harvest

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// defaultLease is how long a run is held without a sign of life: as long a
// source waits after its process was killed.
const defaultLease = time.Minute

// ErrTakenOver says that another process has taken the run over.
var ErrTakenOver = errors.New("another process has taken this run over")

// ErrHarvested says that another process has harvested a source that was due.
var ErrHarvested = errors.New("another process has just harvested this source")

// BusyError says that another process is harvesting the source.
type BusyError struct {
	// Worker is that process, Since when it began, Until how long it is believed
	// to live without a further sign.
	Worker       string
	Since, Until time.Time
}

// Error implements error.
func (e *BusyError) Error() string {
	return fmt.Sprintf("%s has been harvesting this source since %s; wait until it ends. If that process was killed, the source is free at %s",
		cmp.Or(e.Worker, "another process"), e.Since.Format(time.TimeOnly), e.Until.Format(time.TimeOnly))
}

// own gives the run of the row to this process.
func (r *run) own(row *catalog.HarvestRun) {
	row.Owner = cmp.Or(r.opts.Worker, "a process") + " " + rand.Text()
	row.LeaseUntil = r.opts.Clock().Add(r.opts.Lease)
}

// busy tells that a living process has the run under way.
func (r *run) busy(row *catalog.HarvestRun) error {
	if !row.Held(r.opts.Clock()) {
		return nil
	}
	return &BusyError{Worker: workerOf(row.Owner), Since: row.StartedAt, Until: row.LeaseUntil}
}

// late tells that another process has harvested a source since it was chosen for
// being due.
func (r *run) late(latest []catalog.HarvestRun) error {
	if !r.opts.Due || len(latest) == 0 || latest[0].State == catalog.RunRunning {
		return nil
	}
	now := r.opts.Clock()
	at, err := DueAt(&r.in.Source, &latest[0], now)
	if err == nil && at.After(now) {
		err = ErrHarvested
	}
	return err
}

// workerOf is an owner without its token.
func workerOf(owner string) string {
	return owner[:max(0, len(owner)-len(rand.Text())-1)]
}

// hold makes sure that this process still owns the run.
func (r *run) hold(ctx context.Context, tx catalog.Tx) error {
	now, err := tx.Runs().Get(ctx, r.row.ID)
	if err != nil {
		return err
	}
	if now.Owner != r.row.Owner || now.State != catalog.RunRunning {
		return fmt.Errorf("run %s: %w", r.row.ID, ErrTakenOver)
	}
	return nil
}

// shortBeat bounds how often a sign of life is given.
const shortBeat = 10 * time.Millisecond

// live gives signs of life until stop is called. A run that another process took
// over, or whose lease ran out because the store was away, ends.
func (r *run) live(ctx context.Context) (alive context.Context, stop func()) {
	alive, cancel := context.WithCancelCause(ctx)
	id, owner := r.row.ID, r.row.Owner
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(max(r.opts.Lease/3, shortBeat))
		defer tick.Stop()
		last := time.Now()
		for {
			select {
			case <-alive.Done():
				return
			case <-tick.C:
			}
			err := r.store.Update(alive, func(tx catalog.Tx) error {
				return tx.Runs().Hold(alive, id, owner, r.opts.Clock().Add(r.opts.Lease))
			})
			if err == nil {
				last = time.Now()
			} else if errors.Is(err, catalog.ErrLeaseLost) || time.Since(last) >= max(r.opts.Lease, shortBeat) {
				cancel(fmt.Errorf("run %s: %w", id, ErrTakenOver))
			}
		}
	}()
	return alive, func() {
		cancel(nil)
		<-done
	}
}
