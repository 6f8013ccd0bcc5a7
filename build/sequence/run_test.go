package sequence

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
)

func newKey(t testing.TB) translog.Key {
	t.Helper()
	private, err := translog.NewKey(rand.Reader, "register.example/log")
	if err != nil {
		t.Fatal(err)
	}
	list, err := translog.ParseKeys(private)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// keys are a key and what verifies it.
func keys(t testing.TB) (translog.Key, note.Verifier) {
	t.Helper()
	k := newKey(t)
	list, err := translog.Verifiers(k.Public)
	if err != nil {
		t.Fatal(err)
	}
	return k, list[0]
}

func register(t testing.TB, path string, n int) *buildtest.Register {
	t.Helper()
	st, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	r, err := buildtest.New(t.Context(), st, n, 7)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func run(t testing.TB, st catalog.Store, dir string, o Options) Report {
	t.Helper()
	r, err := Run(t.Context(), st, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// everyLeaf reads a log as a stranger does: each leaf is proven against the signed root.
func everyLeaf(t testing.TB, dir string, key note.Verifier) []*translog.Leaf {
	t.Helper()
	signed, err := os.ReadFile(filepath.Join(dir, translog.CheckpointFile))
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := translog.OpenCheckpoint(signed, key)
	if err != nil {
		t.Fatal(err)
	}
	fetch := translog.Files(os.DirFS(dir))
	hashes, tree := translog.Verified(fetch, c.Tree), translog.NewTree(fetch, c.N)
	var list []*translog.Leaf
	for i := range c.N {
		in, err := translog.Prove(tree, i, signed)
		if err != nil {
			t.Fatal(err)
		}
		l, _, err := in.Check(key)
		if err != nil {
			t.Fatal(err)
		}
		h, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, i)})
		if err != nil || h[0] != tlog.RecordHash([]byte(in.Leaf)) {
			t.Fatalf("leaf %d: %v", i, err)
		}
		list = append(list, l)
	}
	return list
}

// wanted are the numbers of the events that belong into the log of a store.
func wanted(t testing.TB, st catalog.Store) (list []int64) {
	t.Helper()
	err := st.View(t.Context(), func(tx catalog.Tx) error {
		events, err := tx.Events().After(t.Context(), 0, 1<<20)
		if err != nil {
			return err
		}
		entries, err := catalog.EntriesOf(t.Context(), tx, events)
		if err != nil {
			return err
		}
		for i := range events {
			if _, ok, err := translog.Of(&events[i], entries[events[i].EntryID], 0, ""); err != nil {
				return err
			} else if ok {
				list = append(list, events[i].Number)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func numbers(list []*translog.Leaf) (out []int64) {
	for _, l := range list {
		if l.Type != translog.KindHead && l.Type != translog.KindKey {
			out = append(out, l.Event)
		}
	}
	return out
}

// TestEachEventOnce: a log has each verdict of its register once, in the order of
// commits, however often a run is killed before it signs.
func TestEachEventOnce(t *testing.T) {
	signer, key := keys(t)
	r := register(t, filepath.Join(t.TempDir(), "a.db"), 300)
	dir := filepath.Join(t.TempDir(), "log")
	o := Options{Keys: []translog.Key{signer}, Rubric: "1", Now: r.Now}
	random := mathrand.New(mathrand.NewPCG(1, 2))
	var before *translog.Checkpoint
	for round := range 12 {
		if err := r.Some(t.Context(), 20); err != nil {
			t.Fatal(err)
		}
		o.Head = &Head{Snapshot: fmt.Sprint("snapshot-", round), AsOf: r.Now, Entries: 300, SHA256: "s", Content: "c"}
		old, err := os.ReadFile(filepath.Join(dir, translog.CheckpointFile))
		run(t, r.Store, dir, o)
		if err == nil && random.IntN(2) == 0 {
			// A run that was killed after its tiles and before its checkpoint.
			if err := os.WriteFile(filepath.Join(dir, translog.CheckpointFile), old, 0o644); err != nil {
				t.Fatal(err)
			}
			forget(t, r.Store)
			run(t, r.Store, dir, o)
		}
		signed, err := os.ReadFile(filepath.Join(dir, translog.CheckpointFile))
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := translog.OpenCheckpoint(signed, key)
		if err != nil {
			t.Fatal(err)
		}
		if before != nil {
			if err := translog.Consistent(translog.Files(os.DirFS(dir)), before.Tree, c.Tree); err != nil {
				t.Fatal(err)
			}
		}
		before = c
		if again := run(t, r.Store, dir, o); again.Leaves != 0 {
			t.Fatalf("nothing happened, %d leaves", again.Leaves)
		}
	}
	leaves := everyLeaf(t, dir, key)
	if got, want := numbers(leaves), wanted(t, r.Store); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("leaves of events\n%v, want\n%v", got, want)
	}
	heads := len(leaves) - len(numbers(leaves)) - 1 // and the key
	if heads != 12 {
		t.Errorf("%d heads, want 12", heads)
	}
}

// forget makes the store know of no leaf, as it is when a run died before it told it.
func forget(t testing.TB, st catalog.Store) {
	t.Helper()
	err := st.Update(t.Context(), func(tx catalog.Tx) error { return tx.Meta().Set(t.Context(), metaSize, "") })
	if err != nil {
		t.Fatal(err)
	}
}

// TestRestored: a register or a log that was put back signs nothing before somebody says
// how it goes on.
func TestRestored(t *testing.T) {
	ctx := context.Background()
	signer, key := keys(t)
	path := filepath.Join(t.TempDir(), "a.db")
	r := register(t, path, 40)
	dir := filepath.Join(t.TempDir(), "log")
	o := Options{Keys: []translog.Key{signer}, Now: r.Now}
	run(t, r.Store, dir, o)
	yesterday := filepath.Join(t.TempDir(), "yesterday")
	if err := os.CopyFS(yesterday, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	backup := register(t, filepath.Join(t.TempDir(), "b.db"), 40)
	if err := r.Some(ctx, 10); err != nil {
		t.Fatal(err)
	}
	run(t, r.Store, dir, o)

	if _, err := Run(ctx, r.Store, yesterday, o); !errors.Is(err, ErrOlder) {
		t.Errorf("a log that was put back: %v", err)
	}
	if _, err := Run(ctx, backup.Store, dir, o); !errors.Is(err, ErrRestored) {
		t.Errorf("a register that was put back: %v", err)
	}
	signed, _ := os.ReadFile(filepath.Join(dir, translog.CheckpointFile))
	// The register goes on and reaches the same numbers with other events.
	backup.Now = backup.Now.Add(time.Hour)
	if err := backup.Some(ctx, 30); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(ctx, backup.Store, dir, o); !errors.Is(err, ErrRestored) {
		t.Errorf("a register that was put back and went on: %v", err)
	}
	if now, _ := os.ReadFile(filepath.Join(dir, translog.CheckpointFile)); !bytes.Equal(now, signed) {
		t.Error("something was signed")
	}
	o.Resume = true
	run(t, backup.Store, dir, o)
	o.Resume = false
	if err := backup.Some(ctx, 5); err != nil {
		t.Fatal(err)
	}
	run(t, backup.Store, dir, o)
	leaves := everyLeaf(t, dir, key)
	said := false
	for _, l := range leaves {
		said = said || l.Type == translog.KindRestored
		if said != (l.Epoch == 1) {
			t.Fatalf("leaf %+v after the register was put back: %t", l, said)
		}
	}
	if !said {
		t.Error("the log does not say that the register was put back")
	}
}

// TestForked: a folder that holds another log than the store knows is not signed, whatever its size; one of
// another name begins, where the folder is empty.
func TestForked(t *testing.T) {
	k, _ := keys(t)
	a, b := register(t, filepath.Join(t.TempDir(), "a.db"), 20), register(t, filepath.Join(t.TempDir(), "b.db"), 30)
	one, two := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "log")
	o := Options{Keys: []translog.Key{k}, Now: a.Now}
	run(t, a.Store, one, o)
	run(t, b.Store, two, Options{Keys: o.Keys, Now: a.Now.Add(time.Hour)})
	before, err := os.ReadFile(filepath.Join(two, translog.CheckpointFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), a.Store, two, o); !errors.Is(err, ErrForked) || !strings.Contains(err.Error(), "put its own files back") {
		t.Errorf("another log: %v", err)
	}
	if now, _ := os.ReadFile(filepath.Join(two, translog.CheckpointFile)); !bytes.Equal(now, before) {
		t.Error("it was signed")
	}
	run(t, a.Store, one, o)
	private, err := translog.NewKey(rand.Reader, "register.example/second/log")
	if err != nil {
		t.Fatal(err)
	}
	if o.Keys, err = translog.ParseKeys(private); err != nil {
		t.Fatal(err)
	}
	if r := run(t, a.Store, filepath.Join(t.TempDir(), "log"), o); r.Leaves == 0 {
		t.Error("a log of another name does not begin")
	}
	if _, err := Run(t.Context(), a.Store, one, o); !errors.Is(err, ErrForked) {
		t.Errorf("the first log after the second one began: %v", err)
	}
}

// TestStanding: the store remembers since when a log signs nothing and why, until it signs again.
func TestStanding(t *testing.T) {
	st, at := register(t, filepath.Join(t.TempDir(), "a.db"), 3).Store, time.Date(2026, 11, 24, 6, 0, 0, 0, time.UTC)
	if _, known, err := Stood(t.Context(), st); known || err != nil {
		t.Errorf("before any run: %t, %v", known, err)
	}
	for i, c := range []struct {
		why  error
		want string
	}{
		{nil, ""},
		{fmt.Errorf("at /srv/secret: %w", ErrRestored), "assay log resume"},
		{fmt.Errorf("at /srv/secret: %w", ErrOlder), "put its latest files back"},
		{fmt.Errorf("at /srv/secret: %w", ErrForked), "another log"},
		{fmt.Errorf("at /srv/secret: %w", ErrForgot), "were put back together"},
		{fmt.Errorf("at /srv/secret: %w", ErrKey), "assay key rotate"},
		{ErrKeyless, "signing_key"},
		{errors.New("write /srv/secret: no space left"), "the log of the last build says why"},
		{nil, ""},
	} {
		if err := Note(t.Context(), st, 7, c.why, at.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
		s, known, err := Stood(t.Context(), st)
		told := s.Told()
		if !known || err != nil || s.Size != 7 || (told == "") != (c.why == nil) || !strings.Contains(told, c.want) || strings.Contains(told, "/srv") {
			t.Errorf("%v: %+v, %q, %v", c.why, s, told, err)
		}
		if told != "" && !strings.Contains(told, "since 2026-11-24T07:00:00Z") {
			t.Errorf("%v: %q", c.why, told)
		}
	}
}

// TestRememberedByKey: a store and a log that were put back together are noticed by what lies beside the key.
func TestRememberedByKey(t *testing.T) {
	r, dir := register(t, filepath.Join(t.TempDir(), "a.db"), 20), filepath.Join(t.TempDir(), "log")
	k, _ := keys(t)
	o := Options{Keys: []translog.Key{k}, Now: r.Now, Seen: filepath.Join(t.TempDir(), "key.signed")}
	run(t, r.Store, dir, o)
	before := filepath.Join(t.TempDir(), "backup")
	if err := os.CopyFS(before, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	size, err := os.ReadFile(o.Seen)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Some(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	run(t, r.Store, dir, o)
	forget(t, r.Store) // as a store of yesterday does
	if _, err := Run(t.Context(), r.Store, before, o); !errors.Is(err, ErrForgot) || !strings.Contains(err.Error(), "assay log resume") {
		t.Errorf("a log of yesterday: %v", err)
	}
	if now, err := os.ReadFile(filepath.Join(before, translog.CheckpointFile)); err != nil || !bytes.Equal(now, size) {
		t.Errorf("it was signed, %v", err)
	}
	run(t, r.Store, dir, o)
	o.Seen = filepath.Join(o.Seen, "no", "folder")
	if err := r.Some(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), r.Store, dir, o); err == nil {
		t.Error("a place that is no folder is read")
	}
}

// TestNoPersonalText: what others write never enters the log.
func TestNoPersonalText(t *testing.T) {
	signer, key := keys(t)
	r := register(t, filepath.Join(t.TempDir(), "a.db"), 60)
	if err := r.Some(t.Context(), 60); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "log")
	run(t, r.Store, dir, Options{Keys: []translog.Key{signer}, Now: r.Now})
	for _, l := range everyLeaf(t, dir, key) {
		for field, d := range l.Verdict {
			for _, v := range []any{d.From, d.To} {
				if s, ok := v.(string); ok && (len(s) > 60 || strings.ContainsAny(s, "@ ")) {
					t.Errorf("leaf %d says of %s %q", l.Event, field, s)
				}
			}
		}
	}
}

// TestRotation: a new key is in the log, in a checkpoint that the old one signed, and
// without that it signs nothing.
func TestRotation(t *testing.T) {
	old, oldKey := keys(t)
	next, nextKey := keys(t)
	r := register(t, filepath.Join(t.TempDir(), "a.db"), 20)
	dir := filepath.Join(t.TempDir(), "log")
	run(t, r.Store, dir, Options{Keys: []translog.Key{old}, Now: r.Now})
	if _, err := Run(t.Context(), r.Store, dir, Options{Keys: []translog.Key{next}, Now: r.Now}); !errors.Is(err, ErrKey) {
		t.Fatalf("another key: %v", err)
	}
	run(t, r.Store, dir, Options{Keys: []translog.Key{old, next}, Now: r.Now})
	for _, k := range []note.Verifier{oldKey, nextKey} {
		leaves := everyLeaf(t, dir, k)
		last := leaves[len(leaves)-1]
		if last.Type != translog.KindKey || last.Key != next.Public || last.Evidence != old.Fingerprint() {
			t.Errorf("the last leaf is %+v", last)
		}
	}
	if err := r.Some(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	run(t, r.Store, dir, Options{Keys: []translog.Key{next}, Now: r.Now})
	everyLeaf(t, dir, nextKey)
}

// TestIndexAnew: an index that is lost, or is that of a run that was killed, is made anew
// from the leaves.
func TestIndexAnew(t *testing.T) {
	signer, _ := keys(t)
	r := register(t, filepath.Join(t.TempDir(), "a.db"), 300)
	dir := filepath.Join(t.TempDir(), "log")
	o := Options{Keys: []translog.Key{signer}, Now: r.Now}
	about := func() string {
		log, err := translog.OpenLog(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		var all strings.Builder
		found := 0
		for _, id := range append(r.IDs(), translog.KindKey) {
			list, err := log.About(id)
			if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			found += len(list)
			fmt.Fprintln(&all, id, list)
		}
		if found < 300 {
			t.Fatalf("%d leaves are about entries", found)
		}
		return all.String()
	}
	index := filepath.Join(dir, translog.IndexDir)
	for round, spoil := range []func() error{
		func() error { return nil },
		func() error { return os.RemoveAll(index) },
		func() error { return os.WriteFile(filepath.Join(index, "0-100000.tmp"), []byte("x"), 0o600) },
		func() error { return os.WriteFile(filepath.Join(index, "0-100000"), []byte("x"), 0o600) },
	} {
		if err := r.Some(t.Context(), 30); err != nil {
			t.Fatal(err)
		}
		run(t, r.Store, dir, o)
		want := about()
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		run(t, r.Store, dir, o)
		if got := about(); got != want {
			t.Fatalf("round %d: the index says\n%s, want\n%s", round, got, want)
		}
		if names, err := os.ReadDir(index); err != nil || len(names) > 6 {
			t.Errorf("round %d: %d files, %v", round, len(names), err)
		}
	}
}
