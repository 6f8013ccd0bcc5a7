package metrics

import (
	"testing"
	"time"
)

func TestNotices(t *testing.T) {
	m := New(&State{Now: time.Now, Snapshot: func() (string, time.Time, time.Time, int) { return "", time.Time{}, time.Time{}, 0 }})
	m.Attempt(true, 20*time.Millisecond)
	m.Attempt(true, 20*time.Millisecond)
	m.Attempt(false, 3*time.Second)
	m.Mail(true)
	m.Mail(false)
	wantLines(t, scrape(t, m), `assay_webhook_attempts_total{outcome="delivered"} 2`, `assay_webhook_attempts_total{outcome="failed"} 1`,
		`assay_mails_total{outcome="delivered"} 1`, `assay_mails_total{outcome="failed"} 1`, `assay_webhook_attempt_seconds_bucket{le="0.025"} 2`, "assay_webhook_attempt_seconds_count 3")
}
