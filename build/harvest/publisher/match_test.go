package publisher_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest/publisher"
	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// shipped makes a matcher of the reference tables.
func shipped(t testing.TB) *publisher.Matcher {
	t.Helper()
	rows, err := reference.Institutions()
	if err != nil {
		t.Fatal(err)
	}
	aliases, err := reference.Aliases()
	if err != nil {
		t.Fatal(err)
	}
	suffixes, err := reference.Suffixes()
	if err != nil {
		t.Fatal(err)
	}
	identifiers, err := reference.Identifiers()
	if err != nil {
		t.Fatal(err)
	}
	list := make([]catalog.Institution, len(rows))
	for i, r := range rows {
		list[i] = catalog.Institution{Key: r.Key, Name: r.Name, NameEn: r.NameEn, NativeLang: r.Lang, CountryCode: r.CountryCode, Type: catalog.InstitutionType(r.Type),
			OfficialDomains: r.OfficialDomains, GithubOrgs: r.GithubOrgs, Identifiers: identifiers[r.Key]}
	}
	return publisher.New(list, aliases, reference.NewDomains(rows, suffixes))
}

// spellings are names as real catalogues write them, by country.
var spellings = []struct{ name, country, want string }{
	{"Ελληνική Στατιστική Αρχή", "GR", "gr-elstat"},
	{"ΕΛΛΗΝΙΚΗ ΣΤΑΤΙΣΤΙΚΗ ΑΡΧΗ (ΕΛ.ΣΤΑΤ.)", "GR", "gr-elstat"},
	{"ΕΛΣΤΑΤ", "GR", "gr-elstat"},
	{"Hellenic Statistical Authority (ELSTAT)", "", "gr-elstat"},
	{"ΥΠΟΥΡΓΕΙΟ ΨΗΦΙΑΚΗΣ ΔΙΑΚΥΒΕΡΝΗΣΗΣ", "GR", "gr-mindigital"},
	{"Υπουργείο Περιβάλλοντος & Ενέργειας", "GR", "gr-ypen"},
	{"Υπ. Ψηφιακής Διακυβέρνησης", "GR", "gr-mindigital"},
	{"Perifereia Attikis", "GR", "gr-attica"},
	{"Δήμος Θεσσαλονίκης", "GR", "gr-thessaloniki"},
	{"Υπουργείο Υγείας", "GR", "gr-moh"},
	{"Υπουργείο Υγείας", "CY", "cy-moh"},
	{"Α.Α.Δ.Ε.", "GR", "gr-aade"},
	{"Міністерство цифрової трансформації України", "UA", "ua-thedigital"},
	{"Міністерство цифрової трансформації", "UA", "ua-thedigital"},
	{"МІНІСТЕРСТВО ОХОРОНИ ЗДОРОВ'Я УКРАЇНИ", "UA", "ua-moz"},
	{"Міністерство охорони здоров’я України", "UA", "ua-moz"},
	{"Национален статистически институт", "BG", "bg-nsi"},
	{"НСИ", "BG", "bg-nsi"},
	{"Министерство на здравеопазването", "BG", "bg-mh"},
	{"Столична община", "BG", "bg-sofia"},
	{"Републички завод за статистику", "RS", "rs-rzs"},
	{"Republički zavod za statistiku", "RS", "rs-rzs"},
	{"Institut national de la statistique et des études économiques (Insee)", "FR", "fr-insee"},
	{"INSEE - Institut national de la statistique et des études économiques", "FR", "fr-insee"},
	{"Insee", "FR", "fr-insee"},
	{"METEO-FRANCE", "FR", "fr-meteo-france"},
	{"Météo-France", "FR", "fr-meteo-france"},
	{"Institut National de l’Information Géographique et Forestière", "FR", "fr-ign"},
	{"HM Revenue & Customs", "GB", "gb-hm-revenue-customs"},
	{"H.M. Revenue and Customs", "GB", "gb-hm-revenue-customs"},
	{"HMRC", "GB", "gb-hm-revenue-customs"},
	{"Her Majesty's Revenue and Customs (HMRC)", "", "gb-hm-revenue-customs"},
	{"Dept. for Environment, Food & Rural Affairs", "GB", "gb-defra"},
	{"Department for Environment Food and Rural Affairs", "GB", "gb-defra"},
	{"Office for National Statistics, UK", "", "gb-office-of-national-statistics"},
	{"ONS", "GB", "gb-office-of-national-statistics"},
	{"The Met Office", "GB", "gb-met-office"},
	{"Environment Agency", "GB", "gb-environment-agency"},
	{"U.S. Environmental Protection Agency", "US", "us-epa"},
	{"Environmental Protection Agency", "US", "us-epa"},
	{"Environmental Protection Agency", "IE", "ie-epa"},
	{"Dept. of Veterans Affairs", "US", "us-va"},
	{"Department of Veterans Affairs (VA)", "US", "us-va"},
	{"U.S. Dept of Energy", "US", "us-doe"},
	{"NASA", "US", "us-nasa"},
	{"Natl. Aeronautics and Space Admin.", "US", "us-nasa"},
	{"National Oceanic & Atmospheric Administration", "US", "us-noaa"},
	{"city of chicago", "US", "us-chicago"},
	{"Statistisches Bundesamt (Destatis)", "DE", "de-destatis"},
	{"Statistisches  Bundesamt", "DE", "de-destatis"},
	{"Deutscher Wetterdienst (DWD)", "DE", "de-dwd"},
	{"Umweltbundesamt", "DE", "de-uba"},
	{"Umweltbundesamt", "AT", "at-umweltbundesamt"},
	{"Stadt Wien", "AT", "at-wien"},
	{"City of Vienna / Stadt Wien", "AT", "at-wien"},
	{"Stadt Köln", "DE", "de-koeln"},
	{"STADT KOELN", "DE", "de-koeln"},
	{"Office fédéral de la statistique", "CH", "ch-bfs"},
	{"Bundesamt für Statistik BFS", "CH", "ch-bfs"},
	{"Istituto Nazionale di Statistica", "IT", "it-istat"},
	{"ISTAT", "IT", "it-istat"},
	{"Ministero dell’Economia e delle Finanze", "IT", "it-mef"},
	{"Instituto Nacional de Estadistica", "ES", "es-ine"},
	{"Instituto Nacional de Estadística", "PY", "py-ine"},
	{"INE", "PT", "pt-ine"},
	{"Ministério da Administracao Interna", "PT", "pt-mai"},
	{"Główny Urząd Statystyczny", "PL", "pl-gus"},
	{"GLOWNY URZAD STATYSTYCZNY", "PL", "pl-gus"},
	{"Český statistický úřad (ČSÚ)", "CZ", "cz-csu"},
	{"Ministerstvo financí", "CZ", "cz-mf"},
	{"Statistics Norway (SSB)", "NO", "no-ssb"},
	{"Norwegian Meteorological Institute", "", "no-met"},
	{"Türkiye İstatistik Kurumu", "TR", "tr-tuik"},
	{"総務省 統計局", "JP", "jp-stat"},
	{"気象庁", "JP", "jp-jma"},
	{"통계청", "KR", "kr-kostat"},
	{"الهيئة العامة للإحصاء", "SA", "sa-gastat"},
	{"מערך הדיגיטל הלאומי", "IL", "il-nda"},
	{"საქართველოს სტატისტიკის ეროვნული სამსახური", "GE", "ge-geostat"},
	{"Environment and Climate Change Canada | Environnement et Changement climatique Canada", "CA", "ca-eccc"},
	{"European Environment Agency", "DK", "eu-eea"},
	{"World Health Organization (WHO)", "CH", "un-who"},
	{"Eurostat", "EU", "eu-estat"},

	{"", "GB", ""},
	{"Ministry of Health", "", ""},
	{"Instituto Nacional de Estadística", "", ""},
	{"Ministry of Finance", "XK", ""},
	{"Environment Agency, Abu Dhabi", "AE", ""},
	{"Bath City Council", "GB", ""},
	{"Department for Education Northern Ireland", "GB", ""},
	{"Ministry of Magic", "GB", ""},
	{"Ministry of Digital Affairs", "GR", ""},
	{"INE", "", ""},
	{"Open Data Institute", "GB", ""},
	{"NASA Fan Club", "US", ""},
	{"National Weather Association", "US", ""},
	{"OpenAQ", "US", ""},
	{"Friends of the Environment Agency", "GB", ""},
	{"Дружество на приятелите на статистиката", "BG", ""},
	{"Stadt Zürcher Wald AG", "CH", ""},
	{"NYC Department of Education", "US", ""},
	{"Department of Homeless Services (DHS)", "US", ""},
	{"Department of Investigation (DOI)", "US", ""},
	{"Ministry of Environment", "GR", ""},
	{"the of and", "GB", ""},
	{"!!!", "", ""},
}

func TestSpellings(t *testing.T) {
	m := shipped(t)
	if len(spellings) < 60 {
		t.Fatal("too few spellings")
	}
	for _, tt := range spellings {
		r := m.Match(publisher.Query{Names: []string{tt.name}, Country: tt.country})
		got := ""
		if r.Match != nil {
			got = r.Match.Key
		}
		if got != tt.want {
			t.Errorf("%q in %q is %q, want %q: %s", tt.name, tt.country, got, tt.want, r.Text())
		}
	}
}

func TestEvidence(t *testing.T) {
	m := shipped(t)
	for _, tt := range []struct {
		name string
		q    publisher.Query
		want string
	}{
		{"a host alone", publisher.Query{Hosts: []string{"api.service.hmrc.gov.uk"}}, "gb-hm-revenue-customs"},
		{"an organisation alone", publisher.Query{GithubOrg: "scottishgovernment"}, "gb-scottish-government"},
		{"an organisation that nobody has", publisher.Query{GithubOrg: "usdepartmentofveterans"}, ""},
		{"the department's organisation", publisher.Query{GithubOrg: "Department-of-Veterans-Affairs"}, "us-va"},
		{"an exact name beats the portal's host", publisher.Query{Names: []string{"Υπουργείο Ανάπτυξης"}, Country: "GR", Hosts: []string{"data.gov.gr"}}, "gr-mindev"},
		{"a shared suffix is nobody's", publisher.Query{Names: []string{"Some Parish Council"}, Country: "GB", Hosts: []string{"someparish.gov.uk"}}, ""},
		{"a lookalike host", publisher.Query{Hosts: []string{"cowin.gov.cin", "cdcgov.local", "hmrc.gov.uk.example.com"}}, ""},
		{"a homograph", publisher.Query{Hosts: []string{"hmrс.gov.uk"}}, ""},
		{"punycode of a homograph", publisher.Query{Hosts: []string{"xn--hmr-bmd.gov.uk"}}, ""},
		{"two equal claims", publisher.Query{Hosts: []string{"hmrc.gov.uk", "metoffice.gov.uk"}}, ""},
		{"a host is not who is named", publisher.Query{Names: []string{"Weather"}, Hosts: []string{"www.metoffice.gov.uk"}, GithubOrg: "metoffice"}, ""},
		{"a department of a city is neither the city nor the nation's", publisher.Query{Names: []string{"Department of Transportation (DOT)"}, Country: "US",
			Hosts: []string{"data.cityofchicago.org"}}, ""},
		{"a city on a region's host", publisher.Query{Names: []string{"Antwerpen"}, Country: "BE", Hosts: []string{"metadata.vlaanderen.be"}}, ""},
		{"a number of a company register", publisher.Query{Names: []string{"Minfin"}, Identifiers: []string{"https://org.belgif.be/id/CbeRegisteredEntity/0308357159"},
			Country: "BE"}, "be-finances"},
		{"another number in the same register", publisher.Query{Names: []string{"FOD Financien"},
			Identifiers: []string{"https://org.belgif.be/id/CbeRegisteredEntity/0999999999"}, Country: "BE"}, ""},
		{"a number in another register", publisher.Query{Names: []string{"FOD Financien"},
			Identifiers: []string{"https://ror.org/02mhbdp94"}, Country: "BE"}, "be-finances"},
		{"a name in any language", publisher.Query{Names: []string{"Minfin", "SPF Finances", "FOD Financiën"}, Country: "BE"}, "be-finances"},
		{"a national body on a region's host", publisher.Query{Names: []string{"FOD Financiën"}, Country: "BE", Hosts: []string{"metadata.vlaanderen.be"}}, "be-finances"},
		{"a body whose own page is a region's", publisher.Query{Names: []string{"FOD Financiën"}, Country: "BE", HomeHost: "fin.vlaanderen.be"}, ""},
		{"a domain in place of a name", publisher.Query{Domains: []string{"data.gouv.fr"}, Country: "FR"}, "fr-dinum"},
		{"names of two bodies", publisher.Query{Names: []string{"SPF Finances", "Statbel"}, Country: "BE"}, ""},
		{"a part that names its body first", publisher.Query{Names: []string{"ACT Government - Treasury Directorate"}, Country: "AU"}, ""},
		{"a part behind an acronym", publisher.Query{Names: []string{"DOE/Office of Hearings and Appeals"}, Country: "US"}, ""},
		{"a department in a city's catalogue", publisher.Query{Names: []string{"Department of Education"}, Country: "US", Local: true}, ""},
		{"the city in its own catalogue", publisher.Query{Names: []string{"City of Chicago"}, Country: "US", Local: true}, "us-chicago"},
		{"a national body in a city's catalogue", publisher.Query{Names: []string{"U.S. Census Bureau"}, Country: "US", Local: true,
			Hosts: []string{"www.census.gov"}}, "us-census"},
		{"a name confirmed by a host", publisher.Query{Names: []string{"Umweltbundesamt"}, Hosts: []string{"www.umweltbundesamt.at"}}, "at-umweltbundesamt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := m.Match(tt.q)
			got := ""
			if r.Match != nil {
				got = r.Match.Key
			}
			if got != tt.want {
				t.Errorf("%q, want %q: %s", got, tt.want, r.Text())
			}
		})
	}
}
