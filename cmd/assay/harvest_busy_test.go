package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestHarvestsDoNotMeet: while one process harvests a source, the command line,
// the timer and the queue leave it alone, say so, and fetch nothing.
func TestHarvestsDoNotMeet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "assay.yaml")
	var asked atomic.Int64
	others := func() {
		code, _, stderr := assay(t, "harvest", "--config", config, "--prove", "0", "tides")
		if code != codeBusy || !strings.Contains(stderr, "has been harvesting this source since") || !strings.Contains(stderr, "busy") {
			t.Errorf("by name: exit code %d\n%s", code, stderr)
		}
		if code, _, stderr := assay(t, "harvest", "--config", config, "--prove", "0"); code != 0 || !strings.Contains(stderr, "no source is due") {
			t.Errorf("what is due: exit code %d\n%s", code, stderr)
		}
		if code, _, stderr := assay(t, "harvest", "--config", config, "--jobs"); code != 0 || !strings.Contains(stderr, "0 queued harvests") {
			t.Errorf("the queue: exit code %d\n%s", code, stderr)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			others()
		}
		fmt.Fprint(w, apiCSV)
		for i := range 3 {
			fmt.Fprintf(w, "2020-01-08,2020-08-24,https://api%d.tides.example.gov.uk/v1,Tides %d,About tides.,,,,,,,harbour-board\n", i, i)
		}
	}))
	t.Cleanup(server.Close)
	text := fmt.Sprintf("db: sqlite:%s\nallow_private: true\ngap: 1ms\nsources:\n  - key: tides\n    kind: uk-api-catalogue\n    url: %s/tides.csv\n"+
		"    title: Tides\n    country: gb\n    official: by law\n", filepath.Join(dir, "a.db"), server.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "harvest", "--config", config, "--prove", "0", "tides")
	if n := asked.Load(); n != 1 {
		t.Errorf("the portal was asked %d times", n)
	}
}

// TestRebuildWaitsForTheFirstHarvest: while another process reads a source for the
// first time, as the worker of a service just installed does, a rebuild builds no
// empty site.
func TestRebuildWaitsForTheFirstHarvest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "assay.yaml")
	said, err := os.Create(filepath.Join(dir, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { said.Close() })
	rebuilt := make(chan int, 1)
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			go func() {
				rebuilt <- run(t.Context(), []string{"rebuild", "--config", config, "--site", filepath.Join(dir, "site")}, strings.NewReader(""), io.Discard, said)
			}()
			for end := time.Now().Add(hang); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				if text, _ := os.ReadFile(said.Name()); strings.Contains(string(text), "which reads tides for the first time") || len(rebuilt) > 0 {
					break
				}
			}
		}
		fmt.Fprint(w, apiCSV)
		fmt.Fprintf(w, "2020-01-08,2020-08-24,https://api.tides.example.gov.uk/v1,Tides,About tides.,,,,,,,harbour-board\n")
	}))
	t.Cleanup(server.Close)
	text := fmt.Sprintf("db: sqlite:%s\nallow_private: true\ngap: 1ms\nbase_url: https://register.example\nsources:\n  - key: tides\n    kind: uk-api-catalogue\n    url: %s/tides.csv\n"+
		"    title: Tides\n    country: gb\n    official: by law\n", filepath.Join(dir, "a.db"), server.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "harvest", "--config", config, "--prove", "0", "tides")
	code := <-rebuilt
	words, err := os.ReadFile(said.Name())
	if err != nil || code != 0 || !strings.Contains(string(words), "1 listed") {
		t.Errorf("exit code %d, %v\n%s", code, err, words)
	}
}
