package dcatap

import (
	"slices"
	"testing"

	"github.com/assay-register/assay/build/harvest/sourcetest"
)

// TestLanguagesAndLicencesOfNodes reads what stands in nodes of their own, without an IRI of a known table.
func TestLanguagesAndLicencesOfNodes(t *testing.T) {
	for name, c := range map[string]struct {
		statements       string
		languages, forms []string
		raw              string
	}{
		"a linguistic system that is a blank node": {statements: `dct:language [ a dct:LinguisticSystem ; rdfs:label "Lithuanian"@en ] .`, languages: []string{"lt"}},
		"one with a code":                          {statements: `dct:language [ skos:notation "lit" ] .`, languages: []string{"lt"}},
		"one with an IRI of its own":               {statements: `dct:language <https://a.example/lang/7> . <https://a.example/lang/7> skos:prefLabel "Latviešu"@lv .`, languages: []string{"lv"}},
		"several in one":                           {statements: `dct:language "nl, fr" .`, languages: []string{"nl", "fr"}},
		"an IRI that nothing describes":            {statements: `dct:language <https://a.example/lang/7> .`},
		"a licence with a page": {statements: `dct:license [ rdfs:label "Priskyrimas"@lt ; foaf:page <https://creativecommons.org/licenses/by/4.0/deed.lt> ] .`,
			raw: "Priskyrimas", forms: []string{"https://creativecommons.org/licenses/by/4.0/deed.lt", "Priskyrimas"}},
		"one that has a page only": {statements: `dct:license [ foaf:homepage <https://a.example/l> ] .`, raw: "https://a.example/l", forms: []string{"https://a.example/l"}},
		"a policy":                 {statements: `<http://www.w3.org/ns/odrl/2/hasPolicy> <https://creativecommons.org/licenses/by/4.0/> .`, raw: "https://creativecommons.org/licenses/by/4.0/"},
		"a policy beside a licence": {statements: `<http://www.w3.org/ns/odrl/2/hasPolicy> <https://a.example/policy> ; dct:license "CC0" .`,
			raw: "CC0"},
	} {
		o := sourcetest.Run(t, Connector{}, input("forms.ttl", []byte("@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"+agentPrefixes+c.statements)))
		d := o.ByName(t, "Roads")
		if !slices.Equal(d.Entry.Languages, c.languages) || d.Entry.LicenseRaw != c.raw || !slices.Equal(d.LicenceNames[c.raw], c.forms) {
			t.Errorf("%s: languages %q, licence %q, forms %q", name, d.Entry.Languages, d.Entry.LicenseRaw, d.LicenceNames[c.raw])
		}
	}
}

// TestSchemaNames reads the title and the text of a dataset in the terms of schema.org, and RDF/XML in an encoding that it does not declare.
func TestSchemaNames(t *testing.T) {
	for name, text := range map[string]string{
		"a.ttl": "@prefix s: <http://schema.org/> . <https://a.example/d/1> a <http://www.w3.org/ns/dcat#Dataset> ; s:name \"Skólar\"@is ; s:description \"Skrá\"@is .",
		"a.rdf": "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:s=\"https://schema.org/\"><rdf:Description rdf:about=\"https://a.example/d/1\">" +
			"<rdf:type rdf:resource=\"http://www.w3.org/ns/dcat#Dataset\"/><s:name xml:lang=\"is\">Sk\xf3lar</s:name><s:description xml:lang=\"is\">Skr\xe1</s:description></rdf:Description></rdf:RDF>",
	} {
		o := sourcetest.Run(t, Connector{}, input(name, []byte(text)))
		d := o.ByName(t, "Skólar")
		if d.Entry.Description != "Skrá" || d.Entry.NativeLang != "is" {
			t.Errorf("%s: %q in %s", name, d.Entry.Description, d.Entry.NativeLang)
		}
	}
}
