package dcat

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// freezer does what the first pass of a build does.
type freezer struct {
	t       testing.TB
	r       *Renderer
	frame   *snapshot.Frame
	draft   *snapshot.Draft
	out     map[string]io.Writer
	ends    map[string][]int64
	streams map[string]*snapshot.Stream
}

// newFreezer takes a function that opens the place of a stream.
func newFreezer(t testing.TB, r *Renderer, open func(name string) (io.Writer, io.ReaderAt)) *freezer {
	frame := snapshot.NewFrame(site, now, institutions, licences, nil)
	z := &freezer{t, r, frame, snapshot.NewDraft(frame), map[string]io.Writer{}, map[string][]int64{}, map[string]*snapshot.Stream{}}
	for _, name := range []string{turtleForm.stream, jsonldForm.stream, streamQuality, streamRefs} {
		w, data := open(name)
		z.out[name], z.ends[name], z.streams[name] = w, []int64{0}, z.stream(name, data)
	}
	return z
}

// stream reads a stream from its place.
func (z *freezer) stream(name string, data io.ReaderAt) *snapshot.Stream {
	size := func(i int) int { return int(z.ends[name][i+1] - z.ends[name][i]) }
	return &snapshot.Stream{Size: size, Read: func(i int, room []byte) ([]byte, error) {
		b := slices.Grow(room[:0], size(i))[:size(i)]
		_, err := data.ReadAt(b, z.ends[name][i])
		return b, err
	}}
}

func (z *freezer) add(row *catalog.Row) {
	s := z.frame.Score(row, row.Entry.Name)
	fragments, err := z.r.Fragments(s)
	if err != nil {
		z.t.Fatal(err)
	}
	added := map[string]int64{}
	for _, p := range fragments {
		if _, err := z.out[p.Stream].Write(p.Body); err != nil {
			z.t.Fatal(err)
		}
		added[p.Stream] += int64(len(p.Body))
	}
	for name, ends := range z.ends {
		z.ends[name] = append(ends, ends[len(ends)-1]+added[name])
	}
	line := snapshot.NewLine(s, row.Entry.Name)
	line.LeftOut = Skipped(s)
	if err := z.draft.Add(line, nil); err != nil {
		z.t.Fatal(err)
	}
}

func (z *freezer) finish() *snapshot.Catalog {
	c := z.draft.Finish(nil)
	c.Streams = z.streams
	return c
}

// growing is a buffer that can be read while it is kept.
type growing struct{ bytes.Buffer }

// ReadAt implements io.ReaderAt.
func (g *growing) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(g.Bytes()).ReadAt(p, off)
}

// freeze makes a catalog of rows in memory.
func freeze(t testing.TB, r *Renderer, rows []catalog.Row) *snapshot.Catalog {
	t.Helper()
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b catalog.Row) int { return strings.Compare(a.Entry.ID, b.Entry.ID) })
	z := newFreezer(t, r, func(string) (io.Writer, io.ReaderAt) {
		g := &growing{}
		return g, g
	})
	for i := range rows {
		z.add(&rows[i])
	}
	return z.finish()
}

// files are all documents of a catalog by their route.
func files(t testing.TB, r *Renderer, c *snapshot.Catalog) map[string]string {
	t.Helper()
	out := map[string]string{}
	put := func(f artifact.File) error {
		var b bytes.Buffer
		b.Write(f.Body)
		if f.Stream != nil {
			if err := f.Stream(&b); err != nil {
				return err
			}
		}
		if _, twice := out[f.Route]; twice {
			t.Errorf("%s is written twice", f.Route)
		}
		out[f.Route] = b.String()
		return nil
	}
	for i := range c.Lines {
		list, err := r.Related(c, i)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			put(f)
		}
	}
	for n := range r.Pages(c) {
		f, err := r.SnapshotPage(c, n+1)
		if err != nil {
			t.Fatal(err)
		}
		put(f)
	}
	if err := r.Aggregates(c, put); err != nil {
		t.Fatal(err)
	}
	return out
}
