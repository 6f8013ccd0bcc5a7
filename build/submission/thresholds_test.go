package submission_test

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestThresholds: what is half proven is public, waits or is rejected as the
// register wants it.
func TestThresholds(t *testing.T) {
	const proved = 40 // the official domain
	for _, c := range []struct {
		thresholds catalog.Thresholds
		state      catalog.SubmissionState
		status     catalog.Status
	}{
		{catalog.Thresholds{}, catalog.SubmissionQuarantined, catalog.StatusPending},
		{catalog.Thresholds{Approve: proved, Quarantine: 1}, catalog.SubmissionApproved, catalog.StatusActive},
		{catalog.Thresholds{Approve: proved + 1, Quarantine: proved}, catalog.SubmissionQuarantined, catalog.StatusPending},
		{catalog.Thresholds{Approve: 100, Quarantine: proved + 1}, catalog.SubmissionRejected, ""},
	} {
		w := newWorld(t, site{"data.stat.example/rain": text("text/html; charset=utf-8", datasetPage)})
		w.checker.Options.Thresholds = c.thresholds
		s, e := w.run(t, w.propose(t, catalog.Submission{URL: "http://data.stat.example/rain"}))
		if s.State != c.state || s.Officialness != proved || (e == nil) != (c.status == "") || e != nil && e.Status != c.status {
			t.Errorf("%+v: %s (%s), officialness %d, entry %+v", c.thresholds, s.State, s.Reason(), s.Officialness, e)
		}
	}
}
