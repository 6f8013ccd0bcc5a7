package dynamic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/web"
)

func TestARebuiltFileIsNeverStale(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 3})
	for i := range 300 {
		body := fmt.Sprintf(`{"n":%06d}`, i)
		if err := sitetest.WriteFile(site.Dir, "/page", []byte(body)); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if w := get(s, "GET", "/page"); w.Body.String() != body || w.Header().Get("Etag") != `"`+web.Sum([]byte(body))+`"` {
				t.Fatalf("round %d: %s", i, w.Body)
			}
		}
	}
}

// TestASiblingOfAnotherVersionIsPassedOver replaces a document while the
// compressed forms of the old one still lie beside it, and the other way round.
func TestASiblingOfAnotherVersionIsPassedOver(t *testing.T) {
	for _, size := range []int{3000, 60000} {
		s, site := start(t, sitetest.Options{Entries: 3})
		path := filepath.Join(site.Dir, "doc.ndjson")
		older := bytes.Repeat([]byte("{\"version\":\"old\"} 0123456789\n"), size)
		newer := bytes.Repeat([]byte("{\"version\":\"new\"} 0123456789\n"), size)
		sitetest.WriteFile(site.Dir, "/doc.ndjson", older)
		writeSiblings(t, path, older)
		check := func(step string, want []byte) {
			t.Helper()
			for _, coding := range []string{"gzip", "br", "zstd", ""} {
				w := get(s, "GET", "/doc.ndjson", "Accept-Encoding", coding)
				if tag := w.Header().Get("Etag"); !strings.HasPrefix(tag, `"`+web.Sum(want)) || !bytes.Equal(decoded(t, w), want) {
					t.Errorf("%d, %s, %q: tag %s or bytes of another version", size, step, coding, tag)
				}
			}
		}
		check("first", older)
		time.Sleep(20 * time.Millisecond)
		sitetest.WriteFile(site.Dir, "/doc.ndjson", newer)
		check("siblings are older", newer)
		writeSiblings(t, path, newer)
		check("siblings are there", newer)
		os.Rename(path, path+".keep")
		sitetest.WriteFile(site.Dir, "/doc.ndjson", older)
		check("siblings are newer", older)
	}
}

// TestNoTornFile reads while the tree is rebuilt again and again.
func TestNoTornFile(t *testing.T) {
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
	time.Sleep(150 * time.Millisecond)
	for _, route := range site.Routes() {
		for _, coding := range []string{"", "gzip", "br"} {
			get(s, "GET", route, "Accept-Encoding", coding)
		}
	}
	if used := s.tree.Used(); used > 1<<19 || used < 1<<18 {
		t.Errorf("%d bytes are held", used)
	}
}
