package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/dynamic"
	"github.com/assay-register/assay/render/wire"
)

// bothForms builds the sample register as a tree and as a snapshot file.
func bothForms(t *testing.T) (tree, file string) {
	t.Helper()
	db, _ := sampleSite(t)
	db = storeLike(t, db)
	folder := t.TempDir()
	tree, file = filepath.Join(folder, "tree"), filepath.Join(folder, "file")
	at := sample.Instant.Format("2006-01-02T15:04:05Z07:00")
	must(t, "build", "--db", db, "--at", at, "--out", tree)
	must(t, "build", "--db", db, "--at", at, "--out", file, "--form", "file")
	return tree, file
}

// asked is an answer without what no two answers share.
type asked struct {
	status int
	header http.Header
	body   string
}

func askForm(t *testing.T, h http.Handler, method, route string, header map[string]string) asked {
	t.Helper()
	r := httptest.NewRequest(method, route, nil)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a := asked{w.Code, w.Header(), w.Body.String()}
	for _, name := range []string{"X-Request-Id", "Last-Modified", "Date"} {
		a.header.Del(name)
	}
	if a.header.Get("Content-Encoding") == "gzip" {
		a.header.Del("Content-Length") // compressors may differ
	}
	if a.header.Get("Content-Encoding") == "gzip" && method == http.MethodGet {
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		a.body = string(plain)
	}
	return a
}

// TestBothFormsAnswerAlike asks a service over a tree and one over a snapshot file
// of the same register for every route, and for some in every way that clients have.
func TestBothFormsAnswerAlike(t *testing.T) {
	t.Parallel()
	tree, file := bothForms(t)
	handler := func(dir string) http.Handler {
		s, err := dynamic.New(dynamic.Config{SiteDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return s.Handler()
	}
	overTree, overFile := handler(tree), handler(file)
	routes := []string{"/", "/routes.ndjson", "/snapshot.json", "/nothing", "/api/v1/entries/", "/index.html", "/api/v1/entries/index.json", "/snapshot/head.json", "/s/20200101-000000000000/entries"}
	err := output.EachRoute(t.Context(), output.Dir(tree), func(l *wire.RouteLine) error {
		routes = append(routes, l.Route)
		return nil
	})
	if err != nil || len(routes) < 1000 {
		t.Fatal(len(routes), err)
	}
	for i, route := range routes {
		headers := []map[string]string{nil}
		methods := []string{http.MethodGet}
		if i%29 == 0 || i < 40 {
			tag := askForm(t, overTree, http.MethodHead, route, nil).header.Get("Etag")
			headers = append(headers, map[string]string{"Accept-Encoding": "gzip"}, map[string]string{"Range": "bytes=10-99"}, map[string]string{"Range": "bytes=-7"},
				map[string]string{"Range": "bytes=999999999-"}, map[string]string{"If-None-Match": tag}, map[string]string{"Range": "bytes=0-5", "If-Range": `"other"`},
				map[string]string{"Accept": "text/turtle"}, map[string]string{"Accept": "text/markdown"}, map[string]string{"Accept": "text/html"})
			methods = append(methods, http.MethodHead)
		}
		for _, method := range methods {
			for _, header := range headers {
				a, b := askForm(t, overTree, method, route, header), askForm(t, overFile, method, route, header)
				if a.status != b.status || a.body != b.body || !maps.EqualFunc(a.header, b.header, slices.Equal) {
					t.Fatalf("%s %s %v: %d %v %.80q over a tree, %d %v %.80q over a file", method, route, header, a.status, a.header, a.body, b.status, b.header, b.body)
				}
			}
		}
	}
}

// TestSnapshotCommands lists, prints and unpacks a snapshot file; what was unpacked
// is the tree without its compressed forms.
func TestSnapshotCommands(t *testing.T) {
	t.Parallel()
	tree, file := bothForms(t)
	list := must(t, "snapshot", "ls", file, "/api/v1/entries")
	want, err := os.ReadFile(filepath.Join(tree, "api/v1/entries/index.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got := must(t, "snapshot", "cat", file, "/api/v1/entries"); got != string(want) || !strings.Contains(list, " /api/v1/entries  ") {
		t.Errorf("%d bytes, not %d: %.80s; %.200s", len(got), len(want), got, list)
	}
	if info := must(t, "snapshot", "info", file); !strings.Contains(info, "documents of") {
		t.Errorf("info: %s", info)
	}
	out := filepath.Join(t.TempDir(), "www")
	must(t, "snapshot", "unpack", file, out)
	err = output.EachRoute(t.Context(), output.Dir(tree), func(l *wire.RouteLine) error {
		a, err := readAll(t, output.Dir(tree), l)
		b, other := readAll(t, output.Dir(out), l)
		if err != nil || other != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v, %v", l.Route, err, other)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"cat", file, "/nothing"}, {"unpack", file, out}, {"info", tree}} {
		if code, _, stderr := assay(t, append([]string{"snapshot"}, args...)...); code != 1 || !strings.Contains(stderr, "assay: ") {
			t.Errorf("%q: exit %d, %s", args, code, stderr)
		}
	}
}

func readAll(t *testing.T, p output.Pages, l *wire.RouteLine) ([]byte, error) {
	t.Helper()
	f, err := p.Open(t.Context(), l.Route, l.Type)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// TestFormsAreNotMixed refuses to put one form where the other lies.
func TestFormsAreNotMixed(t *testing.T) {
	t.Parallel()
	tree, file := bothForms(t)
	db := sampleStore(t)
	for _, args := range [][]string{{"--out", tree, "--form", "file"}, {"--out", file, "--form", "tree"}, {"--out", file, "--form", "folder"}} {
		if code, _, stderr := assay(t, append([]string{"build", "--db", db}, args...)...); code != 1 || !strings.Contains(stderr, "--f") {
			t.Errorf("%q: exit %d, %s", args, code, stderr)
		}
	}
}
