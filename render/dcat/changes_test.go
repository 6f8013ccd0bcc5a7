package dcat

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// pinnedOf are the pinned pages of a catalog by route.
func pinnedOf(t testing.TB, r *Renderer, c *snapshot.Catalog) func(string) ([]byte, error) {
	t.Helper()
	pages := map[string][]byte{}
	for n := range r.Pages(c) {
		f, err := r.SnapshotPage(c, n+1)
		if err != nil {
			t.Fatal(err)
		}
		pages[f.Route] = f.Body
	}
	return func(route string) ([]byte, error) {
		if b, ok := pages[route]; ok {
			return b, nil
		}
		return nil, fmt.Errorf("no page %s", route)
	}
}

// readBack is a catalog as a service holds it, without fragments.
func readBack(c *snapshot.Catalog) *snapshot.Catalog {
	return &snapshot.Catalog{ID: c.ID, Site: c.Site, Day: c.Day, AsOf: c.AsOf, Lines: c.Lines, Institutions: c.Institutions, Licences: c.Licences}
}

// statements reads a document of either form.
func statements(t testing.TB, ext string, doc []byte) []string {
	if ext == "ttl" {
		return known(ofTurtle(t, doc))
	}
	return ofJSONLD(t, doc)
}

// described leaves out the lists and the paging, which only a document of
// several entries has.
func described(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
		return strings.Contains(l, "<http://www.w3.org/ns/hydra/core#") ||
			strings.HasPrefix(l, "<https://register.example/assay/catalog> <http://www.w3.org/ns/dcat#") && !strings.Contains(l, "#themeTaxonomy>")
	})
}

// expected are the statements about the entries as their own documents make
// them, and about the catalogue.
func expected(t testing.TB, r *Renderer, c *snapshot.Catalog, ext string, since time.Time) (lines []string, ids map[string]bool) {
	x := r.indexOf(c)
	ids = map[string]bool{}
	add := func(f artifact.File) error {
		if strings.HasSuffix(f.Route, "."+ext) {
			lines = append(lines, statements(t, ext, f.Body)...)
		}
		return nil
	}
	if err := r.small(c, "/catalog", catalogGraph(x), add); err != nil {
		t.Fatal(err)
	}
	for _, i := range x.exported {
		if x.changedAt(i).Before(since) {
			continue
		}
		ids[c.Lines[i].ID] = true
		linked, err := r.Related(c, int(i))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range linked {
			add(f)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), ids
}

// walk follows the pages of changes and collects what they say.
func walk(t testing.TB, r *Renderer, c *snapshot.Catalog, q wire.CatalogChanges, pinned func(string) ([]byte, error)) (lines []string, pages int) {
	t.Helper()
	for pages = 1; q.Number <= pages; q.Number++ {
		p, err := r.Changes(c, &q, pinned)
		if err != nil {
			t.Fatal(err)
		}
		pages = p.Pages
		lines = append(lines, statements(t, q.Form, p.Body)...)
	}
	slices.Sort(lines)
	return slices.Compact(lines), pages
}

// TestChangesAreTheEntriesDocuments compares pages of changes with what the
// entries' own documents say, from a snapshot that was read back.
func TestChangesAreTheEntriesDocuments(t *testing.T) {
	rows := append(fixture(), hostile(0)...)
	for i := range rows {
		rows[i].Entry.PublishedAt = day1.Add(time.Duration(i%7) * 48 * time.Hour)
	}
	r := New(Options{})
	c := freeze(t, r, rows)
	pinned := pinnedOf(t, r, c)
	served := New(Options{})
	for _, ext := range []string{"ttl", "jsonld"} {
		for _, days := range []int{0, 1, 5, 11, 99} {
			since := day1.Add(time.Duration(days) * 24 * time.Hour)
			got, _ := walk(t, served, readBack(c), wire.CatalogChanges{Since: since, Number: 1, Form: ext, Snapshot: c.ID}, pinned)
			want, ids := expected(t, r, c, ext, since)
			if d := cmp.Diff(want, described(got)); d != "" {
				t.Errorf("%s, %d days (-own documents +changes):\n%.3000s", ext, days, d)
			}
			records := 0
			for _, l := range got {
				if strings.HasPrefix(l, "<https://register.example/assay/catalog> <http://www.w3.org/ns/dcat#record>") {
					records++
				}
			}
			if records != len(ids) {
				t.Errorf("%s, %d days: %d records, %d entries changed", ext, days, records, len(ids))
			}
		}
	}
}

// TestChangesOfAManyPagedRegister walks registers of several pinned pages: no
// filter gives the pinned pages, a filter pages of bounded sources.
func TestChangesOfAManyPagedRegister(t *testing.T) {
	const n = PageSize*(sourcesMax+2) + 7
	r := New(Options{})
	c := freezeOnDisk(t, r, n)
	for i := range c.Lines {
		c.Lines[i].ContentChanged, c.Lines[i].Published = day1.Unix(), day1.Unix()
		if i%100 == 3 {
			c.Lines[i].ContentChanged = now.Unix()
		}
	}
	x := r.indexOf(c)
	on, total, pages := x.changed(now, 1)
	if want := (len(x.exported) + 99) / 100; total < want-5 || total > want+5 || pages != 2 || len(sources(on)) != sourcesMax {
		t.Errorf("%d changed on %d pages, the first from %d sources", total, pages, len(sources(on)))
	}
	seen := 0
	for number := range pages {
		on, _, _ := x.changed(now, number+1)
		seen += len(on)
	}
	if seen != total {
		t.Errorf("the pages hold %d of %d", seen, total)
	}
	if _, all, pages := x.changed(time.Time{}, 1); all != len(x.exported) || pages != pagesOf(x) {
		t.Errorf("without a filter: %d entries on %d pages", all, pages)
	}
	reads := 0
	p, err := r.Changes(c, &wire.CatalogChanges{Since: now, Number: 2, Form: "ttl", Snapshot: c.ID}, func(route string) ([]byte, error) {
		reads++
		f, err := r.SnapshotPage(c, pinnedNumber(t, c, route))
		return f.Body, err
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Join(ofTurtle(t, p.Body), "")
	address := "https://register.example/assay/api/v1/catalog/dcat.ttl?page="
	for _, want := range []string{"hydra/core#previousPage> <" + address + "1&modified_since=2026-11-21T06:00:00Z&snapshot=" + c.ID + ">",
		"hydra/core#totalItems> \"" + fmt.Sprint(total) + `"`, "hydra/core#last> <" + address + "2&"} {
		if !strings.Contains(lines, want) {
			t.Errorf("page 2 does not say %s", want)
		}
	}
	if strings.Contains(lines, "hydra/core#next>") || reads > 3 {
		t.Errorf("the last page has a next one, or was read from %d sources", reads)
	}
}

// pinnedNumber is the number by which SnapshotPage makes a Turtle page.
func pinnedNumber(t testing.TB, c *snapshot.Catalog, route string) int {
	for n := 1; n < 100; n++ {
		if PageRoute(c.ID, n, "ttl") == route {
			return len(pageForms)*(n-1) + 1
		}
	}
	t.Fatalf("%s is no page", route)
	return 0
}

func TestChangesRefuse(t *testing.T) {
	r := New(Options{})
	c := freeze(t, r, fixture())
	none := func(string) ([]byte, error) { return nil, io.ErrUnexpectedEOF }
	for _, q := range []struct {
		ask  wire.CatalogChanges
		want error
	}{
		{wire.CatalogChanges{Number: 1, Form: "xml"}, catalog.ErrInvalid}, {wire.CatalogChanges{Number: 2, Form: "ttl"}, catalog.ErrNotFound},
		{wire.CatalogChanges{Number: 0, Form: "ttl"}, catalog.ErrNotFound}, {wire.CatalogChanges{Number: 1, Form: "ttl"}, io.ErrUnexpectedEOF},
	} {
		if _, err := r.Changes(c, &q.ask, none); !errors.Is(err, q.want) {
			t.Errorf("%+v: %v, want %v", q.ask, err, q.want)
		}
	}
	// Nothing changed: one page, read from nowhere.
	if p, err := r.Changes(c, &wire.CatalogChanges{Since: now.AddDate(1, 0, 0), Number: 1, Form: "jsonld"}, none); err != nil || p.Pages != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

// BenchmarkChanges makes the dearest page: 500 entries out of eight pinned
// pages, one in eight of them changed.
func BenchmarkChanges(b *testing.B) {
	r := New(Options{})
	c := freezeOnDisk(b, r, PageSize*sourcesMax)
	for i := range c.Lines {
		c.Lines[i].ContentChanged, c.Lines[i].Published = day1.Unix(), day1.Unix()
		if i%sourcesMax == 0 {
			c.Lines[i].ContentChanged = now.Unix()
		}
	}
	for _, f := range forms {
		b.Run(f.ext, func(b *testing.B) {
			pinned, size := pinnedOf(b, r, c), 0
			b.ReportAllocs()
			for b.Loop() {
				p, err := r.Changes(c, &wire.CatalogChanges{Since: now, Number: 1, Form: f.ext, Snapshot: c.ID}, pinned)
				if err != nil {
					b.Fatal(err)
				}
				size = len(p.Body)
			}
			b.SetBytes(int64(size))
		})
	}
}
