package claims

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// How often a source is read again because an owner asks: one that is run by who claims, and one
// that lists what others publish too.
const ownSource, sharedSource = time.Hour, 24 * time.Hour

// Recheck is the operation recheckClaim: the catalogue that lists the entry is read again, and the entry
// is probed.
func (g *Group) Recheck(w http.ResponseWriter, r *http.Request) error {
	var ask wire.OwnerProbe
	if err := web.Decode(r, &ask); err != nil {
		return err
	}
	out := wire.Recheck{}
	_, err := g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		out = wire.Recheck{}
		e, err := g.own(ctx, tx, c, ask.Entry)
		if err != nil {
			return err
		}
		out.StatusURL = g.Site().BaseURL + "/api/v1/entries/" + e.ID + "/quality"
		if out.Probe, err = g.queue(ctx, tx, catalog.JobVerification, "owner "+e.ID, catalog.ClaimPause, catalog.VerificationPayload{Entries: []string{e.ID}}); err != nil {
			return err
		}
		if e.SourceID == "" {
			return nil
		}
		pause, err := rereads(ctx, tx, c, e.SourceID)
		if err != nil {
			return err
		}
		out.Harvest, err = g.queue(ctx, tx, catalog.JobDiscovery, "owner "+e.SourceID, pause, catalog.DiscoveryPayload{Sources: []string{e.SourceID}, Anew: true})
		return err
	})
	if err != nil {
		return err
	}
	if out.Probe == nil && out.Harvest == nil {
		return conflict("It was checked just now. An entry is checked again once in ten minutes, a catalogue of yours once an hour, one that lists what others publish once a day.")
	}
	return web.Reply(w, r, http.StatusAccepted, out)
}

// rereads is how long a source is not read again for an owner.
func rereads(ctx context.Context, tx catalog.Tx, c *catalog.Claim, source string) (time.Duration, error) {
	if c.Source {
		return ownSource, nil
	}
	sources, err := tx.Sources().All(ctx)
	for i := range sources {
		if s := &sources[i]; s.ID == source && s.InstitutionID == c.SubjectID {
			return ownSource, err
		}
	}
	return sharedSource, err
}

// queue stores a job once in each span of time, and returns its id, nil where there is one already.
func (g *Group) queue(ctx context.Context, tx catalog.Tx, kind, key string, pause time.Duration, payload any) (*string, error) {
	doc, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	now := g.now()
	id := slotOf(key, now, pause)
	stored, err := tx.Jobs().Enqueue(ctx, catalog.Job{ID: id, Kind: kind, UniqueKey: kind + " " + key, Payload: doc, RunAt: now, CreatedAt: now, MaxAttempts: jobAttempts})
	if err != nil || len(stored) == 0 {
		return nil, err
	}
	return &id, nil
}

// slotOf is the id of the job of a span of time: the same span has the same id, which is stored once.
func slotOf(key string, at time.Time, pause time.Duration) string {
	return catalog.NewID("job", strings.Join([]string{key, at.Truncate(pause).Format(time.RFC3339)}, " "))
}
