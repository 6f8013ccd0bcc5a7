package dynamic

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

// TestFields: an answer with some members says of them what the whole one says, has a
// manifest of its own, and leads to answers of the same kind.
func TestFields(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	slug := site.Catalog.Lines[site.Catalog.Order[0]].Slug
	for _, path := range []string{"/api/v1/entries", "/api/v1/entries?limit=7&page=2", "/api/v1/entries?type=DATASET", "/api/v1/entries/search?q=budget", "/api/v1/entries/" + slug} {
		join := "?"
		if strings.Contains(path, "?") {
			join = "&"
		}
		whole := decode[map[string]any](t, get(s, http.MethodGet, path))
		answer := get(s, http.MethodGet, path+join+"fields=name,formats,slug")
		some := decode[map[string]any](t, answer)
		if answer.Body.Len()*2 > get(s, http.MethodGet, path).Body.Len() {
			t.Errorf("%s: %d bytes with three members", path, answer.Body.Len())
		}
		if !wire.HasItsHash(answer.Body.Bytes()) {
			t.Errorf("%s: the manifest names another hash", path)
		}
		want, got := entriesIn(whole), entriesIn(some)
		if len(got) == 0 || len(got) != len(want) {
			t.Fatalf("%s: %d entries, %d without fields", path, len(got), len(want))
		}
		for i := range got {
			if names := slices.Sorted(maps.Keys(got[i])); fmt.Sprint(names) != "[formats name slug]" {
				t.Errorf("%s: members %v", path, names)
			}
			for name, value := range got[i] {
				if fmt.Sprint(value) != fmt.Sprint(want[i][name]) {
					t.Errorf("%s: %s is %v, not %v", path, name, value, want[i][name])
				}
			}
		}
		if links, ok := some["links"].(map[string]any); ok {
			if next, ok := links["next"].(string); ok {
				further := decode[map[string]any](t, get(s, http.MethodGet, next))
				if list := entriesIn(further); len(list) == 0 || len(list[0]) != 3 {
					t.Errorf("%s: the next page, %s, has %v", path, next, list)
				}
				if !strings.Contains(answer.Header().Get("Link"), "<"+next+`>; rel="next"`) {
					t.Errorf("%s: Link %s", path, answer.Header().Get("Link"))
				}
			}
		}
		tag := answer.Header().Get("Etag")
		if again := get(s, http.MethodGet, path+join+"fields=name,formats,slug", "If-None-Match", tag); tag == "" || again.Code != http.StatusNotModified {
			t.Errorf("%s: status %d for one who has %s", path, again.Code, tag)
		}
	}
}

// entriesIn are the entries of a list, of a search, or the one of an answer.
func entriesIn(answer map[string]any) (out []map[string]any) {
	items, ok := answer["items"].([]any)
	if !ok {
		delete(answer, "manifest")
		return []map[string]any{answer}
	}
	for _, x := range items {
		entry, _ := x.(map[string]any)
		if inner, ok := entry["entry"].(map[string]any); ok {
			entry = inner
		}
		out = append(out, entry)
	}
	return out
}

func TestFieldsRefused(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 20})
	slug := site.Catalog.Lines[site.Catalog.Order[0]].Slug
	for path, want := range map[string]struct {
		status int
		says   string
	}{
		"/api/v1/entries?fields=name,nobody":           {http.StatusBadRequest, `\"nobody\"`},
		"/api/v1/entries?fields=":                      {http.StatusBadRequest, `\"\"`},
		"/api/v1/entries/search?q=a&fields=manifest":   {http.StatusBadRequest, `\"manifest\"`},
		"/api/v1/entries/" + slug + "?fields=nobody":   {http.StatusBadRequest, `\"nobody\"`},
		"/api/v1/entries/" + slug + "?fields=name&x=1": {http.StatusUnprocessableEntity, "query.x"},
		"/api/v1/entries/" + slug + "?x=1":             {http.StatusUnprocessableEntity, "query.x"},
		"/api/v1/entries/nobody?fields=name":           {http.StatusNotFound, "nobody"},
		"/api/v1/entries?fields=name&type=X":           {http.StatusUnprocessableEntity, "query.type"},
	} {
		got := get(s, http.MethodGet, path)
		var p wire.Problem
		if err := json.Unmarshal(got.Body.Bytes(), &p); err != nil || got.Code != want.status || !strings.Contains(string(got.Body.Bytes()), want.says) {
			t.Errorf("%s: %d %.300s", path, got.Code, got.Body.Bytes())
		}
	}
}
