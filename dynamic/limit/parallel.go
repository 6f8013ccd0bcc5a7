package limit

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// Parallel bounds how many requests are answered at the same time: those of
// one client, and those of all. It is safe for concurrent use.
//
// The last quarter of the places is for clients that have none under way, so that a
// few clients, each with as many as it may have, never take all.
type Parallel struct {
	// Name is what clients are told the policy is called.
	Name string
	// Each is how many one client may have under way, All how many all have
	// together.
	Each, All int

	mu       sync.Mutex
	underway map[string]int
	total    int
}

// NewParallel makes a bound of requests that are under way.
func NewParallel(name string, each, all int) *Parallel {
	return &Parallel{Name: name, Each: each, All: all, underway: map[string]int{}}
}

// parallelRetry is the number of seconds after which a refused client may try
// again: requests end soon.
const parallelRetry = "1"

// Guard answers 429 to a client that has too many requests under way, before
// anyone else is made to wait for it, and 503 while all together are too many. A
// request has no place before its body has come: who sends it slowly keeps nobody out.
func (p *Parallel) Guard(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if exempt(r.Context()) || r.Method == http.MethodOptions {
			return next(w, r)
		}
		if err := web.Receive(r); err != nil {
			return err
		}
		client := web.ClientOf(r.Context())
		if err := p.enter(client); err != nil {
			return err
		}
		defer p.leave(client)
		return next(w, r)
	}
}

// keptPart is which part of the places is kept for clients that have none.
const keptPart = 4

func (p *Parallel) enter(client string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	has, free := p.underway[client], p.All-p.total
	switch {
	case has >= p.Each || has > 0 && free <= p.All/keptPart:
		return &web.Error{
			Problem: wire.Problem{Status: http.StatusTooManyRequests, Type: web.ProblemQuota, ViolatedPolicies: []string{p.Name},
				Detail: fmt.Sprintf("This client has %d requests under way, as many as the policy %q allows now; wait for one of them.", has, p.Name)},
			Header: http.Header{"Retry-After": {parallelRetry}},
		}
	case free <= 0:
		return &web.Error{
			Problem: wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The service has as many requests under way as it can hold; try again shortly."},
			Header:  http.Header{"Retry-After": {parallelRetry}},
		}
	}
	p.underway[client]++
	p.total++
	return nil
}

func (p *Parallel) leave(client string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total--
	if p.underway[client]--; p.underway[client] == 0 {
		delete(p.underway, client)
	}
}
