package harvest_test

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

func TestMatchIsExplained(t *testing.T) {
	w := newWorld(t)
	w.update(func(tx catalog.Tx) error {
		return tx.Institutions().Put(w.ctx, catalog.Institution{ID: harvest.InstitutionID("fr-tides"), Key: "fr-tides", Name: "Tide Office", CountryCode: "FR",
			Type: catalog.InstAgency, CreatedAt: w.now, UpdatedAt: w.now})
	})
	named := draft("h:k:1", "Tide Times", "https://tides.example.com/1")
	named.PublisherKey, named.PublisherName, named.Entry.CountryCode = "", "The Tide Office (GB)", "GB"
	unclear := draft("h:k:2", "Currents", "https://tides.example.com/2")
	unclear.PublisherKey, unclear.PublisherName = "", "Tide Office"
	nowhere := w.official
	nowhere.CountryCode = ""
	w.run(nowhere, harvest.Options{}, named, unclear)
	notes := map[string]catalog.FieldRow{}
	for _, e := range w.entries() {
		for _, row := range w.rows(e.ID) {
			if row.Field == "institution_id" {
				notes[e.Name] = row
			}
		}
		if known := e.InstitutionID == harvest.InstitutionID("gb-tides"); known != (e.Name == "Tide Times") || e.InstitutionID == "" {
			t.Errorf("%s: institution %q", e.Name, e.InstitutionID)
		}
	}
	if row := notes["Tide Times"]; row.Basis != catalog.BasisComputed || row.Note != "name: exact name “The Tide Office”" {
		t.Errorf("row %+v", row)
	}
	if row := notes["Currents"]; row.Basis != catalog.BasisComputed || row.Note != "ambiguous: exact name “Tide Office” fits fr-tides, gb-tides" {
		t.Errorf("row %+v", row)
	}
}

func TestRejectionNamesTheSuffix(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Parish data", "https://data.someparish.gov.uk/")
	d.PublisherKey = ""
	r := w.run(w.plain, harvest.Options{}, d)
	if r.RejectedBy[harvest.CodeNotOfficial] != 1 || !strings.Contains(r.Rejections[0].Remedy, "data.someparish.gov.uk lies under the government suffix gov.uk") {
		t.Errorf("%s %+v", r.Summary(), r.Rejections)
	}
}

// A city's catalogue names its own departments, not the nation's.
func TestLocalCatalogueNamesLocalBodies(t *testing.T) {
	w := newWorld(t)
	city := catalog.Institution{ID: harvest.InstitutionID("gb-city"), Key: "gb-city", Name: "City", CountryCode: "GB", Type: catalog.InstMunicipality,
		OfficialDomains: []string{"city.example.uk"}, CreatedAt: w.now, UpdatedAt: w.now}
	w.update(func(tx catalog.Tx) error { return tx.Institutions().Put(w.ctx, city) })
	d := draft("h:k:1", "Tide Times", "https://elsewhere.example.com/")
	d.PublisherKey, d.PublisherName, d.Entry.CountryCode = "", "Tide Office", "GB"
	for _, s := range []catalog.Source{
		{ID: harvest.SourceID("c1"), Kind: "test", Title: "City data", URL: "https://data.city.example.uk/", Official: "by law"},
		{ID: harvest.SourceID("c2"), Kind: "test", Title: "City data", URL: "https://portal.example.com/", InstitutionID: city.ID, Official: "by law"},
	} {
		d.Entry.UpstreamRef += "1"
		d.Entry.Name += " again"
		w.run(s, harvest.Options{}, d)
	}
	for _, e := range w.entries() {
		if inst := w.institution(e.InstitutionID); inst.Known() || inst.Name != "Tide Office" {
			t.Errorf("%s belongs to %+v", e.Name, inst)
		}
	}
	if len(w.entries()) != 2 {
		t.Errorf("%d entries", len(w.entries()))
	}
}
