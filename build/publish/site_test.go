package publish

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// madeSite is a small site as a build would leave it, without a build: it has
// n entries in generation g, each with a page and a part, some of them changed,
// new or gone since the generation before, and the documents that lead to them.
type madeSite struct {
	t     testing.TB
	root  string
	lines []wire.RouteLine
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

// makeSite writes the site of a generation in place of the one in root.
func makeSite(t testing.TB, root string, g, n int) {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != ".assay" {
			if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
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
	s.packed("/llms.txt", artifact.Text, []byte(strings.Repeat("# Where to begin\n", 8000)))
	s.twice("/export.ndjson")
	s.write("/tombstones.ndjson", artifact.NDJSON, artifact.ClassCatalog, tombstones(g))
	s.books(snapshotOf(g))
}

// twice writes a document whose compressed form is a route of its own.
func (s *madeSite) twice(route string) {
	gz := s.packed(route, artifact.NDJSON, bytes.Repeat([]byte("{}\n"), 30000))
	sum := sha256.Sum256(gz)
	s.lines = append(s.lines, wire.RouteLine{Route: route + ".gz", Type: artifact.Gzip, Class: string(artifact.ClassCatalog), SHA256: hex.EncodeToString(sum[:]), Bytes: len(gz)})
}

// packed writes a large document with its compressed forms, of which it returns the
// one of gzip.
func (s *madeSite) packed(route, media string, body []byte) []byte {
	s.write(route, media, artifact.ClassCatalog, body)
	zip := func(w io.WriteCloser, out *bytes.Buffer) []byte {
		if _, err := w.Write(body); err != nil {
			s.t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			s.t.Fatal(err)
		}
		return out.Bytes()
	}
	var gz, zst, br bytes.Buffer
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		s.t.Fatal(err)
	}
	s.raw(strings.TrimPrefix(route, "/")+".gz", zip(gzip.NewWriter(&gz), &gz))
	s.raw(strings.TrimPrefix(route, "/")+".zst", zip(z, &zst))
	s.raw(strings.TrimPrefix(route, "/")+".br", zip(brotli.NewWriter(&br), &br))
	at := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for _, ext := range []string{"", ".gz", ".zst", ".br"} {
		if err := os.Chtimes(filepath.Join(s.root, route+ext), at, at); err != nil {
			s.t.Fatal(err)
		}
	}
	return gz.Bytes()
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

func (s *madeSite) write(route, media string, class artifact.Class, body []byte) {
	sum := sha256.Sum256(body)
	s.lines = append(s.lines, wire.RouteLine{Route: route, Type: media, Class: string(class), SHA256: hex.EncodeToString(sum[:]), Bytes: len(body)})
	s.raw(artifact.Path(route, media), body)
}

func (s *madeSite) raw(path string, body []byte) {
	full := filepath.Join(s.root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(full, body, 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// books writes routes.ndjson and snapshot.json.
func (s *madeSite) books(snapshot string) {
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
	page := wire.SnapshotPage{Snapshot: snapshot, BaseURL: "https://register.example"}
	for _, name := range slices.Sorted(slices.Values(classes)) {
		sum := sha256.Sum256([]byte(totals[name].text))
		page.Artefacts = append(page.Artefacts, wire.ArtefactClass{Class: name, Files: totals[name].files, Bytes: totals[name].bytes, SHA256: hex.EncodeToString(sum[:])})
	}
	b, err := json.Marshal(page)
	if err != nil {
		s.t.Fatal(err)
	}
	s.raw("routes.ndjson", []byte(log.String()))
	s.raw("snapshot.json", b)
}
