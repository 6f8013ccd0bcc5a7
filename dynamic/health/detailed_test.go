package health

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

func TestDetailed(t *testing.T) {
	dir := t.TempDir()
	library, err := query.Open(dir, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	now, looks := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), 0
	var answer error
	checks := []Check{{"store", func(context.Context) (string, error) {
		looks++
		return "seen", answer
	}}}
	h := Detailed(library, checks, slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return now })
	front := &web.Front{Log: slog.New(slog.DiscardHandler), Now: time.Now, Site: library.Site, Timeout: time.Second}
	ask := func(h web.Handler) (int, wire.HealthDetails) {
		w := httptest.NewRecorder()
		front.Wrap(front.Adapt(h)).ServeHTTP(w, httptest.NewRequest("GET", "/health/detailed", nil))
		var d wire.HealthDetails
		json.Unmarshal(w.Body.Bytes(), &d)
		return w.Code, d
	}
	if code, _ := ask(h); code != 503 || looks != 0 {
		t.Errorf("without a snapshot: %d, %d looks", code, looks)
	}
	site := sitetest.Make(t, dir, sitetest.Options{Entries: 3})
	if err := library.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	code, d := ask(h)
	if code != 200 || d.Status != wire.HealthOK || d.Snapshot != site.Catalog.ID || len(d.Components) != 1 || d.Components[0].Detail != "seen" {
		t.Errorf("%d %+v", code, d)
	}
	answer = errors.New("password is 1234")
	if _, d := ask(h); d.Status != wire.HealthOK || looks != 1 {
		t.Errorf("looked again at once: %d looks", looks)
	}
	now = now.Add(lookEvery)
	if code, d := ask(h); code != 200 || d.Status != wire.HealthDegraded || d.Components[0].Status != wire.HealthDown {
		t.Errorf("a component is down: %d %+v", code, d)
	}
	if !strings.Contains(log.String(), "1234") {
		t.Error("why it is down was not logged")
	}
	for err, want := range map[error]wire.HealthStatus{ErrOff: wire.HealthOff, ErrDown: wire.HealthDown} {
		one := &detailed{log: slog.New(slog.DiscardHandler), now: time.Now}
		if got := one.one(t.Context(), Check{"x", func(context.Context) (string, error) { return "", err }}); got.Status != want {
			t.Errorf("%v is shown as %s", err, got.Status)
		}
	}
}

// TestAComponentThatHangs is down, and the answer does not wait for it.
func TestAComponentThatHangs(t *testing.T) {
	d := &detailed{log: slog.New(slog.DiscardHandler), now: time.Now, checks: []Check{
		{"slow", func(ctx context.Context) (string, error) { <-ctx.Done(); return "does not answer", ctx.Err() }},
		{"fast", func(context.Context) (string, error) { return "answers", nil }},
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	h := d.ask(ctx)
	if h.Status != wire.HealthDegraded || h.Components[0].Status != wire.HealthDown || h.Components[1].Status != wire.HealthOK {
		t.Errorf("%+v", h)
	}
}
