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

	"github.com/assay-register/assay/render/lint"
)

const cleanDocument = `{"openapi": "3.1.0", "info": {"title": "Tides API", "version": "1.0.0", "description": "Heights of the tide.", "license": {"name": "CC-BY-4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}, "contact": {"email": "api@example.org"}},
 "externalDocs": {"url": "https://api.example.org/doc"}, "tags": [{"name": "tide"}], "servers": [{"url": "https://api.example.org/v1"}], "security": [], "paths": {"/tides": {"get": {"responses": {"200": {"description": "ok"}}}}}}`

// TestLintExitCodes: 0 for a clean document, 1 where something must be mended, 2
// where nothing can be read.
func TestLintExitCodes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	clean := write("clean.json", cleanDocument)
	broken := write("broken.json", strings.Replace(cleanDocument, "https://api.example.org/v1", "http://localhost:7009/v1", 1))
	for _, c := range []struct {
		code int
		args []string
	}{
		{0, []string{clean}}, {1, []string{broken}}, {1, []string{broken, "--format", "junit"}}, {2, []string{filepath.Join(dir, "none.json")}}, {2, []string{clean, "--format", "html"}},
		{2, []string{}}, {0, []string{clean, "--kind", "none"}}, {1, []string{write("empty.json", "")}}, {2, []string{clean, "--kind", "nothing"}}, {2, []string{clean, "--no-such-flag"}}, {0, []string{clean, "--output", filepath.Join(dir, "out.sarif"), "--format", "sarif"}},
	} {
		if code, _, errs := assay(t, append([]string{"lint"}, c.args...)...); code != c.code {
			t.Errorf("%v: exit code %d, want %d: %s", c.args, code, c.code, errs)
		}
	}
	if _, _, errs := assay(t, "lint", "nosuch.json"); !strings.Contains(errs, "nosuch.json: no such file") || strings.Contains(errs, "source ") {
		t.Errorf("a file that is not there: %s", errs)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "out.sarif")); err != nil || !json.Valid(b) {
		t.Errorf("%v %s", err, b)
	}
}

// TestLintLive reads a portal page by page, and tells of each record where it lies.
func TestLintLive(t *testing.T) {
	asked := 0
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "package_search") {
			http.NotFound(w, r)
			return
		}
		asked++
		results := ""
		if r.URL.Query().Get("start") == "0" || r.URL.Query().Get("start") == "" {
			results = `{"id": "a", "name": "a", "title": "Tides", "url": " https://data.example.org/a", "resources": []},{"id": "b", "name": "b", "title": "Berths\u200b", "resources": [{"url": ""}]}`
		}
		fmt.Fprintf(w, `{"success": true, "result": {"count": 2, "results": [%s]}}`, results)
	}))
	defer portal.Close()
	code, out, errs := assay(t, "lint", portal.URL, "--kind", "ckan", "--format", "json", "--gap", "1ns", "--allow-private")
	var got struct{ Findings []lint.Finding }
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 1 || asked == 0 {
		t.Fatalf("%v, exit code %d, %d questions: %s %s", err, code, asked, out, errs)
	}
	for _, want := range []string{"text.space-around /result/results/0/url", "text.invisible /result/results/1/title", "missing.description /result/results/0/notes"} {
		found := false
		for i := range got.Findings {
			found = found || got.Findings[i].Rule+" "+got.Findings[i].Member == want
		}
		if !found {
			t.Errorf("%s is not told: %s", want, out)
		}
	}
}
