package frictionless

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDialect: a Data Package says how a text table is written, and Croissant, which has no words
// for it, has records of those tables only that loaders read without being told.
func TestDialect(t *testing.T) {
	for _, c := range []struct {
		name, profile, file string
		dialect, encoding   string
		media               string
		records             bool
	}{
		{"usual", `"separator":",","encoding":"utf-8"`, "a.csv", `{"delimiter":","}`, "utf-8", `"text/csv"`, true},
		{"unknown", ``, "a.csv", `null`, "", `"text/csv"`, true},
		{"semicolon", `"separator":";","encoding":"utf-8"`, "a.csv", `{"delimiter":";"}`, "utf-8", `"text/csv"`, false},
		{"caret", `"separator":"^","encoding":"utf-8"`, "a.csv", `{"delimiter":"^"}`, "utf-8", `"text/csv"`, false},
		{"tab", `"separator":"\\t","encoding":"utf-8"`, "a.csv", `{"delimiter":"\t"}`, "utf-8", `"text/tab-separated-values"`, true},
		{"encoding", `"separator":",","encoding":"Windows-1250"`, "a.csv", `{"delimiter":","}`, "windows-1250", `"text/csv"`, false},
		{"no header", `"separator":",","encoding":"utf-8","notes":["the table has no header; columns are numbered"]`, "a.csv", `{"delimiter":",","header":false}`, "utf-8", `"text/csv"`, false},
		{"lines above", `"separator":",","encoding":"utf-8","notes":["3 lines above the header were left out"]`, "a.csv", `{"delimiter":",","headerRows":[4]}`, "utf-8", `"text/csv"`, false},
		{"separator line", `"separator":";","encoding":"utf-8","notes":["the first line states the separator"]`, "a.csv", `{"delimiter":";","headerRows":[2]}`, "utf-8", `"text/csv"`, false},
		{"gzip", `"separator":",","encoding":"utf-8"`, "a.csv.gz", `{"delimiter":","}`, "utf-8", `["application/gzip","text/csv"]`, true},
		{"zip", `"separator":",","encoding":"utf-8"`, "a.zip", `{"delimiter":","}`, "utf-8", `"application/zip"`, false},
	} {
		page := strings.ReplaceAll(page, "https://air.example/Values 2025.csv", "https://air.example/"+c.file)
		if c.profile != "" {
			page = strings.Replace(page, `"data_profile":{`, `"data_profile":{`+c.profile+`,`, 1)
		}
		file := made(t, DataPackage, page)["resources"].([]any)[0].(map[string]any)
		got, _ := json.Marshal(file["dialect"])
		if encoding, _ := file["encoding"].(string); string(got) != c.dialect || encoding != c.encoding {
			t.Errorf("%s: %s in %s, want %s in %s", c.name, got, encoding, c.dialect, c.encoding)
		}
		loaded := made(t, Croissant, page)
		media, _ := json.Marshal(loaded["distribution"].([]any)[0].(map[string]any)["encodingFormat"])
		if string(media) != c.media || (loaded["recordSet"] != nil) != c.records {
			t.Errorf("%s: %s with records %v, want %s", c.name, media, loaded["recordSet"], c.media)
		}
	}
}
