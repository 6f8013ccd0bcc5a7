package profile

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"github.com/assay-register/assay/build/profile/format"
	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/render/catalog"
)

// Examples returns requests that a reader can try: one that shows the first
// records, and one that filters by a field that the profile found, with a value
// that the sample shows. Masked values never become part of a request. A source
// that is no web address has none.
func Examples(p *catalog.Profile) []catalog.QueryExample {
	u, err := url.Parse(p.Source)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil
	}
	out := []catalog.QueryExample{first(p)}
	f := filterOf(p)
	if f == nil {
		return out
	}
	if e, ok := served(u, f); ok {
		return append(out, e)
	}
	if e, ok := local(p, f); ok {
		out = append(out, e)
	}
	return out
}

func get(address, label, description, pipe string) catalog.QueryExample {
	return catalog.QueryExample{URL: address, Curl: "curl -sSL " + shell(address) + pipe, Label: label, Method: "GET", Description: description}
}

// shell quotes a word for POSIX shells.
func shell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func first(p *catalog.Profile) catalog.QueryExample {
	switch p.Kind {
	case format.CSV, format.TSV, format.NDJSON:
		return get(p.Source, "The first lines", "", " | head -n 5")
	case format.JSON, format.GeoJSON:
		return get(p.Source, "The whole document", "", " | jq .")
	case format.XLSX, format.Parquet:
		return get(p.Source, "Download the file", "", " -o data."+p.Kind)
	}
	return get(p.Source, "The whole document", "", "")
}

// filter is a field with a value that the sample shows.
type filter struct{ field, value string }

// filterOf prefers a field of a canonical identifier, then a short text that
// repeats.
func filterOf(p *catalog.Profile) *filter {
	if len(p.SampleRecords) == 0 || !p.PersonalData.Allowed {
		return nil
	}
	var row map[string]any
	if json.Unmarshal(p.SampleRecords[0], &row) != nil {
		return nil
	}
	var best *filter
	rank := 0
	for i := range p.Fields {
		f := &p.Fields[i]
		value, ok := row[f.Name].(string)
		if !ok || f.Personal != "" || value == "" || len(value) > 60 || strings.ContainsAny(value, "\n\\\"'`$") || strings.ContainsAny(f.Name, "[]\n\\\"'`$") {
			continue
		}
		if r := worth(f, p.SampledRecords); r > rank {
			best, rank = &filter{f.Name, value}, r
		}
	}
	return best
}

func worth(f *catalog.ProfileField, records int64) int {
	switch {
	case f.Type != string(infer.String) && f.Type != string(infer.ID):
		return 0
	case f.Concept != "":
		return 4
	case f.Distinct != nil && *f.Distinct > 1 && *f.Distinct*3 <= records:
		return 3
	case f.Type == string(infer.ID):
		return 2
	}
	return 1
}

var (
	socrataPath = regexp.MustCompile(`^/resource/[0-9a-z]{4}-[0-9a-z]{4}(?:\.(?:json|csv|geojson))?$`)
	odsPath     = regexp.MustCompile(`^(.*/api/explore/v2\.[01]/catalog/datasets/[^/]+)/(?:records|exports/[a-z]+)$`)
	itemsPath   = regexp.MustCompile(`/collections/[^/]+/items$`)
)

// served filters at the server, where its address says how to ask.
func served(u *url.URL, f *filter) (catalog.QueryExample, bool) {
	ask := *u
	q := ask.Query()
	set := func(pairs ...string) {
		for i := 0; i < len(pairs); i += 2 {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	switch {
	case socrataPath.MatchString(u.Path):
		set(f.field, f.value, "$limit", "10")
	case odsPath.MatchString(u.Path):
		ask.Path = odsPath.FindStringSubmatch(u.Path)[1] + "/records"
		ask.RawPath = ""
		set("where", f.field+`="`+f.value+`"`, "limit", "10")
	case strings.HasSuffix(u.Path, "/action/datastore_search"):
		filters, err := json.Marshal(map[string]string{f.field: f.value})
		if err != nil {
			return catalog.QueryExample{}, false
		}
		set("filters", string(filters), "limit", "10")
	case itemsPath.MatchString(u.Path):
		set(strings.TrimPrefix(f.field, "properties."), f.value, "limit", "10")
	case strings.HasSuffix(u.Path, "/query") && strings.Contains(u.Path, "Server/"):
		set("where", strings.TrimPrefix(f.field, "attributes.")+"='"+f.value+"'", "outFields", "*", "f", "json")
	default:
		return catalog.QueryExample{}, false
	}
	ask.RawQuery = q.Encode()
	return get(ask.String(), "Records where "+f.field+" is "+f.value, "The server filters.", ""), true
}

// local filters a file after the download, with a free tool for its format.
func local(p *catalog.Profile, f *filter) (catalog.QueryExample, bool) {
	label := "Records where " + f.field + " is " + f.value
	switch p.Kind {
	case format.CSV, format.TSV:
		if p.Encoding != "utf-8" || strings.ContainsAny(f.field, "{}") || numbered(p) {
			return catalog.QueryExample{}, false
		}
		flags := " --icsv --ojson"
		if p.Separator != "," {
			flags = " --icsv --ifs " + shell(p.Separator) + " --ojson"
		}
		return get(p.Source, label, "Filters after the download with Miller.", " | mlr"+flags+" filter "+shell(`${`+f.field+`} == "`+f.value+`"`)), true
	case format.JSON, format.GeoJSON, format.NDJSON:
		return get(p.Source, label, "Filters after the download with jq.", " | jq "+shell(jqList(p)+"select("+jqPath(jqField(p, f))+` == "`+f.value+`")`)), true
	case format.Parquet:
		sql := `SELECT * FROM '` + p.Source + `' WHERE "` + f.field + `" = '` + f.value + `' LIMIT 10`
		if strings.Contains(p.Source, "'") || strings.Contains(f.field, ".") {
			return catalog.QueryExample{}, false
		}
		return catalog.QueryExample{URL: p.Source, Curl: "duckdb -c " + shell(sql), Label: label, Method: "GET", Description: "DuckDB reads only the parts that it needs."}, true
	}
	return catalog.QueryExample{}, false
}

// numbered tells that the names of columns are not in the file.
func numbered(p *catalog.Profile) bool {
	return len(p.Fields) > 0 && p.Fields[0].Name == "column_1"
}

func jqField(p *catalog.Profile, f *filter) string {
	if p.Kind == format.GeoJSON && f.field != "id" {
		return "properties." + f.field
	}
	return f.field
}

func jqList(p *catalog.Profile) string {
	switch {
	case p.Kind == format.NDJSON:
		return ""
	case p.Records == "":
		return ".[] | "
	}
	return jqPath(p.Records) + "[] | "
}

func jqPath(path string) string {
	var b strings.Builder
	for _, step := range strings.Split(path, ".") {
		b.WriteString(`."` + step + `"`)
	}
	return b.String()
}
