package metrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// entriesMax bounds the entries that have a series of their own; the requests
// for others are counted together.
const entriesMax = 1000

// entryOther stands for the entries beyond entriesMax.
const entryOther = "other"

// proxied counts what was forwarded to publishers.
type proxied struct {
	requests *prometheus.CounterVec
	mu       sync.Mutex
	known    map[string]bool
}

func newProxied() proxied {
	return proxied{known: map[string]bool{}, requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "assay_proxy_requests_total",
		Help: "Requests forwarded to publishers by entry and outcome; entries after the first thousand are the entry other."}, []string{"entry", "outcome"})}
}

// Proxied counts a request that was forwarded for an entry.
func (m *Metrics) Proxied(slug string, answered bool) {
	p := &m.proxied
	p.mu.Lock()
	if !p.known[slug] {
		if len(p.known) < entriesMax {
			p.known[slug] = true
		} else {
			slug = entryOther
		}
	}
	p.mu.Unlock()
	how := "failed"
	if answered {
		how = "answered"
	}
	p.requests.WithLabelValues(slug, how).Inc()
}
