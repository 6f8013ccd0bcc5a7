// Package index writes the search index of a snapshot. Documents are added as
// they are frozen, one after the other; what does not fit into memory waits in
// sorted runs on the disk.
package index

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
	"github.com/assay-register/assay/render/snapshot"
)

// memory is how many bytes of postings are held before they are spilled.
const memory = 96 << 20

// Index is an index under way.
type Index struct {
	// create makes the file of a run.
	create  func(name string) (*os.File, error)
	limit   int
	builder *segment.Builder
	titles  [][]uint64
	runs    []*os.File
}

// New begins an index. create makes an unfinished file; the index leaves it
// behind, closed, when it is finished or closed.
func New(create func(name string) (*os.File, error)) *Index {
	return &Index{create: create, limit: memory, builder: segment.NewBuilder()}
}

// Add notes the next document. Its ordinal is that of its line.
func (x *Index) Add(a *search.Analysis) error {
	x.builder.Add(uint32(len(x.titles)), a)
	x.titles = append(x.titles, a.Titles)
	if x.builder.Size() < x.limit {
		return nil
	}
	return x.spill()
}

func (x *Index) spill() error {
	f, err := x.create(fmt.Sprintf("postings-%d", len(x.runs)))
	if err != nil {
		return err
	}
	x.runs = append(x.runs, f)
	return x.builder.Spill(f)
}

// Finish writes the index of the catalog whose lines were added.
func (x *Index) Finish(w io.Writer, c *snapshot.Catalog) error {
	if len(x.titles) != len(c.Lines) {
		return fmt.Errorf("search index: %d documents for %d entries", len(x.titles), len(c.Lines))
	}
	out := segment.NewWriter(w)
	if err := x.terms(out); err != nil {
		return err
	}
	return out.Finish(x.titles, completions(c))
}

func (x *Index) terms(out *segment.Writer) error {
	if len(x.runs) == 0 {
		return x.builder.Write(out)
	}
	if err := x.spill(); err != nil {
		return err
	}
	readers := make([]io.Reader, len(x.runs))
	for i, f := range x.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		readers[i] = f
	}
	return segment.Merge(out, readers...)
}

// Close gives up the runs.
func (x *Index) Close() error {
	var err error
	for _, f := range x.runs {
		err = errors.Join(err, f.Close())
	}
	x.runs = nil
	return err
}

// completions are the titles of the listed entries, and the institutions and
// tags that they have.
func completions(c *snapshot.Catalog) *segment.Completions {
	out := &segment.Completions{}
	institutions, tags := map[string]uint32{}, map[string]uint32{}
	for _, i := range c.Order {
		l := &c.Lines[i]
		weight := uint16(max(0, min(int(l.Ranking), math.MaxUint16)))
		for _, t := range titles(l) {
			out.Add(segment.Completion{Kind: segment.KindTitle, Text: t.Value, Key: search.Key(t.Value, t.Lang), Weight: weight, Count: 1})
		}
		institutions[l.InstitutionID]++
		for _, t := range l.Tags {
			tags[t]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(institutions)) {
		inst, n := c.Institutions[id], institutions[id]
		if inst == nil {
			continue
		}
		native, english := search.Key(inst.Name, inst.NativeLang), search.Key(inst.NameEn, "en")
		out.Add(segment.Completion{Kind: segment.KindInstitution, Text: inst.Name, Key: native, Weight: groupWeight(n), Count: n})
		if english != native {
			out.Add(segment.Completion{Kind: segment.KindInstitution, Text: inst.NameEn, Key: english, Weight: groupWeight(n), Count: n})
		}
	}
	for _, t := range slices.Sorted(maps.Keys(tags)) {
		out.Add(segment.Completion{Kind: segment.KindTag, Text: t, Key: search.Key(t, ""), Weight: groupWeight(tags[t]), Count: tags[t]})
	}
	return out
}

func titles(l *snapshot.Line) []search.Text {
	if l.NameEn == "" || l.NameEn == l.Name {
		return []search.Text{{Value: l.Name, Lang: l.Lang}}
	}
	return []search.Text{{Value: l.Name, Lang: l.Lang}, {Value: l.NameEn, Lang: "en"}}
}

// groupWeight lets an institution or tag of ten entries stand beside a title of
// ranking score 65, one of a hundred beside one of 80.
func groupWeight(entries uint32) uint16 {
	return uint16(500 + 150*math.Log10(float64(entries)))
}
