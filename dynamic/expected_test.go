package dynamic

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// TestNoErrorsBeforeTheFirstBuild: a service that waits for its site says so to
// readers, and logs no faults.
func TestNoErrorsBeforeTheFirstBuild(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s, err := New(Config{SiteDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/entry/rivers", "/health", "/health/detailed", "/api/v1/entries", "/api/v1/entries/search?q=x", "/snapshot.json"} {
		if w := get(s, "GET", path); w.Code != 503 || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	if strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "status=503") {
		t.Errorf("logged %s", log.String())
	}
}

// TestLateJobs: a job is late by when it is due, whenever it was made.
func TestLateJobs(t *testing.T) {
	t.Parallel()
	s := startWithStore(t)
	now := s.config.Now()
	add := func(id string, made, due time.Time) {
		err := s.config.Store.Update(t.Context(), func(tx catalog.Tx) error {
			_, err := tx.Jobs().Enqueue(context.Background(), catalog.Job{ID: id, Kind: id, RunAt: due, CreatedAt: made, MaxAttempts: 1})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	jobs := func() (wire.HealthStatus, string) {
		s.handler = s.front.Wrap(s.mux()) // looks again at once
		for _, c := range decode[wire.HealthDetails](t, get(s, "GET", "/health/detailed")).Components {
			if c.Name == "jobs" {
				return c.Status, c.Detail
			}
		}
		return "", ""
	}
	add("planned", now.Add(-time.Hour), now.Add(time.Hour))
	if status, detail := jobs(); status != wire.HealthOK || detail != "1 wait" {
		t.Errorf("a job that is due in an hour: %s, %s", status, detail)
	}
	add("late", now.Add(-time.Minute), now.Add(-20*time.Minute))
	if status, detail := jobs(); status != wire.HealthDown || !strings.Contains(detail, "due for 20m") {
		t.Errorf("a job that is due for twenty minutes: %s, %s", status, detail)
	}
}
