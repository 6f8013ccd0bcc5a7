package dynamic

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/health"
	"github.com/assay-register/assay/render/wire"
)

// TestWhatWatchersSee asks the state of a service with a store, and of one
// whose store is gone.
func TestWhatWatchersSee(t *testing.T) {
	s := startWithStore(t)
	s.config.Checks = []health.Check{{Name: "roof", Look: func(context.Context) (string, error) { return "fine", nil }}}
	s.handler = s.front.Wrap(s.mux())
	get(s, "GET", "/api/v1/entries?limit=1")
	get(s, "GET", "/api/v1/entries?limit=0")
	_, id := s.library.Site()
	w := get(s, "GET", "/metrics")
	for _, line := range []string{`assay_snapshot_info{snapshot="` + id + `"} 1`, "assay_store_up 1", `assay_requests_total{operation="listEntries",status="200"} 1`,
		`assay_requests_total{operation="listEntries",status="422"} 1`, "assay_requests_in_flight 1"} {
		if w.Code != 200 || !strings.Contains(w.Body.String(), line+"\n") {
			t.Errorf("%d, no line %s", w.Code, line)
		}
	}
	states := func() map[string]wire.HealthStatus {
		d := decode[wire.HealthDetails](t, get(s, "GET", "/health/detailed"))
		out := map[string]wire.HealthStatus{"": d.Status}
		for _, c := range d.Components {
			out[c.Name] = c.Status
		}
		return out
	}
	if got := states(); got["snapshot"] != wire.HealthOK || got["store"] != wire.HealthOK || got["jobs"] != wire.HealthOK || got["proxy"] != wire.HealthOff || got["roof"] != wire.HealthOK {
		t.Errorf("states %v", got)
	}
	s.config.Store.Close()
	s.handler = s.front.Wrap(s.mux()) // looks again at once
	if got := states(); got[""] != wire.HealthDegraded || got["store"] != wire.HealthDown || got["snapshot"] != wire.HealthOK {
		t.Errorf("states without the store %v", got)
	}
	if w := get(s, "GET", "/health"); w.Code != 200 {
		t.Errorf("reads go on without the store, but /health is %d", w.Code)
	}
}
