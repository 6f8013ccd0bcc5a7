package notify

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Config is what a dispatcher needs; zero fields
// below Site have defaults.
type Config struct {
	Store catalog.Store
	// Client reaches strangers' servers; it must refuse private addresses when
	// it connects.
	Client *http.Client
	Site   func() snapshot.Site
	Now    func() time.Time
	Log    *slog.Logger
	// Schedule are the pauses before each attempt.
	Schedule []time.Duration
	// Timeout bounds an attempt, Turn how long an endpoint is served before
	// the others have their turn, Poll is how often the store is looked at.
	Timeout, Turn, Poll time.Duration
	// Concurrency is how many endpoints are served at the same time, Each how many
	// deliveries of one.
	Concurrency, Each int
	// Keep is how long ended deliveries stay.
	Keep time.Duration
	// Observe is told of each attempt; nil for nobody.
	Observe func(ok bool, took time.Duration)
	// Notice has the mailer tell the operator when an endpoint is disabled.
	Notice bool
}

// Defaults of a dispatcher.
const (
	defaultTimeout     = 15 * time.Second
	defaultTurn        = 8 * time.Second
	defaultPoll        = time.Second
	defaultConcurrency = 16
	defaultEach        = 8
	defaultKeep        = 30 * 24 * time.Hour
	// leaseSlack is how much longer a lease lasts than its holder may send.
	leaseSlack = 2 * time.Second
)

// Dispatcher delivers to webhooks.
type Dispatcher struct {
	Config
	client *http.Client
	worker string
	slots  chan struct{}
	busy   sync.WaitGroup
}

// New makes a dispatcher; Run makes it work.
func New(c Config) *Dispatcher {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	positive(&c.Timeout, defaultTimeout)
	positive(&c.Turn, defaultTurn)
	positive(&c.Poll, defaultPoll)
	positive(&c.Concurrency, defaultConcurrency)
	positive(&c.Each, defaultEach)
	positive(&c.Keep, defaultKeep)
	if c.Schedule == nil {
		c.Schedule = Schedule()
	}
	if c.Observe == nil {
		c.Observe = func(bool, time.Duration) {}
	}
	client := *c.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Dispatcher{Config: c, client: &client, worker: rand.Text(), slots: make(chan struct{}, c.Concurrency)}
}

func positive[T int | time.Duration](v *T, fallback T) {
	if *v <= 0 {
		*v = fallback
	}
}

// Run delivers until the context ends; then it cuts off what is under way,
// which the next process sends again.
func (d *Dispatcher) Run(ctx context.Context) error {
	defer d.busy.Wait()
	tick := time.NewTicker(d.Poll)
	defer tick.Stop()
	for looks := 0; ; looks++ {
		if looks%tidyEvery == 0 {
			if err := errors.Join(d.rewind(ctx), d.prune(ctx)); err != nil && ctx.Err() == nil {
				d.Log.Error("webhooks", "error", err)
			}
		}
		if err := d.look(ctx); err != nil && ctx.Err() == nil {
			d.Log.Error("webhooks", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// look leases the endpoints that have something to do, as many as there are
// free slots, and begins to serve them.
func (d *Dispatcher) look(ctx context.Context) error {
	free := cap(d.slots) - len(d.slots)
	if free == 0 {
		return nil
	}
	var ids []string
	err := d.Store.View(ctx, func(tx catalog.Tx) (err error) {
		ids, err = tx.Webhooks().Ready(ctx, d.Now(), free)
		return err
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	var leased []catalog.Webhook
	now := d.Now()
	until := now.Add(d.Turn + d.Timeout + leaseSlack)
	err = d.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		leased, err = tx.Webhooks().Lease(ctx, d.worker, now, until, ids...)
		return err
	})
	if err != nil {
		return err
	}
	for i := range leased {
		d.slots <- struct{}{}
		d.busy.Add(1)
		go d.serve(ctx, leased[i].ID, now.Add(d.Turn))
	}
	return nil
}

// serve is the turn of one endpoint.
func (d *Dispatcher) serve(ctx context.Context, id string, stop time.Time) {
	defer d.busy.Done()
	defer func() { <-d.slots }()
	l := &endpointWorker{d: d, id: id, stop: stop, results: make(chan result), inflight: map[string]bool{}}
	if err := l.run(ctx); err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, catalog.ErrLeaseLost) {
		d.Log.Error("webhook", "webhook", id, "error", err)
	}
	if l.delivered+l.failed > 0 {
		d.Log.Info("webhook served", "webhook", id, "delivered", l.delivered, "failed", l.failed, "ms", d.Now().Add(d.Turn).Sub(stop).Milliseconds())
	}
	// The lease ends even when the process is told to end.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseSlack)
	defer cancel()
	err := d.Store.Update(ctx, func(tx catalog.Tx) error { return tx.Webhooks().Release(ctx, id, d.worker, d.Now()) })
	if err != nil {
		d.Log.Warn("webhook: its lease runs out by itself", "webhook", id, "error", err)
	}
}

// Once in so many looks what is old is pruned, so many rows at a time, and what a
// clock that ran ahead wrote is brought back.
const (
	tidyEvery = 600
	pruneRows = 1000
)

func (d *Dispatcher) rewind(ctx context.Context) error {
	var endpoints, messages int64
	err := d.Store.Update(ctx, func(tx catalog.Tx) (err error) {
		if endpoints, err = tx.Webhooks().Rewind(ctx, d.Now().UTC()); err != nil {
			return err
		}
		messages, err = tx.Deliveries().Rewind(ctx, d.Now().UTC())
		return err
	})
	if err == nil && endpoints+messages > 0 {
		d.Log.Warn("webhooks were put off by a clock that ran ahead; they are due now", "endpoints", endpoints, "deliveries", messages)
	}
	return err
}

func (d *Dispatcher) prune(ctx context.Context) error {
	return d.Store.Update(ctx, func(tx catalog.Tx) error {
		_, err := tx.Deliveries().Prune(ctx, d.Now().Add(-d.Keep), pruneRows)
		return err
	})
}
