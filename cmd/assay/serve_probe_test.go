package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/render/catalog"
)

// probed is how many checks a store holds.
func probed(t *testing.T, db string) (n int) {
	t.Helper()
	st, err := (&app{db: db}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.View(t.Context(), func(tx catalog.Tx) error {
		n = 0
		return tx.Checks().Scan(t.Context(), catalog.Range{}, time.Time{}, func(*catalog.Check) error { n++; return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestServeProbes starts the service as it is shipped: what is due is probed,
// and recorded, with no other process.
func TestServeProbes(t *testing.T) {
	t.Parallel()
	db, site := verifyStore(t), filepath.Join(t.TempDir(), "site")
	must(t, "build", "--db", db, "--site", site)
	start(t, "serve", "--db", db, "--site", site, "--addr", "127.0.0.1:0", "--allow-private", "--cadence", "1m",
		"--rate-per-host", "200", "--confirm-after", "20ms")
	for end := time.Now().Add(hang); probed(t, db) < 2; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d of two entries were checked in time", probed(t, db))
		}
	}
}

// TestServiceLogsItsRuns: start, build, probes and end leave a line each, with
// figures, and a signal's end is a clean one.
func TestServiceLogsItsRuns(t *testing.T) {
	t.Parallel()
	db, dir := verifyStore(t), t.TempDir()
	stderr, err := os.Create(filepath.Join(dir, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"serve", "--rebuild", "--log", "json", "--db", db, "--site", filepath.Join(dir, "site"), "--addr", "127.0.0.1:0",
			"--allow-private", "--rate-per-host", "200", "--confirm-after", "0"}, strings.NewReader(""), io.Discard, stderr)
	}()
	for end := time.Now().Add(hang); probed(t, db) < 2 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
	}
	stop()
	if code := <-done; code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(stderr.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"msg":"service started","address":"127.0.0.1:`, `"msg":"built","snapshot":"`, `"msg":"probed","probes":2,"checked":2,"up":1,`, `"msg":"service stopped","up_seconds":`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log lacks %s:\n%s", want, text)
		}
	}
}

// TestServeLeavesProbesToOthers: with --probe=false the service does queued
// work, here a probe that an administrator asked for, and no more.
func TestServeLeavesProbesToOthers(t *testing.T) {
	t.Parallel()
	db, site := verifyStore(t), filepath.Join(t.TempDir(), "site")
	must(t, "build", "--db", db, "--site", site)
	start(t, "serve", "--probe=false", "--db", db, "--site", site, "--addr", "127.0.0.1:0", "--allow-private", "--rate-per-host", "200")
	carriedOut(t, db, catalog.Job{ID: "queued", Kind: verify.JobKind, Payload: []byte(`{"entries":["good"]}`)})
	if n := probed(t, db); n != 1 {
		t.Errorf("%d entries were checked; one was asked for", n)
	}
}

// carriedOut queues a job and waits until a worker has done it.
func carriedOut(t *testing.T, db string, j catalog.Job) {
	t.Helper()
	st, err := (&app{db: db}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	j.RunAt, j.CreatedAt = sample.Instant, sample.Instant // where the demo's clock begins
	err = st.Update(t.Context(), func(tx catalog.Tx) error { _, err := tx.Jobs().Enqueue(t.Context(), j); return err })
	for end := time.Now().Add(hang); err == nil && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var now *catalog.Job
		err = st.View(t.Context(), func(tx catalog.Tx) (err error) { now, err = tx.Jobs().Get(t.Context(), j.ID); return err })
		if err == nil && now.State == catalog.JobDone {
			return
		}
	}
	t.Fatalf("job %s was not done in time: %v", j.Kind, err)
}
