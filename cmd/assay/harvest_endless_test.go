package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestHarvestOfAnEndlessSource: a portal whose pages never end, each with records that
// nobody has seen, is given up after the time or the records that the operator allows;
// what was read of it is in the register, and the run says why no more is. A gap of 0
// between requests is none.
func TestHarvestOfAnEndlessSource(t *testing.T) {
	t.Parallel()
	for flag, says := range map[string]string{"--max-time=1s": "was not read to its end within 1s", "--max-records=18": "lists more than 18 records"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int64
			portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if !strings.HasSuffix(r.URL.Path, "/package_search") {
					http.NotFound(w, r)
					return
				}
				n := asked.Add(1)
				fmt.Fprintf(w, `{"success":true,"result":{"count":1000000000,"results":[{"id":"%08d-0000-4000-8000-000000000000","name":"data-%d","title":"Data %d","notes":"Of day %d.","state":"active","type":"dataset","organization":{"title":"Office","name":"office"},"resources":[{"url":"https://data.example.gov/%d.csv","format":"CSV"}]}]}}`, n, n, n, n, n)
			}))
			t.Cleanup(portal.Close)
			db := "sqlite:" + filepath.Join(t.TempDir(), "a.db")
			code, _, stderr := assay(t, "harvest", "--db", db, "--kind", "ckan", "--file", portal.URL, "--official", "by law", "--allow-private", "--gap=0s", "--prove=0", "--max-time=15s", flag)
			name, _, _ := strings.Cut(flag, "=")
			if code != 1 || !strings.Contains(stderr, says) || !strings.Contains(stderr, name) {
				t.Errorf("exit code %d, want %q and the remedy\n%.3000s", code, says, stderr)
			}
			if lines := must(t, "export", "--db", db); !strings.Contains(lines, `"name":"Data 1"`) {
				t.Errorf("what was read is lost:\n%.2000s", lines)
			}
		})
	}
}
