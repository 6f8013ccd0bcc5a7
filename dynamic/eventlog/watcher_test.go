package eventlog

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestFollowersReadWhatCommitted lets two follow a log, one of which fails at
// first and says that there is more: both read every event, without a notice in
// between none is read again.
func TestFollowersReadWhatCommitted(t *testing.T) {
	t.Parallel()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := New(s, time.Millisecond, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	defer ended.Wait()
	defer stop()
	run := func(loop func() error) {
		ended.Go(func() {
			if err := loop(); err != nil {
				t.Error(err)
			}
		})
	}
	read := func(cursor *atomic.Int64) (more bool, err error) {
		var list []catalog.Event
		err = s.View(ctx, func(tx catalog.Tx) (err error) {
			list, err = tx.Events().After(ctx, cursor.Load(), 1)
			return err
		})
		if err == nil && len(list) > 0 {
			cursor.Store(list[0].Number)
		}
		return len(list) > 0, err
	}
	var steady, faulty, calls atomic.Int64
	run(func() error { return w.Run(ctx) })
	run(func() error {
		return w.Follow(ctx, "steady", func(context.Context) (bool, error) {
			calls.Add(1)
			return read(&steady)
		})
	})
	fails := 3
	run(func() error {
		return w.Follow(ctx, "faulty", func(context.Context) (bool, error) {
			if fails--; fails >= 0 {
				return false, errors.New("away")
			}
			return read(&faulty)
		})
	})
	for n := int64(2); n <= 6; n += 2 {
		at := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
		e := catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: at}
		if err := s.Update(ctx, func(tx catalog.Tx) error { return tx.Events().Append(ctx, e, e) }); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); steady.Load() < n || faulty.Load() < n; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("of %d events one read %d, the other %d", n, steady.Load(), faulty.Load())
			}
		}
	}
	// Each event once, and once that there is no more: at the start, and at each
	// notice, of which two may fall into one reading.
	if got := calls.Load(); got > 6+2+2*3 {
		t.Errorf("the log was read %d times", got)
	}
	grown := w.Grown()
	w.Notify()
	<-grown
}
