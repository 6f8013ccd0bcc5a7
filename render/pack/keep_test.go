package pack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/assay-register/assay/render/artifact"
)

// keep writes a file of groups of others: what plan names by file and number.
func keep(t *testing.T, plan [][2]int, files ...*Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, p := range plan {
		if err := w.Keep(files[p[0]], p[1]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func plain(t *testing.T, list []*Group) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, g := range list {
		if err := w.Append(g); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file of kept groups is the one that compressing gives, whether they follow each
// other, come in another order or from several files.
func TestKeptGroupsAreTheSameBytes(t *testing.T) {
	t.Parallel()
	list := groups(t, 60)
	a, b := open(t, plain(t, list[:40])), open(t, plain(t, list[40:]))
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 3, 2}, {0, 2, 41, 42, 3, 59, 5}, {7, 7}, {}} {
		var plan [][2]int
		var want []*Group
		for _, i := range order {
			plan, want = append(plan, [2]int{i / 40, i % 40}), append(want, list[i])
		}
		if !bytes.Equal(keep(t, plan, a, b), plain(t, want)) {
			t.Errorf("%v: the file differs", order)
		}
	}
	var out bytes.Buffer
	w := NewWriter(&out)
	for i := range 40 {
		var err error
		if i%3 == 0 {
			err = w.Append(list[i])
		} else {
			err = w.Keep(a, i)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil || !bytes.Equal(out.Bytes(), plain(t, list[:40])) {
		t.Errorf("kept among new groups: %v", err)
	}
	for i := range 40 {
		if n, ok, err := a.Number(fmt.Sprint("entry ", i)); n != i || !ok || err != nil {
			t.Errorf("the number of group %d is %d, %v, %v", i, n, ok, err)
		}
	}
	if _, ok, err := a.Number("entry 40"); ok || err != nil {
		t.Errorf("a group that is not there: %v, %v", ok, err)
	}
	if w = NewWriter(io.Discard); !errors.Is(errors.Join(w.Keep(a, 40), w.Append(list[0])), ErrForm) {
		t.Error("a number above the last one is kept")
	}
}

// A damaged file is not copied on.
func TestKeepSeesBrokenTables(t *testing.T) {
	t.Parallel()
	file := plain(t, groups(t, 3))
	r := open(t, file)
	_, table, err := r.place(1)
	if err != nil {
		t.Fatal(err)
	}
	file[table.Offset+table.Length/3] ^= 0x55
	w := NewWriter(io.Discard)
	for i := range 3 {
		if err := w.Keep(r, i); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); !errors.Is(err, ErrForm) || !strings.Contains(err.Error(), fmt.Sprint("byte ", table.Offset)) {
		t.Errorf("Close: %v", err)
	}
}

// memory is a scratch file.
type memory struct{ bytes.Buffer }

// ReadAt implements io.ReaderAt.
func (m *memory) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(m.Bytes()).ReadAt(p, at)
}

// An index that is put aside in parts is the one that is sorted in memory.
func TestSpilledIndexIsTheSameBytes(t *testing.T) {
	t.Parallel()
	list := groups(t, 60)
	want := plain(t, list)
	for _, limit := range []int{1, 7, 100, 1000} {
		var b bytes.Buffer
		var aside memory
		w := NewWriter(&b)
		w.Spill(&aside)
		w.routes.limit, w.hashes.limit = limit, limit
		for _, g := range list {
			if err := w.Append(g); err != nil {
				t.Fatal(err)
			}
			if len(w.routes.list) > limit || len(w.hashes.list) > limit {
				t.Fatalf("%d and %d records are held, at most %d may", len(w.routes.list), len(w.hashes.list), limit)
			}
		}
		if _, err := w.Close(); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%d records at a time: %v", limit, err)
		}
		if (aside.Len() > 0) != (limit < 1000) {
			t.Errorf("%d records at a time: %d bytes were put aside", limit, aside.Len())
		}
	}
	full := errors.New("no space left")
	w := NewWriter(io.Discard)
	w.Spill(struct {
		failing
		io.ReaderAt
	}{failing: failing{full}})
	w.routes.limit = 10
	if err := w.Append(list[0]); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Append(list[1]), w.Append(list[2])); !errors.Is(err, full) {
		t.Errorf("a full scratch file: %v", err)
	}
}

// Equal documents of many groups do not make a bucket of their hash that nobody can
// read, and are found.
func TestManyEqualDocuments(t *testing.T) {
	t.Parallel()
	var list []*Group
	for i := range 3 * collisionsMax {
		g, err := compressor.Compress(fmt.Sprint(i), []artifact.File{{Route: fmt.Sprint("/", i), Type: artifact.JSON, Body: []byte("[]")}})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	r := open(t, plain(t, list))
	if n := r.Directory.Hashes.Records; n != collisionsMax {
		t.Errorf("%d records of one hash", n)
	}
	for i := range list {
		f, err := r.Route(fmt.Sprint("/", i))
		body(t, r, f, err)
	}
	f, err := r.Hash(list[0].Documents[0].Sum)
	if body(t, r, f, err); f.Document.Route != "/0" {
		t.Errorf("the hash leads to %s, not to the first document", f.Document.Route)
	}
	if found, err := r.Hashes(f.Document.Sum); len(found) != matchesMax || err != nil {
		t.Errorf("%d documents of the hash, %v", len(found), err)
	}
}

// Documents of one kind share frames that stay small.
func TestFramesAreShared(t *testing.T) {
	t.Parallel()
	var files []artifact.File
	for i := range 40 {
		files = append(files, artifact.File{Route: fmt.Sprint("/page/", i), Type: "text/html", Body: bytes.Repeat([]byte{byte(i)}, 10_000)},
			artifact.File{Route: fmt.Sprint("/page/", i, "/checks"), Type: artifact.JSON, Body: bytes.Repeat([]byte{byte(i), 1}, 100)})
	}
	files = append(files, artifact.File{Route: "/large", Type: "text/html", Body: make([]byte, 2*sharedMax)})
	g, err := compressor.Compress("g", files)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, f := range g.frames {
		sizes = append(sizes, f.size)
	}
	if want := []int{8_000, 260_000, 140_000, 2 * sharedMax}; fmt.Sprint(sizes) != fmt.Sprint(want) {
		t.Errorf("frames hold %v bytes, want %v", sizes, want)
	}
}

// Many read at the same time what one file holds, and what it keeps stays small.
func TestManyReadersAtOnce(t *testing.T) {
	t.Parallel()
	r := open(t, plain(t, groups(t, 60)))
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for i := range 60 {
				for _, f := range entry((i*7 + n) % 60) {
					found, err := r.Route(f.Route)
					if err != nil || found == nil {
						t.Errorf("%s: %v, %v", f.Route, found, err)
						return
					}
					var got bytes.Buffer
					if err := r.Verify(&got, found); err != nil || !bytes.Equal(got.Bytes(), f.Body) {
						t.Errorf("%s: %d bytes, %v", f.Route, got.Len(), err)
					}
				}
			}
		})
	}
	wait.Wait()
	large := &Group{weight: groupKept + 1}
	r.recent.keepGroup(1<<20, large, 0)
	if g, _ := r.recent.group(1 << 20); g != nil {
		t.Error("a large table is kept")
	}
	r.recent.keepFrame(1, make([]byte, sharedMax+1))
	if r.recent.frame(1) != nil {
		t.Error("a large frame is kept")
	}
}
