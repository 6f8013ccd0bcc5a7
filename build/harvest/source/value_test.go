package source

import (
	"errors"
	"slices"
	"strings"
	"testing"

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
		{"bcf@formation.example", "Bruxelles Formation", false}, {"velayudhan.rajan@a.example", "Rajan, Velayudhan", true}, {"kueichenlin@mail.example", "Kuei-chen Lin", true}, {"zushima2010@gmail.com", "tsukasa mizushima", true},
	} {
		if got := PersonalMail(c.mail, c.name); got != c.want {
			t.Errorf("%q <%s>: got %v", c.name, c.mail, got)
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
