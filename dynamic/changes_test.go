package dynamic

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// changing is a service over a site with a pinned page of Turtle, whose maker
// writes down what it is asked for. A walk has three pages.
func changing(t *testing.T) (s *Service, site *sitetest.Site, made *[]wire.CatalogChanges) {
	t.Helper()
	site = sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 3, BaseURL: "https://register.example/reg"})
	pinned := "/s/" + site.Catalog.ID + "/api/v1/catalog/dcat/1.ttl"
	if err := site.Put(map[string]string{pinned: "pinned page", "/api/v1/catalog/dcat.ttl": "all"}); err != nil {
		t.Fatal(err)
	}
	made = &[]wire.CatalogChanges{}
	s, err := New(Config{SiteDir: site.Dir, Changes: func(c *snapshot.Catalog, q *wire.CatalogChanges, read func(string) ([]byte, error)) (*wire.CatalogPage, error) {
		*made = append(*made, *q)
		if q.Number > 3 {
			return nil, fmt.Errorf("page %d: %w", q.Number, catalog.ErrNotFound)
		}
		b, err := read("/s/" + c.ID + "/api/v1/catalog/dcat/1." + q.Form)
		if err != nil {
			return nil, err
		}
		return &wire.CatalogPage{Body: fmt.Appendf(nil, "%s of %d, page %d", b, len(c.Lines), q.Number), Pages: 3}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s, site, made
}

func TestChanges(t *testing.T) {
	s, site, made := changing(t)
	const route = "/api/v1/catalog/dcat.ttl"
	if w := get(s, "GET", route); w.Code != 200 || w.Body.String() != "all" {
		t.Errorf("without parameters: %d %s", w.Code, w.Body)
	}
	w := get(s, "GET", route+"?modified_since=2026-11-01&page=2")
	if w.Code != 200 || w.Body.String() != "pinned page of 3, page 2" || w.Header().Get("Content-Type") != "text/turtle; charset=utf-8" {
		t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
	}
	at := func(n int) string {
		return fmt.Sprintf("</reg%s?page=%d&modified_since=2026-11-01T00:00:00Z&snapshot=%s>; rel=", route, n, site.Catalog.ID)
	}
	want := at(2) + `"self", ` + at(1) + `"first", ` + at(1) + `"prev", ` + at(3) + `"next", ` + at(3) + `"last"`
	if got := w.Header().Get("Link"); got != want {
		t.Errorf("Link is\n%s, want\n%s", got, want)
	}
	if got := (*made)[0].Since; !got.Equal(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("since %v", got)
	}
	tag := w.Header().Get("ETag")
	if w := get(s, "GET", route+"?page=2&modified_since=2026-11-01T01:00:00%2B01:00&snapshot="+site.Catalog.ID, "If-None-Match", tag); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("with its tag: %d %s", w.Code, w.Body)
	}
	if w := get(s, "HEAD", route+"?page=2&modified_since=2026-11-01"); w.Code != 200 || w.Header().Get("Content-Length") != "24" || w.Body.Len() != 0 {
		t.Errorf("HEAD: %d %v", w.Code, w.Header())
	}
	if len(*made) != 1 {
		t.Errorf("the page was made %d times", len(*made))
	}
	if w := get(s, "GET", route+"?page=1"); w.Code != 200 || !strings.Contains(w.Header().Get("Link"), route+"?page=2&snapshot=") {
		t.Errorf("without a time: %d %v", w.Code, w.Header())
	}
}

func TestChangesRefuse(t *testing.T) {
	s, site, _ := changing(t)
	for target, want := range map[string]struct {
		status int
		text   string
	}{
		"ttl?modified_since=yesterday":              {422, `"location":"query.modified_since"`},
		"ttl?modified_since=2026-02-30":             {422, "use a time like"},
		"ttl?modified_since=":                       {422, "query.modified_since"},
		"ttl?modified_since=2026-11-01&page=0":      {422, "query.page"},
		"ttl?modified_since=2026-11-01&limit=5":     {422, "query.limit"},
		"ttl?page=1&page=2":                         {422, "more than once"},
		"ttl?modified_since=%zz":                    {400, "cannot be decoded"},
		"ttl?page=4":                                {404, "page 1 leads"},
		"ttl?page=1&snapshot=20200101-000000000000": {410, "snapshot-expired"},
		"ttl?page=1&snapshot=latest":                {422, "query.snapshot"},
		// The pinned pages of this form are gone.
		"jsonld?page=1": {410, "snapshot-expired"},
	} {
		if w := get(s, "GET", "/api/v1/catalog/dcat."+target); w.Code != want.status || !strings.Contains(w.Body.String(), want.text) {
			t.Errorf("%s: %d %s, want %d with %q", target, w.Code, w.Body, want.status, want.text)
		}
	}
	// Without a maker no parameter has an effect, so each is an error.
	plain, err := New(Config{SiteDir: site.Dir})
	if err != nil {
		t.Fatal(err)
	}
	if w := get(plain, "GET", "/api/v1/catalog/dcat.ttl?page=1"); w.Code != 422 {
		t.Errorf("without a maker: %d", w.Code)
	}
}

// TestStartOfHarvests: the address that never changes leads to the first page of the
// present snapshot, whose header leads on.
func TestStartOfHarvests(t *testing.T) {
	s, site, _ := changing(t)
	first := "/s/" + site.Catalog.ID + "/api/v1/catalog/dcat/1."
	for _, form := range []string{"ttl", "jsonld", "rdf"} {
		w := get(s, "GET", "/api/v1/catalog/dcat/1."+form)
		if w.Code != 302 || w.Header().Get("Location") != "/reg"+first+form || w.Header().Get("Cache-Control") != wire.CacheRevalidate {
			t.Errorf("%s: %d %v", form, w.Code, w.Header())
		}
	}
	if w := get(s, "GET", "/api/v1/catalog/dcat.rdf"); w.Code != 302 || w.Header().Get("Location") != "/reg"+first+"rdf" {
		t.Errorf("the whole as RDF/XML: %d %v", w.Code, w.Header())
	}
	if w := get(s, "GET", "/api/v1/catalog/dcat/1.ttl?page=2"); w.Code != 422 {
		t.Errorf("with a parameter: %d", w.Code)
	}
	put(t, s, site, map[string]string{first + "ttl": "one", "/s/" + site.Catalog.ID + "/api/v1/catalog/dcat/2.ttl": "two"})
	next := "</reg/s/" + site.Catalog.ID + `/api/v1/catalog/dcat/2.ttl>; rel="next"`
	if link := get(s, "GET", first+"ttl").Header().Get("Link"); !strings.Contains(link, next) || strings.Contains(link, "prev") {
		t.Errorf("Link of the first page is %q", link)
	}
	if link := get(s, "GET", strings.Replace(first, "/1.", "/2.", 1)+"ttl").Header().Get("Link"); strings.Contains(link, "next") || !strings.Contains(link, "prev") {
		t.Errorf("Link of the last page is %q", link)
	}
}
