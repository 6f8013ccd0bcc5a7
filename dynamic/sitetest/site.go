package sitetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/index"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Options say what site to make.
type Options struct {
	Entries int
	// Generation changes the data; each is another snapshot.
	Generation int
	// BaseURL is https://register.example if empty.
	BaseURL string
	// Gone entries, from the highest number down, are missing.
	Gone int
}

// At is the instant of all generated sites.
var At = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// Site is one that was written.
type Site struct {
	// Dir is the folder of its snapshot files.
	Dir     string
	Catalog *snapshot.Catalog
	// Items are the rendered list items by entry id.
	Items map[string]json.RawMessage
	pages map[string][]byte
	items []byte
	index bytes.Buffer
}

// Make writes a site into dir and presents it, or a new generation beside the one that is
// there.
func Make(tb testing.TB, dir string, o Options) *Site {
	tb.Helper()
	s, err := Write(dir, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Write is Make for programs and for goroutines of a test.
func Write(dir string, o Options) (*Site, error) {
	if o.BaseURL == "" {
		o.BaseURL = "https://register.example"
	}
	s := &Site{Dir: dir, Items: map[string]json.RawMessage{}, pages: map[string][]byte{}}
	words := index.New(nil)
	if err := s.freeze(words, o); err != nil {
		return nil, err
	}
	if err := words.Finish(&s.index, s.Catalog); err != nil {
		return nil, err
	}
	if err := s.addLists(); err != nil {
		return nil, err
	}
	return s, s.publish()
}

// freeze scores the rows and renders the pages of single entries.
func (s *Site) freeze(words *index.Index, o Options) error {
	institutions := Institutions(At)
	frame := snapshot.NewFrame(snapshot.Site{BaseURL: o.BaseURL, Name: "Test register", License: "CC0-1.0"}, At, append(institutions, mergedBody(institutions[0])), licences, nil)
	rows := make([]*catalog.Row, o.Entries-o.Gone)
	for i := range rows {
		rows[i] = row(i, o.Generation, At, institutions)
		frame.SawName(rows[i].Entry.Type, search.Fold(rows[i].Entry.Name))
	}
	slices.SortFunc(rows, func(a, b *catalog.Row) int { return strings.Compare(a.Entry.ID, b.Entry.ID) })
	draft := snapshot.NewDraft(frame)
	var items bytes.Buffer
	analyser := &search.Analyser{}
	for _, r := range rows {
		folded := search.Fold(r.Entry.Name)
		scored := frame.Score(r, folded)
		line := snapshot.NewLine(scored, folded)
		item, cells, err := wire.EncodeItem(scored)
		if err != nil {
			return err
		}
		line.Cells, line.Item = cells, snapshot.Span{Offset: int64(items.Len()), Length: len(item)}
		line.Digest = fmt.Sprintf("%d", o.Generation)
		items.Write(item)
		items.WriteByte('\n')
		s.Items[r.Entry.ID] = item
		document := search.Project(r, scored.Institution)
		if err := words.Add(analyser.Analyse(&document)); err != nil {
			return err
		}
		if err := draft.Add(line, r.Entry.FormerSlugs); err != nil {
			return err
		}
		if err := s.addEntry(scored); err != nil {
			return err
		}
	}
	for _, t := range tombstones(At, catalog.NewID("entry", "entry-0")) {
		draft.Bury(t)
	}
	s.items = items.Bytes()
	s.Catalog = draft.Finish(bytes.NewReader(s.items))
	return nil
}

func (s *Site) addEntry(scored *snapshot.Scored) error {
	page, err := wire.EncodeEntry(scored, false)
	if err != nil {
		return err
	}
	e := scored.Entry()
	s.pages["/api/v1/entries/"+e.ID] = page
	s.pages["/api/v1/entries/"+e.Slug] = page
	s.pages["/api/v1/entries/"+e.ID+"/checks"], err = wire.Seal(wire.NewChecks(scored.Row, scored.Day), scored.ChangedAt, false)
	return err
}

// addLists renders the pages of the whole catalog.
func (s *Site) addLists() error {
	c := s.Catalog
	pages := max(1, wire.TotalPages(len(c.Order), wire.DefaultLimit))
	for n := range pages + 1 {
		route, page := "/s/"+c.ID+"/api/v1/entries/pages/"+fmt.Sprint(n), n
		if n == 0 {
			route, page = "/api/v1/entries", 1
		}
		body, err := s.listPage(page, pages, route)
		if err != nil {
			return err
		}
		s.pages[route] = body
	}
	facets, err := wire.Seal(wire.FacetsPage{Total: len(c.Order), Snapshot: c.ID, Facets: c.Facets(c.Order)}, c.AsOf, false)
	s.pages["/api/v1/entries/facets"] = facets
	s.pages["/openapi.json"] = []byte(`{"openapi":"3.1.1","x":"` + strings.Repeat("text ", 20000) + `"}`)
	s.pages["/.well-known/mcp.json"] = []byte(`{}`)
	if err != nil {
		return err
	}
	s.pages["/snapshot.json"], err = json.Marshal(wire.SnapshotPage{Snapshot: c.ID, Entries: len(c.Lines)})
	return err
}

func (s *Site) listPage(n, pages int, route string) ([]byte, error) {
	c := s.Catalog
	pin := func(n int) string { return wire.PinnedPath(c.Site, c.ID, n) }
	head := wire.PageHead{Total: len(c.Order), Page: n, Limit: wire.DefaultLimit, TotalPages: wire.TotalPages(len(c.Order), wire.DefaultLimit),
		Links: wire.Links{Self: wire.Path(c.Site, route), First: pin(1), Last: pin(pages)}}
	if n > 1 {
		prev := pin(n - 1)
		head.Links.Prev = &prev
	}
	if n < pages {
		next := pin(n + 1)
		head.Links.Next = &next
	}
	var lines []*snapshot.Line
	for _, i := range c.Order[(n-1)*wire.DefaultLimit : min(n*wire.DefaultLimit, len(c.Order))] {
		lines = append(lines, &c.Lines[i])
	}
	return wire.EncodePage(c, lines, head, c.AsOf, false)
}

// Expire removes a snapshot as a build does when it is too old.
func Expire(dir, id string) error {
	err := os.Remove(filepath.Join(dir, snapshot.OverlayOf(id)))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, os.Remove(filepath.Join(dir, snapshot.FileOf(id))))
}

// Page is what the site wrote under a route.
func (s *Site) Page(route string) []byte { return s.pages[route] }

// Routes are all routes that the site wrote, sorted.
func (s *Site) Routes() []string {
	var out []string
	for route := range s.pages {
		out = append(out, route)
	}
	slices.Sort(out)
	return out
}
