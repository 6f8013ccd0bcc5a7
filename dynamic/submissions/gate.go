package submissions

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

const (
	// batchMax is how many requests one transaction takes, waitingMax how many
	// may wait for the next one.
	batchMax, waitingMax = 64, 4096
	// writeTime is how long a transaction may take.
	writeTime = 20 * time.Second
)

// ticket is one request on its way into the store.
type ticket struct {
	submission catalog.Submission
	// token is that of the submitter's status address.
	token string
	// key and request are those of a catalog.Replay, "" without a key.
	key, request string
	done         chan struct{}
	// body and err are the answer, set before done is closed.
	body []byte
	err  error
}

// gate writes requests that come at the same time in one transaction: the
// commit is what takes long, and it is shared.
type gate struct {
	write func(context.Context, []*ticket) error

	mu      sync.Mutex
	waiting []*ticket
	busy    bool
}

// pass waits until the request is written, or the client has gone.
func (g *gate) pass(ctx context.Context, t *ticket) error {
	t.done = make(chan struct{})
	g.mu.Lock()
	if len(g.waiting) >= waitingMax {
		g.mu.Unlock()
		return &web.Error{Problem: wire.Problem{Status: http.StatusServiceUnavailable, Detail: "Too many requests wait to be stored; try again shortly."}}
	}
	g.waiting = append(g.waiting, t)
	begin := !g.busy
	g.busy = true
	g.mu.Unlock()
	if begin {
		// Not with the client's context: others are in the same transaction.
		go g.run(context.WithoutCancel(ctx))
	}
	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run writes until nothing waits.
func (g *gate) run(ctx context.Context) {
	for {
		g.mu.Lock()
		n := min(len(g.waiting), batchMax)
		batch := g.waiting[:n:n]
		g.waiting = g.waiting[n:]
		g.busy = n > 0
		g.mu.Unlock()
		if n == 0 {
			return
		}
		g.settle(ctx, batch)
	}
}

// settle writes a batch. If the store refuses it, each request is tried alone,
// so that only the one that is at fault fails.
func (g *gate) settle(ctx context.Context, batch []*ticket) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	err := g.write(ctx, batch)
	if err != nil && len(batch) > 1 && ctx.Err() == nil {
		for i := range batch {
			g.settle(ctx, batch[i:i+1])
		}
		return
	}
	for _, t := range batch {
		if err != nil {
			t.body, t.err = nil, err
		}
		close(t.done)
	}
}
