package publish

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// madeSite is a small site as a build would leave it, without a build: it has
// n entries in generation g, each with a page and a part, some of them changed,
// new or gone since the generation before, and the documents that lead to them.
type madeSite struct {
	t testing.TB
	// root is the folder of the snapshot files.
	root   string
	lines  []wire.RouteLine
	bodies map[string][]byte
}

// snapshotOf names the snapshot of a generation.
func snapshotOf(g int) string { return fmt.Sprintf("20261121-%012x", g) }

// entriesOf are the entries of a generation: each one brings two new ones, and
// loses one.
func entriesOf(g, n int) []int {
	var out []int
	for i := g; i < n+2*g; i++ {
		out = append(out, i)
	}
	return out
}

// index is what the documents say that lead to others.
type index struct {
	Snapshot string   `json:"snapshot"`
	Routes   []string `json:"routes"`
}

// makeSite adds the site of a generation to a folder of snapshot files, and presents it.
func makeSite(t testing.TB, root string, g, n int) {
	t.Helper()
	s := &madeSite{t: t, root: root}
	var routes []string
	for _, i := range entriesOf(g, n) {
		route := fmt.Sprintf("/api/v1/entries/e%d", i)
		// Every third entry changes with each generation.
		version := 0
		if i%3 == 0 {
			version = g
		}
		s.page(route, artifact.ClassEntry, map[string]any{"id": fmt.Sprint("e", i), "published_at": "2026-11-20T00:00:00Z", "version": version})
		s.page(route+"/checks", artifact.ClassEntryPart, map[string]any{"version": version})
		routes = append(routes, route, route+"/checks")
	}
	pinned := "/s/" + snapshotOf(g) + "/api/v1/entries/pages/1"
	s.page(pinned, artifact.ClassList, index{snapshotOf(g), routes})
	s.page("/api/v1/entries", artifact.ClassList, index{snapshotOf(g), append([]string{pinned}, routes...)})
	s.write("/llms.txt", artifact.Text, artifact.ClassCatalog, []byte(strings.Repeat("# Where to begin\n", 8000)))
	s.twice("/export.ndjson")
	s.write("/tombstones.ndjson", artifact.NDJSON, artifact.ClassCatalog, tombstones(g))
	s.books(snapshotOf(g))
}

// twice writes a document whose compressed form is a route of its own.
func (s *madeSite) twice(route string) {
	body := bytes.Repeat([]byte("{}\n"), 30000)
	var gz bytes.Buffer
	z := gzip.NewWriter(&gz)
	if _, err := z.Write(body); err != nil {
		s.t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.write(route, artifact.NDJSON, artifact.ClassCatalog, body)
	s.write(route+".gz", artifact.Gzip, artifact.ClassCatalog, gz.Bytes())
}

func tombstones(g int) []byte {
	var b strings.Builder
	for i := range g {
		fmt.Fprintf(&b, `{"id":"e%d"}`+"\n", i)
	}
	return []byte(b.String())
}

func (s *madeSite) page(route string, class artifact.Class, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(route, artifact.JSON, class, b)
}

// write adds a document; the last one of a route counts.
func (s *madeSite) write(route, media string, class artifact.Class, body []byte) {
	sum := sha256.Sum256(body)
	l := wire.RouteLine{Route: route, Type: media, Class: string(class), SHA256: hex.EncodeToString(sum[:]), Bytes: len(body)}
	if s.bodies == nil {
		s.bodies = map[string][]byte{}
	}
	if _, there := s.bodies[route]; there {
		s.lines = slices.DeleteFunc(s.lines, func(l wire.RouteLine) bool { return l.Route == route })
	}
	s.lines, s.bodies[route] = append(s.lines, l), body
}

// books adds routes.ndjson and snapshot.json and writes the snapshot file.
func (s *madeSite) books(id string) {
	var log strings.Builder
	type total struct {
		files int
		bytes int64
		text  string
	}
	totals := map[string]*total{}
	var classes []string
	for _, l := range s.lines {
		b, err := json.Marshal(l)
		if err != nil {
			s.t.Fatal(err)
		}
		log.Write(append(b, '\n'))
		if totals[l.Class] == nil {
			totals[l.Class] = &total{}
			classes = append(classes, l.Class)
		}
		c := totals[l.Class]
		c.files++
		c.bytes += int64(l.Bytes)
		c.text += l.Route + " " + l.SHA256 + "\n"
	}
	page := wire.SnapshotPage{Snapshot: id, BaseURL: "https://register.example"}
	for _, name := range slices.Sorted(slices.Values(classes)) {
		sum := sha256.Sum256([]byte(totals[name].text))
		page.Artefacts = append(page.Artefacts, wire.ArtefactClass{Class: name, Files: totals[name].files, Bytes: totals[name].bytes, SHA256: hex.EncodeToString(sum[:])})
	}
	b, err := json.Marshal(page)
	if err != nil {
		s.t.Fatal(err)
	}
	s.write("/routes.ndjson", artifact.NDJSON, artifact.ClassCatalog, []byte(log.String()))
	s.write("/snapshot.json", artifact.JSON, artifact.ClassCatalog, b)
	s.pack(id)
}

// pack writes the snapshot file and presents it.
func (s *madeSite) pack(id string) {
	out, err := os.Create(filepath.Join(s.root, snapshot.FileOf(id)))
	if err != nil {
		s.t.Fatal(err)
	}
	w := pack.NewWriter(out)
	for _, l := range s.lines {
		f := &artifact.File{Route: l.Route, Type: l.Type, Class: artifact.Class(l.Class), Stream: func(w io.Writer) error {
			_, err := w.Write(s.bodies[l.Route])
			return err
		}}
		var b bytes.Buffer
		streamed, failed := w.Compressor().Stream(&b, "document "+l.Route, f)
		if err = errors.Join(err, failed); err == nil {
			err = w.AppendStreamed(streamed, &b)
		}
	}
	_, closed := w.Close()
	err = errors.Join(err, closed, out.Close(), os.WriteFile(filepath.Join(s.root, snapshot.PresentFile), []byte(id+"\n"), 0o644))
	if err != nil {
		s.t.Fatal(err)
	}
}
