package harvest_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// An institution is proved by the official domains of a known one that was merged into it,
// and by none of one that a catalogue stated.
func TestMergedInstitutionsLeaveTheirProof(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state catalog.InstitutionState
		key   string
		held  bool
	}{"known": {catalog.InstitutionKnown, "", true}, "known, by the source's own id": {catalog.InstitutionKnown, "xx-maps", true}, "stated": {catalog.InstitutionStated, "", false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, w *world) {
				id := harvest.InstitutionID
				w.update(func(tx catalog.Tx) error {
					return tx.Institutions().Put(w.ctx,
						catalog.Institution{ID: id("xx-survey"), Key: "xx-survey", Name: "Land Survey", CountryCode: "GB", Type: catalog.InstAgency, CreatedAt: w.now, UpdatedAt: w.now},
						catalog.Institution{ID: id("xx-maps"), Key: "xx-maps", Name: "Map Office", State: c.state, CountryCode: "GB", Type: catalog.InstAgency, OfficialDomains: []string{"maps.example"},
							MergedIntoID: id("xx-survey"), Managed: true, CreatedAt: w.now, UpdatedAt: w.now})
				})
				d := draft("a:k:1", "Parcels", "https://data.maps.example/parcels")
				d.PublisherKey, d.PublisherName, d.Entry.PublisherName, d.Entry.CountryCode = c.key, "Map Office", "Map Office", "GB"
				unnamed := draft("a:k:2", "Streets", "https://data.maps.example/streets")
				unnamed.PublisherKey = ""
				w.run(w.official, harvest.Options{}, d, unnamed)
				e, held := w.known("a:k:1"), false
				if served := w.known("a:k:2"); served.InstitutionID == id("xx-survey") != c.held {
					t.Errorf("what is served at its domain is of %q", served.InstitutionID)
				}
				for _, s := range e.Signals {
					held = held || s.Kind == catalog.SignalDomain && s.Held
				}
				if e.InstitutionID != id("xx-survey") || held != c.held {
					t.Errorf("institution %s, signals %+v", e.InstitutionID, e.Signals)
				}
			})
		})
	}
}
