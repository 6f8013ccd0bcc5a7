package harvest_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// totals is a host of three portals, each with three pages of two records, which
// state how many there are.
func totals(w http.ResponseWriter, r *http.Request) {
	base := "http://" + r.Host
	n := func(name string) int { k, _ := strconv.Atoi(r.URL.Query().Get(name)); return k }
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/3/"):
		at := n("start")
		fmt.Fprintf(w, `{"success":true,"result":{"count":6,"results":[{"id":"c%d","name":"c%d","title":"Set"},{"id":"c%d","name":"c%d","title":"Set"}]}}`, at, at, at+1, at+1)
	case strings.HasPrefix(r.URL.Path, "/api/1/"):
		at, next, word := n("page"), "null", "d"
		if at < 3 {
			next = `"more"`
		}
		if strings.Contains(r.URL.Path, "dataservices") {
			word = "s"
		}
		fmt.Fprintf(w, `{"data":[{"id":"%s%d","title":"One"},{"id":"%s%db","title":"Two"}],"next_page":%s,"total":6}`, word, at, word, at, next)
	case r.URL.Path == "/catalogue":
		w.Header().Set("Content-Type", "text/turtle")
		at := n("page")
		fmt.Fprintf(w, `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> . @prefix hydra: <http://www.w3.org/ns/hydra/core#> .
<%s/catalogue> a hydra:Collection ; hydra:totalItems 3 .
<%s/d/%d> a dcat:Dataset ; dct:title "Set"@en ; dcat:landingPage <%s/p/%d> .
`, base, base, at, base, at)
		if at < 2 {
			fmt.Fprintf(w, "<%s/catalogue?page=%d> a hydra:PartialCollectionView ; hydra:next <%s/catalogue?page=%d> .\n", base, at, base, at+1)
		}
	default:
		http.NotFound(w, r)
	}
}

// TestShareOfTheWhole: a run tells what share of the source it has taken, by what
// the source states to have, else by the bytes of its file.
func TestShareOfTheWhole(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(totals))
	t.Cleanup(server.Close)
	var lines bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&lines, `{"id":"f%d","name":"f%d","title":"Set","notes":"%s"}`+"\n", i, i, strings.Repeat("word ", 300))
	}
	file := filepath.Join(t.TempDir(), "packages.jsonl")
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	silent := newPortal(t, 3, 20)
	for name, c := range map[string]struct {
		source catalog.Source
		least  int
		want   []float64
	}{
		"a total of records":            {catalog.Source{Kind: "ckan", URL: server.URL}, 3, []float64{1. / 3, 2. / 3}},
		"a total for each of two lists": {catalog.Source{Kind: "udata", URL: server.URL}, 6, []float64{1. / 3, 2. / 3}},
		"a total of a collection":       {catalog.Source{Kind: "dcat", URL: server.URL + "/catalogue"}, 3, []float64{1. / 3, 2. / 3}},
		"the bytes of a file":           {catalog.Source{Kind: "ckan", URL: "https://data.example.org/", File: file}, 4, nil},
		"nothing":                       {catalog.Source{Kind: "paged", URL: silent.URL + "/api"}, 3, []float64{-1}},
	} {
		w := newWorld(t)
		c.source.Key, c.source.Enabled, c.source.Official = "one", true, "by law"
		w.configure(c.source)
		list, err := harvest.Choose(w.ctx, w.st, nil, w.now)
		if err != nil {
			t.Fatal(err)
		}
		b := w.batch(server.Client())
		if c.source.Kind != "paged" {
			b.Connectors = nil
		}
		var mu sync.Mutex
		var shares []float64
		b.Progress = func(_ *catalog.Source, p harvest.Progress, end bool) {
			mu.Lock()
			defer mu.Unlock()
			if !end {
				shares = append(shares, p.Share)
			}
		}
		for _, o := range b.Run(w.ctx, w.st, list) {
			if o.Err != nil {
				t.Errorf("%s: %v", name, o.Err)
			}
		}
		if len(shares) < c.least {
			t.Errorf("%s: told %v", name, shares)
		}
		for _, share := range c.want {
			if !slices.Contains(shares, share) {
				t.Errorf("%s: told %v, not %v", name, shares, share)
			}
		}
		if name == "the bytes of a file" && !slices.ContainsFunc(shares, func(s float64) bool { return s > 0.1 && s < 0.9 }) {
			t.Errorf("%s: told %v", name, shares)
		}
	}
}
