package fetch

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pace keeps the gap between the requests to a host.
type pace struct {
	gap   time.Duration
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
	mu    sync.Mutex
	next  map[string]time.Time
}

// wait returns when the host may be asked again. Those who wait are let
// through one by one, in the order in which they came.
func (p *pace) wait(ctx context.Context, host string) error {
	host = strings.ToLower(host)
	p.mu.Lock()
	now := p.now()
	turn := p.next[host]
	if turn.Before(now) {
		turn = now
	}
	p.next[host] = turn.Add(p.gap)
	p.mu.Unlock()
	if turn.After(now) {
		return p.sleep(ctx, turn.Sub(now))
	}
	return ctx.Err()
}

// rest leaves the host alone for a while.
func (p *pace) rest(host string, d time.Duration) {
	host = strings.ToLower(host)
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := p.now().Add(d); until.After(p.next[host]) {
		p.next[host] = until
	}
}

// retryAfter reads the pause that a host asks for, in seconds or as a date
// (RFC 9110, section 10.2.3); 0 is none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if t, err := http.ParseTime(value); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}
