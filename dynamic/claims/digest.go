package claims

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/watches"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Digest is the operation askDigest. The digest is a watch about what was claimed: it is
// confirmed, changed and ended as one.
func (g *Group) Digest(w http.ResponseWriter, r *http.Request) error {
	var ask wire.DigestRequest
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	if !g.Mails {
		return conflict("This register sends no mail.")
	}
	lang, err := watches.Language(r, ask.Lang)
	if err != nil {
		return err
	}
	now := g.now()
	watch := catalog.Watch{ID: catalog.NewID("watch", rand.Text()), Email: strings.TrimSpace(ask.Email), State: catalog.WatchPending, Frequency: cmp.Or(ask.Frequency, catalog.FrequencyDaily),
		Filter: catalog.EventFilter{Types: catalog.DigestKinds()}, Lang: lang, CreatedAt: now, UpdatedAt: now}
	_, err = g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		if c.State != catalog.ClaimVerified {
			return conflict("The claim is not proved yet.")
		}
		watch.Digest = &catalog.Digest{}
		watch.Digest.Take(c)
		if err := watch.Validate(); err != nil {
			return err
		}
		return watches.Ask(ctx, tx, &watch)
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusAccepted, watches.Receipt)
}
