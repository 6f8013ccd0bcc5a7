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

// index adds the index of a directory: a list of its items, or of groups that
// have the same beginning, split again while they are too large. lists renders
// the items of one page.
func (t *tree) index(dir string, items []item, lists func(from string, items []item) ([]byte, error)) {
	slices.SortFunc(items, func(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.ordinal, b.ordinal)) })
	t.split(dir, "", items, lists)
}

func (t *tree) split(dir, prefix string, items []item, lists func(string, []item) ([]byte, error)) {
	path := dir + "/index.md"
	if prefix != "" {
		path = dir + "/by/" + prefix + "/index.md"
	}
	groups := [][]item{items}
	for n := len(prefix) + 1; len(items) > pageMax && len(groups) == 1 && n <= catalog.SlugMax; n++ {
		groups = grouped(items, n)
	}
	if len(groups) == 1 {
		t.pages = append(t.pages, page{path, func() ([]byte, error) { return lists(path, items) }})
		return
	}
	n := common(groups) + 1
	t.pages = append(t.pages, page{path, func() ([]byte, error) {
		var b strings.Builder
		b.WriteString("# By name\n\n")
		for _, g := range groups {
			p := groupName(g[0].key, n)
			b.WriteString(entryLine(p+"…", relative(path, dir+"/by/"+p+"/index.md"), fmt.Sprintf("%d from %s to %s", len(g), g[0].key, g[len(g)-1].key)))
		}
		return []byte(b.String()), nil
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

// entryLine is one entry of an index (SPEC §6).
func entryLine(title, address, description string) string {
	line := "* [" + inline(title) + "](" + address + ")"
	if d := inline(description); d != "" {
		line += " - " + d
	}
	return line + "\n"
}

// entries lists entries by type, deprecated ones last, each with the
// description of its concept.
func (t *tree) entries(from string, items []item) ([]byte, error) {
	var b strings.Builder
	write := func(title string, take func(*snapshot.Line) bool) error {
		first := true
		for _, it := range items {
			l := &t.c.Lines[it.ordinal]
			if !take(l) {
				continue
			}
			f, err := readFacts(t.c, int(it.ordinal))
			if err != nil {
				return err
			}
			if first {
				section(&b, title)
				first = false
			}
			b.WriteString(entryLine(f.Title, relative(from, conceptPath(l)), f.Description))
		}
		return nil
	}
	for _, s := range sections {
		if err := write(s.title, func(l *snapshot.Line) bool { return l.Type == s.kind && l.Listed() }); err != nil {
			return nil, err
		}
	}
	err := write("Deprecated", func(l *snapshot.Line) bool { return !l.Listed() })
	if b.Len() == 0 {
		b.WriteString("# Empty\n\n" + entryLine("Back to the root", relative(from, "index.md"), "There is no entry of this kind."))
	}
	return []byte(b.String()), err
}

// section begins a group of an index.
func section(b *strings.Builder, title string) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("# " + title + "\n\n")
}

// relative is the address of one path of the bundle as seen from another.
func relative(from, to string) string {
	a, b := strings.Split(from, "/"), strings.Split(to, "/")
	n := 0
	for n < len(a)-1 && n < len(b)-1 && a[n] == b[n] {
		n++
	}
	return strings.Repeat("../", len(a)-1-n) + strings.Join(b[n:], "/")
}
