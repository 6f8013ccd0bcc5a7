package harvest_test

import (
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// A rule of trust approves what would wait, as long as it holds, and only of its publisher and
// source; what a moderator reopened goes on waiting.
func TestRulesOfTrust(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(*catalog.TrustRule)
		reopened bool
		want     catalog.Status
	}{
		"it holds":                {func(*catalog.TrustRule) {}, false, catalog.StatusActive},
		"it has ended":            {func(r *catalog.TrustRule) { r.RevokedAt = r.CreatedAt }, false, catalog.StatusPending},
		"its time is over":        {func(r *catalog.TrustRule) { r.ExpiresAt = r.CreatedAt }, false, catalog.StatusPending},
		"of another source":       {func(r *catalog.TrustRule) { r.SourceID = "other" }, false, catalog.StatusPending},
		"of another publisher":    {func(r *catalog.TrustRule) { r.InstitutionID = catalog.NewID("institution", "other") }, false, catalog.StatusPending},
		"a moderator reopened it": {func(*catalog.TrustRule) {}, true, catalog.StatusPending},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			d := draft("h:k:1", "Tide Times", tides)
			w.run(w.plain, harvest.Options{}, d)
			e := w.only()
			if e.Status != catalog.StatusPending || e.InstitutionID == "" {
				t.Fatalf("%s of %q", e.Status, e.InstitutionID)
			}
			rule := catalog.TrustRule{ID: "r", SourceID: e.SourceID, InstitutionID: e.InstitutionID, Reason: "by law", By: "t1", Name: "Ada", CreatedAt: w.now.Add(-time.Hour), ExpiresAt: w.now.Add(30 * 24 * time.Hour)}
			c.change(&rule)
			w.update(func(tx catalog.Tx) error {
				if c.reopened {
					if err := tx.Moderations().Put(t.Context(), catalog.Decision{ID: "d", Batch: "b", Kind: catalog.DecisionReopened, Subject: e.ID, At: w.now}); err != nil {
						return err
					}
				}
				return tx.Moderations().PutTrust(t.Context(), rule)
			})
			// A new record of the publisher, and the one that waits, both follow the rule.
			d.Entry.Description = "Said anew."
			w.run(w.plain, harvest.Options{}, d, draft("h:k:2", "Wave Heights", tides+"waves"))
			for _, got := range w.entries() {
				want := c.want
				if c.reopened && got.ID != e.ID {
					want = catalog.StatusActive
				}
				if got.Status != want || want == catalog.StatusActive && (got.Admission.Rule != catalog.AdmittedByModerator || got.Admission.By != "t1") {
					t.Errorf("%s is %s, admission %+v", got.Name, got.Status, got.Admission)
				}
				var rows []catalog.AuditRow
				w.update(func(tx catalog.Tx) (err error) {
					rows, err = tx.Audits().Before(t.Context(), 0, got.ID, 9)
					return err
				})
				if admitted := want == catalog.StatusActive; admitted != (len(rows) == 1) || admitted && (rows[0].By != "t1" || rows[0].Name != "Ada" || rows[0].Action != "approveByTrustRule" || string(rows[0].Details) != `{"rule":"r"}`) {
					t.Errorf("%s is %s, written down as %+v", got.Name, got.Status, rows)
				}
			}
		})
	}
}
