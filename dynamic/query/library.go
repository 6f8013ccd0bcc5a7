// Package query answers reads from snapshot files: it holds the current snapshot
// and those that readers may still name, and turns parameters into the same pages
// that a build makes of them.
package query

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/assay-register/assay/dynamic/query/engine"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// olderMax is how many replaced snapshots stay in memory. Others whose
// files are kept are read again when a reader names them.
const olderMax = 2

// retryBroken is how long a snapshot that could not be read is left alone.
const retryBroken = 30 * time.Second

// Library holds the snapshots of one folder. It is safe for concurrent use.
type Library struct {
	folder  folder
	log     *slog.Logger
	current atomic.Pointer[Snapshot]
	// ready closes with the first snapshot.
	ready chan struct{}
	// since is when the current snapshot was presented.
	since atomic.Pointer[time.Time]
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
	// Presented, if not nil, is called when another snapshot has become current; it is set
	// before the library is refreshed.
	Presented func()
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

// Open reads the current snapshot of a folder, if it has one yet. holding, if it is not nil,
// is told how many bytes of encoded lines the snapshots in memory have whenever
// one comes, before it is read, or goes.
func Open(dir string, log *slog.Logger, holding func(bytes int64)) (*Library, error) {
	l := &Library{folder: folder(dir), log: log, holding: holding, opened: map[string]*File{}, ready: make(chan struct{}),
		gate: engine.NewGate(max(2, runtime.GOMAXPROCS(0))), heavy: engine.Heavy()}
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

// Since is when the current snapshot was presented, zero when there is none.
func (l *Library) Since() time.Time {
	if at := l.since.Load(); at != nil {
		return *at
	}
	return time.Time{}
}

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

// Refresh reads the snapshot that is presented, if it is another one than
// before, and what lies over it. When that fails the old one stays, and the new
// one is tried again half a minute later.
func (l *Library) Refresh(now time.Time) error {
	w := &l.watched
	w.mu.Lock()
	defer w.mu.Unlock()
	info, err := os.Stat(l.folder.page())
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the first build has yet to write it, or the folder is away
	}
	if err != nil {
		return err
	}
	if w.seen != nil && sameFile(w.seen, info) && (w.broken.IsZero() || now.Sub(w.broken) < retryBroken) {
		if s := l.Current(); s != nil {
			l.refreshOver(s)
		}
		return nil
	}
	w.seen, w.broken = info, now
	id, err := l.folder.present()
	if err != nil {
		return err
	}
	if err := l.use(id); err != nil {
		return err
	}
	at := info.ModTime()
	l.since.Store(&at)
	w.broken = time.Time{}
	return nil
}

// Check says why readers of the site get no answers: there is no snapshot yet,
// or the folder of the site is gone.
func (l *Library) Check() error {
	if l.Current() == nil {
		return errUnavailable
	}
	if _, err := os.Stat(l.folder.page()); errors.Is(err, fs.ErrNotExist) {
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
	again := old != nil && old.ID == id
	if again && !l.reindexed(old) {
		return l.renew(old)
	}
	var s *Snapshot
	if !again {
		s = l.take(id)
	}
	if s == nil {
		var err error
		if s, err = l.load(id); err != nil {
			return err
		}
	}
	if err := l.renew(s); err != nil {
		return err
	}
	if l.current.Swap(s) == nil {
		close(l.ready)
	}
	l.log.Info("snapshot", "id", s.ID, "entries", len(s.Lines), "listed", len(s.Order))
	l.forget()
	if old != nil && !again {
		l.keep(old)
	}
	l.hold(0)
	if l.Presented != nil {
		l.Presented()
	}
	return nil
}

// reindexed tells that a build replaced the file of a snapshot by one that is searched otherwise: it
// was made by a release that knows other words.
func (l *Library) reindexed(s *Snapshot) bool {
	info, err := os.Stat(filepath.Join(string(l.folder), snapshot.FileOf(s.ID)))
	if err != nil || sameFile(info, s.File().Info) {
		return false
	}
	f, err := l.folder.open(s.ID)
	return err == nil && f.Directory.SumOf(segment.File) != s.File().Directory.SumOf(segment.File)
}

// renew opens the file of a snapshot again if a build replaced it: the entries are the
// same, other documents may differ. It reads what lies over it, too.
func (l *Library) renew(s *Snapshot) error {
	info, err := os.Stat(filepath.Join(string(l.folder), snapshot.FileOf(s.ID)))
	if err != nil {
		return err
	}
	if !sameFile(info, s.File().Info) {
		f, err := l.folder.open(s.ID)
		if err != nil {
			return err
		}
		s.file.Store(f)
	}
	l.refreshOver(s)
	return nil
}

// forget lets go of the files of snapshots that are no more, which nobody may ask for
// again.
func (l *Library) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.opened, l.Current().ID)
	maps.DeleteFunc(l.opened, func(id string, _ *File) bool { return !l.folder.has(id) })
	l.older = slices.DeleteFunc(l.older, func(s *Snapshot) bool { return !l.folder.has(s.ID) })
}

// At returns the snapshot that a reader names, the current one for "". An
// older one answers as long as its file is kept.
func (l *Library) At(ctx context.Context, id string) (*Snapshot, error) {
	current := l.Current()
	if current == nil {
		return nil, errUnavailable
	}
	if id == "" || id == current.ID {
		return current, nil
	}
	if !l.folder.has(id) {
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
// its snapshot file is kept, and its overlay is that of a snapshot in memory.
func (l *Library) Answerable() func(edition string) bool {
	known := map[string]bool{}
	for _, id := range l.folder.ids() {
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
