package api

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// renderAll makes every file of the format.
func renderAll(t *testing.T, rows []*catalog.Row) map[string]artifact.File {
	t.Helper()
	c := rendertest.Freeze(t, rendertest.Site, rendertest.At, rows)
	out := map[string]artifact.File{}
	add := func(files ...artifact.File) {
		t.Helper()
		for _, f := range files {
			if _, ok := out[f.Route]; ok || !strings.HasPrefix(f.Route, "/") || f.Type == "" || f.Class == "" {
				t.Fatalf("route %q stands twice, or has no type or class", f.Route)
			}
			out[f.Route] = f
		}
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range rendertest.Scored() {
		files, err := Entry(s)
		check(err)
		add(files...)
	}
	for i := range c.Lines {
		files, err := Related(c, i)
		check(err)
		add(files...)
	}
	for n := range PinnedPages(c) {
		f, err := SnapshotPage(c, n+1)
		check(err)
		add(f)
	}
	f, err := Default(c)
	check(err)
	add(f)
	check(Aggregates(c, func(f artifact.File) error { add(f); return nil }))
	return out
}

// golden is the file name of a route's golden copy; the snapshot's name is
// left out of it, ids become slugs.
func golden(c *snapshot.Catalog, route string) string {
	for i := range c.Lines {
		route = strings.ReplaceAll(route, c.Lines[i].ID, c.Lines[i].Slug)
	}
	name := strings.TrimPrefix(strings.Replace(route, c.ID, "snapshot", 1), "/")
	if !strings.HasSuffix(name, ".ndjson") {
		name += ".json"
	}
	return strings.TrimPrefix(name, "api/v1/")
}

// isPartOfAnother tells the sub-pages that have no golden copy: those of every
// entry but the weather API.
func isPartOfAnother(name string) bool {
	return strings.Count(name, "/") == 2 && strings.HasPrefix(name, "entries/") && !strings.HasPrefix(name, "entries/"+rendertest.WeatherAPI)
}

func TestPagesAreGolden(t *testing.T) {
	c := rendertest.Catalog(t)
	for route, f := range renderAll(t, rendertest.Rows()) {
		if strings.HasSuffix(route, ".ndjson") {
			for line := range strings.Lines(string(f.Body)) {
				rendertest.CheckJSON(t, route, []byte(strings.TrimSuffix(line, "\n")))
			}
		} else {
			rendertest.CheckSealed(t, route, f.Body)
		}
		if name := golden(c, route); !isPartOfAnother(name) {
			rendertest.Golden(t, name, f.Body)
		}
	}
}

func TestEqualRowsGiveEqualBytes(t *testing.T) {
	want := renderAll(t, rendertest.Rows())
	for range 3 {
		rows := rendertest.Rows()
		rand.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		got := renderAll(t, rows)
		if len(got) != len(want) {
			t.Fatalf("%d files, not %d", len(got), len(want))
		}
		for route, f := range want {
			if !bytes.Equal(f.Body, got[route].Body) || f.Alias != got[route].Alias {
				t.Errorf("%s differs (-first +shuffled):\n%s", route, cmp.Diff(string(f.Body), string(got[route].Body)))
			}
		}
	}
}

func TestRoutesOfAnEntry(t *testing.T) {
	s := rendertest.Find(t, rendertest.WeatherAPI)
	files, err := Entry(s)
	if err != nil {
		t.Fatal(err)
	}
	base := "/api/v1/entries/" + s.Entry().ID
	var got []string
	for _, f := range files {
		got = append(got, f.Route)
		if f.Cache != artifact.Mutable || f.Type != artifact.JSON {
			t.Errorf("%s has cache %d and type %s", f.Route, f.Cache, f.Type)
		}
	}
	if d := cmp.Diff([]string{base, base + "/provenance", base + "/quality-score", base + "/quality-history", base + "/checks", base + "/preview", base + "/incidents"}, got); d != "" {
		t.Error(d)
	}
	if files[0].Alias != "/api/v1/entries/"+rendertest.WeatherAPI || files[1].Alias != "" {
		t.Errorf("aliases %q and %q", files[0].Alias, files[1].Alias)
	}
}

func decodePage(t *testing.T, f artifact.File) wire.EntriesPage {
	t.Helper()
	var p struct {
		Items []wire.Item `json:"items"`
		Total int         `json:"total"`
		Page  int         `json:"page"`
		Limit int         `json:"limit"`
		Pages int         `json:"total_pages"`
		Links wire.Links  `json:"links"`
	}
	if err := json.Unmarshal(f.Body, &p); err != nil {
		t.Fatal(err)
	}
	return wire.EntriesPage{Items: p.Items, PageHead: wire.PageHead{Total: p.Total, Page: p.Page, Limit: p.Limit, TotalPages: p.Pages, Links: p.Links}}
}

// A reader who starts at the default page and follows next sees every listed
// entry once, in ranking order, and gets back by prev.
func TestPagesLeadThroughTheCatalog(t *testing.T) {
	for _, n := range []int{0, 1, 20, 21, 45} {
		site := rendertest.Site
		site.BaseURL = "https://register.example/base/"
		c := rendertest.Freeze(t, site, rendertest.At, rendertest.Many(n))
		files := map[string]artifact.File{}
		for i := range PinnedPages(c) {
			f, err := SnapshotPage(c, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if f.Cache != artifact.Pinned || f.Class != artifact.ClassList {
				t.Errorf("%s has cache %d, class %s", f.Route, f.Cache, f.Class)
			}
			files["/base"+f.Route] = f
		}
		first, err := Default(c)
		if err != nil {
			t.Fatal(err)
		}
		p := decodePage(t, first)
		if p.Links.Self != "/base/api/v1/entries" || p.Links.Prev != nil || p.Limit != PageSize {
			t.Errorf("links of the default page: %+v", p.Links)
		}
		var seen []string
		for number := 1; ; number++ {
			if p.Page != number || p.Total != n || p.TotalPages != wire.TotalPages(n, PageSize) {
				t.Errorf("page %d of %d entries: %+v", number, n, p.PageHead)
			}
			for _, link := range []string{p.Links.First, p.Links.Last} {
				if _, ok := files[link]; !ok {
					t.Errorf("%s leads nowhere", link)
				}
			}
			for i := range p.Items {
				seen = append(seen, p.Items[i].ID)
			}
			if p.Links.Next == nil {
				break
			}
			previous := p.Links.Self
			f, ok := files[*p.Links.Next]
			if !ok {
				t.Fatalf("next %s leads nowhere", *p.Links.Next)
			}
			p = decodePage(t, f)
			if number > 1 && *p.Links.Prev != previous {
				t.Errorf("prev of %s is %s", p.Links.Self, *p.Links.Prev)
			}
		}
		var want []string
		for _, i := range c.Order {
			want = append(want, c.Lines[i].ID)
		}
		if d := cmp.Diff(want, seen); d != "" {
			t.Errorf("%d entries (-order +pages):\n%s", n, d)
		}
	}
}

func TestTornItemsAreAnError(t *testing.T) {
	c := rendertest.Catalog(t)
	c.Items = strings.NewReader("short")
	if _, err := Default(c); err == nil {
		t.Error("a page of items that are not there")
	}
}

func TestWholeStopsAtTheFirstError(t *testing.T) {
	c := rendertest.Catalog(t)
	for stop := range 5 {
		n := 0
		err := Aggregates(c, func(artifact.File) error {
			n++
			if n > stop {
				return catalog.ErrConflict
			}
			return nil
		})
		if err == nil || n != stop+1 {
			t.Errorf("refused at file %d: %v after %d files", stop+1, err, n)
		}
	}
}
