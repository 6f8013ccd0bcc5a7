package usage

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"
)

// town is the datum that every document of the double holds, in letters that
// need no encoding, so that it is found in whatever a sample prints.
const town = "Namur"

// double is a publisher on loopback: one document for each kind of file and
// the answers of each protocol. It refuses what a real server would.
func double(t testing.TB) *httptest.Server {
	mux := http.NewServeMux()
	say := func(pattern, media, body string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			io.WriteString(w, body)
		})
	}
	for path, doc := range documents(t) {
		say("GET /files/"+path, "application/octet-stream", doc)
		say("GET /locked/"+path, "application/octet-stream", doc)
		say("GET /basic/"+path, "application/octet-stream", doc)
	}
	say("GET /files/{rest...}", "text/plain", town+" 1\n")
	say("GET /rest/towns", "application/json", `{"towns":[{"name":"Namur"}]}`)
	say("GET /locked/rest/towns", "application/json", `{"towns":[{"name":"Namur"}]}`)
	say("GET /basic/rest/towns", "application/json", `{"towns":[{"name":"Namur"}]}`)
	say("GET /rest/text", "text/plain", "Namur\n")
	mux.HandleFunc("POST /graphql", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"query"`) || !strings.Contains(string(body), "__schema") || r.Header.Get("Content-Type") != "application/json" {
			http.Error(w, string(body), http.StatusBadRequest)
			return
		}
		io.WriteString(w, `{"data":{"__schema":{"queryType":{"fields":[{"name":"Namur","description":null}]}}}}`)
	})
	mux.HandleFunc("GET /sparql", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("query") != anyTriples || !strings.Contains(r.Header.Get("Accept"), "text/csv") {
			http.Error(w, "query", http.StatusBadRequest)
			return
		}
		io.WriteString(w, "s,p,o\r\nhttp://x.example/1,http://x.example/name,Namur\r\n")
	})
	mux.HandleFunc("POST /mcp", func(w http.ResponseWriter, r *http.Request) {
		var call struct{ JSONRPC, Method string }
		accept := r.Header.Get("Accept")
		if json.NewDecoder(r.Body).Decode(&call) != nil || call.JSONRPC != "2.0" || call.Method != "initialize" || !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream") {
			http.Error(w, "no handshake", http.StatusBadRequest)
			return
		}
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"Namur"}}}`)
	})
	say("GET /odata", "application/json", `{"value":[{"name":"Namur","kind":"EntitySet"}]}`)
	needs(mux, "GET /odata/Towns", "application/json", `{"value":[{"name":"Namur"}]}`, "$top", "10")
	say("GET /sdmx/dataflow/all/all/latest", "application/xml", `<Structure><Dataflow>Namur</Dataflow></Structure>`)
	needs(mux, "GET /sdmx/data/TOWNS", "text/csv", "REF_AREA,OBS_VALUE\nNamur,1\n", "lastNObservations", "1")
	say("GET /soap", "text/xml", `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><portType><operation name="Namur"/></portType></definitions>`)
	ogc(mux)
	guarded := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		switch {
		case strings.HasPrefix(r.URL.Path, "/locked/") && r.Header.Get("Authorization") != "Bearer token",
			strings.HasPrefix(r.URL.Path, "/basic/") && (user != "user" || password != "secret"):
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	})
	s := httptest.NewServer(guarded)
	t.Cleanup(s.Close)
	return s
}

// needs answers only where the query has given values.
func needs(mux *http.ServeMux, pattern, media, body string, pairs ...string) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		for i := 0; i < len(pairs); i += 2 {
			if q.Get(pairs[i]) != pairs[i+1] {
				http.Error(w, fmt.Sprintf("%s must be %q: %v", pairs[i], pairs[i+1], q), http.StatusBadRequest)
				return
			}
		}
		w.Header().Set("Content-Type", media)
		io.WriteString(w, body)
	})
}

// ogc are services of the OGC and of ArcGIS. The layer has a name that every
// language must quote.
func ogc(mux *http.ServeMux) {
	mux.HandleFunc("GET /ows", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		layer := q.Get("layers") + q.Get("typeNames")
		switch {
		case q.Get("map") != "" && q.Get("map") != "a b":
		case q.Get("service") == "" || q.Get("request") == "GetCapabilities":
			io.WriteString(w, `<WMS_Capabilities xmlns="http://www.opengis.net/wms"><Layer>
<Name>Namur</Name><Identifier>Namur</Identifier><CoverageId>Namur</CoverageId></Layer></WMS_Capabilities>`)
			return
		case q.Get("request") == "GetMap" && layer == hostile && q.Get("bbox") != "":
			io.WriteString(w, "\x89PNG\r\n\x1a\n")
			return
		case q.Get("request") == "GetFeature" && layer == hostile && q.Get("count") == "10":
			io.WriteString(w, `<FeatureCollection xmlns:t="t"><member><t:town><t:name>Namur</t:name></t:town></member></FeatureCollection>`)
			return
		case q.Get("request") == "GetFeature" && q.Get("outputFormat") == "csv" && q.Get("count") == "":
			io.WriteString(w, "name\nNamur\n")
			return
		case q.Get("request") == "GetRecords":
			io.WriteString(w, `<r xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Namur</dc:title></r>`)
			return
		}
		http.Error(w, r.URL.RawQuery, http.StatusBadRequest)
	})
	const collection = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Namur"},"geometry":null}]}`
	mux.HandleFunc("GET /ogcapi", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, town) })
	mux.HandleFunc("GET /ogcapi/collections", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"collections":[{"id":"Namur"}]}`)
	})
	mux.HandleFunc("GET /ogcapi/collections/{id}/items", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("id") != hostile || !strings.Contains(r.Header.Get("Accept"), "geo+json") {
			http.Error(w, "collection", http.StatusNotFound)
			return
		}
		io.WriteString(w, collection)
	})
	needs(mux, "GET /arcgis/rest/services/a/FeatureServer", "application/json", `{"layers":[{"name":"Namur"}]}`, "f", "json")
	needs(mux, "GET /arcgis/rest/services/a/FeatureServer/0/query", "application/json", `{"features":[{"attributes":{"name":"Namur"}}]}`, "where", "1=1", "f", "json")
	mux.HandleFunc("GET /arcgis/rest/services/a/FeatureServer/0", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, town) })
}

// hostile is a name with what ends a literal in one language or another.
const hostile = "a'b\"c\\d$(id)`id`${1}é;--"

// documents are files of each format.
func documents(t testing.TB) map[string]string {
	const collection = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Namur"},"geometry":{"type":"Point","coordinates":[4.8,50.4]}}]}`
	return map[string]string{
		"towns.csv": "code,name\n0123,Namur\n0456,Huy\n", "semicolon.csv": "code;name\n0123;Namur\n", "tabs.tsv": "code\tname\n0123\tNamur\n",
		"latin.csv": "name;land\nNamur;Belgi\xeb\n", "windows.csv": "name;price\nNamur;5 \x80\n", "quoted.csv": "\"a'b\"\"c\",name\n007,Namur\n",
		"list.json": `[{"name":"Namur","n":{"m":1}},{"name":"Huy"}]`, "deep.json": `{"a":{"b c":[{"name":"Namur"}]}}`, "one.json": `{"name":"Namur"}`, "map.json": `{"x":{"name":"Namur"},"y":{"name":"Huy"},"z":{"name":"Mons"}}`, "rows.json": `{"data":[["Namur",1],["Huy",2]]}`,
		"lines.ndjson": "{\"name\":\"Namur\"}\n{\"name\":\"Huy\"}\n", "map.geojson": collection,
		"towns.xml": "<towns><town><name>Namur</name></town></towns>", "towns.ttl": `<http://x.example/1> <http://x.example/name> "Namur" .`,
		"towns.rdf":    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x.example/"><rdf:Description rdf:about="http://x.example/1"><x:name>Namur</x:name></rdf:Description></rdf:RDF>`,
		"towns.jsonld": `{"@id":"http://x.example/1","http://x.example/name":"Namur"}`,
		"towns.xlsx":   workbookOf(t), "towns.parquet": parquetOf(t), "towns.zip": zipOf(t),
	}
}

func workbookOf(t testing.TB) string {
	f := excelize.NewFile()
	for cell, v := range map[string]string{"A1": "name", "A2": town} {
		if err := f.SetCellValue("Sheet1", cell, v); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parquetOf(t testing.TB) string {
	type row struct {
		Name string `parquet:"name"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	if _, err := w.Write([]row{{town}, {"Huy"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipOf(t testing.TB) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("Namur.csv")
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "name\nNamur\n")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
