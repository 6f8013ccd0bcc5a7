// Package submission checks what people propose: it fetches the address,
// finds out what is there with the readers of the harvest, looks for the
// proofs of officialness, and decides by the rule of the register.
package submission

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/proof"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// Bounds of a check.
const (
	// checkTime is how long a check may take.
	checkTime = 90 * time.Second
	// knowledge is how old what is known of institutions and sources may be.
	knowledge = time.Minute
	// pagesMax bounds the pages that are looked at for proofs.
	pagesMax = 6
)

// Checker takes the jobs that check submissions.
type Checker struct {
	Store catalog.Store
	// Fetcher gets pages, Prober speaks to MCP servers; both reach nothing
	// but public addresses.
	Fetcher *fetch.Fetcher
	Prober  *verify.Prober
	Clock   func() time.Time
	// Options are those of a harvest: the blocklist, the window of
	// publication, the thresholds.
	Options harvest.Options
	// AllowPrivate accepts loopback and private addresses (decisions §1).
	AllowPrivate bool
	Log          *slog.Logger

	mu     sync.Mutex
	intake *harvest.Intake
	opened time.Time
}

// open gives the intake as of now.
func (c *Checker) open(ctx context.Context) (*harvest.Intake, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Clock()
	if c.intake == nil || now.Sub(c.opened) >= knowledge {
		opts := c.Options
		opts.Now = now
		intake, err := harvest.OpenIntake(ctx, c.Store, opts)
		if err != nil {
			return nil, err
		}
		c.intake, c.opened = intake, now
	}
	return c.intake.At(now.UTC().Truncate(time.Microsecond)), nil
}

func (c *Checker) prover() *proof.Web {
	return proof.NewWeb(c.Fetcher.Session(nil).Fetch, proof.Limits{Pages: pagesMax})
}
