package reference

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestBodyIdentifier(t *testing.T) {
	t.Parallel()
	const cbe, siren = "https://org.belgif.be/id/CbeRegisteredEntity/", "https://annuaire-entreprises.data.gouv.fr/entreprise/"
	for _, tt := range []struct{ raw, want string }{
		{cbe + "0207500123", cbe + "0207500123"},
		{"http://org.belgif.be/id/CbeRegisteredEntity/0207500123#id", cbe + "0207500123"},
		{"https://kbopub.economie.fgov.be/kbopub/toonondernemingps.html?ondernemingsnummer=0207500123", cbe + "0207500123"},
		{"https://org.belgif.be/id/CbeEstablishmentUnit/2146814391", "https://org.belgif.be/id/CbeEstablishmentUnit/2146814391"},
		{"https://data.vlaanderen.be/id/organisatie/OVO002087", "https://data.vlaanderen.be/id/organisatie/OVO002087"},
		{siren + "insee-120027016", siren + "120027016"},
		{"https://annuaire-entreprises.data.gouv.fr/etablissement/12002701600563", siren + "120027016"},
		{"urn:siren:120027016", siren + "120027016"},
		{"http://data.companieshouse.gov.uk/doc/company/04396150", "https://find-and-update.company-information.service.gov.uk/company/04396150"},
		{"https://data.brreg.no/enhetsregisteret/api/enheter/971040238", "https://data.brreg.no/enhetsregisteret/api/enheter/971040238"},
		{"http://ror.org/02mhbdp94", "https://ror.org/02mhbdp94"},
		{"https://search.gleif.org/#/record/529900T8BM49AURSDO55", "https://www.gleif.org/lei/529900T8BM49AURSDO55"},
		{"https://www.wikidata.org/wiki/Q8880", "http://www.wikidata.org/entity/Q8880"},
		{"http://publications.europa.eu/resource/authority/corporate-body/ESTAT", "http://publications.europa.eu/resource/authority/corporate-body/ESTAT"},
		{cbe + "020750012", ""}, {cbe + "02075001234", ""}, {cbe + "9207500123", ""},
		{"http://data.gov.be/.well-known/genid/5cbe2495548c49fe9667172dcd307ef92-b2103", ""},
		{"https://www.odwb.be/explore/?refine.publisher=IDETA", ""}, {"", ""}, {"Q8880", ""}, {"0207500123", ""},
		{"https://ror.org.example.com/02mhbdp94", ""}, {cbe + "0207500123" + strings.Repeat("x", 500), ""},
	} {
		if got, ok := BodyIdentifier(tt.raw); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s is %q, want %q", tt.raw, got, tt.want)
		}
		if again, _ := BodyIdentifier(tt.want); again != tt.want {
			t.Errorf("%s is not canonical: %q", tt.want, again)
		}
	}
}

func TestShippedIdentifiers(t *testing.T) {
	t.Parallel()
	all, err := Identifiers()
	if err != nil || len(all["be-finances"]) != 1 || len(all["eu-comm"]) != 2 {
		t.Errorf("%v, %v", all, err)
	}
}

func TestIdentifierTableIsChecked(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]string{
		"no institution": "xx-none\thttps://ror.org/02mhbdp94\ts", "is none": "gr-elstat\thttps://example.org/1\ts",
		"empty": "gr-elstat\t\ts", "already in": "gr-elstat\thttps://ror.org/02mhbdp94\ts\ngr-mindev\thttps://ror.org/02mhbdp94\ts",
	} {
		files := shelf{fstest.MapFS{"institution_identifiers.tsv": {Data: []byte("key\tidentifier\tsource\n" + row + "\n")}}, tables}
		if _, err := parseIdentifiers(files); err == nil || !strings.Contains(err.Error(), "institution_identifiers.tsv:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
