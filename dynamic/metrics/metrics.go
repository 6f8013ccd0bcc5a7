// Package metrics counts what the service does and shows it to Prometheus.
package metrics

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/assay-register/assay/dynamic/web"
)

// buckets of the time that an answer takes, in seconds.
var buckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// Metrics are the counters of one service.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	inFlight prometheus.Gauge
	notices  notices
	proxied  proxied
	// known are the series of the answers that were counted before: looking
	// them up by their labels costs more than counting.
	mu    sync.RWMutex
	known map[answer]series
}

// answer is a kind of answer that is counted by itself.
type answer struct {
	operation string
	status    int
}

type series struct {
	requests prometheus.Counter
	seconds  prometheus.Observer
}

// New makes the counters; what stands in state is read when it is asked for.
func New(state *State) *Metrics {
	m := &Metrics{
		known:    map[answer]series{},
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "assay_requests_total",
			Help: "Answers by operation and status; documents are the operation static."}, []string{"operation", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "assay_request_seconds", Buckets: buckets,
			Help: "Time from the head of a request to the end of its answer, by operation."}, []string{"operation"}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "assay_rate_limited_total",
			Help: "Requests that were refused for a rate limit, by operation."}, []string{"operation"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "assay_requests_in_flight", Help: "Requests that are being answered."}),
		notices:  newNotices(),
		proxied:  newProxied(),
	}
	m.registry.MustRegister(m.notices.attempts, m.notices.seconds, m.notices.mails, m.proxied.requests)
	m.registry.MustRegister(m.requests, m.seconds, m.limited, m.inFlight, state,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Begin counts a request that comes in.
func (m *Metrics) Begin() { m.inFlight.Inc() }

// End counts its answer.
func (m *Metrics) End(operation string, status int, took time.Duration) {
	m.inFlight.Dec()
	s := m.series(answer{operation, status})
	s.requests.Inc()
	s.seconds.Observe(took.Seconds())
	if status == http.StatusTooManyRequests {
		m.limited.WithLabelValues(operation).Inc()
	}
}

func (m *Metrics) series(a answer) series {
	m.mu.RLock()
	s, ok := m.known[a]
	m.mu.RUnlock()
	if ok {
		return s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s = series{m.requests.WithLabelValues(a.operation, strconv.Itoa(a.status)), m.seconds.WithLabelValues(a.operation)}
	m.known[a] = s
	return s
}

// Show answers in the text format of Prometheus.
func (m *Metrics) Show() web.Handler {
	h := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", web.CacheNever)
		h.ServeHTTP(w, r)
		return nil
	}
}
