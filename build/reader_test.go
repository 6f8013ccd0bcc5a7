package build_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// reader reads a bare tree while builds replace it.
type reader struct {
	dir   string
	rand  *rand.Rand
	left  *sync.Map // ids of entries that a change took out of the catalog
	pages int
	links int
}

// A page that should exist is: each route of the whole catalog, and each page
// of an entry that is in the catalog from the first build to the last.
var wholeRoutes = []string{"/api/v1/entries", "/api/v1/entries/facets", "/api/v1/entries/trending", "/api/v1/entries/leaderboard",
	"/api/v1/catalog/summary", "/openapi.json", "/snapshot.json"}

var entryParts = []string{"", "/provenance", "/relations", "/related", "/alternatives", "/quality-score", "/quality-history", "/checks", "/preview"}

// read reads a page once. A page that is there must be whole.
func (r *reader) read(route string) ([]byte, error) {
	body, err := buildtest.ReadRoute(r.dir, route)
	if err != nil {
		return nil, err
	}
	r.pages++
	if !strings.HasSuffix(buildtest.PathOf(route), ".json") {
		return body, nil
	}
	if err := buildtest.Whole(body); err != nil {
		return nil, fmt.Errorf("%s %w: %.200s", route, err, body)
	}
	return body, nil
}

// visit reads a page that should exist and follows its links. A link that
// leads nowhere is excused in two cases only: the page that bears it has
// meanwhile been replaced by one without it, or it is a page of an older
// snapshot that names an entry which has left the catalog.
func (r *reader) visit(route string) ([]byte, error) {
	body, err := r.read(route)
	if err != nil {
		return nil, err
	}
	links := buildtest.Routes(body)
	for _, id := range buildtest.Names(body) {
		if _, gone := r.left.Load(id); !gone {
			links = append(links, "/api/v1/entries/"+id)
		}
	}
	for _, link := range links {
		r.links++
		link = strings.TrimPrefix(link, "/assay")
		_, err := r.read(link)
		if errors.Is(err, fs.ErrNotExist) && buildtest.Reach(r.dir, link) {
			err = nil // Not JSON.
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("link of %s: %w", route, err)
		}
		if r.excused(route, link) {
			continue
		}
		return nil, fmt.Errorf("%s leads to %s, which is missing", route, link)
	}
	return body, nil
}

func (r *reader) excused(route, link string) bool {
	again, err := buildtest.ReadRoute(r.dir, route)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err == nil && !slices.Contains(buildtest.Routes(again), "/assay"+link) &&
		!strings.Contains(string(again), `"`+strings.TrimPrefix(link, "/api/v1/entries/")+`"`) {
		return true
	}
	parts := strings.Split(route, "/")
	current, err := output.Current(r.dir)
	return err == nil && parts[1] == "s" && parts[2] != current
}

// round reads all pages about the catalog and some about entries.
func (r *reader) round(stable []catalog.Entry) error {
	for _, route := range wholeRoutes {
		if _, err := r.visit(route); err != nil {
			return err
		}
	}
	for range 15 {
		e := &stable[r.rand.IntN(len(stable))]
		for _, route := range []string{e.ID + entryParts[r.rand.IntN(len(entryParts))], e.Slug} {
			_, err := r.visit("/api/v1/entries/" + route)
			if _, gone := r.left.Load(e.ID); gone || err == nil {
				continue
			}
			if _, renamed := r.left.Load(e.Slug); renamed && route == e.Slug {
				continue
			}
			return err
		}
	}
	return nil
}

// walk pages through the list as a stranger does, by links.next alone, and
// calls between before each further page.
func walk(dir string, between func(page int)) (ids []string, snapshots map[string]bool, err error) {
	snapshots = map[string]bool{}
	for route, n := "/api/v1/entries", 1; ; n++ {
		body, err := buildtest.ReadRoute(dir, route)
		if err != nil {
			return ids, snapshots, err
		}
		if err := buildtest.Whole(body); err != nil {
			return ids, snapshots, fmt.Errorf("%s %w", route, err)
		}
		var p buildtest.Page
		if err := json.Unmarshal(body, &p); err != nil {
			return ids, snapshots, err
		}
		snapshots[p.Snapshot] = true
		for _, i := range p.Items {
			ids = append(ids, i.ID)
		}
		if p.Links.Next == nil {
			if len(ids) != p.Total {
				err = fmt.Errorf("%d entries on the pages, total says %d", len(ids), p.Total)
			}
			return ids, snapshots, err
		}
		route = strings.TrimPrefix(*p.Links.Next, "/assay")
		between(n)
	}
}

func visible(t testing.TB, r *buildtest.Register) []catalog.Entry {
	t.Helper()
	var out []catalog.Entry
	err := r.Store.View(context.Background(), func(tx catalog.Tx) error {
		return tx.Entries().Scan(context.Background(), catalog.Range{}, func(e *catalog.Entry) error {
			if e.Visible(r.Now) {
				out = append(out, *e)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReaders reads while builds replace the catalog.
func TestReaders(t *testing.T) {
	ctx := context.Background()
	r := register(t, 60)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	stable := visible(t, r)
	var left sync.Map
	for _, id := range r.IDs() {
		if !slices.ContainsFunc(stable, func(e catalog.Entry) bool { return e.ID == id }) {
			left.Store(id, true)
		}
	}
	done := make(chan struct{})
	faults := make(chan error, 2)
	readers := []*reader{{dir: dir, left: &left, rand: rand.New(rand.NewPCG(1, 1))}, {dir: dir, left: &left, rand: rand.New(rand.NewPCG(2, 2))}}
	var wg sync.WaitGroup
	for _, reader := range readers {
		wg.Go(func() {
			for {
				if err := reader.round(stable); err != nil {
					faults <- err
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	r.Leaving = func(e *catalog.Entry, slug string) {
		if slug == "" {
			left.Store(e.ID, true)
		}
		left.Store(e.Slug, true)
	}
	builds := 3
	switch {
	case soak:
		builds = 100
	case testing.Short():
		builds = 1
	}
	for range builds {
		for _, kind := range append(buildtest.Kinds(), buildtest.Add, buildtest.Succeed, buildtest.Rename, buildtest.Edit) {
			if _, err := r.Change(ctx, kind); err != nil {
				t.Fatal(err)
			}
		}
		mustBuild(t, r.Store, options(dir, r.Now))
	}
	close(done)
	wg.Wait()
	close(faults)
	for err := range faults {
		t.Error(err)
	}
	for _, reader := range readers {
		t.Logf("%d pages, %d links", reader.pages, reader.links)
	}
	noFaults(t, "at the end", output.Dir(dir), nil)
}

// TestPagingReader pages through the list while three builds replace it.
func TestPagingReader(t *testing.T) {
	ctx := context.Background()
	r := register(t, 90)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	lines, err := buildtest.ReadTree(filepath.Join(dir, ".assay"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	first, err := output.Current(dir)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(lines[first+"/lines.ndjson"].Body) {
		var l snapshot.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Listed() {
			want = append(want, l.ID)
		}
	}
	got, snapshots, err := walk(dir, func(page int) {
		if page > 3 {
			return
		}
		if err := r.Some(ctx, 20); err != nil {
			t.Fatal(err)
		}
		mustBuild(t, r.Store, options(dir, r.Now))
	})
	if err != nil {
		t.Fatal(err)
	}
	if current, _ := output.Current(dir); current == first {
		t.Fatal("the builds made no new snapshot")
	}
	if len(snapshots) != 1 {
		t.Errorf("the pages are of %d snapshots", len(snapshots))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("read %d entries, the first snapshot lists %d", len(got), len(want))
	}
}
