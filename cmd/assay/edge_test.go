package main

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// edges are the servers that run with the configuration of a build.
var edges = []struct {
	name  string
	start func(t *testing.T, addr, site, service string)
}{
	{"nginx", nginx}, {"caddy", caddy},
}

// TestEdges puts nginx and Caddy in front of a tree and its service, and in
// front of the tree alone, each with the configuration that the build wrote.
func TestEdges(t *testing.T) {
	t.Parallel()
	db, site := smallSite(t)
	service, _ := serveCopy(t, db, site)
	for _, e := range edges {
		t.Run(e.name, func(t *testing.T) {
			addr := freeAddr(t)
			base := "http://" + addr
			e.start(t, addr, site, service)
			t.Run("every class of routes", func(t *testing.T) { routeClasses(t, base, site) })
			t.Run("contract", func(t *testing.T) {
				page := firstPage(t, base)
				everyOperationAs(t, base, service, page)
				if seen := walk(t, base, "/api/v1/entries", func() {}); len(seen) != page.Total {
					t.Errorf("%d entries were paged through, %d are listed", len(seen), page.Total)
				}
				agentsOfTheDemo(t, base)
				changesOfTheDemo(t, base, 30)
			})
			t.Run("check", func(t *testing.T) { must(t, "check", base) })
			t.Run("as the service", func(t *testing.T) { sameAnswers(t, base, service) })
			t.Run("metrics", func(t *testing.T) { keepsMetrics(t, base, service) })
		})
		t.Run(e.name+" without a service", func(t *testing.T) {
			addr := freeAddr(t)
			base := "http://" + addr
			e.start(t, addr, site, "")
			t.Run("every class of routes", func(t *testing.T) { routeClasses(t, base, site) })
			t.Run("check", func(t *testing.T) { must(t, "check", base) })
			t.Run("what is no file", func(t *testing.T) { aloneAnswers(t, base) })
		})
	}
}

// firstPage is the default list.
func firstPage(t *testing.T, base string) wire.EntriesPage {
	t.Helper()
	var page wire.EntriesPage
	_, body := fetch(t, base+"/api/v1/entries")
	if err := json.Unmarshal(body, &page); err != nil {
		t.Fatal(err)
	}
	return page
}

// everyOperationAs asks for every operation, through the edge and of the service
// itself: both say the same.
func everyOperationAs(t *testing.T, base, service string, page wire.EntriesPage) {
	first := page.Items[0]
	values := strings.NewReplacer("institution/{id}", "institution/"+*first.InstitutionID, "{idOrSlug}", first.Slug, "{idOrKey}", *first.InstitutionID,
		"{id}", first.ID, "{snapshot}", page.Snapshot, "{n}", "1", "{kind}", "score", "{code}", *first.CountryCode)
	found := 0
	for _, op := range wire.Operations() {
		if op.Leads {
			continue // the document itself lies there in a directory
		}
		q := answer{method: op.Method, path: values.Replace(op.Path)}
		got, want := ask(t, base, q), ask(t, service, q)
		got.location = strings.TrimPrefix(got.location, base)
		want.location = strings.TrimPrefix(strings.TrimPrefix(want.location, service), base)
		if got != want {
			t.Errorf("%s %s: %+v, the service says %+v", op.Method, op.Path, got, want)
		}
		if got.status == http.StatusOK {
			found++
		}
	}
	if found < 40 {
		t.Errorf("only %d operations answer", found)
	}
}

// answer is what a client is told.
type answer struct {
	method, path, accept string
	status               int
	media, location      string
}

// sameAnswers: what has no file, or is asked with parameters or to be written,
// is answered as by the service.
func sameAnswers(t *testing.T, base, service string) {
	page := firstPage(t, base)
	for _, q := range []answer{
		{path: "/api/v1/entries?limit=2&country=gb"}, {path: "/api/v1/entries?bogus=1"}, {path: "/openapi.json?x=1"}, {path: "/nothing"},
		{path: "/api/v1/entries/nothing"}, {path: "/api/v1/entries/"}, {path: "/api/v1/entries/index.json"}, {path: "/.assay/lock"},
		{path: "/openapi.json.gz"}, {path: "/openapi.json.br"}, {path: "/s/20200101-000000000000/api/v1/entries/pages/1"},
		{path: "/api/v1/badges/" + page.Items[0].Slug + "/score.json"}, {path: "/health"}, {path: "/problems/entry-removed"},
		{path: "/id/" + page.Items[0].ID, accept: "application/ld+json"}, {path: "/id/" + page.Items[0].ID, accept: "text/turtle"},
		{method: "POST", path: "/api/v1/entries"}, {method: "OPTIONS", path: "/api/v1/entries"}, {method: "DELETE", path: "/openapi.json"},
		{path: "/api/v1/entries/%2e%2e/%2e%2e/.assay/lock"},
	} {
		got, want := ask(t, base, q), ask(t, service, q)
		got.location = strings.TrimPrefix(got.location, base)
		want.location = strings.TrimPrefix(strings.TrimPrefix(want.location, service), base)
		if got != want {
			t.Errorf("%s %s: %+v, the service says %+v", q.method, q.path, got, want)
		}
	}
}

// keepsMetrics: no spelling of the path leads to what the service measures.
func keepsMetrics(t *testing.T, base, service string) {
	t.Helper()
	if got := ask(t, service, answer{path: "/metrics"}); got.status != http.StatusOK {
		t.Fatalf("the service itself: %+v", got)
	}
	for _, path := range []string{"/metrics", "/metrics/", "//metrics", "/%6detrics", "/./metrics", "/api/../metrics", "/metrics?x=1", "/metrics//", "/METRICS"} {
		for _, method := range []string{"GET", "HEAD", "POST"} {
			if got := ask(t, base, answer{method: method, path: path}); got.status < 400 && (got.status < 300 || !strings.HasPrefix(got.location, "/")) {
				t.Errorf("%s %s: %+v", method, path, got)
			}
		}
	}
	if got := ask(t, base, answer{path: "/metrics"}); got.status != http.StatusNotFound || got.media != "application/problem+json" {
		t.Errorf("%+v", got)
	}
}

func ask(t *testing.T, base string, q answer) answer {
	t.Helper()
	method := q.method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(t.Context(), method, base+q.path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if q.accept != "" {
		req.Header.Set("Accept", q.accept)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	q.status, q.media, q.location = resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header.Get("Location")
	return q
}

// aloneAnswers: errors and redirects without a service.
func aloneAnswers(t *testing.T, base string) {
	const problem = "application/problem+json"
	page := firstPage(t, base)
	for _, want := range []answer{
		{path: "/nothing", status: 404, media: problem},
		{path: "/api/v1/entries/nothing", status: 404, media: problem},
		{path: "/.assay/lock", status: 404, media: problem},
		{path: "/.assay/edge/nginx/http.conf", status: 404, media: problem},
		{path: "/openapi.json.gz", status: 404, media: problem},
		{path: "/api/v1/entries?limit=2", status: 501, media: problem},
		{path: "/s/20200101-000000000000/api/v1/entries/pages/1", status: 410, media: problem},
		{method: "POST", path: "/api/v1/entries", status: 405, media: problem},
		{method: "OPTIONS", path: "/api/v1/entries", status: 204},
		{path: "/api/v1/entries/", status: 308, location: "/api/v1/entries"},
		{path: "/id/" + page.Items[0].ID, accept: "application/ld+json", status: 200, media: "application/ld+json"},
		{path: "/id/" + page.Items[0].ID, status: 200, media: "text/turtle; charset=utf-8"},
	} {
		got := ask(t, base, want)
		got.location = strings.TrimPrefix(got.location, base)
		if want.location == "" || got.status == 204 {
			got.location = ""
		}
		if want.media == "" {
			got.media = ""
		}
		if got != want {
			t.Errorf("%s %s: %+v, want %+v", want.method, want.path, got, want)
		}
	}
}

// routeClasses asks for one route of each class: type, caching, openness,
// compression, validation.
func routeClasses(t *testing.T, base, site string) {
	f, err := os.Open(filepath.Join(site, "routes.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l wire.RouteLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		class := strings.Join([]string{l.Class, l.Type, filepath.Ext(l.Route), wire.CacheOf(l.Route), fmt.Sprint(l.Bytes > 64<<10)}, " ")
		if !seen[class] {
			seen[class] = true
			routeAnswers(t, base, &l)
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d classes of routes", len(seen))
	}
}

func routeAnswers(t *testing.T, base string, l *wire.RouteLine) {
	t.Helper()
	get := func(method string, header map[string]string) (*http.Response, []byte) {
		req, err := http.NewRequestWithContext(t.Context(), method, base+l.Route, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", "identity")
		for name, value := range header {
			req.Header.Set(name, value)
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp, body
	}
	media := artifact.TypeOf(artifact.Path(l.Route, l.Type))
	resp, body := get(http.MethodGet, nil)
	sum := sha256.Sum256(body)
	h := resp.Header
	if resp.StatusCode != 200 || hex.EncodeToString(sum[:]) != l.SHA256 {
		t.Errorf("%s: status %d, %d bytes, want %d", l.Route, resp.StatusCode, len(body), l.Bytes)
		return
	}
	if h.Get("Content-Type") != media || h.Get("Cache-Control") != wire.CacheOf(l.Route) || h.Get("Content-Encoding") != "" ||
		h.Get("Access-Control-Allow-Origin") != "*" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Etag") == "" {
		t.Errorf("%s: %v", l.Route, h)
	}
	if resp, _ := get(http.MethodGet, map[string]string{"If-None-Match": h.Get("Etag")}); resp.StatusCode != 304 {
		t.Errorf("%s: status %d for a page that the client has", l.Route, resp.StatusCode)
	}
	if resp, body := get(http.MethodHead, nil); resp.StatusCode != 200 || len(body) > 0 || resp.Header.Get("Content-Type") != media {
		t.Errorf("%s: HEAD answers %d, %s", l.Route, resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	resp, body = get(http.MethodGet, map[string]string{"Accept-Encoding": "gzip"})
	switch coding := resp.Header.Get("Content-Encoding"); {
	case coding == "gzip":
		plain, err := gzip.NewReader(strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(plain); err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != l.SHA256 || strings.HasSuffix(l.Route, ".gz") {
			t.Errorf("%s: its compressed form holds other bytes", l.Route)
		}
	case l.Bytes > 2<<10 && l.Route != "/.well-known/api-catalog" && // its type is too long for nginx to compress it
		!slices.Contains([]string{".gz", ".parquet", ".sqlite", ".png"}, filepath.Ext(l.Route)):
		t.Errorf("%s: %d bytes are sent uncompressed (%q)", l.Route, l.Bytes, coding)
	}
}
