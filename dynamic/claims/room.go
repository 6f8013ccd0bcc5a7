package claims

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/assay-register/assay/dynamic/limit"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// begin counts a claim of the client on a thing, so that nobody fills it alone.
func (g *Group) begin(ctx context.Context, subject string) error {
	if g.Begun == nil {
		return nil
	}
	return tooMany("This client has begun as many claims of this as it may in a day; prove one of them, or go on later.", g.Begun.Take(web.ClientOf(ctx)+" "+subject))
}

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
		return tooMany("Very many claims of this were begun within the hour; try again later, or ask a moderator.", limit.Standing{Reset: catalog.ClaimRoom})
	}
	c := &all[oldest]
	kind := c.End("not proved, and many others claim the same: claim it again", now)
	if err := tx.Claims().Put(ctx, *c); err != nil {
		return err
	}
	return g.announce(ctx, tx, c, kind, now)
}

// tooMany is the 429 of a standing that is not OK.
func tooMany(detail string, s limit.Standing) error {
	if s.OK {
		return nil
	}
	return &web.Error{Problem: wire.Problem{Status: http.StatusTooManyRequests, Detail: detail},
		Header: http.Header{"Retry-After": {strconv.Itoa(int(s.Reset/time.Second) + 1)}}}
}
