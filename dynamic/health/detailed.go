package health

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// lookTimeout bounds how long one component is looked at; lookEvery is how
// long what was seen is shown again, so that nobody keeps the store busy.
const (
	lookTimeout = 3 * time.Second
	lookEvery   = 2 * time.Second
)

// States of a component besides working: ErrOff is one that this service does
// without, ErrDown one that it should have.
var (
	ErrOff  = errors.New("off")
	ErrDown = errors.New("down")
)

// Check looks at one component. What Look returns is shown to everybody; its
// error, if it is neither ErrOff nor ErrDown, is logged only.
type Check struct {
	Name string
	Look func(context.Context) (detail string, err error)
}

// detailed remembers what was seen last.
type detailed struct {
	library *query.Library
	checks  []Check
	log     *slog.Logger
	now     func() time.Time

	mu   sync.Mutex
	seen wire.HealthDetails
	at   time.Time
}

// Detailed answers with the state of each component, 503 while there is no
// snapshot or no site to answer from.
func Detailed(library *query.Library, checks []Check, log *slog.Logger, now func() time.Time) web.Handler {
	d := &detailed{library: library, checks: checks, log: log, now: now}
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := library.Check(); err != nil {
			return err
		}
		s, err := library.At(r.Context(), "")
		if err != nil {
			return err
		}
		answer := d.look(r.Context())
		answer.Snapshot = s.ID
		return web.Reply(w, r, http.StatusOK, answer)
	}
}

// look asks all components, one caller for all who wait.
func (d *detailed) look(ctx context.Context) wire.HealthDetails {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := d.now(); d.at.IsZero() || now.Sub(d.at) >= lookEvery {
		d.seen, d.at = d.ask(context.WithoutCancel(ctx)), now
	}
	return d.seen
}

func (d *detailed) ask(ctx context.Context) wire.HealthDetails {
	h := wire.HealthDetails{Status: wire.HealthOK, CheckedAt: d.now().UTC().Format(time.RFC3339), Components: make([]wire.HealthComponent, len(d.checks))}
	var group sync.WaitGroup
	for i, c := range d.checks {
		group.Go(func() { h.Components[i] = d.one(ctx, c) })
	}
	group.Wait()
	for _, c := range h.Components {
		if c.Status == wire.HealthDown {
			h.Status = wire.HealthDegraded
		}
	}
	return h
}

func (d *detailed) one(ctx context.Context, c Check) wire.HealthComponent {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	begin := d.now()
	detail, err := c.Look(ctx)
	out := wire.HealthComponent{Name: c.Name, Status: wire.HealthOK, Detail: detail, TookMS: max(0, d.now().Sub(begin).Milliseconds())}
	switch {
	case errors.Is(err, ErrOff):
		out.Status = wire.HealthOff
	case err != nil:
		out.Status = wire.HealthDown
		if !errors.Is(err, ErrDown) {
			d.log.WarnContext(ctx, "a component is down", "component", c.Name, "error", err)
		}
	}
	return out
}
