package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestUnderstand(t *testing.T) {
	for text, want := range map[string]string{
		"find me data about air quality in France that I may use for a commercial app": "air quality|FR||[]|commercial use",
		"Where can I find the number of buildings in each Greek municipality as CSV?":  "number buildings municipality|GR||[CSV]|",
		"Is there an API for earthquakes in Iceland?":                                  "earthquakes|IS|API|[]|",
		"Find me an MCP server for UK legislation":                                     "legislation|GB|MCP_SERVER|[]|",
		"river levels in the United Kingdom which we can redistribute and sell":        "river levels|GB||[]|commercial use redistribution",
		"Budget in Österreich": "budget|AT||[]|", "qualité de l'air en Belgique": "qualite air|BE||[]|", "water": "water|||[]|", "": "|||[]|",
		"maps of the Czech Republic as GeoJSON or shapefile without attribution": "maps|CZ||[GEOJSON SHP]|use without attribution",
		"data of Εύβοια":                     "ευβοια|||[]|",
		"Speelterreinen in Gent als GeoJSON": "speelterreinen gent|||[GEOJSON]|", "Ich hätte gern die Karte der Dünen im Format GML": "karte dunen|||[GML]|",
		"Donnez-moi les codes postaux sous forme de fichier Excel":                           "codes postaux|||[XLSX]|",
		"Which Dutch-speaking schools are there?":                                            "dutch speaking schools|||[]|",
		"Is there data on how much antibiotics Belgian hospitals consume?":                   "antibiotics hospitals consume|BE||[]|",
		"Find the earthquake catalogue of the Royal Observatory of Belgium":                  "earthquake catalogue|BE||[]|",
		"Je cherche le catalogue des séismes de l'Institut royal météorologique de Belgique": "catalogue seismes|BE||[]|",
		"Fammi vedere i dati del Belgian Cancer Registry su Barrett":                         "barrett|BE||[]|",
		"the Royal Observatory of Belgium":                                                   "royal observatory|BE||[]|",
		"Gibt es die öffentlichen Toiletten von Belgien":                                     "offentlichen toiletten|BE||[]|",
		"Gibt es Daten zu Aufträgen, die ich weiterverbreiten darf?":                         "auftragen|||[]|redistribution",
		"Je cherche les prix de l'eau que je peux réutiliser dans un produit commercial":     "prix eau|||[]|commercial use",
		"Welke cijfers zijn er over de neerslag die ik commercieel mag hergebruiken?":        "neerslag|||[]|commercial use",
		"Busco los precios del agua en España que pueda usar sin atribución":                 "precios agua|ES||[]|use without attribution",
		"Vorrei i prezzi dell'acqua in Italia che posso ridistribuire e modificare":          "prezzi acqua|IT||[]|redistribution modification",
		"data that I may use for a commercial app about air quality":                         "may use commercial app air quality|||[]|commercial use",
	} {
		q := understand(text)
		got := strings.Join([]string{q.words, q.country, string(q.kind), fmt.Sprint(q.formats), strings.Join(q.purposes, " ")}, "|")
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestWhole holds questions to the words that order what was found.
func TestWhole(t *testing.T) {
	for text, want := range map[string]string{
		"Give me all addresses of Belgium as CSV": "addresses belgium csv", "an API for water": "water",
		"Find the earthquake catalogue of the Royal Observatory of Belgium": "earthquake catalogue royal observatory belgium",
	} {
		if got := understand(text).whole; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestSum(t *testing.T) {
	item := func(id string, score float64) json.RawMessage {
		return fmt.Appendf(nil, `{"score":%g,"entry":{"id":%q}}`, score, id)
	}
	got, err := sum([]json.RawMessage{item("a", 0.9), item("b", 0.8), item("c", 0.3)}, []json.RawMessage{item("b", 0.9), item("d", 0.3), item("a", 0.2)})
	want := []json.RawMessage{item("b", 0.8), item("a", 0.9), item("c", 0.3), item("d", 0.3)}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := sum([]json.RawMessage{json.RawMessage(`1`)}, nil); err == nil {
		t.Error("takes what is no entry")
	}
}

func TestLicencesOfPurposes(t *testing.T) {
	table := map[string]*catalog.Licence{"A": {CommercialUse: catalog.RightYes, AttributionRequired: catalog.RightYes}, "B": {CommercialUse: catalog.RightYes, AttributionRequired: catalog.RightNo},
		"C": {CommercialUse: catalog.RightUnknown}}
	for purpose, want := range map[string]string{"commercial use": "A,B", "use without attribution": "B", "redistribution": ""} {
		if got := strings.Join((&question{purposes: []string{purpose}}).licences(table), ","); got != want {
			t.Errorf("%s: %s, want %s", purpose, got, want)
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	f.Add("find me data about X in Y that I may use for Z")
	f.Fuzz(func(_ *testing.T, text string) { understand(shorten(text, questionMax)) })
}
