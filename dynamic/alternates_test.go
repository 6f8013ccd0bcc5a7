package dynamic

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

// TestAnEntryHasAlternates: its page also comes as markdown and as RDF, and says so
// in Vary whichever form is sent.
func TestAnEntryHasAlternates(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3})
	l := site.Catalog.Lines[0]
	concept := wire.OKFRoute(l.Type, l.Slug)
	put(t, s, site, map[string]string{concept: "# Entry\n", "/id/" + l.ID + ".ttl": "<a> <b> <c> .\n", "/id/" + l.ID + ".jsonld": `{"@id":"a"}`})
	for _, name := range []string{l.ID, l.Slug} {
		route := "/api/v1/entries/" + name
		tags := map[string]bool{}
		for accept, c := range map[string]struct{ media, location string }{
			"": {"application/json", ""}, "*/*": {"application/json", ""}, "application/json, text/markdown": {"application/json", ""},
			"text/html,application/xhtml+xml,*/*;q=0.8": {"application/json", ""}, "image/png": {"application/json", ""}, "text/markdown;q=0": {"application/json", ""},
			"text/markdown": {"text/markdown", concept}, "text/markdown, */*;q=0.5": {"text/markdown", concept}, "application/json;q=0.5, text/markdown": {"text/markdown", concept},
			"text/turtle": {"text/turtle", "/id/" + l.ID + ".ttl"}, "application/ld+json": {"application/ld+json", "/id/" + l.ID + ".jsonld"},
		} {
			w := get(s, http.MethodGet, route, "Accept", accept)
			if media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";"); w.Code != 200 || media != c.media || w.Header().Get("Content-Location") != c.location {
				t.Errorf("%s as %q: %d %v", route, accept, w.Code, w.Header())
			}
			if vary := w.Header().Get("Vary"); vary != "Accept, Accept-Encoding" {
				t.Errorf("%s as %q: Vary %q", route, accept, vary)
			}
			tag := w.Header().Get("Etag")
			tags[tag] = true
			if w := get(s, http.MethodHead, route, "Accept", accept, "If-None-Match", tag); w.Code != 304 || !strings.HasPrefix(w.Header().Get("Vary"), "Accept,") {
				t.Errorf("%s as %q with its tag: %d %v", route, accept, w.Code, w.Header())
			}
		}
		if len(tags) != 4 {
			t.Errorf("%s: four forms have %d tags", route, len(tags))
		}
	}
	if w := get(s, http.MethodGet, "/api/v1/entries/"+l.Slug+"?x=1", "Accept", "text/markdown"); w.Code != 422 {
		t.Errorf("with a parameter: %d", w.Code)
	}
	if err := errors.Join(site.Overlay(nil, concept), s.library.Refresh(time.Now())); err != nil {
		t.Fatal(err)
	}
	if w := get(s, http.MethodGet, "/api/v1/entries/"+l.Slug, "Accept", "text/markdown"); w.Code != 200 || w.Header().Get("Content-Type") == "text/markdown" {
		t.Errorf("without the alternate: %d %v", w.Code, w.Header())
	}
}

// TestDeprecatedEntriesSaySo in the headers of their pages, and others do not.
func TestDeprecatedEntriesSaySo(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	said := 0
	for i := range site.Catalog.Lines {
		l := &site.Catalog.Lines[i]
		h := get(s, http.MethodGet, "/api/v1/entries/"+l.Slug).Header()
		if (h.Get("Deprecation") != "") != (l.Deprecated != 0) || (h.Get("Sunset") != "") != (l.Sunset != 0) {
			t.Errorf("%s: %q, %q, want %d, %d", l.Slug, h.Get("Deprecation"), h.Get("Sunset"), l.Deprecated, l.Sunset)
		}
		if l.Deprecated != 0 {
			said++
			if h.Get("Deprecation")[0] != '@' {
				t.Errorf("%s: Deprecation %q is no date of structured fields", l.Slug, h.Get("Deprecation"))
			}
		}
		if _, err := http.ParseTime(h.Get("Sunset")); l.Sunset != 0 && err != nil {
			t.Errorf("%s: %v", l.Slug, err)
		}
	}
	if said == 0 {
		t.Error("the site has no deprecated entry")
	}
}
