package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// verifyStore is a store with one source that answers and one that does not.
func verifyStore(t *testing.T) (db string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", map[bool]string{true: "application/json", false: "text/html"}[r.URL.Path == "/good"])
	}))
	t.Cleanup(srv.Close)
	db = "sqlite:" + filepath.Join(t.TempDir(), "verify.db")
	st, err := (&app{db: db}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		for _, name := range []string{"good", "page"} {
			now := time.Now().UTC()
			e := &catalog.Entry{ID: catalog.NewID("entry", name), Slug: name, Type: catalog.TypeAPI, Name: name, IdentityKey: name, MatchKey: name,
				Status: catalog.StatusActive, CreatedAt: now, UpdatedAt: now, PublishedAt: now, API: &catalog.APIDetails{PingURL: srv.URL + "/" + name}}
			if err := tx.Entries().Put(t.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now}}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// assayVerify runs the program and returns what it wrote.
func assayVerify(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return assayVerifyUntil(t.Context(), t, args...)
}

func assayVerifyUntil(ctx context.Context, t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out strings.Builder
	code = run(ctx, append([]string{"verify"}, args...), strings.NewReader(""), &out, file)
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, out.String(), string(text)
}

func TestVerify(t *testing.T) {
	t.Parallel()
	db := verifyStore(t)
	report := filepath.Join(t.TempDir(), "report.json")
	base := []string{"--db", db, "--allow-private", "--rate-per-host", "200", "--confirm-after", "20ms"}
	code, _, text := assayVerify(t, append(base, "--report", report)...)
	if code != 0 || !strings.Contains(text, "2 entries checked with 3 probes on 1 hosts") || !strings.Contains(text, "content_type") {
		t.Errorf("exit %d: %s", code, text)
	}
	var sum verify.Summary
	if doc, err := os.ReadFile(report); err != nil || json.Unmarshal(doc, &sum) != nil || sum.Up != 1 || sum.Down != 1 || sum.Changes[catalog.EventVerified] != 1 {
		t.Errorf("report %s: %v", doc, err)
	}
	code, out, text := assayVerify(t, append(base, "--once", "page")...)
	if code != 0 || !strings.Contains(out, "down, confirmed by a second probe (content_type") || !strings.Contains(out, "after     UNVERIFIED, 2 failures") {
		t.Errorf("exit %d: %s%s", code, out, text)
	}
	code, out, _ = assayVerify(t, append(base, "--once", "--dry-run", "page")...)
	if code != 0 || !strings.Contains(out, "after     FAILING, 3 failures") {
		t.Errorf("exit %d: %s", code, out)
	}
	code, out, _ = assayVerify(t, append(base, "--once", "page")...)
	if code != 0 || !strings.Contains(out, "before    UNVERIFIED, 2 failures") {
		t.Errorf("the rehearsal was stored: exit %d: %s", code, out)
	}
	if code, _, text = assayVerify(t, append(base, "--all")...); code != 0 || !strings.Contains(text, "2 entries checked") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// TestVerifyWatch: a watch checks what is due, carries out a queued job, and
// ends well when it is told to.
func TestVerifyWatch(t *testing.T) {
	t.Parallel()
	db := verifyStore(t)
	st, err := (&app{db: db}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	now := time.Now().UTC()
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(t.Context(), catalog.Job{ID: "queued", Kind: verify.JobKind, Payload: []byte(`{"entries":["good"]}`), RunAt: now, CreatedAt: now})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var job *catalog.Job
	go func() {
		defer cancel()
		for job == nil || job.State != catalog.JobDone {
			time.Sleep(50 * time.Millisecond)
			err := st.View(ctx, func(tx catalog.Tx) (err error) { job, err = tx.Jobs().Get(ctx, "queued"); return err })
			if err != nil {
				return
			}
		}
	}()
	code, _, text := assayVerifyUntil(ctx, t, "--db", db, "--allow-private", "--rate-per-host", "200", "--confirm-after", "20ms", "--watch")
	if code != 0 || job == nil || job.State != catalog.JobDone || !strings.Contains(string(job.Progress), `"entries":1,"checked":1`) {
		t.Errorf("exit %d: %s; job %+v", code, text, job)
	}
}

func TestVerifyGuardsPrivateAddresses(t *testing.T) {
	t.Parallel()
	code, out, text := assayVerify(t, "--db", verifyStore(t), "--confirm-after", "0", "--once", "--dry-run", "good")
	if code != 0 || !strings.Contains(out, "the address is not a public one; --allow-private") {
		t.Errorf("exit %d: %s%s", code, out, text)
	}
}

func TestVerifyRefuses(t *testing.T) {
	t.Parallel()
	db := verifyStore(t)
	for want, args := range map[string][]string{
		`unknown entry "nobody"`: {"nobody"}, "--once: name one entry": {"--once"}, "use it with --once": {"--dry-run"},
		"use one of --all": {"--all", "good"}, "--concurrency: \"5001\": use 1 to 5000": {"--concurrency", "5001"}, "--rate-per-host: \"0\": use more than 0": {"--rate-per-host", "0"},
		"--confirm-after: \"2h\": use 0s to 1h": {"--confirm-after", "2h"}, "--survey-every: \"1m\": use at least 1h, or 0s": {"--survey-every", "1m"}, "--cadence: \"1s\": use at least 1m": {"--cadence", "1s"}, "--timeout: \"1ms\": use 1s to 5m": {"--timeout", "1ms"},
	} {
		if code, _, text := assayVerify(t, append(args, "--db", db)...); code != 1 || !strings.Contains(text, want) {
			t.Errorf("%v: exit %d: %s", args, code, text)
		}
	}
}
