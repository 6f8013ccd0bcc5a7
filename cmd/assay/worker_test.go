package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestChecksReachNothingPrivate proposes addresses that lead inside: the check
// says that they are not public, and the server there is never asked.
func TestChecksReachNothingPrivate(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, "secret")
	}))
	defer inside.Close()
	port := inside.URL[strings.LastIndex(inside.URL, ":"):]
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var w workerFlags
	w.register(pflag.NewFlagSet("worker", pflag.ContinueOnError))
	w.harvest.gap = time.Millisecond
	a := &app{log: slog.New(slog.DiscardHandler)}
	checks := a.checker(st, &w)
	for _, address := range []string{"http://127.0.0.1" + port, "http://127.1" + port, "http://[::1]" + port, "http://[::ffff:127.0.0.1]" + port,
		"http://2130706433" + port, "http://0x7f000001" + port, "http://localhost" + port, "http://0.0.0.0" + port, "http://[64:ff9b::7f00:1]" + port,
		"http://169.254.169.254/latest/meta-data", "http://10.0.0.1/", "http://127.0.0.1" + port + "/mcp"} {
		now := time.Now().UTC()
		s := catalog.Submission{ID: catalog.NewID("submission", address), URL: address, Address: catalog.NormalURL(address), State: catalog.SubmissionReceived,
			Steps: []catalog.SubmissionStep{{State: catalog.SubmissionReceived, At: now}}, CreatedAt: now, UpdatedAt: now}
		job := catalog.NewCheckJob(s.ID, now)
		job.MaxAttempts = 1
		err := st.Update(t.Context(), func(tx catalog.Tx) error {
			_, err := tx.Jobs().Enqueue(t.Context(), job)
			return errors.Join(err, tx.Submissions().Put(t.Context(), s))
		})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := a.jobs(st, checks.Tasks(1)...).Drain(t.Context()); n != 1 || err != nil {
			t.Fatalf("%s: %d jobs, %v", address, n, err)
		}
		err = st.View(t.Context(), func(tx catalog.Tx) error {
			got, err := tx.Submissions().Get(t.Context(), s.ID)
			if err == nil && (got.State != catalog.SubmissionRejected || !strings.HasPrefix(got.Reason(), "the address does not answer: ")) {
				t.Errorf("%s: %s %s", address, got.State, got.Reason())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the server inside was asked %d times", n)
	}
}
