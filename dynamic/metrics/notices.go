package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// notices count what was told to others.
type notices struct {
	attempts, mails *prometheus.CounterVec
	seconds         prometheus.Histogram
}

func newNotices() notices {
	n := notices{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "assay_webhook_attempts_total", Help: "Attempts to deliver to webhooks by outcome."}, []string{"outcome"}),
		mails:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "assay_mails_total", Help: "Mails by outcome; one that is tried again counts again."}, []string{"outcome"}),
		seconds:  prometheus.NewHistogram(prometheus.HistogramOpts{Name: "assay_webhook_attempt_seconds", Buckets: buckets, Help: "Time of an attempt to deliver to a webhook."}),
	}
	for _, ok := range []bool{true, false} { // alerts compare them before there is one of each
		n.attempts.WithLabelValues(outcome(ok))
		n.mails.WithLabelValues(outcome(ok))
	}
	return n
}

func outcome(ok bool) string {
	if ok {
		return "delivered"
	}
	return "failed"
}

// Attempt counts an attempt to deliver to a webhook.
func (m *Metrics) Attempt(ok bool, took time.Duration) {
	m.notices.attempts.WithLabelValues(outcome(ok)).Inc()
	m.notices.seconds.Observe(took.Seconds())
}

// Mail counts a mail.
func (m *Metrics) Mail(ok bool) { m.notices.mails.WithLabelValues(outcome(ok)).Inc() }
