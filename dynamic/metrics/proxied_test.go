package metrics

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestProxied(t *testing.T) {
	m := New(&State{Now: time.Now, Snapshot: func() (string, time.Time, time.Time, int) { return "", time.Time{}, time.Time{}, 0 }})
	m.Proxied("rivers", true)
	m.Proxied("rivers", true)
	m.Proxied("rivers", false)
	for n := range entriesMax + 9 {
		m.Proxied(fmt.Sprint("e", n), true)
	}
	m.Proxied("rivers", false)
	text := scrape(t, m)
	wantLines(t, text, `assay_proxy_requests_total{entry="rivers",outcome="answered"} 2`, `assay_proxy_requests_total{entry="rivers",outcome="failed"} 2`,
		`assay_proxy_requests_total{entry="e0",outcome="answered"} 1`, `assay_proxy_requests_total{entry="other",outcome="answered"} 10`)
	if n := strings.Count(text, "assay_proxy_requests_total{"); n != entriesMax+2 {
		t.Errorf("%d series", n)
	}
}
