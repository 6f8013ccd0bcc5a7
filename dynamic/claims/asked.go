package claims

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Asked is the operation getAskedChecks: how the latest checks of an entry stand that its owner asked for.
func (g *Group) Asked(w http.ResponseWriter, r *http.Request) error {
	q, err := query.ReadPlain(r, wire.ClaimReportsParams())
	if err != nil {
		return err
	}
	var out wire.AskedChecks
	_, err = g.owned(r, func(ctx context.Context, tx catalog.Tx, c *catalog.Claim) error {
		out = wire.AskedChecks{}
		e, err := g.own(ctx, tx, c, q["entry"])
		if err != nil {
			return err
		}
		if out.Probe, err = g.askedProbe(ctx, tx, e.ID); err != nil || e.SourceID == "" {
			return err
		}
		pause, err := rereads(ctx, tx, c, e.SourceID)
		if err != nil {
			return err
		}
		out.Harvest, err = g.askedHarvest(ctx, tx, e.SourceID, pause)
		return err
	})
	if err != nil {
		return err
	}
	return web.Reply(w, r, http.StatusOK, out)
}

// asked is the latest job of a key, nil where none was queued in this span of time or the one before.
func (g *Group) asked(ctx context.Context, tx catalog.Tx, key string, pause time.Duration) (*catalog.Job, error) {
	for _, at := range []time.Time{g.now(), g.now().Add(-pause)} {
		j, err := tx.Jobs().Get(ctx, slotOf(key, at, pause))
		if !errors.Is(err, catalog.ErrNotFound) {
			return j, err
		}
	}
	return nil, nil
}

func (g *Group) askedProbe(ctx context.Context, tx catalog.Tx, entry string) (*wire.AskedProbe, error) {
	j, err := g.asked(ctx, tx, "owner "+entry, catalog.ClaimPause)
	if j == nil || err != nil {
		return nil, err
	}
	out := &wire.AskedProbe{AskedJob: wire.NewAskedJob(j), Found: []wire.ProbeFinding{}}
	var progress struct {
		Found []catalog.ProbeFinding `json:"found"`
	}
	_ = json.Unmarshal(j.Progress, &progress) // a job that has not begun tells nothing
	for i := range progress.Found {
		out.Found = append(out.Found, wire.NewProbeFinding(&progress.Found[i]))
	}
	return out, nil
}

func (g *Group) askedHarvest(ctx context.Context, tx catalog.Tx, source string, pause time.Duration) (*wire.AskedHarvest, error) {
	j, err := g.asked(ctx, tx, "owner "+source, pause)
	if j == nil || err != nil {
		return nil, err
	}
	out := &wire.AskedHarvest{AskedJob: wire.NewAskedJob(j)}
	var progress catalog.DiscoveryProgress
	_ = json.Unmarshal(j.Progress, &progress)
	out.Records = progress.Records
	for _, r := range progress.Results {
		out.Waits = r.Waits
		if !r.Waits && r.Error != "" {
			out.Error = &r.Error
		}
	}
	return out, nil
}
