package replica

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
)

var at = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func id(n int) string { return fmt.Sprintf("20261121-%012x", n) }

// file is a snapshot file of one document that says which it is.
func file(t *testing.T, n int) []byte {
	t.Helper()
	g, err := new(pack.Compressor).Compress("all", []artifact.File{{Route: "/snapshot.json", Type: artifact.JSON, Class: artifact.ClassCatalog, Body: []byte(id(n))}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := pack.NewWriter(&b)
	if err := w.Append(g); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// objects is a bucket that is only read.
type objects struct {
	bucket.Bucket
	mu      sync.Mutex
	objects map[string][]byte
	reads   []string
}

func (o *objects) Get(_ context.Context, key string) (io.ReadCloser, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reads = append(o.reads, key)
	body, ok := o.objects[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(body)), nil
}

func (o *objects) List(context.Context, string) iter.Seq2[bucket.Listed, error] { panic("listed") }

func (o *objects) publish(t *testing.T, n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	body := file(t, n)
	o.objects[snapshot.FileOf(id(n))] = body
	o.objects[snapshot.SumOf(id(n))] = fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(body), snapshot.FileOf(id(n)))
	o.objects[snapshot.PresentFile] = []byte(id(n) + "\n")
}

func replica(t *testing.T) (*objects, *Replica) {
	o := &objects{objects: map[string][]byte{}}
	return o, &Replica{From: o, Folder: t.TempDir(), Keep: 2, Now: func() time.Time { return at }, Every: time.Millisecond, Log: slog.New(slog.DiscardHandler)}
}

func presents(t *testing.T, r *Replica, n int) {
	t.Helper()
	s, err := output.OpenPresent(r.Folder)
	if err != nil || s == nil {
		t.Fatalf("the folder presents %v, %v", s, err)
	}
	defer s.Close()
	in, err := s.Document("/snapshot.json")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(in); err != nil || string(text) != id(n) || s.ID != id(n) {
		t.Errorf("the folder presents %s with %s, %v; want %s", s.ID, text, err, id(n))
	}
}

// TestTake: each published file comes once, and the folder keeps as many as the rule says.
func TestTake(t *testing.T) {
	o, r := replica(t)
	if _, err := r.Take(t.Context()); !errors.Is(err, ErrEmpty) {
		t.Errorf("an empty bucket: %v", err)
	}
	for n := 1; n <= 4; n++ {
		o.publish(t, n)
		if got, err := r.Take(t.Context()); err != nil || got != id(n) {
			t.Fatalf("took %s, %v", got, err)
		}
		presents(t, r, n)
		// Files are as old as their order says.
		if err := os.Chtimes(filepath.Join(r.Folder, snapshot.FileOf(id(n))), at, at.Add(time.Duration(n)*time.Minute-time.Hour)); err != nil {
			t.Fatal(err)
		}
		o.reads = nil
		if got, err := r.Take(t.Context()); err != nil || got != "" || !slices.Equal(o.reads, []string{snapshot.PresentFile}) {
			t.Errorf("nothing new: %s, %v, read %v", got, err, o.reads)
		}
	}
	names, err := filepath.Glob(filepath.Join(r.Folder, "*.snapshot"))
	if err != nil || len(names) != 2 {
		t.Errorf("the folder keeps %v, %v", names, err)
	}
	// Back to one that lies there yet: nothing is moved.
	o.objects[snapshot.PresentFile] = []byte(id(3))
	o.reads = nil
	if got, err := r.Take(t.Context()); err != nil || got != id(3) || len(o.reads) != 1 {
		t.Errorf("back: %s, %v, read %v", got, err, o.reads)
	}
	presents(t, r, 3)
}

// TestTakeRefuses: what is not as it was published never appears, and the site that is
// there goes on.
func TestTakeRefuses(t *testing.T) {
	name, sum := snapshot.FileOf(id(2)), snapshot.SumOf(id(2))
	for what, c := range map[string]struct {
		harm func(o *objects)
		want string
	}{
		"a flipped bit": {func(o *objects) { o.objects[name][9] ^= 1 }, "has the SHA-256"},
		"a cut file":    {func(o *objects) { o.objects[name] = o.objects[name][:40] }, "has the SHA-256"},
		"no file":       {func(o *objects) { delete(o.objects, name) }, "file does not exist"},
		"no hash":       {func(o *objects) { o.objects[sum] = []byte("<html>") }, "holds no SHA-256"},
		"no name":       {func(o *objects) { o.objects[snapshot.PresentFile] = []byte("../../etc") }, "names no snapshot"},
		"no snapshot": {func(o *objects) {
			o.objects[name] = []byte("x")
			o.objects[sum] = fmt.Appendf(nil, "%x", sha256.Sum256([]byte("x")))
		}, "not a whole snapshot file"},
		"an endless name": {func(o *objects) { o.objects[snapshot.PresentFile] = bytes.Repeat([]byte("a"), 1<<20) }, "names no snapshot"},
	} {
		o, r := replica(t)
		o.publish(t, 1)
		if _, err := r.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		o.publish(t, 2)
		c.harm(o)
		if _, err := r.Take(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", what, err)
		}
		presents(t, r, 1)
		if _, err := os.Stat(filepath.Join(r.Folder, name)); err == nil {
			t.Errorf("%s: the file appeared", what)
		}
		o.publish(t, 2)
		if _, err := r.Take(t.Context()); err != nil {
			t.Errorf("%s, then mended: %v", what, err)
		}
		presents(t, r, 2)
		if left, _ := filepath.Glob(filepath.Join(r.Folder, output.HiddenDir, "tmp", "*")); len(left) > 0 {
			t.Errorf("%s: %v is left over", what, left)
		}
	}
}

// TestRun goes on behind faults, and says each once.
func TestRun(t *testing.T) {
	o, r := replica(t)
	var log lockedBuffer
	r.Log = slog.New(slog.NewTextHandler(&log, nil))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	wait := func(text string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !strings.Contains(log.String(), text); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%q is not logged: %s", text, log.String())
			}
		}
	}
	wait("no snapshot file is published there")
	for asked := 0; asked < 10; time.Sleep(time.Millisecond) { // again and again
		o.mu.Lock()
		asked = len(o.reads)
		o.mu.Unlock()
	}
	o.publish(t, 1)
	wait("snapshot=" + id(1))
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := strings.Count(log.String(), "no snapshot file is published there"); n != 1 {
		t.Errorf("the fault is logged %d times", n)
	}
	presents(t, r, 1)
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
