package watches

import (
	"context"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/render/catalog"
)

// own makes the confirmed digest of an owner active and queues its first mail. An address has
// one digest, so that it never gets two mails on a day: where there is one already, it takes
// the claims of the new one, keeps what it has still to tell, and the new one goes.
func (g *Group) own(ctx context.Context, tx catalog.Tx, w *catalog.Watch, now time.Time) (*catalog.Watch, error) {
	all, err := tx.Watches().Of(ctx, w.Email)
	if err != nil {
		return nil, err
	}
	for i := range all {
		o := &all[i]
		if o.ID == w.ID || o.State != catalog.WatchActive || o.Digest == nil {
			continue
		}
		for k := range w.Digest.Claims {
			c, err := tx.Claims().Get(ctx, w.Digest.Claims[k])
			if err != nil {
				return nil, err
			}
			o.Digest.Take(c)
		}
		o.Frequency, o.Lang, o.UpdatedAt = w.Frequency, w.Lang, now
		if err := tx.Watches().Delete(ctx, w.ID); err != nil {
			return nil, err
		}
		return o, tx.Watches().Put(ctx, *o)
	}
	if err := tx.Watches().Put(ctx, *w); err != nil {
		return nil, err
	}
	_, err = tx.Jobs().Enqueue(ctx, notify.NewMailJob(notify.JobDigest, w.ID, now, w.Next(now)))
	return w, err
}
