package dcatap

import (
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest/sourcetest"
)

const czechRecord = `{"typ": "Datová sada", "iri": "https://data.example.cz/ds/1",
 "název": {"cs": "Seznam škol", "en": "List of schools"}, "popis": {"cs": "Školy v kraji"}, "poskytovatel": "https://rpp.example.cz/ovm/70890650",
 "téma": ["http://publications.europa.eu/resource/authority/data-theme/EDUC"], "periodicita_aktualizace": "http://publications.europa.eu/resource/authority/frequency/ANNUAL",
 "klíčové_slovo": {"cs": ["škola", "kraj"]}, "časové_pokrytí": {"typ": "Časový interval", "začátek": "2020-01-01", "konec": "2020-12-31"},
 "kontaktní_bod": {"typ": "Organizace", "jméno": {"cs": "Odbor informatiky"}, "e-mail": "mailto:opendata@example.cz"},
 "distribuce": [{"typ": "Distribuce", "iri": "https://data.example.cz/ds/1/csv", "název": {"cs": "Tabulka"},
  "podmínky_užití": {"typ": "Specifikace podmínek užití", "autorské_dílo": "https://data.gov.cz/podmínky-užití/neobsahuje-autorská-díla/",
   "databáze_chráněná_zvláštními_právy": "https://creativecommons.org/publicdomain/zero/1.0/"},
  "soubor_ke_stažení": "https://data.example.cz/f/1.csv", "přístupové_url": "https://data.example.cz/f/1.csv",
  "typ_média": "http://www.iana.org/assignments/media-types/text/csv", "formát": "http://publications.europa.eu/resource/authority/file-type/CSV"}]}`

// TestCzechContext reads a record of a local catalogue by the context that it names, of each edition.
func TestCzechContext(t *testing.T) {
	for _, context := range []string{
		"https://ofn.gov.cz/rozhraní-katalogů-otevřených-dat/2021-01-11/kontexty/rozhraní-katalogů-otevřených-dat.jsonld",
		"https://ofn.gov.cz/rozhran%C3%AD-katalog%C5%AF-otev%C5%99en%C3%BDch-dat/draft/kontexty/rozhran%C3%AD-katalog%C5%AF-otev%C5%99en%C3%BDch-dat.jsonld",
		"https://ofn.gov.cz/dcat-ap-cz-rozhraní-katalogů-otevřených-dat/2024-05-28/kontexty/rozhraní-katalogů-otevřených-dat.jsonld",
	} {
		o := sourcetest.Run(t, Connector{}, input("ds.jsonld", []byte(`{"@context": "`+context+`", `+czechRecord[1:])))
		e := o.ByName(t, "Seznam škol").Entry
		d := e.Dataset
		if e.NameEn != "List of schools" || e.Description != "Školy v kraji" || e.LicenseRaw != "https://creativecommons.org/publicdomain/zero/1.0/" ||
			!slices.Equal(e.Themes, []string{"EDUC"}) || !slices.Equal(e.Keywords["cs"], []string{"kraj", "škola"}) || e.Contact == nil || e.Contact.Email != "opendata@example.cz" {
			t.Errorf("%s: %+v", context, e)
		}
		if d.Frequency != "ANNUAL" || d.TemporalStart.Year() != 2020 || len(d.Distributions) != 1 {
			t.Fatalf("%s: %+v", context, d)
		}
		if f := d.Distributions[0]; f.Title != "Tabulka" || f.DownloadURL != "https://data.example.cz/f/1.csv" || f.Format != "CSV" || f.MediaType != "text/csv" {
			t.Errorf("%s: %+v", context, f)
		}
	}
}

// TestOtherContexts keeps the program from the web: a context that it does not know is a fault of the document.
func TestOtherContexts(t *testing.T) {
	for _, context := range []string{"https://ofn.gov.cz/úřední-desky/2021-07-20/kontexty/úřední-deska.jsonld", "https://evil.example/ofn.gov.cz/rozhraní-katalogů-otevřených-dat/1/kontexty/rozhraní-katalogů-otevřených-dat.jsonld"} {
		o := sourcetest.Run(t, Connector{}, input("ds.jsonld", []byte(`{"@context": "`+context+`", `+czechRecord[1:])))
		if len(o.Drafts) != 0 || len(o.Rejections) != 1 || o.Rejections[0].Code != CodeSyntax {
			t.Errorf("%s: %d drafts, %+v", context, len(o.Drafts), o.Rejections)
		}
	}
}
