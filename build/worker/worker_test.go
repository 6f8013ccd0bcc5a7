package worker_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/build/worker"
)

func TestWorkerWorksOffWhatIsDueAndWaits(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var left, idle, ticks atomic.Int64
	left.Store(20)
	w := worker.Worker{Idle: time.Millisecond, Tick: time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Tasks: []worker.Task{{Name: "count", Lanes: 3, Run: func(context.Context) (bool, error) {
			if left.Add(-1) >= 0 {
				return true, nil
			}
			if idle.Add(1) > 10 {
				stop()
			}
			return false, nil
		}}},
		Schedules: []func(context.Context) error{func(context.Context) error { ticks.Add(1); return nil }}}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if idle.Load() < 10 || ticks.Load() == 0 {
		t.Errorf("idle %d times, %d ticks", idle.Load(), ticks.Load())
	}
}

func TestWorkerSurvivesAFailingStore(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	var log lockedBuffer
	failed := false
	w := worker.Worker{Idle: time.Millisecond, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Tasks: []worker.Task{{Name: "shaky", Run: func(context.Context) (bool, error) {
			if !failed {
				failed = true
				return false, errors.New("the store is away")
			}
			stop()
			return true, nil
		}}}}
	if err := w.Run(ctx); err != nil || !strings.Contains(log.String(), "the store is away") {
		t.Errorf("error %v, log %q", err, log.String())
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Error("the worker did not go on after the failure")
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String gives what was written.
func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
