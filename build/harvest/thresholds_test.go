package harvest_test

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/proof"
	"github.com/assay-register/assay/render/catalog"
)

// TestThresholdsMove: what waits becomes public by the next listing when the
// threshold sinks to it, and what is public stays when it rises.
func TestThresholdsMove(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	w.run(w.plain, harvest.Options{}, d)
	if e := w.only(); e.Status != catalog.StatusPending || !strings.Contains(e.StatusReason, "from 40") {
		t.Fatalf("status %s, %q", e.Status, e.StatusReason)
	}
	w.run(w.plain, harvest.Options{Thresholds: catalog.Thresholds{Approve: 40, Quarantine: 40}}, d)
	if e := w.only(); e.Status != catalog.StatusActive || e.Admission.Rule != catalog.AdmittedByRule || !strings.Contains(e.Admission.Reason, "40 are enough") {
		t.Fatalf("status %s, admission %+v", e.Status, e.Admission)
	}
	w.run(w.plain, harvest.Options{Thresholds: catalog.Thresholds{Approve: 100, Quarantine: 100}}, d)
	if e := w.only(); e.Status != catalog.StatusActive {
		t.Errorf("status %s", e.Status)
	}
}

// TestProveAtThresholds: a look at the web admits by the thresholds that it is
// given.
func TestProveAtThresholds(t *testing.T) {
	for _, c := range []struct {
		thresholds catalog.Thresholds
		want       catalog.Status
	}{
		{catalog.Thresholds{}, catalog.StatusPending},
		{catalog.Thresholds{Approve: 50, Quarantine: 40}, catalog.StatusActive},
		{catalog.Thresholds{Approve: 51, Quarantine: 40}, catalog.StatusPending},
	} {
		w := newWorld(t)
		w.run(w.plain, harvest.Options{}, draft("h:k:1", "Tide Times", tides))
		w.prove(&prover{policy: proof.Untried, reciprocal: proof.Held}, harvest.ProveOptions{Thresholds: c.thresholds})
		if e := w.only(); e.Status != c.want {
			t.Errorf("%+v: status %s", c.thresholds, e.Status)
		}
	}
}
