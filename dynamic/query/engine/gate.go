package engine

import (
	"context"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/assay-register/assay/render/wire"
)

// Bounds of the queue before a gate.
const (
	queueMax  = 128
	waitLimit = 10 * time.Second
)

// Gate lets a few do expensive work at the same time. Others wait for their
// turn, a bounded number of them for a bounded time. It is safe for concurrent
// use.
type Gate struct {
	slots   chan struct{}
	waiting atomic.Int64
}

// NewGate makes a gate for so many at a time.
func NewGate(n int) *Gate { return &Gate{slots: make(chan struct{}, n)} }

// Heavy is a gate for expensive queries that leaves half of the processors to
// cheap ones.
func Heavy() *Gate { return NewGate(max(1, runtime.GOMAXPROCS(0)/2)) }

// Enter waits for a turn. Who entered must call leave. The error is the
// context's, or says that too many wait.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.slots <- struct{}{}:
		return g.leave, nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > queueMax {
		return nil, errBusy
	}
	patience := time.NewTimer(waitLimit)
	defer patience.Stop()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-patience.C:
		return nil, errBusy
	case g.slots <- struct{}{}:
		return g.leave, nil
	}
}

func (g *Gate) leave() { <-g.slots }

// busyError says that too many wait for the same.
type busyError struct{}

var errBusy error = busyError{}

// Error implements error.
func (busyError) Error() string { return "too many expensive queries wait" }

// Problem asks for patience.
func (busyError) Problem() wire.Problem {
	return wire.Problem{Status: http.StatusServiceUnavailable, Detail: "Too many expensive queries wait for their turn; try again shortly, or ask for less."}
}

// Expected tells that this is no fault: it is what keeps the service going.
func (busyError) Expected() bool { return true }
