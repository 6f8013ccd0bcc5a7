package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-register/assay/build/publish/bucket"
)

// errKilled ends a publish as a kill would: no call gets through any more.
var errKilled = errors.New("killed")

// memory is a store with flat keys, as object stores have. It dies before the
// call that makes left negative, or, half of the time, after it: the call took
// effect, but nobody learnt of it.
type memory struct {
	mu      sync.Mutex
	objects map[string]stored
	// left is how many writes are let through, -1 for all.
	left  int
	after bool
	// writes counts the calls that change something; puts are their keys.
	writes int
	puts   []string
	// lists counts the calls that list.
	lists int
	// safe is what a loss of power leaves for certain; loose are the writes
	// since then, of which any may be lost.
	safe  map[string]stored
	loose []func() error
	// watch is called with the lock held before each write.
	watch func()
}

type stored struct {
	body string
	bucket.Object
}

func newMemory() *memory { return &memory{objects: map[string]stored{}, left: -1} }

// write does what changes the store, if it still lives.
func (m *memory) write(do func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == 0 {
		if m.after {
			m.after = false
			return errors.Join(do(), errKilled)
		}
		return errKilled
	}
	if m.left > 0 {
		m.left--
	}
	m.writes++
	m.loose = append(m.loose, do)
	err := do()
	if m.watch != nil {
		m.watch()
	}
	return err
}

func (m *memory) Get(_ context.Context, key string) (io.ReadCloser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.objects[key]
	if !ok {
		return nil, fmt.Errorf("%s: %w", key, fs.ErrNotExist)
	}
	if o.Encoding != "" {
		return nil, errors.New("a coded document was read as plain")
	}
	return io.NopCloser(strings.NewReader(o.body)), nil
}

func (m *memory) Put(_ context.Context, key string, body io.ReadSeeker, o bucket.Object) error {
	var b bytes.Buffer
	if n, err := b.ReadFrom(body); err != nil || n != o.Size {
		return fmt.Errorf("%s has %d bytes, %d were announced: %w", key, n, o.Size, err)
	}
	return m.write(func() error {
		m.puts = append(m.puts, key)
		m.objects[key] = stored{b.String(), o}
		return nil
	})
}

func (m *memory) Copy(_ context.Context, from, to string) error {
	return m.write(func() error {
		o, ok := m.objects[from]
		if !ok {
			return fmt.Errorf("%s: %w", from, fs.ErrNotExist)
		}
		m.objects[to] = o
		return nil
	})
}

func (m *memory) Exists(_ context.Context, key string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.objects[key]
	return ok, nil
}

func (m *memory) Delete(_ context.Context, key string) error {
	return m.write(func() error {
		delete(m.objects, key)
		return nil
	})
}

func (m *memory) Sync(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == 0 {
		return errKilled
	}
	m.safe, m.loose = maps.Clone(m.objects), nil
	return nil
}

// cutPower loses each write since the last Sync by chance.
func (m *memory) cutPower(lost func() bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	loose := m.loose
	m.objects, m.loose = map[string]stored{}, nil
	maps.Copy(m.objects, m.safe)
	for _, do := range loose {
		if !lost() {
			_ = do() // a copy of what was lost is lost as well
		}
	}
}

func (m *memory) List(_ context.Context, prefix string) iter.Seq2[bucket.Listed, error] {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lists++
	var out []bucket.Listed
	for _, key := range slices.Sorted(maps.Keys(m.objects)) {
		if strings.HasPrefix(key, prefix) {
			out = append(out, bucket.Listed{Key: key, Size: int64(len(m.objects[key].body))})
		}
	}
	return func(yield func(bucket.Listed, error) bool) {
		for _, o := range out {
			if !yield(o, nil) {
				return
			}
		}
	}
}

// pages are the objects that readers can ask for.
func (m *memory) pages() map[string]stored {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]stored{}
	for key, o := range m.objects {
		if !strings.HasPrefix(key, hidden) {
			out[key] = o
		}
	}
	return out
}

// same compares two sets of objects, but for their times.
func same(t *testing.T, got, want map[string]stored) {
	t.Helper()
	for key, w := range want {
		g, ok := got[key]
		g.Modified = w.Modified
		if !ok {
			t.Errorf("%s is missing", key)
		} else if g != w {
			t.Errorf("%s is %q %+v, want %q %+v", key, cut(g.body), g.Object, cut(w.body), w.Object)
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			t.Errorf("%s is too many", key)
		}
	}
}

func cut(s string) string { return s[:min(len(s), 60)] }
