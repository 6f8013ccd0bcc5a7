package dynamic

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// answers are one of each kind of 200.
func answers(site *sitetest.Site) []string {
	return []string{"/api/v1/entries", "/api/v1/entries/e3-record", "/api/v1/entries?type=API", "/api/v1/entries/facets", "/api/v1/entries/facets?type=API",
		"/s/" + site.Catalog.ID + "/api/v1/entries/pages/1", "/openapi.json", "/snapshot.json", "/.well-known/mcp.json", "/problems/snapshot-expired", "/big.ndjson"}
}

func startWithBig(t *testing.T) (*Service, *sitetest.Site) {
	s, site := start(t, sitetest.Options{Entries: 60})
	big := bytes.Repeat([]byte(`{"route":"/x","sha256":"0123456789abcdef"}`+"\n"), 60000)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(big)
	z.Close()
	put(t, s, site, map[string]string{"/big.ndjson": string(big), "/big.ndjson.gz": zipped.String()})
	return s, site
}

func decoded(t *testing.T, w *httptest.ResponseRecorder) []byte {
	t.Helper()
	var r io.Reader = w.Body
	switch w.Header().Get("Content-Encoding") {
	case "gzip":
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		r = z
	case "zstd":
		z, err := zstd.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		r = z
	case "br":
		r = brotli.NewReader(r)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEncodingsDecodeToTheSameBytes(t *testing.T) {
	s, site := startWithBig(t)
	for _, target := range answers(site) {
		plain := get(s, "GET", target)
		tags := map[string]string{plain.Header().Get("Etag"): "identity"}
		for _, coding := range []string{"gzip", "zstd", "br"} {
			w := get(s, "GET", target, "Accept-Encoding", coding)
			if w.Code != 200 || !strings.HasSuffix(w.Header().Get("Vary"), "Accept-Encoding") {
				t.Fatalf("%s in %s: %d, Vary %q", target, coding, w.Code, w.Header().Get("Vary"))
			}
			sent, tag := w.Body.Len(), w.Header().Get("Etag")
			if got := decoded(t, w); !bytes.Equal(got, plain.Body.Bytes()) {
				t.Errorf("%s in %s: other bytes", target, coding)
			}
			small := plain.Body.Len() < 1024
			if small != (w.Header().Get("Content-Encoding") == "") {
				t.Errorf("%s in %s: %d bytes came as %q", target, coding, plain.Body.Len(), w.Header().Get("Content-Encoding"))
			}
			if small {
				continue
			}
			if other := tags[tag]; other != "" || sent >= plain.Body.Len() {
				t.Errorf("%s in %s: tag %s as in %s, %d of %d bytes", target, coding, tag, other, sent, plain.Body.Len())
			}
			tags[tag] = coding
		}
	}
}

func TestConditionalRequests(t *testing.T) {
	s, site := startWithBig(t)
	for _, target := range answers(site) {
		w := get(s, "GET", target, "Accept-Encoding", "gzip")
		tag := w.Header().Get("Etag")
		plain := get(s, "GET", target).Header().Get("Etag")
		for _, header := range []string{tag, "W/" + tag, `"x", ` + tag, "*", plain, `"a",W/` + plain + `,"b"`} {
			for _, method := range []string{"GET", "HEAD"} {
				w := get(s, method, target, "If-None-Match", header, "Accept-Encoding", "br")
				if w.Code != 304 || w.Body.Len() > 0 || w.Header().Get("Etag") == "" || w.Header().Get("Cache-Control") == "" || w.Header().Get("Content-Type") != "" {
					t.Errorf("%s %s with If-None-Match %s: %d %v", method, target, header, w.Code, w.Header())
				}
			}
		}
		for _, header := range []string{`"x"`, "x", strings.Trim(tag, `"`), `"`} {
			if w := get(s, "GET", target, "If-None-Match", header, "If-Modified-Since", time.Now().UTC().Format(http.TimeFormat)); w.Code != 200 {
				t.Errorf("%s with If-None-Match %s: %d", target, header, w.Code)
			}
		}
		for header, want := range map[string]int{tag: 200, plain: 200, `"x", ` + plain: 200, "*": 200, `"x"`: 412, "W/" + plain: 412, "x": 412} {
			if w := get(s, "GET", target, "If-Match", header, "If-None-Match", plain); w.Code != want && (want != 200 || w.Code != 304) {
				t.Errorf("%s with If-Match %s: %d, want %d", target, header, w.Code, want)
			} else if want == 412 && w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s with If-Match %s: %v", target, header, w.Header())
			}
		}
		modified := w.Header().Get("Last-Modified")
		live := strings.Contains(target, "?") || strings.HasPrefix(target, "/problems")
		if live != (modified == "") {
			t.Errorf("%s: Last-Modified %q", target, modified)
		}
		if modified == "" {
			continue
		}
		if w := get(s, "GET", target, "If-Modified-Since", modified); w.Code != 304 {
			t.Errorf("%s not modified since: %d", target, w.Code)
		}
		for _, x := range []struct {
			header []string
			want   int
		}{
			{[]string{"If-Unmodified-Since", modified}, 200}, {[]string{"If-Unmodified-Since", "Mon, 02 Jan 2006 15:04:05 GMT"}, 412},
			{[]string{"If-Unmodified-Since", "yesterday"}, 200}, {[]string{"If-Unmodified-Since", "Mon, 02 Jan 2006 15:04:05 GMT", "If-Match", plain}, 200},
		} {
			if w := get(s, "GET", target, x.header...); w.Code != x.want {
				t.Errorf("%s with %v: %d, want %d", target, x.header, w.Code, x.want)
			}
		}
		if w := get(s, "GET", target, "If-Modified-Since", "Mon, 02 Jan 2006 15:04:05 GMT"); w.Code != 200 {
			t.Errorf("%s modified since: %d", target, w.Code)
		}
	}
}

func TestHeadIsGetWithoutBody(t *testing.T) {
	s, site := startWithBig(t)
	targets := append(answers(site), "/nothing", "/api/v1/entries/former-3", "/api/v1/entries/gone-removed", "/api/v1/entries?limit=0", "/health")
	for _, target := range targets {
		for _, coding := range []string{"", "gzip", "br", "zstd"} {
			g, h := get(s, "GET", target, "Accept-Encoding", coding), get(s, "HEAD", target, "Accept-Encoding", coding)
			for _, w := range []*httptest.ResponseRecorder{g, h} {
				w.Header().Del("X-Request-Id")
			}
			var a, b strings.Builder
			g.Header().Write(&a)
			h.Header().Write(&b)
			if g.Code != h.Code || a.String() != b.String() || h.Body.Len() > 0 {
				t.Errorf("%s in %q: GET %d, HEAD %d with %d bytes\n%s\n%s", target, coding, g.Code, h.Code, h.Body.Len(), a.String(), b.String())
			}
		}
	}
}

func TestCommonHeaders(t *testing.T) {
	s, site := startWithBig(t)
	for target, cache := range map[string]string{
		"/api/v1/entries": "public, no-cache", "/api/v1/entries?page=1": "public, max-age=10", "/health": "no-store", "/nothing": "no-store",
		"/s/" + site.Catalog.ID + "/api/v1/entries/pages/1": "public, max-age=7200, immutable",
	} {
		h := get(s, "GET", target).Header()
		if h.Get("Cache-Control") != cache || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Referrer-Policy") == "" || h.Get("X-Request-Id") == "" || h.Get("Assay-Snapshot") != site.Catalog.ID ||
			!strings.Contains(h.Get("Access-Control-Expose-Headers"), "Assay-Snapshot") {
			t.Errorf("%s: %v", target, h)
		}
	}
	if got := get(s, "GET", "/health", "X-Request-Id", "abc-123_4.5").Header().Get("X-Request-Id"); got != "abc-123_4.5" {
		t.Errorf("request id %q", got)
	}
	if got := get(s, "GET", "/health", "X-Request-Id", "abc\n12345").Header().Get("X-Request-Id"); strings.Contains(got, "\n") {
		t.Errorf("request id %q", got)
	}
}

func TestPreflight(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 5})
	for _, target := range []string{"/api/v1/entries", "/api/v1/entries/e1-record", "/health"} {
		w := get(s, "OPTIONS", target, "Origin", "https://app.example", "Access-Control-Request-Method", "GET")
		h := w.Header()
		if w.Code != 204 || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Methods") != "GET, HEAD, OPTIONS" ||
			!strings.Contains(h.Get("Access-Control-Allow-Headers"), "If-None-Match") || h.Get("Access-Control-Max-Age") == "" {
			t.Errorf("%s: %d %v", target, w.Code, h)
		}
	}
	if w := get(s, "OPTIONS", "/api/v1/entries"); w.Code != 204 || w.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("OPTIONS: %d %v", w.Code, w.Header())
	}
}

func TestEveryErrorIsAProblem(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 20})
	long := strings.Repeat("x", 9000)
	for _, c := range []struct {
		method, target string
		status         int
		header         []string
	}{
		{"POST", "/api/v1/entries", 405, nil}, {"DELETE", "/health", 405, nil}, {"PUT", "/anything", 405, nil}, {"TRACE", "/", 405, nil},
		{"GET", "/nothing", 404, nil}, {"GET", "/api/v1/entries?" + long, 414, nil}, {"GET", "/" + long, 414, nil},
		{"GET", "/api/v1/entries", 431, []string{"X-Long", long + long}}, {"GET", "/api/v1/entries?a=%zz", 400, nil},
		{"GET", "/api/v1/entries?a;b", 400, nil}, {"GET", "/api/v1/entries?search=%ff", 400, nil}, {"GET", "/api/v1/entries?%ff=1", 400, nil},
		{"GET", "/a%00b", 400, nil}, {"GET", "/a%0ab", 400, nil}, {"GET", "/%ff", 400, nil},
		{"GET", "/health?x=1", 422, nil}, {"GET", "/snapshot.json?x=1", 422, nil}, {"GET", "/api/v1/entries/e1-record?x", 422, nil},
	} {
		w := get(s, c.method, c.target, c.header...)
		if w.Code != c.status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %.40s: %d %s", c.method, c.target, w.Code, w.Header().Get("Content-Type"))
			continue
		}
		p := decode[wire.Problem](t, w)
		if p.Status != c.status || p.Type == "" || p.Title == "" || p.Detail == "" || !strings.HasPrefix(p.Instance, "/") {
			t.Errorf("%s %.40s: %+v", c.method, c.target, p)
		}
		if allow := w.Header().Get("Allow"); (c.status == 405) != (allow == "GET, HEAD, OPTIONS") {
			t.Errorf("%s %.40s: Allow %q", c.method, c.target, allow)
		}
	}
	r := httptest.NewRequest("POST", "/api/v1/entries", strings.NewReader(strings.Repeat("x", 65<<10)))
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if w.Code != 413 || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("large body: %d %v", w.Code, w.Header())
	}
}

func TestNothingButDocumentsIsServed(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 10})
	outside := filepath.Join(filepath.Dir(site.Dir), "outside.json")
	if err := os.WriteFile(outside, []byte(`"outside"`), 0o644); err != nil {
		t.Fatal(err)
	}
	os.Symlink(outside, filepath.Join(site.Dir, "link.json"))
	os.Symlink(filepath.Dir(site.Dir), filepath.Join(site.Dir, "up"))
	os.Symlink("/etc/passwd", filepath.Join(site.Dir, "passwd.txt"))
	for _, target := range []string{
		"/../outside.json", "/api/../../outside.json", "/%2e%2e/outside.json", "/..%2foutside.json", "/%2e%2e%2foutside.json", "/..\\outside.json",
		"/%2e%2e%5coutside.json", "/link.json", "/up/outside.json", "/passwd.txt", "/snapshot/head.json", "/" + snapshot.FileOf(site.Catalog.ID), "/" + snapshot.PresentFile, "/.secret",
		"/%2esecret", "/.assay/lock", "/./snapshot.json", "//snapshot.json", "//etc/passwd", "/api//v1/entries", "/snapshot.json/", "/snapshot.json%00",
		"/snapshot.json%00.html", "/api/v1/entries/.hidden", "/.well-known/../.secret", "/api%2fv1%2fentries", "/api/v1/entries/%2e", "/s/%2e%2e/snapshot.json",
		"/api/v1/entries/e1-record/..", "/C:/windows", "/api/v1/entries/" + strings.Repeat("a", 300), "/\u202e", "/~root",
	} {
		w := get(s, "GET", target)
		redirected := w.Code == 308 && w.Header().Get("Location") == "/snapshot.json"
		if w.Code != 404 && w.Code != 400 && !redirected {
			t.Errorf("%s: %d %.100s", target, w.Code, w.Body)
		}
		if b := w.Body.String(); strings.Contains(b, "outside\"") || strings.Contains(b, "root:") || strings.Contains(b, "secret\n") || strings.Contains(b, site.Dir) {
			t.Errorf("%s shows %.100s", target, b)
		}
	}
}
