package mcp

import (
	"fmt"
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
		"data of Εύβοια": "ευβοια|||[]|",
	} {
		q := understand(text)
		got := strings.Join([]string{q.words, q.country, string(q.kind), fmt.Sprint(q.formats), strings.Join(q.purposes, " ")}, "|")
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
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
