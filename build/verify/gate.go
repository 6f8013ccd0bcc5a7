package verify

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// gates let one visitor at a time to a host, with a gap after each request.
// The leases in the store keep other processes away; the gates also cover the
// hosts that redirects lead to.
type gates struct {
	gap   time.Duration
	clock func() time.Time
	mu    sync.Mutex
	hosts map[string]*gate
	// full is from how many hosts on those that nobody visits are forgotten.
	full int
}

// gate is the entrance of one host.
type gate struct {
	// turn holds a token while the host is visited.
	turn chan struct{}
	// users counts those who are inside or wait.
	users  int
	holder *visit
	// depth counts the open requests of the holder.
	depth int
	// left is when the last request ended, ready when the next one may begin.
	left, ready time.Time
}

// rewound tells that the clock went back behind the last request, and the pause
// after it with the clock.
func (h *gate) rewound(now time.Time) bool { return now.Before(h.left) }

// errResting is a host that asked to be left alone for a while.
type errResting struct{ until time.Time }

// Error implements error.
func (e errResting) Error() string {
	return fmt.Sprintf("the host asks to be left alone until %s", e.until.UTC().Format(time.RFC3339))
}

// patience is how long a visitor waits for a host that rests.
const patience = 10 * time.Second

// sweepMin is the least number of hosts for which forgetting some pays.
const sweepMin = 4096

func newGates(gap time.Duration, clock func() time.Time) *gates {
	return &gates{gap: gap, clock: clock, hosts: map[string]*gate{}}
}

// enter waits for the visitor's turn. A visitor that is inside already waits
// for the gap only: its first answer may be a stream that stays open.
func (g *gates) enter(ctx context.Context, host string, v *visit) error {
	h := g.join(host)
	if !g.again(h, v) {
		select {
		case h.turn <- struct{}{}:
		case <-ctx.Done():
			g.mu.Lock()
			h.users--
			g.mu.Unlock()
			return ctx.Err()
		}
		g.mu.Lock()
		h.holder, h.depth = v, 1
		g.mu.Unlock()
	}
	if err := g.rest(ctx, h); err != nil {
		g.leave(host, v, false, 0)
		return err
	}
	return nil
}

func (g *gates) join(host string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	h := g.hosts[host]
	if h == nil {
		g.sweep()
		h = &gate{turn: make(chan struct{}, 1)}
		g.hosts[host] = h
	}
	h.users++
	return h
}

func (g *gates) again(h *gate, v *visit) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if h.holder != v || h.depth == 0 {
		return false
	}
	h.depth++
	return true
}

// rest waits until the host may be asked again.
func (g *gates) rest(ctx context.Context, h *gate) error {
	g.mu.Lock()
	now := g.clock()
	if h.rewound(now) {
		h.left, h.ready = now, now.Add(g.gap)
	}
	ready := h.ready
	g.mu.Unlock()
	d := ready.Sub(now)
	if d <= 0 {
		return nil
	}
	if d > patience+g.gap {
		return errResting{ready}
	}
	return sleep(ctx, d)
}

// leave ends a request. asked tells that the host was really asked, so that
// the gap begins; pause is what it asked for itself.
func (g *gates) leave(host string, v *visit, asked bool, pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	h := g.hosts[host]
	if asked {
		now := g.clock()
		if h.rewound(now) {
			h.ready = time.Time{}
		}
		h.left = now
		if ready := h.left.Add(max(g.gap, pause)); ready.After(h.ready) {
			h.ready = ready
		}
	}
	h.users--
	if h.holder == v {
		if h.depth--; h.depth == 0 {
			h.holder = nil
			<-h.turn
		}
	}
}

// sweep forgets the hosts that nobody visits and whose gap is over.
func (g *gates) sweep() {
	if len(g.hosts) < max(g.full, sweepMin) {
		return
	}
	now := g.clock()
	for name, h := range g.hosts {
		if h.users == 0 && (!h.ready.After(now) || h.rewound(now)) {
			delete(g.hosts, name)
		}
	}
	g.full = 2 * len(g.hosts)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
