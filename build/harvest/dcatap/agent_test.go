package dcatap

import (
	"maps"
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const agentPrefixes = `@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix adms: <http://www.w3.org/ns/adms#> .
<https://a.example/d/1> a dcat:Dataset ; dct:title "Roads"@en ; dct:identifier "d1" ; dcat:landingPage <https://a.example/p/1> ;
`

func agentsOf(t *testing.T, statements string) catalog.Entry {
	t.Helper()
	o := sourcetest.Run(t, Connector{}, input("agents.ttl", []byte(agentPrefixes+statements)))
	return o.ByName(t, "Roads").Entry
}

func TestPublisherAgent(t *testing.T) {
	e := agentsOf(t, `dct:publisher <https://a.example/id/city> .
<https://a.example/id/city> a foaf:Agent ; skos:prefLabel "City"@en , "Stad"@nl ; foaf:name "The City"@en ; foaf:homepage <https://city.example/> ;
  dct:type <http://purl.org/adms/publishertype/LocalAuthority> ; dct:identifier "https://ror.org/02mhbdp94" .
`)
	p := e.Publisher
	if p == nil || e.PublisherName != "City" || p.IRI != "https://a.example/id/city" || p.Type != "LocalAuthority" || p.Person ||
		p.HomepageURL != "https://city.example/" || !maps.Equal(p.Names, catalog.Texts{"en": "City", "nl": "Stad"}) ||
		!slices.Equal(p.Aliases, []string{"The City"}) || !slices.Equal(p.Identifiers, []string{"https://ror.org/02mhbdp94"}) {
		t.Errorf("publisher %q %+v", e.PublisherName, p)
	}
}

func TestPublisherForms(t *testing.T) {
	for name, c := range map[string]struct {
		statements, want string
		person           bool
	}{
		"literal":            {`dct:publisher "City" .`, "City", false},
		"blank node":         {`dct:publisher [ a foaf:Organization ; foaf:name "City" ] .`, "City", false},
		"person by class":    {`dct:publisher [ a foaf:Person ; foaf:name "Ada L" ] .`, "Ada L", true},
		"person by names":    {`dct:publisher [ foaf:givenName "Ada" ; foaf:familyName "L" ] .`, "Ada L", true},
		"one with an IRI":    {`dct:publisher "Building" , <https://a.example/id/c> . <https://a.example/id/c> foaf:name "City" .`, "City", false},
		"a handle before":    {`dct:publisher [ skos:prefLabel "city-of-ghent"@en , "Stad Gent"@nl ; foaf:name "City of Ghent"@en ] .`, "City of Ghent", false},
		"only a handle here": {`dct:publisher [ skos:prefLabel "rato-vzw"@en , "RATO"@nl ] .`, "RATO", false},
		"nothing but one":    {`dct:publisher [ foaf:name "rato-vzw" ] .`, "rato-vzw", false},
	} {
		e := agentsOf(t, c.statements)
		if e.PublisherName != c.want || (e.Publisher != nil) != (c.want != "") || e.Publisher != nil && e.Publisher.Person != c.person {
			t.Errorf("%s: %q %+v", name, e.PublisherName, e.Publisher)
		}
	}
}

func TestHolderAndCreators(t *testing.T) {
	e := agentsOf(t, `dct:publisher "City" ; dct:rightsHolder [ foaf:name "Province" ] ; dct:creator [ foaf:name "Office" ] , <https://a.example/id/none> .`)
	if e.RightsHolder == nil || e.RightsHolder.Names["und"] != "Province" {
		t.Errorf("holder %+v", e.RightsHolder)
	}
	if len(e.Creators) != 1 || e.Creators[0].Names["und"] != "Office" {
		t.Errorf("creators %+v", e.Creators)
	}
}

// TestPublisherWithoutName keeps who publishes where the document says by its identifier only; a person and what is no
// address of the web are not shown by one.
func TestPublisherWithoutName(t *testing.T) {
	const body = "https://rpp-opendata.egon.gov.cz/odrpp/zdroj/orgán-veřejné-moci/00025593"
	for name, c := range map[string]struct{ statements, iri, home, name string }{
		"nothing is said of it":     {`dct:publisher <` + body + `> .`, body, "", ""},
		"only its page":             {`dct:publisher <https://a.example/id/c> . <https://a.example/id/c> a foaf:Organization ; foaf:homepage <https://c.example/> .`, "https://a.example/id/c", "https://c.example/", ""},
		"beside one that has names": {`dct:publisher <https://a.example/id/c> , [ foaf:name "City" ] .`, "", "", "City"},
		"a person":                  {`dct:publisher <https://a.example/id/c> . <https://a.example/id/c> a foaf:Person .`, "", "", ""},
		"an address of mail":        {`dct:publisher <mailto:jan.novak@a.example> .`, "", "", ""},
		"a blank node":              {`dct:publisher <https://a.example/.well-known/genid/7> .`, "", "", ""},
		"that of the series":        {`dcat:inSeries <https://a.example/s> . <https://a.example/s> a dcat:DatasetSeries ; dct:title "Roads, all"@en ; dct:publisher "Office" ; dcat:landingPage <https://a.example/s.html> .`, "", "", "Office"},
	} {
		e := agentsOf(t, c.statements)
		if e.PublisherName != c.name {
			t.Errorf("%s: called %q", name, e.PublisherName)
		}
		got, home := "", ""
		if e.Publisher != nil {
			got, home = e.Publisher.IRI, e.Publisher.HomepageURL
		}
		if got != c.iri || home != c.home {
			t.Errorf("%s: %q %+v", name, e.PublisherName, e.Publisher)
		}
	}
}
