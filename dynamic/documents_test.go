package dynamic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
)

// TestARebuiltDocumentIsNeverStale builds one snapshot again and again with another document:
// its bytes, tag and length are those of the last build.
func TestARebuiltDocumentIsNeverStale(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3})
	for _, large := range []int{0, 200_000} {
		for i := range 20 {
			body := fmt.Sprintf(`{"n":%06d,"x":"%s"}`, i, strings.Repeat("text ", large))
			put(t, s, site, map[string]string{"/page": body})
			for range 3 {
				if w := get(s, "GET", "/page"); w.Body.String() != body || w.Header().Get("Etag") != `"`+web.Sum([]byte(body))+`"` || w.Header().Get("Assay-Snapshot") != site.Catalog.ID {
					t.Fatalf("round %d: %.100s %v", i, w.Body, w.Header())
				}
			}
		}
	}
}

// TestWhatLiesOver: documents that changed since the snapshot are shown at once, without its
// name, and those that went are not found; what did not change keeps its name.
func TestWhatLiesOver(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 12})
	const same, changed, gone, added, moved = "/api/v1/entries/e1-record", "/api/v1/entries/e2-record", "/api/v1/entries/e3-record", "/api/v1/entries/added", "/page"
	put(t, s, site, map[string]string{moved: "{}", "/badge/index.svg": "<svg/>"})
	lay := func(documents map[string]string, away ...string) {
		t.Helper()
		if err := errors.Join(site.Overlay(documents, away...), s.library.Refresh(time.Now())); err != nil {
			t.Fatal(err)
		}
	}
	check := func(target string, status int, body, snapshot string) {
		t.Helper()
		w := get(s, "GET", target)
		if w.Code != status || status == 200 && (w.Body.String() != body || w.Header().Get("Assay-Snapshot") != snapshot) {
			t.Errorf("%s: %d of %q: %.100s", target, w.Code, w.Header().Get("Assay-Snapshot"), w.Body)
		}
	}
	id, large := site.Catalog.ID, strings.Repeat("large ", 300_000)
	for _, round := range []string{"first", "second"} {
		for _, target := range []string{changed, gone, moved, "/badge/index.svg"} { // so that they are remembered
			get(s, "GET", target)
		}
		lay(map[string]string{same: string(site.Page(same)), changed: round, added: "new " + round, moved: large + round, "/badge/index.svg": "<svg>" + round}, gone)
		check(same, 200, string(site.Page(same)), id)
		check(changed, 200, round, query.Pending)
		check(added, 200, "new "+round, query.Pending)
		check(moved, 200, large+round, query.Pending)
		check("/badge/index.svg", 200, "<svg>"+round, query.Pending)
		check(gone, 404, "", "")
		if w := get(s, "GET", changed, "Range", "bytes=1-2"); w.Code != 206 || w.Body.String() != round[1:3] || w.Header().Get("Assay-Snapshot") != query.Pending {
			t.Errorf("a part: %d %v %s", w.Code, w.Header(), w.Body)
		}
	}
	if w := get(s, "GET", "/s/"+id+"/api/v1/entries/pages/1"); w.Code != 200 || w.Header().Get("Assay-Snapshot") != id {
		t.Errorf("a pinned page: %d %v", w.Code, w.Header())
	}
	if err := errors.Join(os.Remove(filepath.Join(site.Dir, snapshot.OverlayOf(id))), s.library.Refresh(time.Now())); err != nil {
		t.Fatal(err)
	}
	check(changed, 200, string(site.Page(changed)), id)
	check(gone, 200, string(site.Page(gone)), id)
	check(added, 404, "", "")
	if err := errors.Join(os.WriteFile(filepath.Join(site.Dir, snapshot.OverlayOf(id)), []byte("no overlay"), 0o644), s.library.Refresh(time.Now())); err != nil {
		t.Fatal(err)
	}
	check(changed, 200, string(site.Page(changed)), id)
}

// TestADamagedFileIsNoAbsence: what cannot be read of a snapshot file is a fault, neither a
// missing page nor other bytes.
func TestADamagedFileIsNoAbsence(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3})
	noise := make([]byte, 4000) // lies in the file as it is
	rand.NewChaCha8([32]byte{}).Read(noise)
	put(t, s, site, map[string]string{"/page": "small", "/noise.png": string(noise)})
	path := filepath.Join(site.Dir, snapshot.FileOf(site.Catalog.ID))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte{noise[100] + 1}, int64(bytes.Index(text, noise)+100)); err != nil {
		t.Fatal(err)
	}
	if w := get(s, "GET", "/noise.png"); w.Code != 500 {
		t.Errorf("one byte is wrong: %d", w.Code)
	}
	if w := get(s, "GET", "/page"); w.Code != 200 {
		t.Errorf("another document: %d", w.Code)
	}
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xff}, len(text)), 8); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"/api/v1/entries/e2-record", "/api/v1/entries/e1-record", "/nothing"} {
		if w := get(s, "GET", target); w.Code != 500 {
			t.Errorf("%s: %d %.100s", target, w.Code, w.Body)
		}
	}
}

// TestNoTornAnswer reads while the site is rebuilt again and again.
func TestNoTornAnswer(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 40})
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var answers atomic.Int64
	targets := []string{"/api/v1/entries", "/api/v1/entries/e0-record", "/api/v1/entries/e1-record", "/api/v1/entries?limit=7&sort_by=name", "/api/v1/entries/facets",
		"/api/v1/entries/facets?type=API", "/openapi.json", "/snapshot.json", "/health", "/api/v1/entries/former-3"}
	for worker := range 4 {
		wg.Go(func() {
			for i := worker; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				target := targets[i%len(targets)]
				w := get(s, "GET", target, "Accept-Encoding", []string{"", "gzip", "br", "zstd"}[i/3%4])
				answers.Add(1)
				if w.Code == http.StatusPermanentRedirect {
					continue
				}
				sum, _, _ := strings.Cut(strings.Trim(w.Header().Get("Etag"), `"`), "-")
				if body := decoded(t, w); w.Code != 200 || web.Sum(body) != sum || !json.Valid(body) {
					t.Errorf("%s: %d, %d bytes do not have the hash %s", target, w.Code, len(body), sum)
					return
				}
			}
		})
	}
	for g := 1; g <= 8; g++ {
		if _, err := sitetest.Write(site.Dir, sitetest.Options{Entries: 40, Generation: g}); err != nil {
			t.Error(err)
		}
		if err := s.library.Refresh(time.Now()); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
	if answers.Load() < 100 {
		t.Errorf("only %d answers", answers.Load())
	}
}

func TestMemoryIsBounded(t *testing.T) {
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 120})
	s, err := New(Config{SiteDir: site.Dir, FileBudget: 1 << 19})
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range site.Routes() {
		for _, coding := range []string{"", "gzip", "br"} {
			get(s, "GET", route, "Accept-Encoding", coding)
		}
	}
	if used := s.documents.Used(); used > 1<<19 || used < 1<<18 {
		t.Errorf("%d bytes are held", used)
	}
}

// TestNamesInADirectory: the name under which a directory keeps a document leads to it, or to
// its route, and no other name of that form does.
func TestNamesInADirectory(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3})
	put(t, s, site, map[string]string{"/index.html": "<p>home</p>", "/about/index.html": "<p>about</p>", "/badge/index.svg": "<svg/>", "/x.ttl": "<a> <b> <c> .\n"})
	for target, want := range map[string]string{
		"/": "200 text/html; charset=utf-8", "/about": "200 text/html; charset=utf-8", "/badge": "200 image/svg+xml; charset=utf-8", "/badge/index.svg": "200 image/svg+xml; charset=utf-8",
		"/x.ttl": "200 text/turtle; charset=utf-8", "/about/index.html": "308 /about", "/index.html": "308 /", "/about/": "308 /about", "/api/v1/entries/e1-record/index.json": "308 /api/v1/entries/e1-record",
		"/about/index.json": "404 ", "/badge/index.png": "404 ", "/badge/index.svg/index.svg": "404 ", "/x.ttl/index.ttl": "404 ", "/index.json": "404 ", "/about/index.html/index.html": "404 ",
	} {
		w := get(s, "GET", target)
		got := fmt.Sprint(w.Code, " ", w.Header().Get("Location"))
		if w.Code == 200 {
			got += w.Header().Get("Content-Type")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}
