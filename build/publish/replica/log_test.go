package replica

import (
	"bytes"
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/translog"
)

// log is a register with its log of verdicts.
type log struct {
	*buildtest.Register
	dir string
	key translog.Key
}

func newLog(t *testing.T, seed uint64) *log {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	r, err := buildtest.New(t.Context(), st, 300, seed)
	if err != nil {
		t.Fatal(err)
	}
	private, err := translog.SeedKey("register.example/log", sha256.Sum256([]byte("a")))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := translog.ParseKeys(private)
	if err != nil {
		t.Fatal(err)
	}
	return &log{r, t.TempDir(), keys[0]}
}

// publish appends what happened, and puts the log into a bucket.
func (l *log) publish(t *testing.T, o *objects) {
	t.Helper()
	if err := l.Some(t.Context(), 40); err != nil {
		t.Fatal(err)
	}
	if _, err := sequence.Run(t.Context(), l.Store, l.dir, sequence.Options{Keys: []translog.Key{l.key}, Now: l.Now}); err != nil {
		t.Fatal(err)
	}
	err := fs.WalkDir(os.DirFS(l.dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(path, translog.IndexDir+"/") {
			o.objects[translog.Dir+"/"+path], err = os.ReadFile(filepath.Join(l.dir, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTakeLog: a service on another machine has the log, and proves each entry from it.
func TestTakeLog(t *testing.T) {
	o, r := replica(t)
	now := at
	r.Now = func() time.Time { return now }
	o.publish(t, 1)
	l := newLog(t, 7)
	for range 3 {
		now = now.Add(time.Minute)
		l.publish(t, o)
		if _, err := r.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		here := os.DirFS(filepath.Join(r.Folder, translog.Dir))
		for _, name := range []string{translog.CheckpointFile, translog.CheckpointsFile} {
			want, _ := os.ReadFile(filepath.Join(l.dir, name))
			if got, err := fs.ReadFile(here, name); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
			}
		}
		opened, err := translog.OpenLog(here)
		if err != nil {
			t.Fatal(err)
		}
		keys, err := translog.Verifiers(l.key.Public)
		if err != nil {
			t.Fatal(err)
		}
		p, err := opened.First(l.IDs()[3])
		if err != nil || len(p.Leaves) == 0 {
			t.Fatalf("proof %+v, %v", p, err)
		}
		for i := range p.Leaves {
			if _, _, err := p.Leaves[i].Check(keys...); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestTakeLongLog: a list of checkpoints that is too long to be read is no reason to be without the log.
func TestTakeLongLog(t *testing.T) {
	o, r := replica(t)
	now := at
	r.Now = func() time.Time { return now }
	o.publish(t, 1)
	l := newLog(t, 7)
	l.publish(t, o)
	before := logFileMax
	defer func() { logFileMax = before }()
	logFileMax = 256 << 10
	for range 2 {
		list := o.objects["log/checkpoints.ndjson"]
		o.objects["log/checkpoints.ndjson"] = bytes.Repeat(list, logFileMax/len(list)+1)
		now = now.Add(time.Minute)
		if _, err := r.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.publish(t, o)
	}
	opened, err := translog.OpenLog(os.DirFS(filepath.Join(r.Folder, translog.Dir)))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := translog.Verifiers(l.key.Public)
	if err != nil {
		t.Fatal(err)
	}
	p, err := opened.First(l.IDs()[3])
	if err != nil || len(p.Leaves) == 0 {
		t.Fatalf("proof %+v, %v", p, err)
	}
	for i := range p.Leaves {
		if _, _, err := p.Leaves[i].Check(keys...); err != nil {
			t.Error(err)
		}
	}
}

// TestTakeLogRefuses: a log that was changed on its way, or another one, never replaces
// the one that is here.
func TestTakeLogRefuses(t *testing.T) {
	for what, c := range map[string]struct {
		harm func(t *testing.T, o *objects, l *log)
		want string
	}{
		"a changed leaf": {func(t *testing.T, o *objects, l *log) {
			l.publish(t, o)
			for name, b := range o.objects {
				if strings.HasPrefix(name, "log/tile/entries/") {
					o.objects[name] = bytes.ReplaceAll(b, []byte("2026"), []byte("2025"))
				}
			}
		}, "do not make the root"},
		"another log": {func(t *testing.T, o *objects, _ *log) {
			other := newLog(t, 9)
			for range 3 {
				other.publish(t, o)
			}
		}, "do not continue"},
		"a shorter log": {func(t *testing.T, o *objects, l *log) {
			b := o.objects["log/checkpoint"]
			c, err := translog.Unsigned(b)
			if err != nil {
				t.Fatal(err)
			}
			c.N = 5
			o.objects["log/checkpoint"], err = c.Sign(l.key)
			if err != nil {
				t.Fatal(err)
			}
		}, "does not continue"},
	} {
		t.Run(what, func(t *testing.T) {
			o, r := replica(t)
			now := at
			r.Now = func() time.Time { return now }
			o.publish(t, 1)
			l := newLog(t, 7)
			l.publish(t, o)
			if _, err := r.Take(t.Context()); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(filepath.Join(r.Folder, "log/checkpoint"))
			c.harm(t, o, l)
			now = now.Add(time.Minute)
			if _, err := r.Take(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if after, _ := os.ReadFile(filepath.Join(r.Folder, "log/checkpoint")); !bytes.Equal(after, before) {
				t.Error("the log was replaced")
			}
		})
	}
}
