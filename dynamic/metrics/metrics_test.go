package metrics

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	if err := m.Show()(w, httptest.NewRequest("GET", "/metrics", nil)); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(w.Body)
	if w.Code != 200 || err != nil || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v %v", w.Code, err, w.Header())
	}
	return string(b)
}

// wantLines fails the test for each line that the text lacks.
func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
}

// fill stores what was probed, three sources, and two runs of one of them.
func fill(t *testing.T, st catalog.Store) {
	t.Helper()
	ctx := t.Context()
	err := st.Update(ctx, func(tx catalog.Tx) error {
		tally := catalog.ProbeTally{Last: at, Up: 3, HostDown: 1}
		return errors.Join(tally.Write(ctx, tx.Meta()),
			tx.Probes().Plan(ctx, catalog.Probe{EntryID: "late", Host: "h", DueAt: at.Add(-time.Hour)}, catalog.Probe{EntryID: "due", Host: "h", DueAt: at}),
			tx.Sources().Put(ctx, catalog.Source{ID: "1", Key: "portal", Enabled: true, Schedule: "hourly"}, catalog.Source{ID: "2", Key: "off"},
				catalog.Source{ID: "3", Key: "fresh", Enabled: true}),
			tx.Runs().Put(ctx, catalog.HarvestRun{ID: "a", SourceID: "1", State: catalog.RunComplete, StartedAt: at.Add(-2 * time.Hour), FinishedAt: at.Add(-time.Hour)},
				catalog.HarvestRun{ID: "b", SourceID: "1", State: catalog.RunPartial, StartedAt: at, FinishedAt: at, Counts: catalog.RunCounts{In: 2, Created: 2}}))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestState(t *testing.T) {
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "m.db"))
	if err != nil {
		t.Fatal(err)
	}
	id := ""
	m := New(&State{Now: func() time.Time { return at.Add(90 * time.Second) }, Store: st,
		Snapshot: func() (string, time.Time, time.Time, int) { return id, at, at.Add(time.Minute), 42 }})
	if text := scrape(t, m); strings.Contains(text, "\nassay_snapshot") {
		t.Error("a snapshot is shown that is not there")
	}
	wantLines(t, scrape(t, m), "assay_probe_last_timestamp_seconds 0", "assay_probes_overdue 42", `assay_probes_total{outcome="up"} 0`)
	id = "20260301-0123456789ab"
	fill(t, st)
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(t.Context(), catalog.Job{ID: "1", Kind: "mail", State: catalog.JobQueued, RunAt: at, CreatedAt: at, MaxAttempts: 1},
			catalog.Job{ID: "2", Kind: "mail", State: catalog.JobQueued, RunAt: at, CreatedAt: at, MaxAttempts: 1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, scrape(t, m), `assay_snapshot_info{snapshot="20260301-0123456789ab"} 1`, "assay_snapshot_age_seconds 90", "assay_snapshot_entries 42",
		"assay_store_up 1", `assay_jobs{kind="mail",state="queued"} 2`,
		`assay_job_wait_seconds{kind="mail"} 90`, "assay_snapshot_built_timestamp_seconds 1.77236646e+09",
		"assay_probe_last_timestamp_seconds 1.7723664e+09", "assay_probes_overdue 1", `assay_probes_total{outcome="up"} 3`, `assay_probes_total{outcome="host_down"} 1`,
		`assay_source_last_success_timestamp_seconds{source="portal"} 1.7723628e+09`, `assay_source_interval_seconds{source="portal"} 3600`,
		`assay_source_records{outcome="created",source="portal"} 2`, `assay_source_last_success_timestamp_seconds{source="fresh"} 0`)
	if text := scrape(t, m); strings.Contains(text, `source="off"`) {
		t.Error("a source that is not enabled is shown")
	}
	st.Close()
	wantLines(t, scrape(t, m), "assay_store_up 0", "assay_snapshot_entries 42")
}

// TestRequests drives a front and reads what was counted.
func TestRequests(t *testing.T) {
	m := New(&State{Now: time.Now, Snapshot: func() (string, time.Time, time.Time, int) { return "", time.Time{}, time.Time{}, 0 }})
	front := &web.Front{Log: slog.New(slog.DiscardHandler), Now: time.Now, Timeout: time.Second, Observer: m,
		Site: func() (snapshot.Site, string) { return snapshot.Site{}, "" }}
	for _, c := range []struct {
		name string
		err  error
	}{{"a", nil}, {"a", nil}, {"a", catalog.ErrNotFound}, {"b", errors.New("broken")}, {"", nil}} {
		h := front.Wrap(front.Adapt(func(w http.ResponseWriter, _ *http.Request) error {
			if c.name != "" {
				web.Name(w, c.name)
			}
			wantLines(t, scrape(t, m), "assay_requests_in_flight 1")
			return c.err
		}))
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/x", nil))
	}
	m.Begin()
	m.End("a", 429, time.Second)
	wantLines(t, scrape(t, m), "assay_requests_in_flight 0", `assay_requests_total{operation="a",status="200"} 2`, `assay_requests_total{operation="a",status="404"} 1`,
		`assay_requests_total{operation="b",status="500"} 1`, `assay_requests_total{operation="other",status="200"} 1`,
		`assay_rate_limited_total{operation="a"} 1`, `assay_request_seconds_count{operation="a"} 4`)
}
