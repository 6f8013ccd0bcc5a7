package containers

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// container is one way to keep groups. Each holds the same: the groups, and where the
// documents of a route and of a hash are.
type container interface {
	// write makes one at a path of what each gives, on the disk when it returns.
	write(path string, each func(func(*pack.Group) error) error) error
	// open opens one for reading.
	open(path string) (reader, error)
	// renew makes one of the groups of another, where fresh may give a new one for the
	// number.
	renew(from, to string, fresh func(number int) *pack.Group) error
}

type reader interface {
	// read writes the document of a route.
	read(route string, out io.Writer) error
	io.Closer
}

var all = []struct {
	name string
	c    container
}{{"pack", packed{}}, {"sqlite", lite{}}, {"bbolt", bolt{}}, {"pebble", pebbles{}}}

// BenchmarkContainers measures writing, reading at random, and copying all groups but
// each hundredth into a new container that holds what writing it anew would.
func BenchmarkContainers(b *testing.B) {
	list := corpus(b)
	entries, routes, raw := map[string]bool{}, []string{}, int64(0)
	for _, g := range list {
		_, id, _ := strings.Cut(g.Key, " ")
		entries[id] = true
		for i := range g.Documents {
			routes, raw = append(routes, g.Documents[i].Route), raw+g.Documents[i].Size
		}
	}
	fresh := func(number int) *pack.Group {
		if number%100 == 0 {
			return list[number]
		}
		return nil
	}
	dir := b.TempDir()
	for _, a := range all {
		path := filepath.Join(dir, a.name)
		b.Run("write/"+a.name, func(b *testing.B) {
			for b.Loop() {
				must(b, os.RemoveAll(path))
				must(b, a.c.write(path, each(list)))
			}
			b.ReportMetric(float64(size(b, path))/float64(len(entries)), "B/entry")
			b.ReportMetric(float64(raw)/float64(len(entries)), "raw-B/entry")
		})
	}
	for _, a := range all {
		b.Run("read/"+a.name, func(b *testing.B) { readAtRandom(b, a.c, filepath.Join(dir, a.name), routes) })
	}
	for _, a := range all {
		b.Run("copy/"+a.name, func(b *testing.B) {
			to := filepath.Join(dir, "copy")
			for b.Loop() {
				must(b, os.RemoveAll(to))
				must(b, a.c.renew(filepath.Join(dir, a.name), to, fresh))
			}
		})
	}
}

func readAtRandom(b *testing.B, c container, path string, routes []string) {
	r, err := c.open(path)
	must(b, err)
	defer r.Close()
	random := rand.New(rand.NewPCG(1, 2))
	// As many for each, whatever -benchtime says.
	const reads = 20_000
	for b.Loop() {
		for range reads {
			must(b, r.read(routes[random.IntN(len(routes))], io.Discard))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/reads, "µs/document")
}

// TestContainersAgree holds every container to the same documents, also after a copy.
func TestContainersAgree(t *testing.T) {
	list := generated(t, 150)
	for _, a := range all {
		t.Run(a.name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, a.c.write(filepath.Join(dir, "a"), each(list)))
			must(t, a.c.renew(filepath.Join(dir, "a"), filepath.Join(dir, "b"), func(n int) *pack.Group {
				if n%7 == 0 {
					return list[n]
				}
				return nil
			}))
			for _, name := range []string{"a", "b"} {
				r, err := a.c.open(filepath.Join(dir, name))
				must(t, err)
				for _, g := range list {
					for i := range g.Documents {
						var got, want bytes.Buffer
						must(t, g.Write(&want, i))
						must(t, r.read(g.Documents[i].Route, &got))
						if !bytes.Equal(got.Bytes(), want.Bytes()) {
							t.Fatalf("%s: %s differs", name, g.Documents[i].Route)
						}
					}
				}
				must(t, r.Close())
			}
		})
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func each(list []*pack.Group) func(func(*pack.Group) error) error {
	return func(add func(*pack.Group) error) error {
		for _, g := range list {
			if err := add(g); err != nil {
				return err
			}
		}
		return nil
	}
}

// size is what a file or folder takes, in bytes.
func size(tb testing.TB, path string) (total int64) {
	must(tb, filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	}))
	return total
}

// corpus are the groups of entries of a snapshot file, or generated ones.
func corpus(b *testing.B) (list []*pack.Group) {
	path := os.Getenv("ASSAY_SNAPSHOT")
	if path == "" {
		return generated(b, 2000)
	}
	f, err := os.Open(path)
	must(b, err)
	defer f.Close()
	info, err := f.Stat()
	must(b, err)
	r, err := pack.Open(f, info.Size())
	must(b, err)
	must(b, r.EachGroup(func(g *pack.Group) error {
		if of, _, _ := strings.Cut(g.Key, " "); of == "entry" || of == "linked" {
			list = append(list, g)
		}
		return nil
	}))
	return list
}

// generated makes groups of a page, a record and some badges.
func generated(tb testing.TB, n int) (list []*pack.Group) {
	var compressor pack.Compressor
	for i := range n {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		words := func(n int) []byte {
			var b bytes.Buffer
			for b.Len() < n {
				fmt.Fprintf(&b, "{%q: %q, %q: %d}\n", "name", fmt.Sprintf("word%d", random.IntN(5000)), "value", random.IntN(1000))
			}
			return b.Bytes()
		}
		id := fmt.Sprintf("%08x-0000-4000-8000-%012x", i, random.Int64()>>16)
		files := []artifact.File{
			{Route: "/api/v1/entries/" + id, Alias: fmt.Sprint("/api/v1/entries/entry-", i), Type: artifact.JSON, Class: artifact.ClassEntry, Body: words(10_000)},
			{Route: fmt.Sprint("/entry/entry-", i), Type: "text/html; charset=utf-8", Class: artifact.ClassEntry, Body: words(30_000)},
		}
		for _, kind := range []string{"score", "tier", "type", "access"} {
			files = append(files, artifact.File{Route: "/api/v1/badges/" + id + "/" + kind, Type: "image/svg+xml; charset=utf-8", Class: artifact.ClassEntryPart, Body: words(600)})
		}
		g, err := compressor.Compress("entry "+id, files)
		must(tb, err)
		list = append(list, g)
	}
	return list
}
