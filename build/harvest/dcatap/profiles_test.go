package dcatap

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// TestProfiles reads records in the manner of national profiles; .ci/truth compares the same file
// with a reader that shares no code with this one.
func TestProfiles(t *testing.T) {
	data, err := os.ReadFile("../../../.ci/truth/fixtures/profiles.ttl")
	if err != nil {
		t.Fatal(err)
	}
	o := sourcetest.Run(t, Connector{}, input("profiles.ttl", data))
	type facts struct {
		publisher, licence, access, frequency, contact, from, to, modified string
		spatial                                                            []string
	}
	for name, want := range map[string]facts{
		"Pegelstände der Leine": {"Landesamt für Gewässer Niederleine", "http://dcat-ap.de/def/licenses/dl-by-de/2.0", "PUBLIC", "HOURLY", "pegel@profiles.example", "2015-11-01", "2020-12-31", "2024-05-08",
			[]string{"9.1,51.4,10.2,52.4", "http://dcat-ap.de/def/politicalGeocoding/regionalKey/031520000000"}},
		"Plazas de aparcamiento": {"Ayuntamiento de Villaclara", "https://profiles.example/es/aviso-legal", "", "QUARTERLY", "", "2010-01-01", "2012-12-31", "",
			[]string{"https://profiles.example/es/territorio/Provincia/Soria"}},
		"Alberi monumentali": {"Comune di Valbruna", "Creative Commons Attribuzione 4.0 Internazionale (CC BY 4.0)", "", "ANNUAL", "opendata@profiles.example", "2018-01-01", "2018-12-31", "2024-05-31",
			[]string{"Valbruna", "https://profiles.example/luoghi/2523920"}},
		"Badvatten": {"Sjöviks kommun", "http://creativecommons.org/publicdomain/zero/1.0/", "PUBLIC", "WEEKLY", "miljo@profiles.example", "", "", "", []string{"Sjövik"}},
		"Statistisches Jahrbuch": {"Amt für Zahlen", "NonCommercialAllowed-CommercialWithPermission-ReferenceRequired", "", "IRREG", "auskunft@profiles.example", "", "", "",
			[]string{"Schweiz"}},
		"Campings de la vallée": {"", "Ayants droit du référentiel", "PUBLIC", "", "", "", "", "2022-02-14",
			[]string{"2.06,44.11,7.18,46.8", "2.07,44.2,7.19,46.9"}},
	} {
		d := o.ByName(t, name)
		check(t, *d)
		e := d.Entry
		got := facts{publisher: e.PublisherName, licence: e.LicenseRaw, access: string(e.AccessRights), frequency: e.Dataset.Frequency,
			from: day(e.Dataset.TemporalStart), to: day(e.Dataset.TemporalEnd), modified: day(e.SourceModifiedAt)}
		if e.Contact != nil {
			got.contact = e.Contact.Email
		}
		got.spatial, want.spatial = slices.Sorted(slices.Values(e.Dataset.Spatial)), slices.Sorted(slices.Values(want.spatial))
		if !slices.Equal(got.spatial, want.spatial) {
			t.Errorf("%s: places %q, want %q", name, got.spatial, want.spatial)
		}
		if got.spatial, want.spatial = nil, nil; got.publisher != want.publisher || got.licence != want.licence || got.access != want.access || got.frequency != want.frequency ||
			got.contact != want.contact || got.from != want.from || got.to != want.to || got.modified != want.modified {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
	if e := o.ByName(t, "Alberi monumentali").Entry; e.RightsHolder == nil || e.RightsHolder.Names["und"] != "Regione del Bosco" || len(e.Creators) != 1 {
		t.Errorf("holder %+v, creators %+v", e.RightsHolder, e.Creators)
	}
}

// TestLands reads records in the manner of catalogues of more countries.
func TestLands(t *testing.T) {
	data, err := os.ReadFile("testdata/lands.ttl")
	if err != nil {
		t.Fatal(err)
	}
	o := sourcetest.Run(t, Connector{}, input("lands.ttl", data))
	type facts struct{ publisher, licence, access, frequency, issued, modified, from, to string }
	const ccBy, ccZero = "https://creativecommons.org/licenses/by/4.0/", "https://creativecommons.org/publicdomain/zero/1.0/"
	for name, want := range map[string]facts{
		"Jakość powietrza":    {"Główny Urząd Miar", "https://creativecommons.org/licenses/by-sa/4.0/legalcode.pl", "PUBLIC", "QUARTERLY", "2021-03-05", "2022-10-12", "", ""},
		"Vejtællinger":        {"Vejdirektoratet", "CC BY 4.0", "PUBLIC", "ANNUAL", "2017-05-04", "2020-01-02", "", ""},
		"Lekplatser":          {"Stockholms stad", ccZero, "PUBLIC", "CONT", "2020-05-01", "", "2019-01-01", ""},
		"Fartsgrenser":        {"Statens vegvesen", "http://data.norge.no/nlod/no/2.0", "NON_PUBLIC", "", "2018-06-01", "", "", ""},
		"Číselník obcí":       {"Český statistický úřad", ccBy, "", "IRREG", "", "", "", ""},
		"Register škôl":       {"Ministerstvo školstva", ccBy + ", " + ccZero, "PUBLIC", "ANNUAL", "2019-09-01", "", "", ""},
		"Geology sheet":       {"Geological Survey", "Licensed under the Open Government Licence v3.0", "", "", "2020-03-12", "2021-09-01", "", ""},
		"Arbres remarquables": {"Ville de Rennes", "https://www.etalab.gouv.fr/licence-ouverte-open-licence", "PUBLIC", "ANNUAL", "2018-02-15", "2019-08-01", "2010-01-01", "2015-12-31"},
		"Grünflächen":         {"Stadt Mainz", "Datenlizenz Deutschland – Zero – Version 2.0", "PUBLIC", "ANNUAL_2", "2019-03-01", "2019-12-03", "", ""},
		"避難所":                 {"横浜市", "", "PUBLIC", "ANNUAL", "2019-03-01", "2021-04-02", "", ""},
		"주차장":                 {"서울특별시", "이용허락범위 제한 없음", "", "ANNUAL", "2018-07-05", "2020-12-03", "", ""},
		"Harbour dues":        {"Port Office", "https://lands.example/licences/open", "RESTRICTED", "", "2020-01-01", "", "2012-01-01", "2013-12-31"},
	} {
		e := o.ByName(t, name).Entry
		d := e.Dataset
		if got := (facts{e.PublisherName, e.LicenseRaw, string(e.AccessRights), d.Frequency, day(e.SourceIssuedAt), day(e.SourceModifiedAt), day(d.TemporalStart), day(d.TemporalEnd)}); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
	if names := o.ByName(t, "Harbour dues").LicenceNames["https://lands.example/licences/open"]; len(names) == 0 {
		t.Error("what the document says of its licence is lost")
	}
	if e := o.ByName(t, "Geology sheet").Entry; !slices.Equal(e.Themes, []string{"ENVI", "REGI", "TECH"}) {
		t.Errorf("themes %q", e.Themes)
	}
}

// TestReferencesToWords reads a hub of ArcGIS, whose references are words, or empty.
func TestReferencesToWords(t *testing.T) {
	data, err := os.ReadFile("../../../.ci/truth/fixtures/hub.json")
	if err != nil {
		t.Fatal(err)
	}
	o := sourcetest.Run(t, Connector{}, input("hub.json", data))
	e := o.ByName(t, "Stadtgliederung").Entry
	if want := "Datenlizenz Deutschland Namensnennung 2.0 Quellenvermerk: © Stadt Elbrode"; e.LicenseRaw != want || len(e.Dataset.Distributions) != 2 || e.Dataset.Distributions[1].LicenseRaw != "" {
		t.Errorf("licence %q, files %+v", e.LicenseRaw, e.Dataset.Distributions)
	}
	if e.PublisherName != "Stadt Elbrode" || e.AccessRights != "" || !slices.Equal(e.Subjects, []string{"Statistische Einheiten"}) {
		t.Errorf("publisher %q, access %q, subjects %q", e.PublisherName, e.AccessRights, e.Subjects)
	}
}

// day is a date in short, "" for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
