package eventlog

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Every is how often the end of the log is looked at, and the pause after which a
// follower that failed tries again.
const Every = 500 * time.Millisecond

// Watcher looks at the end of the log for all who follow it in a process.
type Watcher struct {
	store catalog.Store
	every time.Duration
	log   *slog.Logger

	mu    sync.Mutex
	grown chan struct{}
}

// New makes a watcher of a store's log; Run makes it work. An every of zero is Every.
func New(store catalog.Store, every time.Duration, log *slog.Logger) *Watcher {
	if every <= 0 {
		every = Every
	}
	return &Watcher{store: store, every: every, log: log, grown: make(chan struct{})}
}

// Run looks at the log until ctx ends. While the store is away it is logged once.
func (w *Watcher) Run(ctx context.Context) error {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	last, away := int64(-1), false
	for {
		end, err := w.end(ctx)
		if err != nil && !away && ctx.Err() == nil {
			w.log.Error("the log of events cannot be read", "error", err)
		}
		if away = err != nil; !away && end != last {
			last = end
			w.Notify()
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (w *Watcher) end(ctx context.Context) (number int64, err error) {
	err = w.store.View(ctx, func(tx catalog.Tx) (err error) {
		number, err = tx.Events().Last(ctx)
		return err
	})
	return number, err
}

// Notify lets all followers look, as they do when the log has grown.
func (w *Watcher) Notify() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.grown)
	w.grown = make(chan struct{})
}

// Grown returns a channel that closes at the next notice. Who asks for it before
// reading the log misses no event.
func (w *Watcher) Grown() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.grown
}

// Follow calls read at once and at each notice until ctx ends: again while it says
// that there is more, and after a pause when it failed, which is logged as what.
func (w *Watcher) Follow(ctx context.Context, what string, read func(context.Context) (more bool, err error)) error {
	for ctx.Err() == nil {
		grown := w.Grown()
		more, err := read(ctx)
		if err == nil && more {
			continue
		}
		var again <-chan time.Time
		if err != nil && ctx.Err() == nil {
			w.log.Error(what, "error", err)
			again = time.After(w.every)
		}
		select {
		case <-ctx.Done():
		case <-grown:
		case <-again:
		}
	}
	return nil
}
