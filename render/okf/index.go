package okf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// pageMax is how many items one index lists; more are split by the beginnings
// of their keys.
const pageMax = 500

// item is what an index lists: an entry by its slug or a place by its name.
type item struct {
	key     string
	ordinal int32
}

// listing renders the items of one page.
type listing func(m *markdown, from string, items []item) error

// index adds the index of a directory: a list of its items, or of groups that
// have the same beginning, split again while they are too large.
func (t *tree) index(dir string, items []item, lists listing) {
	slices.SortFunc(items, func(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.ordinal, b.ordinal)) })
	t.split(dir, "", items, lists)
}

func (t *tree) split(dir, prefix string, items []item, lists listing) {
	path := dir + "/index.md"
	if prefix != "" {
		path = dir + "/by/" + prefix + "/index.md"
	}
	groups := [][]item{items}
	for n := len(prefix) + 1; len(items) > pageMax && len(groups) == 1 && n <= catalog.SlugMax; n++ {
		groups = grouped(items, n)
	}
	if len(groups) == 1 {
		t.pages = append(t.pages, page{path, len(items), func(m *markdown) error { return lists(m, path, items) }})
		return
	}
	n := common(groups) + 1
	t.pages = append(t.pages, page{path, len(groups), func(m *markdown) error {
		m.section("By name")
		for _, g := range groups {
			p := groupName(g[0].key, n)
			m.open(p+"…").relative(path, dir+"/by/"+p+"/index.md").
				close(fmt.Sprintf("%d from %s to %s", len(g), g[0].key, g[len(g)-1].key))
		}
		return nil
	}})
	for _, g := range groups {
		t.split(dir, groupName(g[0].key, n), g, lists)
	}
}

// groupName is the beginning that a group has in common. A key that ends there
// is a group of its own, told apart by a character that no slug has.
func groupName(key string, n int) string {
	if len(key) < n {
		return key + "_"
	}
	return key[:n]
}

// grouped splits sorted items where the first n bytes of their keys change.
func grouped(items []item, n int) [][]item {
	var out [][]item
	from := 0
	for i := 1; i <= len(items); i++ {
		if i == len(items) || begin(items[i].key, n) != begin(items[from].key, n) {
			out = append(out, items[from:i])
			from = i
		}
	}
	return out
}

func begin(key string, n int) string { return key[:min(n, len(key))] }

// common is the length of the beginning that all groups share.
func common(groups [][]item) int {
	first, last := groups[0][0].key, groups[len(groups)-1][0].key
	n := 0
	for n < len(first) && n < len(last) && first[n] == last[n] {
		n++
	}
	return n
}

// open begins an entry of an index (SPEC §6): its address follows, and close.
func (m *markdown) open(title string) *markdown { return m.raw("* [").inline(title).raw("](") }

func (m *markdown) close(description string) {
	m.raw(")")
	if text := oneLine(description); text != "" {
		m.raw(" - ").inline(text)
	}
	m.raw("\n")
}

// entries lists entries by type, deprecated ones last, each with the
// description of its concept.
func (t *tree) entries(m *markdown, from string, items []item) error {
	g, start := group{tree: t, from: from, items: items}, len(*m)
	for _, s := range sections {
		if err := g.write(m, s.title, func(l *snapshot.Line) bool { return l.Type == s.kind && l.Listed() }); err != nil {
			return err
		}
	}
	err := g.write(m, "Deprecated", func(l *snapshot.Line) bool { return !l.Listed() })
	if len(*m) == start {
		m.section("Empty")
		m.open("Back to the root").relative(from, "index.md").close("There is no entry of this kind.")
	}
	return err
}

// group writes groups of the entries of one index.
type group struct {
	tree  *tree
	from  string
	items []item
	in    reader
}

// write lists the entries that it takes, if there are any.
func (g *group) write(m *markdown, title string, takes func(*snapshot.Line) bool) error {
	began := false
	for _, it := range g.items {
		l := &g.tree.c.Lines[it.ordinal]
		if !takes(l) {
			continue
		}
		f, err := g.in.facts(g.tree.c, int(it.ordinal))
		if err != nil {
			return err
		}
		if !began {
			m.section(title)
			began = true
		}
		m.open(f.Title).relative(g.from, sectionOf(l.Type)+"/").raw(l.Slug, ".md").close(f.Description)
	}
	return nil
}

// section begins a group of an index.
func (m *markdown) section(title string) {
	if len(*m) > 0 {
		m.raw("\n")
	}
	m.raw("# ", title, "\n\n")
}

// relative writes the address of one path of the bundle as seen from another.
func (m *markdown) relative(from, to string) *markdown {
	common := 0
	for i := 0; i < min(len(from), len(to)) && from[i] == to[i]; i++ {
		if from[i] == '/' {
			common = i + 1
		}
	}
	for range strings.Count(from[common:], "/") {
		m.raw("../")
	}
	return m.raw(to[common:])
}
