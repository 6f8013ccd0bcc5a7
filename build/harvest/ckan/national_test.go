package ckan

import (
	"os"
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// TestNationalSchemas reads packages in the manner of national portals; .ci/truth compares the same
// file with a reader that shares no code with this one.
func TestNationalSchemas(t *testing.T) {
	data, err := os.ReadFile("../../../.ci/truth/fixtures/packages.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	o := sourcetest.Run(t, Connector{}, feedtest.File("packages.jsonl", data, "https://packages.example/"))
	type facts struct{ publisher, licence, access, frequency, contact, issued, from, file, place string }
	for name, want := range map[string]facts{
		"Bevölkerung":        {"Statistisches Amt Zürich", "https://opendata.swiss/terms-of-use#terms_by", "", "ANNUAL", "datashop@packages.example", "2015-06-26", "2014-01-01", "CSV Datei", "Kanton Zürich"},
		"PRTR Abfall":        {"Umweltbundesamt", "http://dcat-ap.de/def/licenses/cc-by/4.0", "PUBLIC", "NOT_PLANNED", "III2.7@packages.example", "2025-11-20", "2007-01-01", "Format: GML", "5.53,47.04,15.99,55.2"},
		"Helsingin väestö":   {"Helsingin kaupunki", "cc-by-4.0", "", "ANNUAL", "data@packages.example", "2019-05-06", "", "Väestödata", "Helsinki"},
		"Subventions":        {"Canada Revenue Agency", "ca-ogl-lgo", "PUBLIC", "ANNUAL", "open@packages.example", "2015-03-04", "2005-01-01", "Données", "-141,41.7,-52.6,83.1"},
		"Gewerbe Österreich": {"Magistrat Wien - MA 1", "CC-BY-4.0", "", "MONTHLY", "post.i7@packages.example", "2015-06-25", "2015-06-01", "CSV", "16.18218,48.11767,16.57751,48.32257"},
		"Alberi":             {"Comune di Editore", "https://creativecommons.org/licenses/by/4.0/", "", "ANNUAL", "", "2020-05-11", "2018-01-01", "CSV", "http://www.geonames.org/2523920"},
		"Bomen":              {"Gemeente Leiden", "http://creativecommons.org/publicdomain/zero/1.0/deed.nl", "PUBLIC", "MONTHLY", "opendata@packages.example", "2019-05-05", "2019-01-01", "bomen.csv", "http://standaarden.overheid.nl/owms/terms/Leiden_(gemeente)"},
		"Bathing":            {"Environmental Protection Agency", "https://creativecommons.org/licenses/by/4.0/", "", "QUARTERLY", "info@packages.example", "2014-01-02", "2010-01-01", "csv", ""},
		"Crime":              {"SAPOL", "cc-by", "", "AS_NEEDED", "data@packages.example", "2015-01-01", "2010-07-01", "csv", "129,-38,141,-26"},
		"財務省_統計":             {"財務省", "CC-BY-4.0", "", "ANNUAL", "", "2014-01-01", "", "統計", ""},
		"Dcat three":         {"Test Publisher", "http://creativecommons.org/licenses/by/3.0/", "", "MONTHLY", "data@packages.example", "2024-05-01", "1905-03-01", "R", "Tarragona"},
	} {
		e := o.ByName(t, name).Entry
		d := e.Dataset
		got := facts{publisher: e.PublisherName, licence: e.LicenseRaw, access: string(e.AccessRights), frequency: d.Frequency, issued: e.SourceIssuedAt.Format("2006-01-02"), file: d.Distributions[0].Title}
		if e.Contact != nil {
			got.contact = e.Contact.Email
		}
		if !d.TemporalStart.IsZero() {
			got.from = d.TemporalStart.Format("2006-01-02")
		}
		if len(d.Spatial) > 0 {
			got.place = d.Spatial[0]
		}
		if got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
	// What a machine made of a text is never a title that somebody wrote.
	if e := o.ByName(t, "Subventions").Entry; len(e.Titles) != 2 || e.Titles["en-t-fr"] != "Grants" || len(e.Descriptions) != 2 {
		t.Errorf("titles %v, descriptions %v", e.Titles, e.Descriptions)
	}
	// What is said of the publisher is not said of the catalogue's owner.
	if e := o.ByName(t, "Gewerbe Österreich").Entry; e.Publisher.HomepageURL != "https://packages.example/at/" {
		t.Errorf("publisher %+v", e.Publisher)
	}
	if e := o.ByName(t, "PRTR Abfall").Entry; !slices.Equal(e.Identifiers, []string{"https://packages.example/govdata/id/x"}) || !slices.Equal(e.HVDCategories, []string{"c_dd313021"}) || !slices.Equal(e.Themes, []string{"REGI"}) {
		t.Errorf("identifiers %q, categories %q, themes %q", e.Identifiers, e.HVDCategories, e.Themes)
	}
	if e := o.ByName(t, "Alberi").Entry; e.RightsHolder == nil || len(e.ConformsTo) != 0 || !slices.Equal(e.Themes, []string{"AGRI", "ENVI"}) {
		t.Errorf("holder %+v, standards %q, themes %q", e.RightsHolder, e.ConformsTo, e.Themes)
	}
}

// TestFirstContact takes of several contacts the first that has an address, in the order of the package.
func TestFirstContact(t *testing.T) {
	data := []byte(`{"id": "c", "name": "c", "title": "Contacts", "contact_email": "last@packages.example",
		"contact_points": [{"name": "Nobody"}, {"name": "First", "email": "first@packages.example"}, {"name": "Second", "email": "second@packages.example"}]}`)
	o := sourcetest.Run(t, Connector{}, feedtest.File("packages.jsonl", data, "https://packages.example/"))
	if c := o.ByName(t, "Contacts").Entry.Contact; c == nil || c.Email != "first@packages.example" {
		t.Errorf("contact %+v", c)
	}
}
