package usage

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// scene is an entry whose samples are run.
type scene struct {
	name    string
	entry   catalog.Entry
	profile *catalog.Profile
	// want is printed by every sample; "" is the town.
	want string
	// least is how many languages there must be.
	least int
}

func file(format, path string) catalog.Entry {
	return catalog.Entry{Type: catalog.TypeDataset, AuthType: catalog.AuthNone, Dataset: &catalog.DatasetDetails{Distributions: []catalog.Distribution{{Title: "Towns " + hostile, Format: format, DownloadURL: path}}}}
}

func access(format, path string) catalog.Entry {
	e := file(format, "")
	e.Dataset.Distributions[0].AccessURL = path
	return e
}

func service(spec, path string, members ...catalog.Member) catalog.Entry {
	return catalog.Entry{Type: catalog.TypeAPI, Name: "Service " + hostile, AuthType: catalog.AuthNone, Members: members, API: &catalog.APIDetails{SpecFormat: spec, BaseURL: path}}
}

func closed(e catalog.Entry, auth catalog.AuthType) catalog.Entry {
	e.AuthType = auth
	return e
}

func sampled(kind, path string, change ...func(*catalog.Profile)) *catalog.Profile {
	p := &catalog.Profile{Kind: kind, Source: path, Status: catalog.ProfileOK, Encoding: "utf-8"}
	for _, f := range change {
		f(p)
	}
	return p
}

// scenes are entries of every kind at a double.
func scenes(base string) []scene {
	at := func(path string) string { return base + path }
	layer := catalog.Member{Name: hostile, Title: "Towns " + hostile}
	id := catalog.ProfileField{Name: "code", Type: "id"}
	csv := func(sep, encoding string, fields ...catalog.ProfileField) func(*catalog.Profile) {
		return func(p *catalog.Profile) { p.Separator, p.Encoding, p.Fields = sep, encoding, fields }
	}
	records := func(path string) func(*catalog.Profile) {
		return func(p *catalog.Profile) { p.Records = path }
	}
	list := []scene{
		{"CSV", file("CSV", at("/files/towns.csv")), nil, "", 5},
		{"CSV by its ending", file("", at("/files/towns.csv")), nil, "", 5},
		{"CSV with codes", file("CSV", at("/files/towns.csv")), sampled("csv", at("/files/towns.csv"), csv(",", "utf-8", id)), "0123", 5},
		{"CSV with semicolons", file("CSV", at("/files/semicolon.csv")), sampled("csv", at("/files/semicolon.csv"), csv(";", "utf-8", id)), "0123", 5},
		{"CSV in Latin 1", file("CSV", at("/files/latin.csv")), sampled("csv", at("/files/latin.csv"), csv(";", "iso-8859-1")), "Belgi", 5},
		{"CSV in Windows-1252", file("CSV", at("/files/windows.csv")), sampled("csv", at("/files/windows.csv"), csv(";", "windows-1252")), "", 4},
		{"CSV with a hostile column", file("CSV", at("/files/quoted.csv")), sampled("csv", at("/files/quoted.csv"), csv(",", "utf-8", catalog.ProfileField{Name: `a'b"c`, Type: "id"})), "007", 5},
		{"CSV at a hostile address", file("CSV", at("/files/a'b$(id)`id`;x.csv?q=[1]{2}&w=\"%22")), nil, "", 0},
		{"CSV with a token", closed(file("CSV", at("/locked/towns.csv")), catalog.AuthBearer), nil, "", 4},
		{"TSV", file("TSV", at("/files/tabs.tsv")), nil, "", 5},
		{"TSV that was sampled", file("TSV", at("/files/tabs.tsv")), sampled("tsv", at("/files/tabs.tsv"), csv("\t", "utf-8", id)), "0123", 5},
		{"text that is TSV", file("CSV", at("/files/tabs.tsv")), sampled("tsv", at("/files/tabs.tsv"), csv("\t", "utf-8", id)), "0123", 5},
		{"JSON of unknown form", file("JSON", at("/files/list.json")), nil, "", 5},
		{"JSON, one record", file("JSON", at("/files/one.json")), nil, "", 5},
		{"JSON, a list", file("JSON", at("/files/list.json")), sampled("json", at("/files/list.json")), "", 5},
		{"JSON, a deep list", file("JSON", at("/files/deep.json")), sampled("json", at("/files/deep.json"), records("a.b c")), "", 5},
		{"JSON, a map", file("JSON", at("/files/map.json")), sampled("json", at("/files/map.json"), func(p *catalog.Profile) { p.Fields = []catalog.ProfileField{{Name: "key"}} }), "", 5},
		{"JSON, a list of lists", file("JSON", at("/files/rows.json")), sampled("json", at("/files/rows.json"), records("data")), "", 5},
		{"CSV with a password", closed(file("CSV", at("/basic/latin.csv")), catalog.AuthBasic), sampled("csv", at("/basic/latin.csv"), csv(";", "iso-8859-1")), "", 4},
		{"XLSX with a token", closed(file("XLSX", at("/locked/towns.xlsx")), catalog.AuthBearer), nil, "", 3},
		{"JSON with OAuth", closed(file("JSON", at("/locked/list.json")), catalog.AuthOAuth), nil, "", 4},
		{"JSON by media type", access("", at("/files/list.json")), nil, "", 0},
		{"NDJSON", file("NDJSON", at("/files/lines.ndjson")), nil, "", 5},
		{"JSON Lines", file("JSONL", at("/files/lines.ndjson")), sampled("ndjson", at("/files/lines.ndjson")), "", 5},
		{"GeoJSON", file("GEOJSON", at("/files/map.geojson")), nil, "", 6},
		{"GeoJSON with a token", closed(file("GEOJSON", at("/locked/map.geojson")), catalog.AuthBearer), nil, "", 4},
		{"XLSX", file("XLSX", at("/files/towns.xlsx")), nil, "", 3},
		{"Parquet", file("PARQUET", at("/files/towns.parquet")), nil, "", 4},
		{"XML", file("XML", at("/files/towns.xml")), nil, "", 4},
		{"XML that was sampled", file("XML", at("/files/towns.xml")), sampled("xml", at("/files/towns.xml"), records("town")), "", 4},
		{"Turtle", file("RDF_TURTLE", at("/files/towns.ttl")), nil, "", 3},
		{"RDF/XML", file("RDF_XML", at("/files/towns.rdf")), nil, "", 2},
		{"JSON-LD", file("JSON_LD", at("/files/towns.jsonld")), nil, "", 2},
		{"GeoPackage", file("GPKG", at("/files/towns.gpkg")), nil, "towns.gpkg", 2},
		{"Shapefile", file("SHP", at("/files/shapes.zip")), nil, "", 2},
		{"KML", file("KML", at("/files/towns.kml?x=1")), nil, "", 2},
		{"ZIP", file("ZIP", at("/files/towns.zip")), nil, "Namur.csv", 3},
		{"PDF", file("PDF", at("/files/report.pdf")), nil, "report.pdf", 1},
		{"a name that is an option", file("PDF", at("/files/-rf")), nil, "data", 1},
		{"a page", access("HTML", at("/files/page.html")), nil, "", 0},
		{"a page of no format", access("", at("/files/page")), nil, "", 0},
		{"an API without a description", service("", at("/rest/towns")), nil, "", 4},
		{"an API of text", service("none", at("/rest/text")), nil, "", 4},
		{"OpenAPI with operations", func() catalog.Entry {
			e := service("openapi", at("/rest/"))
			e.API.Endpoints = []catalog.Endpoint{{Method: "GET", Path: "/towns/{id}"}, {Method: "POST", Path: "/towns"}, {Method: "GET", Path: "/towns", Summary: hostile}}
			return e
		}(), nil, "", 4},
		{"OpenAPI with examples", service("openapi", at("/nowhere")), &catalog.Profile{QueryExamples: []catalog.QueryExample{{Method: "GET", URL: at("/rest/towns?a=1"), Label: hostile}}}, "", 4},
		{"an API with a token", closed(service("", at("/locked/rest/towns")), catalog.AuthBearer), nil, "", 4},
		{"an API with a password", closed(service("", at("/basic/rest/towns")), catalog.AuthBasic), nil, "", 4},
		{"an API with a key", closed(service("", at("/rest/towns")), catalog.AuthAPIKey), nil, "", 4},
		{"GraphQL", service("graphql", at("/graphql")), nil, "", 3},
		{"SPARQL", service("sparql", at("/sparql")), nil, "", 4},
		{"a dataset with SPARQL", access("SPARQL", at("/sparql")), nil, "", 4},
		{"OData", service("odata", at("/odata")), nil, "", 4},
		{"OData with a set", service("odata", at("/odata"), catalog.Member{Name: "Towns"}), nil, "", 4},
		{"SDMX", service("sdmx", at("/sdmx")), nil, "", 4},
		{"SDMX with a dataflow", service("sdmx", at("/sdmx"), catalog.Member{Name: "TOWNS"}), nil, "", 4},
		{"SOAP", service("soap", at("/soap")), nil, "", 3},
		{"SOAP with its description", service("soap", at("/soap?WSDL")), nil, "", 3},
		{"WMS", service("ogc-wms", at("/ows")), nil, "", 4},
		{"WMS with a layer", service("ogc-wms", at("/ows?service=WMS&request=GetCapabilities&map=a+b"), layer), nil, "map.png", 5},
		{"WFS", service("ogc-wfs", at("/ows?service=WFS&version=1.1.0")), nil, "", 4},
		{"WFS with a type", service("ogc-wfs", at("/ows?"), layer), nil, "", 5},
		{"a dataset with WFS", access("WFS_SRVC", at("/ows?SERVICE=WFS&REQUEST=GetFeature&TYPENAMES=a%27b%22c%5Cd%24%28id%29%60id%60%24%7B1%7D%C3%A9%3B--")), nil, "", 5},
		{"all features of WFS as CSV", file("WFS_SRVC", at("/ows?service=WFS&request=GetFeature&typeNames=towns&outputFormat=csv")), nil, "", 5},
		{"WCS", service("ogc-wcs", at("/ows")), nil, "", 4},
		{"WCS with a coverage", service("ogc-wcs", at("/ows"), layer), nil, "", 5},
		{"WMTS", service("ogc-wmts", at("/ows"), layer), nil, "", 4},
		{"CSW", service("ogc-csw", at("/ows")), nil, "", 4},
		{"OGC API", service("ogc-api", at("/ogcapi")), nil, "", 4},
		{"OGC API with a collection", service("ogc-api", at("/ogcapi"), layer), nil, "", 5},
		{"ArcGIS", service("arcgis-rest", at("/arcgis/rest/services/a/FeatureServer")), nil, "", 4},
		{"ArcGIS with a layer", service("arcgis-rest", at("/arcgis/rest/services/a/FeatureServer"), catalog.Member{Name: "0", Title: "Towns", URL: at("/arcgis/rest/services/a/FeatureServer/0")}), nil, "", 5},
	}
	return list
}

type job struct {
	ID       string   `json:"id"`
	Language Language `json:"language"`
	Code     string   `json:"code"`
	want     string
}

// TestSamplesRun executes every sample of the scenes with the interpreter of
// its language, against the double.
func TestSamplesRun(t *testing.T) {
	python := interpreters(t)
	s := double(t)
	jobs := map[string][]job{"bash": {{"a handshake", Shell, Handshake(s.URL + "/mcp"), town}}}
	entries, seen := 0, map[Kind]bool{}
	for _, c := range scenes(s.URL) {
		list := Targets(&c.entry, c.profile)
		if len(list) == 0 {
			if c.least > 0 {
				t.Errorf("%s: no target", c.name)
			}
			continue
		}
		samples := list[0].Samples()
		entries, seen[list[0].Kind] = entries+1, true
		if len(samples) < c.least {
			t.Errorf("%s: %d samples, want %d", c.name, len(samples), c.least)
		}
		for _, x := range samples {
			j := job{c.name + " in " + string(x.Language), x.Language, x.Code, cmp.Or(c.want, town)}
			runner := map[Language]string{Shell: "bash", Python: "python", QGIS: "python", R: "R", JavaScript: "node", DuckDB: "node"}[x.Language]
			if x.Language == QGIS || list[0].Kind == Vector || list[0].Kind == File {
				j.want = ""
			}
			if x.Language == DuckDB {
				j.Code = local(t, s.URL, x.Code)
			}
			if x.Language == Python && list[0].Kind == Parquet {
				j.want = "PAR1"
			}
			if (x.Language == Shell || x.Language == R) && (list[0].Kind == XLSX || list[0].Kind == Parquet || list[0].Kind == WMS) && x.Language == Shell {
				j.want = ""
			}
			if list[0].Kind == WMS && list[0].Layer != "" {
				j.want = map[Language]string{R: "8", Python: "map.png", JavaScript: "map.png"}[x.Language]
			}
			jobs[runner] = append(jobs[runner], j)
		}
	}
	if entries < 60 || len(seen) != len(kinds) {
		t.Errorf("%d entries of %d of %d kinds", entries, len(seen), len(kinds))
	}
	var wg sync.WaitGroup
	for runner, list := range jobs {
		wg.Go(func() { check(t, list, run(t, runner, python, list)) })
	}
	wg.Wait()
}

func check(t *testing.T, jobs []job, got map[string]outcome) {
	for _, j := range jobs {
		o, ran := got[j.ID]
		if !ran || o.Error != "" || !strings.Contains(o.Output, j.want) || strings.TrimSpace(o.Output) == "" {
			t.Errorf("%s (ran: %v) printed\n%s\n%s\nwant %q, of\n%s", j.ID, ran, o.Output, o.Error, j.want, j.Code)
		}
	}
	t.Logf("%d samples", len(jobs))
}

type outcome struct {
	ID, Output, Error string
}

// interpreters skips the test where one is missing, and tells which Python has
// pandas.
func interpreters(t *testing.T) (python string) {
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import pandas, requests, rdflib, openpyxl").Run() == nil {
			python = p
			break
		}
	}
	_, noR := exec.LookPath("Rscript")
	_, noNode := exec.LookPath("node")
	if _, err := os.Stat(modules(t)); python == "" || noR != nil || noNode != nil || err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the interpreters are not all there: run make test, which installs them")
		}
		t.Skip("the interpreters are not all there: run .ci/samples/install.sh")
	}
	return python
}

func modules(t *testing.T) string {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, ".cache", "samples", "node_modules", "@duckdb")
}

func run(t *testing.T, runner, python string, list []job) map[string]outcome {
	out := map[string]outcome{}
	if runner == "bash" {
		for _, j := range list {
			c := exec.Command("bash", "-euo", "pipefail", "-c", j.Code)
			c.Dir = t.TempDir()
			c.Env = append(os.Environ(), "TOKEN=token", "USERNAME=user", "PASSWORD=secret")
			var stderr bytes.Buffer
			c.Stderr = &stderr
			b, err := c.Output()
			o := outcome{Output: string(b)}
			if err != nil {
				o.Error = fmt.Sprint(err, stderr.String())
			}
			out[j.ID] = o
		}
		return out
	}
	scripts, err := filepath.Abs("../../.ci/samples")
	if err != nil {
		t.Error(err)
		return nil
	}
	input := filepath.Join(t.TempDir(), "cases.json")
	b, err := json.Marshal(list)
	if err == nil {
		err = os.WriteFile(input, b, 0o644)
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	var c *exec.Cmd
	switch runner {
	case "python":
		c = exec.Command(python, filepath.Join(scripts, "run.py"), input)
	case "R":
		c = exec.Command("Rscript", "--vanilla", filepath.Join(scripts, "run.R"), input)
	case "node":
		c = exec.Command("node", beside(t, scripts), input)
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	b, err = c.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s", runner, err, stderr.String())
	}
	for line := range bytes.Lines(b) {
		var o outcome
		if err := json.Unmarshal(line, &o); err != nil {
			t.Errorf("%s: %v in %.200q", runner, err, line)
			continue
		}
		out[o.ID] = o
	}
	return out
}

// beside copies the runner to the modules, above which they are looked for.
func beside(t *testing.T, scripts string) string {
	b, err := os.ReadFile(filepath.Join(scripts, "run.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(filepath.Dir(modules(t))), "samples-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.WriteFile(filepath.Join(dir, "run.mjs"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "run.mjs")
}

// local replaces the address in a sample of DuckDB by a file, and leaves out
// the extension that reads from the web, which DuckDB would have to fetch.
func local(t *testing.T, base, code string) string {
	rest, ok := strings.CutPrefix(code, overHTTP)
	begin := strings.Index(rest, "'"+base)
	if !ok || begin < 0 {
		t.Errorf("no address in %s", code)
		return code
	}
	quoted := rest[begin+1:]
	end := strings.Index(strings.ReplaceAll(quoted, "''", "xx"), "'")
	address := strings.ReplaceAll(quoted[:end], "''", "'")
	resp, err := http.Get(address)
	if err != nil {
		t.Error(err)
		return code
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	path := filepath.Join(t.TempDir(), "data")
	if err == nil {
		err = os.WriteFile(path, b, 0o644)
	}
	if err != nil {
		t.Error(err)
	}
	return rest[:begin] + sqlText(path) + quoted[end+1:]
}
