package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/dynamic"
	"github.com/assay-register/assay/render/wire"
)

// said is what two servers of one site must agree on.
type said struct {
	status                                            int
	media, coding, cache, policy, origin, disposition string
	body                                              string
}

// TestStaticIsTheService builds snapshot files and a directory, and asks nginx there and
// a service over the file for every route, plain and compressed, and for a part.
func TestStaticIsTheService(t *testing.T) {
	t.Parallel()
	www, file := bothForms(t)
	s, err := dynamic.New(dynamic.Config{SiteDir: file})
	if err != nil {
		t.Fatal(err)
	}
	service := httptest.NewServer(s.Handler())
	t.Cleanup(service.Close)
	addr := freeAddr(t)
	nginx(t, addr, www, "")
	zips := map[string]bool{}
	err = output.EachRoute(t.Context(), output.Dir(www), func(l *wire.RouteLine) error {
		document, zip := strings.CutSuffix(l.Route, ".gz")
		zips[document] = zip
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = output.EachRoute(t.Context(), output.Dir(www), func(l *wire.RouteLine) error {
		n++
		if strings.HasPrefix(l.Route, "/api/v1/catalog/dcat/1.") {
			return nil // the service leads to the page, a directory has it
		}
		for _, header := range []http.Header{{"Accept-Encoding": {"identity"}}, {"Accept-Encoding": {"gzip"}}, {"Range": {"bytes=3-40"}}} {
			if l.Bytes == 0 && header.Get("Range") != "" {
				continue // what is empty has no part; RFC 9110 leaves it to the server how to say so
			}
			a, b := saidBy(t, service.URL+l.Route, header), saidBy(t, "http://"+addr+l.Route, header)
			if zips[l.Route] || l.Route == "/.well-known/api-catalog" { // its type is too long for nginx to compress it
				a.coding = b.coding // the copy that is a route of its own lies there for nginx, too
			}
			if a != b {
				a.body, b.body = a.body[:min(len(a.body), 80)], b.body[:min(len(b.body), 80)]
				t.Errorf("%s %v:\nthe service says %+v\nnginx says       %+v", l.Route, header, a, b)
			}
		}
		return nil
	})
	if err != nil || n < 1000 {
		t.Errorf("%d routes, %v", n, err)
	}
}

func saidBy(t *testing.T, url string, header http.Header) said {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	h := resp.Header
	a := said{status: resp.StatusCode, media: h.Get("Content-Type"), coding: h.Get("Content-Encoding"), cache: h.Get("Cache-Control"),
		policy: h.Get("Content-Security-Policy"), origin: h.Get("Access-Control-Allow-Origin"), disposition: h.Get("Content-Disposition")}
	in := io.Reader(resp.Body)
	if a.coding == "gzip" {
		if in, err = gzip.NewReader(resp.Body); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	a.body = string(text)
	return a
}
