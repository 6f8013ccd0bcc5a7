// Package query answers reads from the snapshots of a built tree: it holds the
// current one and those that readers may still name, and turns parameters into
// the same pages that the tree was made of.
package query

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/snapshot"
)

// olderMax is how many replaced snapshots stay in memory. Others that still
// lie on disk are read again when a reader names them.
const olderMax = 2

// retryBroken is how long a snapshot that could not be read is left alone.
const retryBroken = 30 * time.Second

// Library holds the snapshots of one tree. It is safe for concurrent use.
type Library struct {
	dir string
	// lies is the shelf, which is looked for until there is a first snapshot.
	lies    atomic.Pointer[shelf]
	log     *slog.Logger
	current atomic.Pointer[Snapshot]
	// ready closes with the first snapshot.
	ready   chan struct{}
	present atomic.Pointer[Present]
	// over is the overlay that was read last.
	over atomic.Pointer[Over]
	// gate bounds how many requests scan a snapshot at the same time.
	gate *engine.Gate
	// heavy bounds how many expensive searches run at the same time.
	heavy   *engine.Gate
	loading singleflight.Group
	// reading lets one older snapshot be read at a time.
	reading sync.Mutex
	mu      sync.Mutex
	older   []*Snapshot // most recently used last
	// opened are the files of older snapshots whose list pages are read.
	opened  map[string]*File
	watched watched
	// overlays counts the overlays that were laid.
	overlays atomic.Uint64
	// holding is told how much the snapshots in memory hold (Open).
	holding func(bytes int64)
}

// watched is what the library last saw of the file that names the present
// snapshot.
type watched struct {
	mu     sync.Mutex
	seen   fs.FileInfo
	broken time.Time
}

// NewLibrary makes a library without a snapshot; Refresh reads the first one.
func NewLibrary(dir string, log *slog.Logger) *Library {
	l := &Library{opened: map[string]*File{}, dir: dir, log: log, ready: make(chan struct{}), gate: engine.NewGate(max(2, runtime.GOMAXPROCS(0))), heavy: engine.Heavy()}
	l.look()
	return l
}

// look finds out what lies in the folder.
func (l *Library) look() {
	s := shelfOf(l.dir)
	l.lies.Store(&s)
}

func (l *Library) shelf() shelf { return *l.lies.Load() }

// Open reads the current snapshot of the tree in dir, if it has one yet. holding, if it is not nil,
// is told how many bytes of encoded lines the snapshots in memory have whenever
// one comes, before it is read, or goes.
func Open(dir string, log *slog.Logger, holding func(bytes int64)) (*Library, error) {
	l := NewLibrary(dir, log)
	l.holding = holding
	if err := l.Refresh(time.Time{}); err != nil {
		return nil, fmt.Errorf("open site at %s: %w", dir, err)
	}
	return l, nil
}

// Current is the snapshot that answers requests which name none; nil before
// the first one is read.
func (l *Library) Current() *Snapshot { return l.current.Load() }

// Ready closes when there is a snapshot to answer from.
func (l *Library) Ready() <-chan struct{} { return l.ready }

// Site is the site of the current snapshot and its id, zero when there is none.
func (l *Library) Site() (snapshot.Site, string) {
	if s := l.Current(); s != nil {
		return s.Site, s.ID
	}
	return snapshot.Site{}, ""
}

// Watch calls Refresh at every tick until ctx ends.
func (l *Library) Watch(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			if err := l.Refresh(now); err != nil {
				l.log.Error("the new snapshot cannot be read; the old one keeps answering", "error", err)
			}
		}
	}
}

// Refresh reads the snapshot that the tree names, if it is another one than
// before. When that fails the old one stays, and the new one is tried again
// half a minute later.
func (l *Library) Refresh(now time.Time) error {
	w := &l.watched
	w.mu.Lock()
	defer w.mu.Unlock()
	if l.Current() == nil {
		l.look()
	}
	info, err := os.Stat(l.shelf().page())
	if err != nil {
		return l.withoutPage(err)
	}
	if w.seen != nil && sameFile(w.seen, info) && (w.broken.IsZero() || now.Sub(w.broken) < retryBroken) {
		if s := l.Current(); s != nil {
			l.refreshOver(s.ID)
		}
		return nil
	}
	w.seen, w.broken = info, now
	id, err := l.shelf().present()
	if err != nil {
		return err
	}
	if err := l.use(id); err != nil {
		return err
	}
	l.refreshOver(id)
	l.present.Store(&Present{id, info.ModTime(), l.shelf().refreshed()})
	w.broken = time.Time{}
	return nil
}

// withoutPage forgives a missing page: the first build has yet to write it, and
// a full one clears the tree first.
func (l *Library) withoutPage(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Check says why readers of the site get no answers: there is no snapshot yet,
// or the folder of the site is gone and no build is filling it.
func (l *Library) Check() error {
	if l.Current() == nil {
		return errUnavailable
	}
	if _, err := os.Stat(l.shelf().page()); errors.Is(err, fs.ErrNotExist) && !l.shelf().building() {
		return errSiteGone
	}
	return nil
}

func sameFile(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// use makes the snapshot current; the one before stays readable.
func (l *Library) use(id string) error {
	old := l.Current()
	if old != nil && old.ID == id {
		return nil
	}
	s := l.take(id)
	if s == nil {
		var err error
		if s, err = l.load(id); err != nil {
			return err
		}
	}
	if l.current.Swap(s) == nil {
		close(l.ready)
	}
	l.log.Info("snapshot", "id", s.ID, "entries", len(s.Lines), "listed", len(s.Order))
	l.forget()
	if old != nil {
		l.keep(old)
	}
	l.hold(0)
	return nil
}

// forget lets go of the files of snapshots that are no more, which nobody may ask for
// again.
func (l *Library) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.opened, func(id string, _ *File) bool { return !l.shelf().has(id) })
	l.older = slices.DeleteFunc(l.older, func(s *Snapshot) bool { return !l.shelf().has(s.ID) })
}

// At returns the snapshot that a reader names, the current one for "". An
// older one answers as long as it lies in the tree.
func (l *Library) At(ctx context.Context, id string) (*Snapshot, error) {
	current := l.Current()
	if current == nil {
		return nil, errUnavailable
	}
	if id == "" || id == current.ID {
		return current, nil
	}
	if !l.shelf().has(id) {
		l.take(id)
		return nil, &expiredError{id}
	}
	if s := l.take(id); s != nil {
		l.keep(s)
		return s, nil
	}
	return l.revive(ctx, id)
}

// revive reads an older snapshot again, once for all who wait for it.
func (l *Library) revive(ctx context.Context, id string) (*Snapshot, error) {
	s, err := once(ctx, &l.loading, id, func() (*Snapshot, error) {
		l.reading.Lock()
		defer l.reading.Unlock()
		s, err := l.load(id)
		if err == nil {
			l.keep(s)
		}
		return s, err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &expiredError{id}
	}
	return s, err
}

// once does something for all who ask for it at the same time; each waits no
// longer than its own context. A panic becomes an error, as nobody else could
// recover it.
func once[T any](ctx context.Context, group *singleflight.Group, key string, do func() (T, error)) (T, error) {
	done := group.DoChan(key, func() (v any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return do()
	})
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case r := <-done:
		v, _ := r.Val.(T)
		return v, r.Err
	}
}

// take removes an older snapshot from memory and returns it, nil if it is not
// there.
func (l *Library) take(id string) *Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, s := range l.older {
		if s.ID == id {
			l.older = append(l.older[:i:i], l.older[i+1:]...)
			return s
		}
	}
	return nil
}

// Answerable tells of an edition (Snapshot.Edition) whether it can still be asked for:
// its snapshot lies on the shelf, and its overlay is that of a snapshot in memory.
func (l *Library) Answerable() func(edition string) bool {
	known := map[string]bool{}
	for _, id := range l.shelf().ids() {
		known[id] = true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range append(l.older[:len(l.older):len(l.older)], l.Current()) {
		if s != nil && known[s.ID] {
			known[s.Edition()] = true
		}
	}
	return func(edition string) bool { return known[edition] }
}

func (l *Library) keep(s *Snapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.older {
		if o.ID == s.ID {
			return
		}
	}
	l.older = trimmed(append(l.older, s))
}
