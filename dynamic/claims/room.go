package claims

import (
	"context"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
)

// room ends the oldest claim that nobody has begun to prove where there are as many as a thing
// may have: what is unproven must never stand in the way of a proof.
func (g *Group) room(ctx context.Context, tx catalog.Tx, all []catalog.Claim, now time.Time) error {
	open, oldest := 0, -1
	for i := range all {
		c := &all[i]
		if c.State == catalog.ClaimEnded {
			continue
		}
		open++
		idle := c.State == catalog.ClaimPending && c.SeenAt.IsZero() && now.Sub(c.CreatedAt) >= catalog.ClaimRoom
		if idle && (oldest < 0 || c.CreatedAt.Before(all[oldest].CreatedAt)) {
			oldest = i
		}
	}
	if open < catalog.ClaimsMax {
		return nil
	}
	if oldest < 0 {
		return web.TooMany("Very many claims of this were begun within the hour; try again later, or ask a moderator.", catalog.ClaimRoom)
	}
	c := &all[oldest]
	kind := c.End("not proved, and many others claim the same: claim it again", now)
	if err := tx.Claims().Put(ctx, *c); err != nil {
		return err
	}
	return g.announce(ctx, tx, c, kind, now)
}
