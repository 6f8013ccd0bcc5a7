package dcatap

import (
	"net/url"
	"regexp"
	"sync"
)

// czechContext is the address of the context of the Czech open formal norm for the interface of catalogues, in any of its
// editions (2020 on, and drafts).
var czechContext = regexp.MustCompile(`^https?://ofn\.gov\.cz/(?:dcat-ap-cz-)?rozhraní-katalogů-otevřených-dat/[^/]+/kontexty/rozhraní-katalogů-otevřených-dat\.jsonld$`)

// knownContext is the document with the JSON-LD context at an address, nil for one that is not known.
func knownContext(address string) any {
	if plain, err := url.PathUnescape(address); err == nil {
		address = plain
	}
	if czechContext.MatchString(address) {
		return czechTerms()
	}
	return nil
}

// czechTerms are the terms of the norm that the mapping reads, by what DCAT-AP-CZ says that they stand for.
var czechTerms = sync.OnceValue(func() any {
	terms := map[string]any{
		"typ": "@type", "iri": "@id",
		"Katalog": classCatalog, "Datová sada": classDataset, "Datová série": classSeries, "Datová služba": classService, "Distribuce": dcat + "Distribution",
		"Časový interval": dct + "PeriodOfTime", "Organizace": vcard + "Organization", "Osoba": vcard + "Individual", "Jednotlivec": vcard + "Individual",
		"Specifikace podmínek užití": dcatcz + "Specifikace",
	}
	for term, property := range map[string]string{
		"název": dct + "title", "popis": dct + "description", "jméno": vcard + "fn", "klíčové_slovo": dcat + "keyword",
	} {
		terms[term] = map[string]any{"@id": property, "@container": "@language"}
	}
	for term, property := range map[string]string{
		"poskytovatel": dct + "publisher", "téma": dcat + "theme", "koncept_euroVoc": dcat + "theme", "periodicita_aktualizace": dct + "accrualPeriodicity",
		"geografické_území": dct + "spatial", "prvek_rúian": dct + "spatial", "časové_pokrytí": dct + "temporal", "kontaktní_bod": dcat + "contactPoint",
		"e-mail": vcard + "hasEmail", "dokumentace": foaf + "page", "domovská_stránka": foaf + "homepage", "specifikace": dct + "conformsTo",
		"je_součástí": dcat + "inSeries", "distribuce": dcat + "distribution", "datová_sada": dcat + "dataset", "podmínky_užití": dcatcz + "specifikace",
		"autorské_dílo": dcatcz + "autorské-dílo", "databáze_jako_autorské_dílo": dcatcz + "databáze-jako-autorské-dílo",
		"databáze_chráněná_zvláštními_právy": dcatcz + "databáze-chráněná-zvláštními-právy",
		"soubor_ke_stažení":                  dcat + "downloadURL", "přístupové_url": dcat + "accessURL", "typ_média": dcat + "mediaType", "formát": dct + "format",
		"schéma": dct + "conformsTo", "přístupová_služba": dcat + "accessService", "přístupový_bod": dcat + "endpointURL",
		"popis_přístupového_bodu": dcat + "endpointDescription", "kategorie_hvd": "http://data.europa.eu/r5r/hvdCategory", "hvd_kategorie": "http://data.europa.eu/r5r/hvdCategory",
	} {
		terms[term] = map[string]any{"@id": property, "@type": "@id"}
	}
	for term, property := range map[string]string{"začátek": dcat + "startDate", "konec": dcat + "endDate"} {
		terms[term] = map[string]any{"@id": property, "@type": "http://www.w3.org/2001/XMLSchema#date"}
	}
	return map[string]any{"@context": terms}
})
