package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nationalCatalogue says of a file, of one for some, and of one behind a password,
// what national catalogues say.
const nationalCatalogue = `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix right: <http://publications.europa.eu/resource/authority/access-right/> .
<%[1]s/catalogue> a dcat:Catalog ; dct:title "Data of Example" ; dcat:dataset <%[1]s/d/open>, <%[1]s/d/shut>, <%[1]s/d/some> .
<%[1]s/p> a foaf:Organization ; foaf:name "Ministry of Examples" .
<%[1]s/d/open> a dcat:Dataset ; dct:title "Air quality"@en ; dct:description "By station and hour."@en ; dct:publisher <%[1]s/p> ; dct:accessRights right:PUBLIC ; dcat:distribution <%[1]s/x/open> .
<%[1]s/x/open> a dcat:Distribution ; dct:license <http://creativecommons.org/licenses/by/4.0/> ; dct:format "CSV" ; dcat:accessURL <%[1]s/open.csv> ; dcat:downloadURL <%[1]s/open.csv> .
<%[1]s/d/shut> a dcat:Dataset ; dct:title "Soil"@en ; dct:publisher <%[1]s/p> ; dcat:distribution <%[1]s/x/shut> .
<%[1]s/x/shut> a dcat:Distribution ; dct:format "CSV" ; dcat:downloadURL <%[1]s/shut.csv> .
<%[1]s/d/some> a dcat:Dataset ; dct:title "Patients"@en ; dct:publisher <%[1]s/p> ; dct:accessRights right:RESTRICTED ; dcat:distribution <%[1]s/x/some> .
<%[1]s/x/some> a dcat:Distribution ; dct:format "CSV" ; dcat:downloadURL <%[1]s/some.csv> .
`

// TestNationalCatalogueIsReached: a catalogue that says who may have its data, and
// nothing of how, becomes what its files show; a later harvest keeps that.
func TestNationalCatalogueIsReached(t *testing.T) {
	t.Parallel()
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/shut.csv" {
			w.Header().Set("WWW-Authenticate", `Basic realm="soil"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, "station,value\nNorth,12\nSouth,14\n")
	}))
	defer files.Close()
	dir := t.TempDir()
	catalogue, config := filepath.Join(dir, "catalogue.ttl"), filepath.Join(dir, "assay.yaml")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := fmt.Sprintf(nationalCatalogue, files.URL)
	write(config, fmt.Sprintf("sources:\n  - key: national\n    kind: dcat\n    url: %s\n    file: %s\n    country: FR\n    official: the catalogue of the country\n", files.URL, catalogue))
	common := []string{"--config", config, "--db", "sqlite:" + filepath.Join(dir, "assay.db"), "--allow-private"}
	site := filepath.Join(dir, "site")
	type shown struct {
		Class string                 `json:"free_access_class"`
		Auth  string                 `json:"auth_type"`
		Level string                 `json:"access_level"`
		State string                 `json:"verification_state"`
		Tier  string                 `json:"capability_tier"`
		Step  struct{ Level string } `json:"maturity"`
	}
	entry := func(slug string) (e shown) {
		t.Helper()
		doc, err := os.ReadFile(filepath.Join(site, "api", "v1", "entries", slug, "index.json"))
		if err == nil {
			err = json.Unmarshal(doc, &e)
		}
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for round, body := range []string{text, strings.Replace(text, "By station and hour", "By station, hour and pollutant", 1), text} {
		write(catalogue, body)
		must(t, append([]string{"harvest", "national"}, common...)...)
		if code, _, said := assayVerify(t, append([]string{"--rate-per-host", "200", "--all"}, common...)...); code != 0 {
			t.Fatalf("exit %d\n%s", code, said)
		}
		must(t, append([]string{"build", "--out", site}, common...)...)
		for slug, want := range map[string]shown{
			"air-quality": {Class: "FREE_NO_AUTH", Auth: "NONE", Level: "direct", State: "VERIFIED", Tier: "live", Step: struct{ Level string }{"executable"}},
			"soil":        {Class: "UNKNOWN", Auth: "BASIC", Level: "documented", State: "VERIFIED", Tier: "reference", Step: struct{ Level string }{"verified"}},
			"patients":    {Class: "UNKNOWN", Auth: "NONE", Level: "direct", State: "VERIFIED", Tier: "live", Step: struct{ Level string }{"executable"}},
		} {
			if got := entry(slug); got != want {
				t.Errorf("round %d, %s: %+v, want %+v", round, slug, got, want)
			}
		}
	}
}
