package survey_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// a day is what a source that stays what it is says on a day: its page, or its tools.
type day func(n int, r *rand.Rand) (body string, server *verify.Server)

func api(base, format string) catalog.Entry {
	return catalog.Entry{Type: catalog.TypeAPI, API: &catalog.APIDetails{BaseURL: base, SpecFormat: format}}
}

// shuffled are texts in another order.
func shuffled(r *rand.Rand, list ...string) []string {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// cut is a text of which some days only the beginning comes.
func cut(r *rand.Rand, text string) string {
	if r.IntN(4) == 0 {
		return text[:r.IntN(len(text))]
	}
	return text
}

func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps and texts
	}
	return string(b)
}

// TestUnchangedForAMonth: sources of all six kinds that on 30 days write themselves in another
// order, with other dates, rows and texts, and cut what they list into other pages, have one
// contract, and no change is told.
func TestUnchangedForAMonth(t *testing.T) {
	for name, c := range map[string]struct {
		entry   catalog.Entry
		address string
		day     day
	}{
		"table":    {dataset("https://x.example/d.csv"), "https://x.example/d.csv", tableDay},
		"pages":    {dataset("https://x.example/d.json"), "https://x.example/d.json", pagesDay},
		"deep":     {dataset("https://x.example/d.json"), "https://x.example/d.json", deepDay},
		"openapi":  {catalog.Entry{Type: catalog.TypeAPI, API: &catalog.APIDetails{OpenAPIURL: "https://x.example/o"}}, "https://x.example/o", documentDay},
		"wms":      {api("https://x.example/wms", "ogc-wms"), "https://x.example/wms?request=GetCapabilities&service=WMS", layersDay},
		"features": {api("https://x.example", "ogc-api"), "https://x.example/collections?f=json", collectionsDay},
		"mcp":      {catalog.Entry{Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{EndpointURL: "https://x.example/mcp"}}, "", toolsDay},
		"sdmx":     {api("https://x.example/rest", "sdmx"), "https://x.example/rest/dataflow/all/all/latest?references=none", flowsDay},
		"odata":    {api("https://x.example/odata", "odata"), "https://x.example/odata/$metadata", setsDay},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, c.entry)
			for n := range 30 {
				body, server := c.day(n, rand.New(rand.NewPCG(uint64(n), 5)))
				d.pages[c.address] = body
				d.look(server)
			}
			_, _, _, events := d.state()
			for _, e := range events {
				if e.Type == catalog.EventSchemaChanged {
					t.Errorf("%s", e.Data)
				}
			}
			if v := d.contracts(); len(v) != 1 {
				t.Errorf("%d versions (%v)", len(v), d.said)
			}
		})
	}
}

// tableDay has other rows in another order, and columns in another order.
func tableDay(n int, r *rand.Rand) (string, *verify.Server) {
	order := shuffled(r, "day", "place", "height", "note", "count")
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(order, ","))
	for range 3 + r.IntN(40) {
		row := map[string]string{"day": fmt.Sprintf("2026-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28)), "place": []string{"Brook", "Elmford", "Saint-Évre"}[r.IntN(3)],
			"height": fmt.Sprintf("%d.%d", r.IntN(9), 1+r.IntN(9)), "note": []string{"", "checked"}[r.IntN(2)], "count": fmt.Sprint(n + r.IntN(50))}
		cells := make([]string, len(order))
		for i, name := range order {
			cells[i] = row[name]
		}
		fmt.Fprintln(&b, strings.Join(cells, ","))
	}
	return b.String(), nil
}

// pagesDay gives the first page of records of which some lack a member, as long as the server
// likes that day; some days the page is empty.
func pagesDay(n int, r *rand.Rand) (string, *verify.Server) {
	var list []any
	for i := range r.IntN(30) {
		record := map[string]any{"id": fmt.Sprintf("k%d-%d", n, i), "height": 0.5 + float64(r.IntN(90))}
		if i == 0 || r.IntN(3) > 0 { // some records lack it
			record["name"] = "Brook"
		}
		if n == 0 && i%2 == 0 || n > 0 && r.IntN(20) == 0 { // few pages have it
			record["closed"] = true
		}
		list = append(list, record)
	}
	if n == 0 {
		list = append(list, map[string]any{"id": "last", "height": 1.5, "name": "Colden", "closed": false}, map[string]any{"id": "more", "height": 2.5})
	}
	return encoded(map[string]any{"total": 1000 + n, "next": fmt.Sprintf("https://x.example/d.json?after=%d", len(list)), "results": list}), nil
}

// deepDay is pagesDay in a wrapper, as CKAN's.
func deepDay(n int, r *rand.Rand) (string, *verify.Server) {
	body, _ := pagesDay(n, r)
	return `{"success":true,"result":` + body + `}`, nil
}

func documentDay(n int, r *rand.Rand) (string, *verify.Server) {
	parts := shuffled(r, `"openapi":"3.0.3"`, fmt.Sprintf(`"info":{"title":"T","version":"%d","description":"Made on day %d"}`, n, n),
		`"paths":{"/a":{"get":{"parameters":[`+strings.Join(shuffled(r, `{"name":"page","in":"query","schema":{"type":"integer"}}`, `{"name":"q","in":"query","schema":{"type":"string"}}`), ",")+
			`],"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{`+
			strings.Join(shuffled(r, `"next":{"type":"string"}`, `"items":{"type":"array","items":{"type":"string"}}`), ",")+`}}}}}}}}}`)
	return cut(r, "{"+strings.Join(parts, ",")+"}"), nil
}

func layersDay(n int, r *rand.Rand) (string, *verify.Server) {
	return cut(r, fmt.Sprintf(`<WMS_Capabilities version="1.3.0" updateSequence="%d"><Capability><Layer><CRS>EPSG:3857</CRS>%s</Layer></Capability></WMS_Capabilities>`, n,
		strings.Join(shuffled(r, `<Layer><Name>berths</Name></Layer>`, `<Layer><Name>depths</Name></Layer>`, `<Layer><Name>lights</Name></Layer>`), "\n"))), nil
}

func collectionsDay(_ int, r *rand.Rand) (string, *verify.Server) {
	list := shuffled(r, "roads", "rivers", "lakes", "parks", "towns")
	size := 1 + r.IntN(2*len(list))
	var page []any
	for _, id := range list[:min(size, len(list))] {
		page = append(page, map[string]any{"id": id, "itemType": "feature"})
	}
	doc := map[string]any{"collections": page}
	if size < len(list) {
		doc["links"] = []any{map[string]any{"rel": "next", "href": "https://x.example/collections?after=2"}}
	}
	return encoded(doc), nil
}

func toolsDay(n int, r *rand.Rand) (string, *verify.Server) {
	list := shuffled(r, "find", "get", "count", "list")
	size := 1 + r.IntN(2*len(list))
	s := &verify.Server{HasTools: true, More: size < len(list)}
	for _, name := range list[:min(size, len(list))] {
		s.Tools = append(s.Tools, catalog.MCPTool{Name: name, Description: fmt.Sprintf("As of day %d", n), Arguments: []catalog.Argument{{Name: "q", Type: "string"}}})
	}
	return "", s
}

func flowsDay(n int, r *rand.Rand) (string, *verify.Server) {
	return cut(r, fmt.Sprintf(`<mes:Structure xmlns:mes="m" xmlns:str="s"><mes:Header><mes:ID>%d</mes:ID></mes:Header><mes:Structures><str:Dataflows>%s</str:Dataflows></mes:Structures></mes:Structure>`, n,
		strings.Join(shuffled(r, `<str:Dataflow id="A" agencyID="X" version="1.0"><com:Name xmlns:com="c">Flow</com:Name></str:Dataflow>`, `<str:Dataflow id="B" agencyID="X" version="1.0"><com:Name xmlns:com="c">Flow</com:Name></str:Dataflow>`, fmt.Sprintf(`<str:Dataflow id="C" agencyID="X" version="1.%d"><com:Name xmlns:com="c">Flow</com:Name></str:Dataflow>`, n)), "\n"))), nil
}

func setsDay(_ int, r *rand.Rand) (string, *verify.Server) {
	return cut(r, `<edmx:Edmx xmlns:edmx="e"><edmx:DataServices><Schema Namespace="N"><EntityType Name="T"><Key><PropertyRef Name="K"/></Key>`+
		strings.Join(shuffled(r, `<Property Name="K" Type="Edm.String" Nullable="false"/>`, `<Property Name="V" Type="Edm.Double"/>`), "")+
		`</EntityType><EntityContainer Name="C">`+strings.Join(shuffled(r, `<EntitySet Name="Ts" EntityType="N.T"/>`, `<EntitySet Name="Us" EntityType="N.T"/>`), "")+`</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`), nil
}
