package claims

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// TestOwnersSeeHowFarTheirChecksAre: what a probe found first is shown before it counts, and a catalogue that another
// process reads is one that waits, not one that was read.
func TestOwnersSeeHowFarTheirChecksAre(t *testing.T) {
	o := newWorld(t)
	c := o.proved()
	at := "/claims/" + c.Claim.ID
	asked := func() wire.AskedChecks {
		t.Helper()
		return decoded[wire.AskedChecks](t, o.want(200, "GET", at+"/checks?entry=rain", c.Secret, ""))
	}
	if got := asked(); got.Probe != nil || got.Harvest != nil {
		t.Errorf("before anything was asked for: %+v", got)
	}
	source := catalog.NewID("source", "office")
	o.listed("rain", source)
	job := decoded[wire.Recheck](t, o.want(202, "POST", at+"/recheck", c.Secret, `{"entry":"rain"}`))
	if got := asked(); got.Probe.Job != *job.Probe || got.Probe.State != catalog.JobQueued || len(got.Probe.Found) != 0 || got.Harvest.Job != *job.Harvest || got.Harvest.Waits {
		t.Errorf("queued: %+v, %+v", got.Probe, got.Harvest)
	}
	found := catalog.ProbeFinding{Entry: "rain", At: o.now(), Error: "no answer within 28s", AgainAt: o.now().Add(30 * time.Second)}
	o.worked(catalog.JobVerification, map[string]any{"found": []catalog.ProbeFinding{found}}, false)
	o.worked(catalog.JobDiscovery, catalog.DiscoveryProgress{Sources: 1, Results: []catalog.DiscoveryResult{{Source: source, Error: "another process has been harvesting this source", Waits: true}}}, false)
	got := asked()
	if p := got.Probe; p.State != catalog.JobRunning || p.FinishedAt != nil || len(p.Found) != 1 || p.Found[0].Up || *p.Found[0].Error != found.Error || *p.Found[0].AgainAt != found.AgainAt.Format(time.RFC3339) {
		t.Errorf("a first finding: %+v", p)
	}
	if h := got.Harvest; !h.Waits || h.Error != nil || h.FinishedAt != nil {
		t.Errorf("a reading that waits: %+v", h)
	}
	o.at = o.at.Add(catalog.ClaimPause) // the next span of time
	o.worked(catalog.JobDiscovery, catalog.DiscoveryProgress{Sources: 1, Ended: 1, Records: 7, Results: []catalog.DiscoveryResult{{Source: source, State: catalog.RunFailed, Error: "no record was found"}}}, true)
	if h := asked().Harvest; h.State != catalog.JobDone || h.Waits || h.FinishedAt == nil || h.Records != 7 || *h.Error != "no record was found" {
		t.Errorf("a reading that brought nothing: %+v", h)
	}
	o.want(422, "GET", at+"/checks?entry=snow", c.Secret, "")
	o.want(401, "GET", at+"/checks?entry=rain", "", "")
}

// worked is what a worker does to the job of a kind: it tells how far it is, and ends it.
func (o *world) worked(kind string, progress any, ends bool) {
	o.t.Helper()
	doc, err := json.Marshal(progress)
	if err != nil {
		o.t.Fatal(err)
	}
	err = o.store.Update(o.t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Jobs().List(o.t.Context(), catalog.JobFilter{Kind: kind, Limit: 1})
		if err != nil {
			return err
		}
		if list[0].State == catalog.JobQueued {
			if list, err = tx.Jobs().Lease(o.t.Context(), "w", []string{kind}, o.now(), o.now().Add(time.Hour), 1); err != nil {
				return err
			}
		}
		id := list[0].ID
		if err := tx.Jobs().Extend(o.t.Context(), id, "w", o.now().Add(time.Hour), doc); err != nil || !ends {
			return err
		}
		return tx.Jobs().Settle(o.t.Context(), id, "w", o.now(), nil, time.Time{})
	})
	if err != nil {
		o.t.Fatal(err)
	}
}
