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
		{"https://müller.de/ä", "https://xn--mller-kva.de/%C3%A4", "host name in ASCII"},
	} {
		got, note, err := r.Repair("url", c.in)
		if err != nil || got != c.want || note != c.note {
			t.Errorf("%q: got %q, %q, %v; want %q, %q", c.in, got, note, err, c.want, c.note)
		}
	}
	for _, bad := range []string{"", "a@b.fr", "localhost:8080", "http://localhost/x", "http://10.0.0.1/", "http://192.168.1.1",
		"http://[::1]/", "http://intranet/", "https://x.rie.gouv.fr/a", "https://cdcgov.local/", "javascript:alert(1)",
		"mailto:a@b.gov", "ftp://a.gov/x", "https://user:pw@a.gov/", "https://http2://iowageodata2.gov/", "Ministerio de Justicia",
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

func TestFunctionalMail(t *testing.T) {
	for mail, want := range map[string]bool{
		"contact.geoservices@ign.fr": true, "api.cisirh@finances.gouv.fr": true, "newshubeau@brgm.fr": true,
		"Des.support@dvla.gov.uk": true, "tapir.dgfip@dgfip.finances.gouv.fr": true, "statistics.opendata@gov.scot": true,
		"mael.thomas@beta.gouv.fr": false, "andy.barakat@developpement-durable.gouv.fr": false, "jane_doe@council.gov.uk": false,
		"info@gmail.com": false, "nonsense": false,
	} {
		if got := FunctionalMail(mail); got != want {
			t.Errorf("%s: got %v", mail, got)
		}
	}
}

func TestFunctionOf(t *testing.T) {
	for _, c := range []struct {
		name, mail string
		want       bool
	}{
		{"", "veevee@gate.example", true}, {"Jane Roe", "veevee@gate.example", false}, {"GIS專題中心", "veevee@gate.example", true},
		{"Institut géographique", "jane@ign.example", true}, {"Jane Roe", "comments@osti.example", true}, {"Jane Roe", "jane.roe@osti.example", false},
		{"Centre for Data", "someone@gmail.com", false},
	} {
		if got := FunctionOf(c.name, c.mail); got != c.want {
			t.Errorf("%q <%s>: got %v", c.name, c.mail, got)
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
