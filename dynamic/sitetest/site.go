package sitetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/build/index"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/hashindex"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
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

// Site is a tree that was written.
type Site struct {
	Dir     string
	Catalog *snapshot.Catalog
	// Items are the rendered list items by entry id.
	Items map[string]json.RawMessage
	pages map[string][]byte
	index *index.Index
}

// Make writes a site into dir, or a new generation over the one that is there.
func Make(tb testing.TB, dir string, o Options) *Site {
	tb.Helper()
	if o.BaseURL == "" {
		o.BaseURL = "https://register.example"
	}
	s, err := Write(dir, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Write is Make for programs and for goroutines of a test.
func Write(dir string, o Options) (*Site, error) {
	s := &Site{Dir: dir, Items: map[string]json.RawMessage{}, pages: map[string][]byte{}}
	s.index = index.New(nil)
	items, err := s.freeze(o)
	if err != nil {
		return nil, err
	}
	if err := s.addLists(); err != nil {
		return nil, err
	}
	return s, s.publish(items)
}

// freeze scores the rows and renders the pages of single entries.
func (s *Site) freeze(o Options) ([]byte, error) {
	institutions := Institutions(At)
	frame := snapshot.NewFrame(snapshot.Site{BaseURL: o.BaseURL, Name: "Test register", License: "CC0-1.0"}, At, append(institutions, mergedBody(institutions[0])), nil, nil)
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
			return nil, err
		}
		line.Cells, line.Item = cells, snapshot.Span{Offset: int64(items.Len()), Length: len(item)}
		line.Digest = fmt.Sprintf("%d", o.Generation)
		items.Write(item)
		items.WriteByte('\n')
		s.Items[r.Entry.ID] = item
		document := search.Project(r, scored.Institution)
		if err := s.index.Add(analyser.Analyse(&document)); err != nil {
			return nil, err
		}
		if err := draft.Add(line, r.Entry.FormerSlugs); err != nil {
			return nil, err
		}
		if err := s.addEntry(scored); err != nil {
			return nil, err
		}
	}
	for _, t := range tombstones(At, catalog.NewID("entry", "entry-0")) {
		draft.Bury(t)
	}
	s.Catalog = draft.Finish(bytes.NewReader(items.Bytes()))
	return items.Bytes(), nil
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
	s.pages["/.secret"] = []byte(`secret`)
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

// publish writes the tree in a build's order: entries and pinned pages, the
// encoded snapshot, the lists, snapshot.json; removals last.
func (s *Site) publish(items []byte) error {
	routes := make([]string, 0, len(s.pages))
	for route := range s.pages {
		routes = append(routes, route)
	}
	list := func(route string) bool { return route == "/api/v1/entries" || route == "/api/v1/entries/facets" }
	slices.SortFunc(routes, func(a, b string) int {
		if list(a) != list(b) {
			if list(a) {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	ended, err := Underway(s.Dir, s.Catalog.ID)
	if err != nil {
		return err
	}
	defer ended()
	for i, route := range routes {
		if list(route) && !list(routes[max(0, i-1)]) {
			if err := s.encode(items); err != nil {
				return err
			}
		}
		if err := WriteFile(s.Dir, route, s.pages[route]); err != nil {
			return err
		}
	}
	page, err := json.Marshal(wire.SnapshotPage{Snapshot: s.Catalog.ID, Entries: len(s.Catalog.Lines)})
	if err != nil {
		return err
	}
	if err := WriteFile(s.Dir, "/snapshot.json", page); err != nil {
		return err
	}
	return errors.Join(os.Remove(filepath.Join(s.Dir, ".assay", snapshot.UnderwayFile)), s.sweep())
}

// Underway marks a tree as a build does that puts a snapshot's pages into it.
// The returned function ends the build; it leaves the mark, as a kill would.
func Underway(dir, id string) (ended func(), err error) {
	mark := filepath.Join(dir, ".assay", snapshot.UnderwayFile)
	if err := os.MkdirAll(filepath.Dir(mark), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(mark + ".new")
	if err != nil {
		return nil, err
	}
	_, err = f.WriteString(id)
	err = errors.Join(err, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), os.Rename(mark+".new", mark))
	return func() { f.Close() }, err
}

func (s *Site) encode(items []byte) error {
	var head, lines, found bytes.Buffer
	if err := s.index.Finish(&found, s.Catalog); err != nil {
		return err
	}
	if err := s.Catalog.EncodeHead(&head); err != nil {
		return err
	}
	if err := s.Catalog.EncodeLines(&lines); err != nil {
		return err
	}
	dir := filepath.Join(s.Dir, ".assay", s.Catalog.ID)
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	stage := dir + ".new"
	if err := os.MkdirAll(stage, 0o755); err != nil {
		return err
	}
	for name, body := range map[string][]byte{snapshot.HeadFile: head.Bytes(), snapshot.LinesFile: lines.Bytes(), snapshot.ItemsFile: items,
		segment.File: found.Bytes()} {
		if err := os.WriteFile(filepath.Join(stage, name), body, 0o644); err != nil {
			return err
		}
	}
	if err := s.writeHashes(stage); err != nil {
		return err
	}
	return os.Rename(stage, dir)
}

// writeHashes indexes the pages as a build does.
func (s *Site) writeHashes(dir string) error {
	var files [3]*os.File
	for i, name := range []string{"records", "routes", hashindex.File} {
		var err error
		if files[i], err = os.Create(filepath.Join(dir, name)); err != nil {
			return err
		}
		defer files[i].Close()
	}
	w, err := hashindex.NewWriter(files[0], files[1])
	if err != nil {
		return err
	}
	for _, route := range s.Routes() {
		body := s.pages[route]
		if err := w.Add(route, sha256.Sum256(body), hashindex.ManifestSum(body)); err != nil {
			return err
		}
	}
	return w.Finish(files[2])
}

// sweep removes the pages of entries that are no more.
func (s *Site) sweep() error {
	dir := filepath.Join(s.Dir, "api/v1/entries")
	names, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		if _, ok := s.pages["/api/v1/entries/"+n.Name()]; !ok && n.IsDir() {
			if err := os.RemoveAll(filepath.Join(dir, n.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Expire removes a snapshot as a build does when it is too old.
func Expire(dir, id string) error {
	if err := os.RemoveAll(filepath.Join(dir, "s", id)); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(dir, ".assay", id))
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

// WriteFile puts a file under a route through a rename.
func WriteFile(dir, route string, body []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(artifact.Path(route, artifact.JSON)))
	if strings.HasPrefix(route, "/.secret") {
		path = filepath.Join(dir, route)
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, body) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return err
	}
	if _, err := tmp.Write(body); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
