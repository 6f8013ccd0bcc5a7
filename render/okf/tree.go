package okf

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// page is one index or log of the tree.
type page struct {
	path string
	// lines is about how many it has.
	lines  int
	render func(m *markdown) error
}

// room is enough for most pages of so many lines, in bytes.
func (p *page) room() int { return pageRoom + p.lines*lineRoom }

// tree is the bundle of a snapshot: every concept and every page. It holds
// ordinals and paths, never rendered bytes.
type tree struct {
	c *snapshot.Catalog
	// concepts are the ordinals in the order of their paths.
	concepts []int32
	pages    []page
	counts   map[catalog.EntryType]int
	// places are the countries and institutions with entries, by path.
	countries, institutions []*place
	log                     history
	// asOf is the last change of the content.
	asOf time.Time
}

// newTree lays the bundle out. Pages are sorted by path.
func newTree(c *snapshot.Catalog) (*tree, error) {
	t := &tree{c: c, counts: map[catalog.EntryType]int{}, log: newHistory(c)}
	changed := int64(0)
	err := eachFacts(c, func(i int, f *facts) {
		changed = max(changed, f.Changed, f.Published)
		t.log.add(i, f)
	})
	if err != nil {
		return nil, err
	}
	for _, g := range c.Gone {
		changed = max(changed, g.At.Unix())
	}
	t.asOf = time.Unix(changed, 0).UTC()
	t.concepts = make([]int32, len(c.Lines))
	for i := range t.concepts {
		t.concepts[i] = int32(i)
		t.counts[c.Lines[i].Type]++
	}
	slices.SortFunc(t.concepts, func(a, b int32) int {
		x, y := &c.Lines[a], &c.Lines[b]
		return cmp.Or(cmp.Compare(sectionOf(x.Type), sectionOf(y.Type)), compareNames(x.Slug, y.Slug))
	})
	t.sections()
	t.places()
	t.pages = append(t.pages, page{"index.md", 0, t.root}, page{"log.md", t.log.lines, t.log.render})
	slices.SortFunc(t.pages, func(a, b page) int { return strings.Compare(a.path, b.path) })
	return t, nil
}

// sections adds the indexes of the entry types that have entries.
func (t *tree) sections() {
	for _, s := range sections {
		var items []item
		for _, i := range t.concepts {
			if l := &t.c.Lines[i]; l.Type == s.kind {
				items = append(items, item{l.Slug, i})
			}
		}
		t.index(s.dir, items, t.entries)
	}
}

// compareNames compares the file names of two slugs. The extension sorts with
// the name: "a-b.md" stands before "a.md".
func compareNames(a, b string) int {
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return cmp.Compare(a+".md", b+".md")
	}
	return cmp.Compare(a, b)
}

// files calls fn for every file of the bundle in the order of their names. The
// body of a file is gone when fn returns.
func (t *tree) files(fn func(name string, body []byte) error) error {
	room := conceptRoom
	for i := range t.pages {
		room = max(room, t.pages[i].room())
	}
	m, in, next := make(markdown, 0, room), reader{}, 0
	until := func(name string) error {
		for ; next < len(t.pages) && (name == "" || t.pages[next].path < name); next++ {
			m = m[:0]
			if err := t.pages[next].render(&m); err != nil {
				return err
			}
			if err := fn(t.pages[next].path, m); err != nil {
				return err
			}
		}
		return nil
	}
	for _, i := range t.concepts {
		name := conceptPath(&t.c.Lines[i])
		if err := until(name); err != nil {
			return err
		}
		fragment, err := in.fragment(t.c, conceptStream, int(i))
		if err != nil {
			return err
		}
		m = m[:0]
		if err := fn(name, *m.located(fragment, t.c, int(i))); err != nil {
			return err
		}
	}
	return until("")
}
