package dcat

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPagesStandAlone cuts the catalogue between every two entries: on each page what is linked is
// declared, if its subject is, and both together say what the whole document says.
func TestPagesStandAlone(t *testing.T) {
	const typed = " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
	links := []string{"<http://www.w3.org/ns/dcat#servesDataset>", "<http://www.w3.org/ns/dcat#accessService>"}
	r := New(Options{})
	c := freeze(t, r, fixture())
	x := newIndex(c)
	// Of a page only what is said of entries: the catalogue lists them, and the page names others.
	said := func(d *document) []string {
		d.index, d.form, d.whole, d.access = x, turtleForm, true, true
		body := d.room()
		if err := d.write(&body); err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(ofTurtle(t, body.body), func(line string) bool {
			return strings.Contains(line, "/catalog>") || strings.Contains(line, "hydra/core#")
		})
	}
	of := func(from, to, number int) []string {
		return said(&document{from: from, to: to, page: &page{at: func(n int) string { return fmt.Sprint("/", n) }, number: number, pages: 2}})
	}
	whole := said(&document{to: len(c.Lines)})
	moved := 0
	joins := func(lines []string, id string) (n int) {
		for _, line := range lines {
			if strings.Contains(line, id) && (strings.Contains(line, links[0]) || strings.Contains(line, links[1])) {
				n++
			}
		}
		return n
	}
	for cut := range c.Lines {
		both := append(of(0, cut, 1), of(cut, len(c.Lines), 2)...)
		for n, page := range [][]string{of(0, cut, 1), of(cut, len(c.Lines), 2)} {
			all := strings.Join(page, "")
			for _, line := range page {
				subject, rest, _ := strings.Cut(line, " ")
				predicate, rest, _ := strings.Cut(rest, " ")
				object, _, _ := strings.Cut(rest, " ")
				if !slices.Contains(links, predicate) {
					continue
				}
				if !strings.Contains(all, object+typed) {
					t.Errorf("cut at %d, page %d: %s is not declared", cut, n+1, line)
				}
				if !strings.Contains(all, subject+typed) {
					moved++
				}
			}
		}
		// What changed is taken from the pages, with its links.
		for i := range c.Lines {
			id := c.Lines[i].ID
			d := &document{index: x, form: turtleForm, whole: true, access: true, to: cut, page: &page{at: func(int) string { return "/1" }, number: 1, pages: 2}}
			if i >= cut {
				d.from, d.to = cut, len(c.Lines)
			}
			body, out := d.room(), room{}
			if err := d.write(&body); err != nil {
				t.Fatal(err)
			}
			s := selection{base: []byte(x.base), entries: map[string]bool{id: true}, seen: map[string]bool{}, declares: func(id string) bool { return d.from <= c.ByID(id) && c.ByID(id) < d.to }}
			w := turtleForm.open(&out, x.base)
			w.head()
			s.copy(body.body, turtleForm, w)
			w.foot()
			if err := turtleForm.close(w); err != nil {
				t.Fatal(err)
			}
			if said := ofTurtle(t, out.body); joins(whole, id) > 0 && joins(said, id) == 0 {
				t.Errorf("cut at %d: the links of %s are lost", cut, c.Lines[i].Name)
			}
		}
		slices.Sort(both)
		if d := cmp.Diff(whole, slices.Compact(both)); d != "" {
			t.Fatalf("cut at %d (-whole +pages):\n%s", cut, d)
		}
	}
	if moved == 0 {
		t.Error("no link leads to another page")
	}
}
