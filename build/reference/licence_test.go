package reference

import (
	"strings"
	"testing"
)

func shippedIndex(t testing.TB) *LicenceIndex {
	t.Helper()
	licences, err := Licences()
	if err != nil {
		t.Fatal(err)
	}
	return NewLicenceIndex(licences)
}

// The raw values are taken from real catalogues; an empty id means that the
// value must stay unresolved.
func TestResolve(t *testing.T) {
	index := shippedIndex(t)
	tests := []struct{ raw, want string }{
		{"Open Government Licence v3.0", "OGL-UK-3.0"},
		{"open government license V3.0", "OGL-UK-3.0"},
		{"UK Open Government Licence v3", "OGL-UK-3.0"},
		{"https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/", "OGL-UK-3.0"},
		{"http://nationalarchives.gov.uk/doc/open-government-licence/version/2", "OGL-UK-2.0"},
		{"OGL-UK-1.0", "OGL-UK-1.0"},
		{"ISC", "ISC"},
		{"CC-BY 4.0", "CC-BY-4.0"},
		{"cc_by_4.0", "CC-BY-4.0"},
		{"Creative Commons Attribution 4.0 International", "CC-BY-4.0"},
		{"https://creativecommons.org/licenses/by/4.0", "CC-BY-4.0"},
		{"http://creativecommons.org/licenses/by/4.0/deed.nl", "CC-BY-4.0"},
		{"https://creativecommons.org/licenses/by/4.0/legalcode", "CC-BY-4.0"},
		{"HTTPS://www.CreativeCommons.org/licenses/by/4.0/legalcode.de", "CC-BY-4.0"},
		{"creativecommons.org/licenses/by/4.0/deed", "CC-BY-4.0"},
		{"http://publications.europa.eu/resource/authority/licence/CC_BY_4_0", "CC-BY-4.0"},
		{"http://publications.europa.eu/resource/authority/licence/CC_BY", "CC-BY-4.0"},
		{"CC-BY-NC-SA 4.0", "CC-BY-NC-SA-4.0"},
		{"Creative Commons Attribution | Share Alike 4.0 International", "CC-BY-SA-4.0"},
		{"https://creativecommons.org/licenses/by/3.0/au/", "CC-BY-3.0-AU"},
		{"Creative Commons Attribution 3.0 Australia", "CC-BY-3.0-AU"},
		{"Creative Commons Attribution 3.0", "CC-BY-3.0"},
		{"http://publications.europa.eu/resource/authority/licence/CC_BYNCND_3_0", "CC-BY-NC-ND-3.0"},
		{"cc-zero", "CC0-1.0"},
		{"CC 0", "CC0-1.0"},
		{"CC0 1.0", "CC0-1.0"},
		{"Creative Commons 1.0 Universal (Public Domain Dedication)", "CC0-1.0"},
		{"http://creativecommons.org/publicdomain/zero/1.0", "CC0-1.0"},
		{"http://dcat-ap.de/def/licenses/cc-zero", "CC0-1.0"},
		{"http://creativecommons.org/publicdomain/mark/1.0/other-pd", "CC-PDM-1.0"},
		{"odc-odbl", "ODbL-1.0"},
		{"Open Data Commons Open Database License (ODbL)", "ODbL-1.0"},
		{"http://opendatacommons.org/licenses/pddl/", "PDDL-1.0"},
		{"lov2", "etalab-2.0"},
		{"Licence Ouverte / Open Licence version 2.0", "etalab-2.0"},
		{"http://publications.europa.eu/resource/authority/licence/ETALAB_2_0", "etalab-2.0"},
		{"dl-de/by-2-0", "DL-DE-BY-2.0"},
		{"https://www.govdata.de/dl-de/zero-2-0", "DL-DE-ZERO-2.0"},
		{"https://opendata.swiss/terms-of-use#terms_by_ask", "OPENDATA-SWISS-BY-ASK"},
		{"NonCommercialAllowed-CommercialAllowed-ReferenceRequired", "OPENDATA-SWISS-BY"},
		{"http://www.usa.gov/publicdomain/label/1.0/", "US-GOV-PD"},
		{"https://www.usa.gov/government-works", "US-GOV-PD"},
		{"twogd", "OGDL-Taiwan-1.0"},
		{"https://data.gov.tw/license", "OGDL-Taiwan-1.0"},
		{"New Brunswick Open Government Licence", "OGL-NewBrunswick"},
		{"Apache 2.0 License", "Apache-2.0"},
		{"https://www.apache.org/licenses/LICENSE-2.0.html", "Apache-2.0"},
		{"https://spdx.org/licenses/MIT", "MIT"},
		{"https://spdx.org/licenses/etalab-2.0.html", "etalab-2.0"},
		{"The MIT License (MIT)", "MIT"},
		{"https://opensource.org/licenses/MIT-0", "MIT-0"},
		{"https://www.gnu.org/licenses/agpl-3.0.html", "AGPL-3.0-only"},
		{"other-pd", "PUBLIC-DOMAIN"},
		{"notspecified", "UNSPECIFIED"},
		{"License Not Specified", "UNSPECIFIED"},
		{"No se especificó la licencia", "UNSPECIFIED"},
		{"https://project-open-data.cio.gov/unknown-license/#v1-legacy", "UNSPECIFIED"},
		{" None ", "UNSPECIFIED"},

		{"Libre Uso MX", "LIBRE-USO-MX"},
		{"https://datos.gob.mx/libreusomx/", "LIBRE-USO-MX"},
		{"Licencia no especificada", "UNSPECIFIED"},
		{"Keine Angabe", "UNSPECIFIED"},
		{"https://opendata.swiss/en/terms-of-use/#terms_open", "OPENDATA-SWISS-OPEN"},
		{"Creative Commons Nimeä 4.0 Kansainvälinen", "CC-BY-4.0"},
		{"Creative Commons Erkännande 4.0 Internationell", "CC-BY-4.0"},
		{"Creative Commons Priskyrimas 4.0", "CC-BY-4.0"},
		{"Creative Commons Nevezd meg! 4.0 Nemzetközi", "CC-BY-4.0"},
		{"クリエイティブ・コモンズ 表示 4.0 国際", "CC-BY-4.0"},
		{"Creative Commons Із зазначенням авторства 4.0 Міжнародна", "CC-BY-4.0"},
		{"Creative Commons Namensnennung - Keine Bearbeitung 4.0 International", "CC-BY-ND-4.0"},
		{"Creative Commons Namensnennung - Nicht kommerziell - Weitergabe unter gleichen Bedingungen 4.0", "CC-BY-NC-SA-4.0"},
		{"Creative Commons Attribution - Pas d'Utilisation Commerciale 4.0", "CC-BY-NC-4.0"},
		{"Creative Commons Reconocimiento Sin Obra Derivada 4.0", "CC-BY-ND-4.0"},
		{"Creative Commons 4.0 Bearbeitung erlaubt", ""},

		{"", ""},
		{"   ", ""},
		{"/", ""},
		{"+", ""},
		{"cc-by", ""},
		{"CC_BY", ""},
		{"cc-by-sa", ""},
		{"cc-nc", ""},
		{"Creative Commons Attribution", ""},
		{"http://www.opendefinition.org/licenses/cc-by", ""},
		{"https://creativecommons.org", ""},
		{"https://creativecommons.org/licenses/by/", ""},
		{"https://creativecommons.org/licenses/by/3.0/fr/", ""},
		{"Licence Ouverte", ""},
		{"Licence Ouverte / Open Licence", ""},
		{"fr-lo", ""},
		{"uk-ogl", ""},
		{"OGL", ""},
		{"Open Government Licence", ""},
		{"Open Government Licence v1.0", ""},
		{"http://reference.data.gov.uk/id/open-government-licence", ""},
		{"http://www.nationalarchives.gov.uk/doc/open-government-licence/", ""},
		{"Open Government License - British Columbia", ""},
		{"nlod", ""},
		{"iodl", ""},
		{"gfdl", ""},
		{"korea-ogl", ""},
		{"GPL-3.0+", ""},
		{"GNU GENERAL PUBLIC LICENSE", ""},
		{"Data under Open Government License", ""},
		{"Licenced per dataset, but mostly OGL ", ""},
		{"subscription required", ""},
		{"https://osdatahub.os.uk/legal/termsConditions", ""},
		{"See Terms of Use", ""},
		{"true", ""},
		{"other", ""},
	}
	for _, tt := range tests {
		id, ok := index.Resolve(tt.raw)
		if id != tt.want || ok != (tt.want != "") {
			t.Errorf("Resolve(%q) = %q, %v, want %q", tt.raw, id, ok, tt.want)
		}
	}
}

func TestResolveEveryRow(t *testing.T) {
	licences, err := Licences()
	if err != nil {
		t.Fatal(err)
	}
	index := NewLicenceIndex(licences)
	for _, l := range licences {
		for _, raw := range append([]string{l.ID, l.Title, l.URL, l.EUURI}, l.Aliases...) {
			if id, _ := index.Resolve(raw); raw != "" && id != l.ID {
				t.Errorf("Resolve(%q) = %q, want %q", raw, id, l.ID)
			}
		}
	}
}

func TestResolveAmbiguous(t *testing.T) {
	index := NewLicenceIndex([]Licence{
		{ID: "A-1.0", Title: "Open", Aliases: []string{"open!"}},
		{ID: "B-1.0", Title: "OPEN"},
		{ID: "C-1.0", Title: "Open"},
	})
	if id, ok := index.Resolve("open"); ok {
		t.Errorf("Resolve = %q, want nothing for a name of several licences", id)
	}
	if id, _ := index.Resolve("b 1.0"); id != "B-1.0" {
		t.Errorf("Resolve = %q, want B-1.0", id)
	}
}

func FuzzResolve(f *testing.F) {
	index := shippedIndex(f)
	f.Add("https://creativecommons.org/licenses/by/4.0/deed.nl")
	f.Add("\xff#/")
	f.Fuzz(func(t *testing.T, raw string) {
		if id, ok := index.Resolve(raw); ok != (id != "") {
			t.Fatalf("Resolve(%q) = %q, %v", raw, id, ok)
		}
	})
}

// TestLicenceInWords finds a licence by what says nothing else than its name.
func TestLicenceInWords(t *testing.T) {
	licences, err := Licences()
	if err != nil {
		t.Fatal(err)
	}
	index := NewLicenceIndex(licences)
	for raw, want := range map[string]string{
		strings.Repeat("licensed under ", 20_000) + "CC BY 4.0":   "", // a text, no name
		"Licensed under the Open Government Licence v3.0":         "OGL-UK-3.0",
		"This data is licensed under the terms of the CC BY 4.0.": "CC-BY-4.0",
		"License: CC0 1.0": "CC0-1.0",
		"CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)":                    "CC-BY-4.0",
		"CC BY 4.0, https://creativecommons.org/licenses/by/3.0/":                     "",
		"Creative Commons Attribution 4.0 International License":                      "CC-BY-4.0",
		"Creative Commons - CC BY 4.0 (Nimeä)":                                        "CC-BY-4.0",
		"Licencia Creative Commons Reconocimiento 4.0":                                "CC-BY-4.0",
		"Creative Commons Attribution-NonCommercial-ShareAlike 4.0 (CC BY-NC-SA 4.0)": "CC-BY-NC-SA-4.0",
		"Creative Commons Attribution 3.0 IGO":                                        "CC-BY-3.0-IGO",
		"Not CC BY 4.0":                                                               "",
		"CC BY 4.0 or CC BY 3.0":                                                      "",
		"Creative Commons Attribution":                                                "",
		"Attribution 2.0":                                                             "",
		"CC BY 3.0 NZ":                                                                "",
		"https://opendata.swiss/en/terms-of-use#terms_by_ask":                         "OPENDATA-SWISS-BY-ASK",
	} {
		if got, _ := index.Resolve(raw); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
}
