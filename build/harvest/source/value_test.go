package source

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

func TestParseDate(t *testing.T) {
	for _, c := range []struct {
		in, want string
		p        Precision
	}{
		{"2020-08-24", "2020-08-24T00:00:00Z", PrecisionDay},
		{"23/11/2021", "2021-11-23T00:00:00Z", PrecisionDay},
		{" 15/12/2023 ", "2023-12-15T00:00:00Z", PrecisionDay},
		{"3.4.2021", "2021-04-03T00:00:00Z", PrecisionDay},
		{"2020-08-24T10:00:00+02:00", "2020-08-24T08:00:00Z", PrecisionTime},
		{"2020-08-24T10:00:00.123456", "2020-08-24T10:00:00.123456Z", PrecisionTime},
		{"2015", "2015-01-01T00:00:00Z", PrecisionYear},
		{"2015-06", "2015-06-01T00:00:00Z", PrecisionMonth},
	} {
		got, p, err := ParseDate("f", c.in)
		if err != nil || got.Format("2006-01-02T15:04:05.999999999Z07:00") != c.want || p != c.p {
			t.Errorf("%q: got %v, %s, %v", c.in, got, p, err)
		}
	}
	for _, bad := range []string{"in service", "2023-31-01", "R/P1M", "0001-01-01", "12345", "", "31/02/2021"} {
		var f *catalog.FieldError
		if _, _, err := ParseDate("source_issued_at", bad); !errors.As(err, &f) || f.Field != "source_issued_at" {
			t.Errorf("%q: got %v, want a FieldError", bad, err)
		}
	}
}

// TestWordedDates reads dates that name their month, and those of East Asia.
func TestWordedDates(t *testing.T) {
	for in, want := range map[string]string{
		"12 March 2020": "2020-03-12 day", "March 12, 2020": "2020-03-12 day", "Sept 2021": "2021-09-01 month", "3rd of May 2019": "2019-05-03 day", "Thursday, 2 July 2020": "2020-07-02 day",
		"März 2019": "2019-03-01 month", "3. Dezember 2019": "2019-12-03 day", "Donnerstag, 3. Januar 2019": "2019-01-03 day",
		"15 février 2018": "2018-02-15 day", "1er août 2019": "2019-08-01 day", "juil. 2018": "2018-07-01 month",
		"12-ene-2020": "2020-01-12 day", "3 de setembro de 2021": "2021-09-03 day", "1º de março de 2020": "2020-03-01 day", "7 gennaio 2015": "2015-01-07 day", "lun, 8 giu 2020": "2020-06-08 day",
		"1 mrt 2020": "2020-03-01 day", "donderdag 2 juli 2020": "2020-07-02 day", "4. maj 2017": "2017-05-04 day", "juni 2018": "2018-06-01 month", "3. kesäkuuta 2019": "2019-06-03 day",
		"5 marca 2021": "2021-03-05 day", "12 października 2022 r.": "2022-10-12 day", "1. září 2019": "2019-09-01 day", "1. septembra 2019": "2019-09-01 day", "2020. március 5.": "2020-03-05 day",
		"5 листопада 2020 року": "2020-11-05 day", "15 Μαΐου 2018": "2018-05-15 day", "2 Ekim 2020": "2020-10-02 day", "05-MAR-2020": "2020-03-05 day",
		"2019年3月1日": "2019-03-01 day", "2019年3月": "2019-03-01 month", "2019年": "2019-01-01 year", "令和3年4月2日": "2021-04-02 day", "平成元年": "1989-01-01 year", "民國110年5月": "2021-05-01 month",
		"2018.07.05": "2018-07-05 day", "2018. 7. 5.": "2018-07-05 day", "2020년 12월 3일": "2020-12-03 day", "2020-01-01+02:00": "2020-01-01 day", "2020-01-01-05:00": "2020-01-01 day", "2020Z": "2020-01-01 year",
		"2020-1-5": "2020-01-05 day", "05/07/2018 10:11:12": "2018-07-05 time", "7/5/2018 3:04:05 PM": "2018-05-07 time", "01/31/2020": "2020-01-31 day", "1/31/2020 12:00:00 AM": "2020-01-31 time",
		"spring 2020": "", "before March 2020": "", "31 February 2020": "", "March": "", "March 2020 - April 2021": "", "version 2 juli 2020 b": "", "12 March 20": "", "110.5": "", "3.14": "", "12.5": "", "May 12 13 2020": "",
	} {
		at, precision, err := ParseDate("f", in)
		got := ""
		if err == nil {
			got = at.Format(time.DateOnly) + " " + string(precision)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"de janvier 2010 à décembre 2015": "2010-01-01 2015-12-31", "January 2010 to March 2011": "2010-01-01 2011-03-31", "2010-01-01 - 2010-06-30": "2010-01-01 2010-06-30",
		"01/02/2010 – 05/06/2011": "2010-02-01 2011-06-05", "vom 1. März 2019 bis 2. April 2019": "2019-03-01 2019-04-02", "2010 bis 2012": "2010-01-01 2012-12-31",
		"2019年4月～2020年3月": "2019-04-01 2020-03-31", "März 2019": "2019-03-01 2019-03-31",
	} {
		start, end, err := ParsePeriod("f", in)
		if got := start.Format(time.DateOnly) + " " + end.Format(time.DateOnly); err != nil || got != want {
			t.Errorf("%q: got %s, %v; want %s", in, got, err, want)
		}
	}
}

// TestDatesOfCountries reads dates as they are written in a country: the month first in the United States, listopad
// as October in Croatia.
func TestDatesOfCountries(t *testing.T) {
	for _, c := range []struct{ country, in, want string }{
		{"US", "3/4/2020", "2020-03-04"}, {"GB", "3/4/2020", "2020-04-03"}, {"", "3/4/2020", "2020-04-03"},
		{"US", "03/04/2020 11:30 AM", "2020-03-04"}, {"HR", "5. listopada 2020.", "2020-10-05"},
		{"PL", "5 listopada 2020", "2020-11-05"}, {"CZ", "listopad 2020", "2020-11-01"},
	} {
		b := NewBuilder(&Input{Source: catalog.Source{CountryCode: c.country}}, "1", "", "")
		b.Dates("issued", c.in, "modified", "")
		var start, end time.Time
		b.Period(&start, &end, "dataset.temporal", "temporal", c.in+" to 31 December 2021")
		if issued := b.Draft.Entry.SourceIssuedAt.Format(time.DateOnly); issued != c.want || start.Format(time.DateOnly) != c.want {
			t.Errorf("%s, %q: got %v, period from %v", c.country, c.in, issued, start)
		}
	}
}

func TestRepairURL(t *testing.T) {
	r := URLRules{Base: "https://api.gouv.fr"}
	for _, c := range []struct{ in, want, note string }{
		{"https://a.gov/x", "https://a.gov/x", ""},
		{"www.insolvency.gov.uk", "https://www.insolvency.gov.uk", "scheme added"},
		{" //a.gov/x", "https://a.gov/x", "scheme added"},
		{"/swaggers/a.json", "https://api.gouv.fr/swaggers/a.json", "resolved against https://api.gouv.fr"},
		{"https://a.gov/t/{id}/x y", "https://a.gov/t/%7Bid%7D/x%20y", "percent-encoded"},
		{"<https://a.gov>", "https://a.gov", "quotes and brackets around the URL removed"},
		{"https://user:pw@a.gov/x?y=1", "https://a.gov/x?y=1", "credentials removed"},
		{"https://müller.de/ä", "https://xn--mller-kva.de/%C3%A4", "host name in ASCII"},
	} {
		got, note, err := r.Repair("url", c.in)
		if err != nil || got != c.want || note != c.note {
			t.Errorf("%q: got %q, %q, %v; want %q, %q", c.in, got, note, err, c.want, c.note)
		}
	}
	for _, bad := range []string{"", "a@b.fr", "localhost:8080", "http://localhost/x", "http://10.0.0.1/", "http://192.168.1.1",
		"http://[::1]/", "http://intranet/", "https://x.rie.gouv.fr/a", "https://cdcgov.local/", "javascript:alert(1)",
		"mailto:a@b.gov", "ftp://a.gov/x", "https://http2://iowageodata2.gov/", "Ministerio de Justicia",
		"https://", "http://1.2.3/", "file:///etc/passwd", "{schema}://{baseUrl}/api/", "http://169.254.169.254/"} {
		var f *catalog.FieldError
		if got, _, err := r.Repair("url", bad); !errors.As(err, &f) {
			t.Errorf("%q: got %q, %v, want a FieldError", bad, got, err)
		}
	}
	if _, _, err := (URLRules{}).Repair("url", "/relative"); err == nil {
		t.Error("a relative URL without a base was accepted")
	}
	if got, _, err := (URLRules{AllowPrivate: true}).Repair("url", "http://10.0.0.1/x"); err != nil || got != "http://10.0.0.1/x" {
		t.Errorf("private address: got %q, %v", got, err)
	}
}

func TestTags(t *testing.T) {
	got := Tags("Emploi ", "a,B", "-", ",", "€", "  two   words ", "emploi", "", strings.Repeat("x", catalog.TagMax+1))
	if !slices.Equal(got, []string{"a b", "emploi", "two words", "€"}) {
		t.Errorf("got %q", got)
	}
	var many []string
	for i := range 80 {
		many = append(many, string(rune('a'+i%26))+strings.Repeat("z", i/26))
	}
	if got := Tags(many...); len(got) != catalog.TagsMax {
		t.Errorf("got %d tags", len(got))
	}
}

func TestPersonalMail(t *testing.T) {
	for _, c := range []struct {
		mail, name string
		want       bool
	}{
		{"contact.geoservices@ign.fr", "", false}, {"api.cisirh@finances.gouv.fr", "", false}, {"newshubeau@brgm.fr", "", false},
		{"Des.support@dvla.gov.uk", "", false}, {"tapir.dgfip@dgfip.finances.gouv.fr", "", false}, {"statistics.opendata@gov.scot", "", false},
		{"mael.thomas@beta.gouv.fr", "", true}, {"jane_doe@council.gov.uk", "", true}, {"a.desse@council.example", "", true}, {"nonsense", "", true},
		{"no-reply@portal.example", "Jane Roe", false}, {"demandas.ti@city.example", "GTEFI", false}, {"the.secretary@dept.example", "Budget Office", false},
		{"info@gmail.com", "", false}, {"abc@gmail.com", "", true}, {"ntugeog.riverlab@gmail.com", "NTUGeog-Riverlab", false}, {"abc@gmail.com", "ARSAT", true},
		{"veevee@gate.example", "", false}, {"veevee@gate.example", "廖泫銘", true}, {"veevee@gate.example", "GIS專題中心", false}, {"safety@gate.example", "嘉義縣", false},
		{"jane@ign.example", "Institut géographique", false}, {"comments@osti.example", "Jane Roe", false}, {"jane.roe@osti.example", "Jane Roe", true},
		{"aaike.dewever@inst.example", "Aaike De Wever - Database manager -  - +3226274390", true}, {"russell.oneill@a.example", "Russell G O'Neill", true},
		{"bdanis@ulb.example", "Bruno Danis - Associate Professor", true}, {"dbr@ceh.example", "David Roy", true}, {"miron@ocean.example", "Alexander Mironov", true},
		{"bccm.dcg@ugent.example", "Peter Chaerle - Collection Manager", false}, {"wangyc@a.example", "wangyc", true}, {"digitaal.vlaanderen@vlaanderen.example", "Digitaal Vlaanderen", false},
		{"joachim.schirrmacher@bahn.example", "DB Systel GmbH", true}, {"civilrights@dept.example", "Civil Rights", false}, {"open@fda.example", "openFDA", false},
		{"isabel@gmail.com", "Isabel Sousa Pinto -", true}, {"melinda.hobbs@a.example", "William Jeffers", true}, {"tara.porter@a.example", "Tara Porter", true},
		{"henk-jan@a.example", "Henk-Jan van der kolk -", true}, {"gsafleet@a.example", "GSA Fleet", false}, {"travel.policy@a.example", "Travel Policy Office", false}, {"ding@a.example", "Tzung-Su DING", true},
		{"archive@state.example", "www.archive.be", false}, {"roe@a.example", "jane.roe", true},
		{"bcf@formation.example", "Bruxelles Formation", false}, {"velayudhan.rajan@a.example", "Rajan, Velayudhan", true}, {"kueichenlin@mail.example", "Kuei-chen Lin", true}, {"zushima2010@gmail.com", "tsukasa mizushima", true},
	} {
		if got := PersonalMail(c.mail, c.name); got != c.want {
			t.Errorf("%q <%s>: got %v", c.name, c.mail, got)
		}
	}
}

func TestMails(t *testing.T) {
	for in, want := range map[string][]string{
		"mailto:%20help.desk@office.example":        {"help.desk@office.example"},
		"mailto:a%2Bb@office.example":               {"a+b@office.example"},
		"50% of <info@office.example>":              {"info@office.example"},
		"a@office.example; mailto:b@office.example": {"a@office.example", "b@office.example"},
		"https://office.example/":                   nil,
	} {
		if got := Mails(in); !slices.Equal(got, want) {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// TestHouseMail: an address that is called as its record or publisher is the
// office's, unless it has a given name or is that of a person who is named.
func TestHouseMail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mail, publisher, title, person string
		want                           bool
	}{
		{"bjo.omgeving@vlaanderen.example", "Departement Omgeving", "Bodem", "", false}, {"bjo.omgeving@vlaanderen.example", "Departement Omgeving", "Bodem", "Jan Peeters", false},
		{"judilibre.courdecassation@justice.example", "Cour de cassation", "API", "", false}, {"laborshed.studies@iwd.example", "State", "Laborshed areas", "", false},
		{"djepva.disi@sports.example", "Direction de la jeunesse, de l'éducation populaire et de la vie associative", "Associations", "", false},
		{"kbs.team.x@bund.example", "Kanzlei für Bau und Straßen", "Karte", "", false}, {"rajan.velayudhan@fda.example", "Food Office", "Recalls", "", true},
		{"fred.brown@doe.example", "Office", "Brown coal", "", true}, {"j.omgeving@vlaanderen.example", "Departement Omgeving", "Bodem", "", true},
		{"peeters.omgeving@vlaanderen.example", "Departement Omgeving", "Bodem", "Jan Peeters", true}, {"ludo.peeters@example.org", "Ludo Peeters", "Bodem", "", true},
		{"tang.ping@example.org", "", "Roads", "", true},
	} {
		b := Builder{in: &Input{}}
		b.Draft.Entry.PublisherName, b.Draft.Entry.Name = c.publisher, c.title
		if got := b.Personal(c.mail, c.person); got != c.want {
			t.Errorf("%s of %s: personal %v", c.mail, c.publisher, got)
		}
	}
}

func TestRepoURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://github.com/alphagov/frontend/blob/main/docs/calendars.md#calendars": "https://github.com/alphagov/frontend",
		"https://github.com/betagouv/x.git":                                          "https://github.com/betagouv/x",
		"https://github.com/orgs/OfqualGovUK/teams/developers":                       "",
		"https://github.com/betagouv":                                                "",
		"https://gitlab.com/a/b":                                                     "",
	} {
		if got, _ := RepoURL(in); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}

func TestSpecFormat(t *testing.T) {
	for in, want := range map[string]string{
		"https://a.gov/openapi.json": "openapi", "https://ogcapi.bgs.ac.uk/openapi?f=json": "openapi",
		"https://ogcapi.bgs.ac.uk/openapi?f=html": "", "https://a.gov/swagger/index.html": "", "https://a.gov/swagger-ui.html": "",
		"https://hubeau.eaufrance.fr/api/v1/x/api-docs": "openapi", "https://a.gov/x?wsdl": "soap",
		"https://statistics.gov.scot/sparql": "sparql", "https://a.gov/ows?SERVICE=WMS&request=GetCapabilities": "ogc-wms",
		"https://a.gov/graphql": "graphql", "https://a.gov/data.json": "",
	} {
		if got := SpecFormat(in); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}
