package dynamic

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// variedSite has a file of every kind that a build writes.
func variedSite(t testing.TB) (*Service, *sitetest.Site) {
	s, site := start(t, sitetest.Options{Entries: 30})
	l := site.Catalog.Lines[0]
	for route, body := range map[string]string{
		"/index.html": "<p>home</p>", "/about/index.html": "<p>about</p>", "/404.html": "<p>lost</p>", "/style.css": "p{}", "/assets/a.0123.css": "a{}",
		"/feed.rss": "<rss/>", "/feed.atom": "<feed/>", "/list.csv": "a,b\n", "/badge.svg": "<svg/>", "/notes.md": "# a\n", "/empty.txt": "", "/x.ttl": "<a> <b> <c> .\n",
		wire.OKFRoute(l.Type, l.Slug): "# Entry\n", "/id/" + l.ID + ".ttl": "<a> <b> <c> .\n", "/id/" + l.ID + ".jsonld": `{"@id":"a"}`,
		"/entry/" + l.Slug + "/index.html": "<p>entry</p>", "/api/v1/export/a.csv.gz": "coded", "/api/v1/badges/" + l.ID + "/score/index.svg": "<svg/>",
		"/long.json": `{"x":"` + strings.Repeat("text ", 9000) + `"}`, "/huge.ndjson": strings.Repeat("{\"a\":1}\n", 200_000),
	} {
		if err := sitetest.WriteFile(site.Dir, route, []byte(body)); err != nil {
			t.Fatal(err)
		}
		ageFile(t, site, route)
	}
	writeSiblings(t, filepath.Join(site.Dir, "huge.ndjson"), []byte(strings.Repeat("{\"a\":1}\n", 200_000)))
	time.Sleep(150 * time.Millisecond) // younger files are not remembered
	return s, site
}

// ageFile makes the file of a route older than the snapshot, so that it is known
// to be of it without its hash.
func ageFile(t testing.TB, site *sitetest.Site, route string) {
	t.Helper()
	path := filepath.Join(site.Dir, artifact.Path(route, artifact.JSON))
	built := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, built, built); err != nil {
		t.Fatal(err)
	}
}

// kinds are paths of every kind of answer.
func kinds(site *sitetest.Site) []string {
	l := site.Catalog.Lines[0]
	const at = "/api/v1/entries/"
	return []string{"/", "/about", "/about/", "/about/index.html", "/style.css", "/assets/a.0123.css", "/feed.rss", "/feed.atom", "/list.csv", "/badge.svg", "/notes.md",
		"/empty.txt", "/x.ttl", "/long.json", "/huge.ndjson", "/huge.ndjson.gz", "/openapi.json", "/snapshot.json", "/.well-known/mcp.json", "/.secret",
		wire.OKFRoute(l.Type, l.Slug), "/id/" + l.ID, "/id/" + l.ID + ".ttl", "/entry/" + l.Slug, "/api/v1/export/a.csv.gz", "/api/v1/badges/" + l.ID + "/score",
		at + l.ID, at + l.Slug, at + l.ID + "/checks", at + l.Slug + "/checks", at + "former-3", at + sitetest.Removed, at + sitetest.Replaced, at + "nothing",
		"/s/" + site.Catalog.ID + "/api/v1/entries/pages/1", "/s/20200101-0123456789ab/api/v1/entries/pages/1", "/nothing", "/api", "/api/v1/entries", "/health", "/a//b", "/../x"}
}

// TestTheLaneAnswersAsTheServer asks for everything in many ways, each three
// times: the third answer is a repeated one.
func TestTheLaneAnswersAsTheServer(t *testing.T) {
	s, site := variedSite(t)
	b := serveBeside(t, s, "tcp")
	tag := get(s, "GET", "/long.json").Header().Get("Etag")
	heads := []string{"", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip, deflate, zstd;q=0.5\r\n", "Accept: text/markdown\r\n", "Accept: text/html,*/*;q=0.8\r\n", "Accept: text/turtle\r\n",
		"If-None-Match: " + tag + "\r\n", "If-None-Match: *\r\n", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\n", "Cookie: a=b\r\n", "Range: bytes=0-3\r\n"}
	for _, path := range kinds(site) {
		for _, method := range []string{"GET", "HEAD"} {
			for _, head := range heads {
				raw := []byte(method + " " + path + " HTTP/1.1\r\nHost: register.example\r\n" + head + "\r\n")
				for range 3 {
					if list := b.compare(t, raw); len(list) != 1 {
						t.Errorf("%q: %d answers", raw, len(list))
					}
				}
			}
		}
	}
	if b.repeated.Load() < 300 {
		t.Errorf("only %d answers were repeated", b.repeated.Load())
	}
}

// TestWhatTheLaneLeavesToTheServer: everything that is not plainly one request
// for a file without more.
func TestWhatTheLaneLeavesToTheServer(t *testing.T) {
	s, _ := variedSite(t)
	b := serveBeside(t, s, "tcp")
	const host = "Host: x\r\n"
	long := strings.Repeat("a", 5000)
	for _, raw := range []string{
		"POST /about HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\n{}", "GET /about HTTP/1.1\r\n" + host + "Content-Length: 0\r\n\r\n",
		"GET /about HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET /about HTTP/1.1\r\n" + host + "Transfer-Encoding: identity\r\n\r\n",
		"GET /about HTTP/1.0\r\n" + host + "\r\n", "GET /about HTTP/1.1\r\n\r\n", "GET /about HTTP/1.1\r\n" + host + host + "\r\n", "GET /about HTTP/1.1\r\nHost: a b\r\n\r\n",
		"GET /about HTTP/1.1\nHost: x\n\n", "GET /about HTTP/1.1\r\nHost: x\n\r\n", "GET /about HTTP/1.1\r\nHost : x\r\n\r\n", "GET /about HTTP/1.1\r\n Host: x\r\n\r\n",
		"GET /about HTTP/1.1\r\n" + host + "Accept: a\r\n b\r\n\r\n", "GET /about HTTP/1.1\r\n" + host + "Accept: a\x00b\r\n\r\n", "GET /about HTTP/1.1\r\n" + host + "Accept: \xff\r\n\r\n",
		"GET /about HTTP/1.1\r\n" + host + "Accept: a\r\nAccept: b\r\n\r\n", "GET  /about HTTP/1.1\r\n" + host + "\r\n", "GET /about  HTTP/1.1\r\n" + host + "\r\n", "GET /about\tHTTP/1.1\r\n" + host + "\r\n",
		"get /about HTTP/1.1\r\n" + host + "\r\n", "\r\nGET /about HTTP/1.1\r\n" + host + "\r\n", "GET http://x/about HTTP/1.1\r\n" + host + "\r\n", "GET * HTTP/1.1\r\n" + host + "\r\n",
		"GET /about?x=1 HTTP/1.1\r\n" + host + "\r\n", "GET /about? HTTP/1.1\r\n" + host + "\r\n", "GET /%61bout HTTP/1.1\r\n" + host + "\r\n", "GET /about#a HTTP/1.1\r\n" + host + "\r\n",
		"GET /about HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n", "GET /about HTTP/1.1\r\n" + host + "Connection: upgrade\r\nUpgrade: h2c\r\n\r\n",
		"GET /about HTTP/1.1\r\n" + host + "Expect: 100-continue\r\n\r\n", "GET /about HTTP/1.1\r\n" + host + "Authorization: Bearer a\r\n\r\n", "GET /about HTTP/1.1\r\n" + host + "X-Unheard-Of: a\r\n\r\n",
		"GET /about HTTP/1.1\r\n" + host + "Referer: /" + long + "\r\n\r\n", "GET /" + long + " HTTP/1.1\r\n" + host + "\r\n", "GET /about HTTP/1.1\r\n" + host, "GET /ab", "\x16\x03\x01\x02",
		"GET /about HTTP/1.1\r\n" + host + "\r\nGET /style.css HTTP/1.1\r\n" + host + "\r\n", "GET /about HTTP/1.1\r\n" + host + "\r\nPOST /about HTTP/1.1\r\n" + host + "Content-Length: 1\r\n\r\nx",
		"GET /health HTTP/1.1\r\n" + host + "\r\n",
	} {
		before := b.handed.Load()
		b.compare(t, []byte(raw))
		if b.handed.Load() != before+1 {
			t.Errorf("%.100q: the lane answered", raw)
		}
	}
}

// TestTheLaneIsCountedAndLogged as the server is.
func TestTheLaneIsCountedAndLogged(t *testing.T) {
	_, site := variedSite(t)
	var lines bytes.Buffer
	s, err := New(Config{SiteDir: site.Dir, Logger: slog.New(slog.NewJSONHandler(&lines, nil))})
	if err != nil {
		t.Fatal(err)
	}
	b := serveBeside(t, s, "tcp")
	lines.Reset()
	const asked = "GET /about HTTP/1.1\r\nHost: x\r\nX-Request-Id: of-a-proxy\r\n\r\n"
	for range 4 {
		b.compare(t, []byte(asked))
		b.compare(t, []byte("HEAD"+asked[3:]))
	}
	if b.repeated.Load() == 0 {
		t.Error("nothing was repeated")
	}
	waitFor(t, func() bool {
		return strings.Contains(get(s, "GET", "/metrics").Body.String(), `assay_requests_total{operation="static",status="200"} 16`)
	})
	seen := map[string]int{}
	for line := range strings.Lines(lines.String()) {
		if strings.Contains(line, "/about") {
			line = regexp.MustCompile(`"(time|took)":[^,]*,`).ReplaceAllString(line, "")
			seen[line]++
		}
	}
	if len(seen) != 2 {
		t.Errorf("%v", seen)
	}
	for line, n := range seen {
		if n != 8 || !strings.Contains(line, `"request":"of-a-proxy"`) || !strings.Contains(line, `"operation":"static"`) {
			t.Errorf("%d times %s", n, line)
		}
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come about")
		}
	}
}

// TestATwinThatAppears is sent from then on, whatever was sent in its place.
func TestATwinThatAppears(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3})
	time.Sleep(150 * time.Millisecond)
	b := serveBeside(t, s, "tcp")
	l := site.Catalog.Lines[0]
	raw := []byte("GET /api/v1/entries/" + l.ID + " HTTP/1.1\r\nHost: x\r\nAccept: text/markdown\r\n\r\n")
	for range 3 {
		b.compare(t, raw)
	}
	if err := sitetest.WriteFile(site.Dir, wire.OKFRoute(l.Type, l.Slug), []byte("# Entry\n")); err != nil {
		t.Fatal(err)
	}
	if list := b.compare(t, raw); len(list) != 1 || list[0].Body != "# Entry\n" {
		t.Errorf("%+v", list)
	}
}

// TestTheLaneBelowABasePath finds the same pages with the path and without.
func TestTheLaneBelowABasePath(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 3, BaseURL: "https://example.org/register"})
	time.Sleep(150 * time.Millisecond)
	b := serveBeside(t, s, "tcp")
	for range 4 {
		for _, path := range []string{"/register/snapshot.json", "/snapshot.json", "/registers/snapshot.json", "/register/register/snapshot.json", "/register"} {
			b.compare(t, []byte("GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"))
		}
	}
	if b.repeated.Load() < 4 {
		t.Errorf("%d answers were repeated", b.repeated.Load())
	}
}

// FuzzLane: whatever a client sends, it gets the same answers with the lane and
// without.
func FuzzLane(f *testing.F) {
	s, site := variedSite(f)
	b := serveBeside(f, s, "unix")
	for _, path := range kinds(site) {
		f.Add([]byte("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"))
	}
	f.Add([]byte("HEAD /about HTTP/1.1\r\nHost: [::1]:80\r\nAccept-Encoding: br\r\nUser-Agent: a b\r\nconnection: Keep-Alive\r\nIF-NONE-MATCH: *\r\n\r\n"))
	f.Add([]byte("GET /about HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nGET /"))
	f.Add([]byte("GET /about HTTP/1.1\r\nHost: x\r\n\r\nGET /style.css HTTP/1.1\r\nHost: x\r\n\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for range 3 {
			b.compare(t, raw)
		}
	})
}
