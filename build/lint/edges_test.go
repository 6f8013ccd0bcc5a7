package lint_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest/source"
	rules "github.com/assay-register/assay/render/lint"
)

// rulesOf counts the findings of a list by rule.
func rulesOf(list []rules.Finding) map[string]int {
	out := map[string]int{}
	for i := range list {
		out[list[i].Rule]++
	}
	return out
}

// TestNothingAtAll: an input in which no record is is an empty catalogue, however little there is, and told once.
func TestNothingAtAll(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"empty.json": "", "space.json": " \n\t", "object.json": "{}", "list.json": "[]", "of.json": `{"dataset":[]}`, "c.ttl": "", "c.csv": "a,b\n", "none.csv": "", "c.xml": "", "c.yaml": "# none\n", "data": ""} {
		list, sum := run(t, name, "", []byte(text))
		if told := rulesOf(list); told["catalogue.empty"] != 1 || sum.Records > 1 {
			t.Errorf("%s: %v, %+v", name, told, sum)
		}
	}
	list, _ := runInput(t, source.Input{Name: "folder", Files: fstest.MapFS{}}, "")
	if told := rulesOf(list); told["catalogue.empty"] != 1 {
		t.Errorf("an empty folder: %v", told)
	}
}

// TestOversizedRecord: a record beyond the limit is that, and neither broken nor a sign that there is none.
func TestOversizedRecord(t *testing.T) {
	t.Parallel()
	long := `{"identifier":"a","title":"` + strings.Repeat("x", 11<<20) + `"}`
	for name, text := range map[string]string{"data.json": `{"conformsTo":"https://project-open-data.cio.gov/v1.1/schema","dataset":[` + long + `]}`, "lines.jsonl": long + "\n" + long + "\n"} {
		list, _ := run(t, name, "", []byte(text))
		told := rulesOf(list)
		if told["record.refused"] == 0 || told["document.syntax"]+told["catalogue.empty"] != 0 || !strings.Contains(list[0].Message, "longer than 10485760 bytes") {
			t.Errorf("%s: %v %s", name, told, list[0].Message)
		}
	}
}

// TestFormOfDates: a patch tells the day of a date only where it can be told.
func TestFormOfDates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		date   string
		choose bool
	}{{"02/03/2020", true}, {"02/03/2020 10:00:00", true}, {"12/31/2020", false}, {"31/12/2020", false}, {"03/03/2020", false}, {"02.03.2020", false}, {"2020/02/03", false}} {
		list, _ := run(t, "data.json", "datajson", []byte(`{"dataset":[{"identifier":"a","title":"Tides","issued":"`+c.date+`"}]}`))
		found := false
		for i := range list {
			if f := &list[i]; f.Rule == "date.form" {
				found = true
				if f.Patch == nil || f.Patch.Choose != c.choose {
					t.Errorf("%s: %+v", c.date, f.Patch)
				}
			}
		}
		if !found {
			t.Errorf("%s: no finding in %v", c.date, rulesOf(list))
		}
	}
}

// TestTypesOfMendedDates: the type of a date in RDF is that of the value that a patch writes.
func TestTypesOfMendedDates(t *testing.T) {
	t.Parallel()
	for of, want := range map[string]string{`"2019"^^xsd:gYear`: `"2019-01-01"^^<http://www.w3.org/2001/XMLSchema#date>`, `"2019-05"^^xsd:gYearMonth`: `"2019-05-01"^^<http://www.w3.org/2001/XMLSchema#date>`} {
		list, _ := run(t, "c.ttl", "", []byte(`@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<https://h.example/d> a dcat:Dataset ; dct:title "Tides"@en ; dct:modified `+of+` .`))
		added := ""
		for i := range list {
			if f := &list[i]; f.Member == "dct:modified" && f.Patch != nil {
				added = f.Patch.Add
			}
		}
		if !strings.Contains(added, want) {
			t.Errorf("%s: %s", of, added)
		}
	}
}

// TestEncodings: text that is not UTF-8 is told of each syntax, unless the encoding is declared, and wherever the
// parts end in which it is read.
func TestEncodings(t *testing.T) {
	t.Parallel()
	const title = "Mar\xe9es"
	data := `{"dataset":[{"identifier":"a","title":"` + title + `"}]}`
	wide := []byte{0xff, 0xfe}
	for _, c := range strings.Replace(data, title, "Tides", 1) {
		wide = append(wide, byte(c), 0)
	}
	utf8 := `{"dataset":[{"identifier":"a","title":"` + strings.Repeat("é€𝄞", 100_000) + `"}]}`
	for _, c := range []struct{ name, text, rule string }{
		{"data.json", data, "document.utf-8"}, {"lines.jsonl", data + "\n" + data, "document.utf-8"}, {"data.json", string(wide), "document.utf-8"}, {"end.json", `{"title":"Tides"}` + "\xe9", "document.utf-8"},
		{"api.json", `{"openapi":"3.1.0","info":{"title":"` + "\xff" + `","version":"1"},"paths":{}}`, "document.utf-8"},
		{"t.csv", "name,place\n" + title + ",x\n", "document.encoding"}, {"t.xml", "<a><b>" + title + "</b></a>", "document.encoding"}, {"t.xml", `<?xml version="1.0" encoding="utf-8"?><a><b>` + title + "</b></a>", "document.encoding"},
		{"t.xml", `<?xml version="1.0" encoding="ISO-8859-1"?><a><b>` + title + "</b></a>", ""}, {"data.json", utf8, ""}, {"data.json", " " + utf8, ""}, {"data.json", "  " + utf8, ""}, {"t.csv", "name,place\nMarées,x\n", ""},
		{"c.ttl", `@prefix dcat: <http://www.w3.org/ns/dcat#> . <https://h.example/d> a dcat:Dataset ; <http://purl.org/dc/terms/title> "` + title + `" .`, "document.utf-8"},
	} {
		list, _ := run(t, c.name, "", []byte(c.text))
		told := rulesOf(list)
		want := map[string]int{}
		if c.rule != "" {
			want[c.rule] = 1
		}
		for _, rule := range []string{"document.utf-8", "document.encoding"} {
			if told[rule] != want[rule] {
				t.Errorf("%s %.60q: %s is told %d times, want %d: %v", c.name, c.text, rule, told[rule], want[rule], told)
			}
		}
	}
}

// TestNoPatchIntoWhatIsNoObject: nothing is put into a record that is null or a text.
func TestNoPatchIntoWhatIsNoObject(t *testing.T) {
	t.Parallel()
	for _, record := range []string{"null", `"x"`, "[]"} {
		list, _ := run(t, "data.json", "datajson", []byte(`{"dataset":[`+record+`]}`))
		if len(list) == 0 {
			t.Errorf("%s: nothing is told", record)
		}
		for i := range list {
			if p := list[i].Patch; p != nil {
				t.Errorf("%s: %s has the patch %+v", record, list[i].Rule, *p)
			}
		}
	}
}

// TestIdentifierOfRDF: the identifier of a record that is known by its IRI is the whole of it.
func TestIdentifierOfRDF(t *testing.T) {
	t.Parallel()
	list, _ := run(t, "c.ttl", "", []byte(`@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
<http://h.gov:8080/d/1> a dcat:Dataset ; dct:title "Tides"@en .`))
	seen := 0
	for i := range list {
		if id := list[i].Record.ID; id != "" {
			if seen++; id != "http://h.gov:8080/d/1" {
				t.Errorf("%s: %q", list[i].Rule, id)
			}
		}
	}
	if seen == 0 {
		t.Error("no finding names the record")
	}
}

// TestDatasetMembers: members of DCAT-US that state nothing, are of another type or name a licence for programs.
func TestDatasetMembers(t *testing.T) {
	t.Parallel()
	for member, rule := range map[string]string{`"identifier":17`: "member.type", `"keyword":"a;b"`: "member.type", `"title":["Tides"]`: "member.type", `"distribution":{"accessURL":"https://h.example/a"}`: "member.type",
		`"spatial":""`: "value.empty", `"license":"https://opensource.org/licenses/MIT"`: "licence.software", `"keyword":["a"]`: "", `"license":"https://opensource.org/"`: ""} {
		name, value, _ := strings.Cut(member, ":")
		fields := []string{name + ":" + value}
		for other, of := range map[string]string{`"identifier"`: `"a"`, `"title"`: `"Tides"`} {
			if other != name {
				fields = append(fields, other+":"+of)
			}
		}
		list, _ := run(t, "data.json", "datajson", []byte(`{"dataset":[{`+strings.Join(fields, ",")+`}]}`))
		at := "/dataset/0/" + strings.Trim(name, `"`)
		told := ""
		for i := range list {
			if f := &list[i]; f.Member == at && (f.Rule == "member.type" || f.Rule == "value.empty" || f.Rule == "licence.software") {
				told = f.Rule
			}
		}
		if told != rule {
			t.Errorf("%s: %q is told, want %q: %v", member, told, rule, rulesOf(list))
		}
	}
}

// TestPatchesOfUnreachedFiles: a format is stated of files that are taken in, and of others the patch lists one that is.
func TestPatchesOfUnreachedFiles(t *testing.T) {
	t.Parallel()
	const head = `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
<https://h.gov/d> a dcat:Dataset ; dct:title "Trees of the city"@en ; dct:identifier "1" ; dcat:landingPage <https://h.gov/page> ; dcat:distribution <https://h.gov/a>`
	catalogue := func(rest string) string { return head + rest }
	data := func(files string) string {
		return `{"dataset":[{"identifier":"1","title":"Trees","landingPage":"https://h.gov/page","distribution":` + files + `}]}`
	}
	packages := func(files string) string {
		return `{"success":true,"result":{"count":1,"results":[{"id":"1","name":"trees","title":"Trees","url":"https://h.gov/page","resources":` + files + `}]}}`
	}
	for name, c := range map[string]struct {
		text   string
		mended bool
	}{
		"two addresses.ttl":  {catalogue(` . <https://h.gov/a> a dcat:Distribution ; dcat:accessURL <mailto:a@h.gov>, <https://h.gov/files/b> .`), true},
		"beside another.ttl": {catalogue(`, <https://h.gov/b> . <https://h.gov/a> a dcat:Distribution ; dcat:accessURL <not a url> . <https://h.gov/b> a dcat:Distribution ; dcat:accessURL <https://h.gov/files/b> .`), true},
		"beside blank.ttl":   {catalogue(`, [ a dcat:Distribution ; dcat:accessURL <https://h.gov/files/b> ] . <https://h.gov/a> a dcat:Distribution ; dcat:accessURL <not a url> .`), false},
		"unusable.ttl":       {catalogue(` . <https://h.gov/a> a dcat:Distribution ; dcat:accessURL <not a url> .`), true},
		"none.ttl":           {catalogue(` . <https://h.gov/a> a dcat:Distribution ; dct:title "a"@en .`), true},
		"beside.json":        {data(`[{"accessURL":"N/A"},{"accessURL":"https://h.gov/b"}]`), true},
		"unusable.json":      {data(`[{"accessURL":"N/A"}]`), true},
		"none.json":          {data(`[{"title":"a"}]`), true},
		"beside.ckan.json":   {packages(`[{"id":"a","url":"N/A"},{"id":"b","url":"https://h.gov/b"}]`), true},
		"unusable.ckan.json": {packages(`[{"id":"a","url":"N/A"}]`), true},
		"none.ckan.json":     {packages(`[{"id":"a","name":"a"}]`), true},
	} {
		told := map[string]int{}
		patches(t, name, []byte(c.text), 10, told)
		if (told["missing.formats"] > 0) != c.mended {
			t.Errorf("%s: the patch of the formats was applied %d times: %v", name, told["missing.formats"], told)
		}
	}
}

// TestMisspeltDatasetMembers: members that no reader knows are moved to those that are meant, unless these are there,
// and distributions without an address are told.
func TestMisspeltDatasetMembers(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]map[string]int{
		`"descripton":"All tides."`: {"member.misspelt": 1}, `"keywords":["tides"]`: {"member.misspelt": 1}, `"modfied":"2024-01-01","publsher":{"name":"Office"}`: {"member.misspelt": 2},
		`"description":"All tides.","descriptions":"x"`: {}, `"version":"1","purpose":"x","created":"x","resources":[]`: {},
		`"distribution":[{"downloadURl":"https://h.gov/a.csv"}]`: {"member.misspelt": 1, "distribution.no-address": 1}, `"distribution":[{"title":"a"},{"accessURL":"https://h.gov/a.csv"},{"accessURL":null}]`: {"distribution.no-address": 2},
		`"distribution":[{"title":"a","accessService":{"title":"b"}},"x",null]`: {}, `"publisher":{"name":"a","titles":"b","modfied":"c"}`: {},
	} {
		data := []byte(`{"conformsTo":"https://project-open-data.cio.gov/v1.1/schema","dataset":[{"identifier":"a","title":"Tides","accessLevel":"public",` + fields + `}]}`)
		list, _ := run(t, "data.json", "", data)
		told := rulesOf(list)
		for _, rule := range []string{"member.misspelt", "distribution.no-address"} {
			if told[rule] != want[rule] {
				t.Errorf("%s: %s is told %d times, want %d", fields, rule, told[rule], want[rule])
			}
		}
		patches(t, "data.json", data, 10, map[string]int{})
	}
}

// TestPatchesCopyNoFault: what a patch writes breaks no rule itself, and it is put into its own record only.
func TestPatchesCopyNoFault(t *testing.T) {
	t.Parallel()
	for address, mended := range map[string]int{"https://h.gov/x.csv": 1, "https://user:pw@h.gov/x.csv": 0, "http://localhost/x.csv": 0} {
		data := `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
<https://h.gov/d> a dcat:Dataset ; dct:title "Tides"@en ; dcat:landingPage <https://h.gov/page> ; dcat:distribution <https://h.gov/a> .
<https://h.gov/a> a dcat:Distribution ; dcat:downloadURL <` + address + `> .`
		told := map[string]int{}
		patches(t, "c.ttl", []byte(data), 10, told)
		if told["distribution.no-address"] != mended {
			t.Errorf("%s: the address is copied by %d patches, want %d", address, told["distribution.no-address"], mended)
		}
	}
	list, _ := run(t, "data.json", "datajson", []byte(`{"dataset":[{"identifier":"a","title":"Tides","description":"Some \u0007 text caf\u00c3\u00a9"}]}`))
	told := rulesOf(list)
	if told["text.control"] != 1 || told["text.mojibake"] != 1 {
		t.Errorf("of a control character in garbled text: %v", told)
	}
	for i := range list {
		if f := &list[i]; f.Rule == "datajson.access-level" && (len(f.Patch.Operations) != 2 || f.Patch.Operations[0].Op != "test") {
			t.Errorf("the access level is put into any record: %+v", f.Patch.Operations)
		}
	}
}
