package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// paceKey is the name in Meta of the pace of the last run that checked what
// was due.
const paceKey = "verify.pace"

// Pace is how often entries are checked and how long a host is left alone
// between two requests.
type Pace struct {
	Cadence time.Duration `json:"cadence"`
	Gap     time.Duration `json:"gap"`
}

// ReadPace returns the pace of a store's checks, the default before the first.
func ReadPace(ctx context.Context, tx catalog.Tx) (Pace, error) {
	p := Pace{DefaultCadence, DefaultGap}
	value, err := tx.Meta().Get(ctx, paceKey)
	if err != nil || value == "" {
		return p, err
	}
	if err := json.Unmarshal([]byte(value), &p); err != nil || p.Cadence <= 0 || p.Gap <= 0 {
		return p, fmt.Errorf("meta %s holds %q: delete it, and the next run of checks writes it: %w", paceKey, short(value), catalog.ErrInvalid)
	}
	return p, nil
}

// keepPace notes the pace of a run that checks what is due, so that builds can
// say what was meant and what is real.
func (r *Runner) keepPace(ctx context.Context, sel Selection) error {
	if len(sel.Entries) > 0 {
		return nil
	}
	now := Pace{r.cadence(), r.Prober.Gap()}
	var known Pace
	err := r.Store.View(ctx, func(tx catalog.Tx) (err error) {
		known, err = ReadPace(ctx, tx)
		return err
	})
	if err != nil || known == now {
		return err
	}
	doc, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return r.Store.Update(ctx, func(tx catalog.Tx) error { return tx.Meta().Set(ctx, paceKey, string(doc)) })
}
