package discovery_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// batch are the routes that the batch wing makes, not a format.
var batch = map[string]bool{"/api/v1/webhooks/feed/head": true, "/snapshot.json": true, "/routes.ndjson": true,
	"/api/v1/export/entries.parquet": true, "/api/v1/export/entries.sqlite": true, "/api/v1/export/checksums.txt": true, "/api/v1/export/parquet": true,
	"/api/v1/export/entries.parquet.gz": true, "/api/v1/export/entries.sqlite.gz": true, "/api/v1/ldes": true, "/api/v1/ldes/shape.ttl": true}

// site is everything that the formats make of the fixture.
type site struct {
	catalog *snapshot.Catalog
	bodies  map[string][]byte
}

func (s *site) put(f artifact.File) error {
	f, err := f.Made()
	if err != nil {
		return err
	}
	body := f.Body
	if f.Gzip != "" {
		s.bodies[f.Gzip] = []byte{}
	}
	if f.Stream != nil {
		var b bytes.Buffer
		if err := f.Stream(&b); err != nil {
			return err
		}
		body = b.Bytes()
	}
	s.bodies[f.Route] = body
	if f.Alias != "" {
		s.bodies[f.Alias] = body
	}
	return nil
}

// fragments fills the streams of all formats.
func (s *site) fragments(t *testing.T, entries []*snapshot.Scored) {
	gathered := snapshot.Fragments{}
	for i, e := range entries {
		for _, f := range render.Formats() {
			if f.Fragments == nil {
				continue
			}
			made, err := f.Fragments(e)
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			gathered.Add(i, made)
		}
	}
	s.catalog.Streams = gathered.Streams()
}

func all(t *testing.T) *site {
	t.Helper()
	s := &site{rendertest.Catalog(t), map[string][]byte{}}
	s.fragments(t, rendertest.Scored())
	put := func(files []artifact.File, err error) {
		for _, f := range files {
			if err == nil {
				err = s.put(f)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range render.Formats() {
		if f.Entry != nil {
			for _, e := range rendertest.Scored() {
				put(f.Entry(e))
			}
		}
		if f.Related != nil {
			for i := range s.catalog.Lines {
				put(f.Related(s.catalog, i))
			}
		}
		if f.Aggregates != nil {
			put(nil, f.Aggregates(s.catalog, s.put))
		}
		if f.Index != nil {
			put(f.Index(s.catalog))
		}
	}
	return s
}

// live tells whether the service answers an address, or clients are given it as a base.
func live(target string) bool {
	return target == wire.MCPPath ||
		slices.ContainsFunc(wire.Operations(), func(op wire.Operation) bool { return !op.Static && op.Method == "GET" && op.Path == target }) ||
		slices.ContainsFunc(wire.Protocols(), func(p wire.Protocol) bool { return p.Base == target })
}

// TestEveryAddressIsBuilt follows each address of our own that a document
// names.
func TestEveryAddressIsBuilt(t *testing.T) {
	s := all(t)
	own := regexp.MustCompile(regexp.QuoteMeta(rendertest.Site.BaseURL) + `(/[^"<>\s)` + "`" + `{]*)`)
	seen := 0
	for _, route := range []string{"/llms.txt", "/.well-known/api-catalog", "/api/v1/catalog/linkset", "/datapackage.json",
		"/sitemap.xml", "/sitemap-pages.xml", "/sitemap-entries-1.xml", "/robots.txt"} {
		if s.bodies[route] == nil {
			t.Errorf("%s is not built", route)
		}
		for _, m := range own.FindAllSubmatch(s.bodies[route], -1) {
			seen++
			if target, _, _ := strings.Cut(string(m[1]), "?"); s.bodies[target] == nil && !batch[target] && !live(target) && !strings.HasSuffix(target, "/") {
				t.Errorf("%s leads to %s, which is not built", route, target)
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d addresses were found", seen)
	}
}
