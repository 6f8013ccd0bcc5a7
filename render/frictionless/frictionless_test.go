package frictionless

import (
	"encoding/json"
	"strings"
	"testing"
)

const page = `{"id":"9d5b","slug":"air","type":"DATASET","name":"Air","description":"Dust","tags":["air"],"license":{"id":"CC-BY-4.0","title":"CC BY 4.0","url":"https://creativecommons.org/licenses/by/4.0/"},
"publisher":{"name":"Agency of Air"},"source_issued_at":"2020-01-01T00:00:00Z","dataset_details":{"landing_page":"https://air.example/","distributions":[
{"title":"Values","download_url":"https://air.example/Values 2025.csv","format":"CSV","byte_size":7},{"access_url":"https://air.example/Values 2025.csv?x=1"},{"title":"no address"}]},
"data_profile":{"profile_source":"https://air.example/Values 2025.csv","fields":[{"name":"station","type":"string","concept":"https://c.example/station"},{"name":"value","type":"decimal","nullable":true},
{"name":"value","type":"strange"},{"name":"day","type":"date"}]}}`

func made(t *testing.T, make func([]byte, string) ([]byte, error), page string) map[string]any {
	t.Helper()
	out, err := make([]byte(page), "https://r.example")
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if out != nil && json.Unmarshal(out, &v) != nil {
		t.Fatalf("no JSON: %s", out)
	}
	return v
}

func TestDataPackage(t *testing.T) {
	p := made(t, DataPackage, page)
	list := p["resources"].([]any)
	if p["name"] != "air" || p["id"] != "https://r.example/id/9d5b" || len(list) != 2 {
		t.Fatalf("%v", p)
	}
	first, second := list[0].(map[string]any), list[1].(map[string]any)
	if first["name"] != "values-2025" || second["name"] != "values-2025-2" || first["bytes"] != 7.0 || second["schema"] != nil {
		t.Errorf("%v\n%v", first, second)
	}
	got, _ := json.Marshal(first["schema"])
	for _, want := range []string{`"name":"station"`, `"rdfType":"https://c.example/station"`, `"type":"number"`, `"type":"any"`, `"required":true`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the schema has no %s: %s", want, got)
		}
	}
	for _, none := range []string{`{"type":"API"}`, `{"type":"DATASET","dataset_details":{"distributions":[]}}`} {
		if p := made(t, DataPackage, none); p != nil {
			t.Errorf("%s is a package: %v", none, p)
		}
	}
}

// TestCroissant holds the document to the rules of Croissant 1.0: mandatory members, every id
// once, every source of a field a file of the document, every type one of its types.
func TestCroissant(t *testing.T) {
	c := made(t, Croissant, page)
	for _, name := range []string{"@context", "@type", "conformsTo", "name", "description", "url", "license", "creator", "datePublished", "distribution", "recordSet"} {
		if c[name] == nil || c[name] == "" {
			t.Errorf("no %s", name)
		}
	}
	file := c["distribution"].([]any)[0].(map[string]any)
	if c["isLiveDataset"] != true || file["@type"] != "cr:FileObject" || file["encodingFormat"] != "text/csv" || file["contentUrl"] != "https://air.example/Values 2025.csv" {
		t.Errorf("%v", file)
	}
	ids := map[any]bool{file["@id"]: true}
	fields := c["recordSet"].([]any)[0].(map[string]any)["field"].([]any)
	for _, f := range fields {
		f := f.(map[string]any)
		source := f["source"].(map[string]any)
		if ids[f["@id"]] || source["fileObject"].(map[string]any)["@id"] != file["@id"] || source["extract"].(map[string]any)["column"] != f["name"] {
			t.Errorf("%v", f)
		}
		ids[f["@id"]] = true
	}
	if len(fields) != 4 {
		t.Errorf("%d fields", len(fields))
	}
	for _, none := range []string{`{"type":"API"}`, strings.Replace(page, `"description":"Dust",`, "", 1), strings.Replace(page, `"format":"CSV"`, `"format":"PDF"`, 1)} {
		if c := made(t, Croissant, none); c != nil {
			t.Errorf("is a Croissant: %s", none)
		}
	}
}
