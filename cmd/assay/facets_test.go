package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// recounted are the values that an exported record has for a filter, by a reader that knows
// the export only.
var recounted = map[string]func(r map[string]any) []string{
	"type": member("type"), "country_code": member("country_code"), "institution_type": member("institution_type"), "institution_id": member("institution_id"),
	"tags": member("tags"), "verification_state": member("verification_state"), "status": member("status"), "free_access_class": member("free_access_class"),
	"auth_type": member("auth_type"), "access_rights": member("access_rights"), "mqa_tier": member("mqa_tier"), "maturity": member("maturity"),
	"format": member("formats"), "lang": member("native_lang"), "license": member("license", "id"), "theme": member("themes"),
	"hvd_category": member("hvd_categories"), "is_public_sector": member("is_public_sector"),
	"license_allows": func(r map[string]any) (out []string) {
		for _, right := range []string{"open", "commercial_use", "modification", "redistribution"} {
			for _, id := range member("license", "id")(r) {
				if licenceTable()[id][right] == "yes" {
					out = append(out, right)
				}
			}
		}
		return out
	},
	"frequency": func(r map[string]any) []string {
		return append(member("dataset_details", "frequency")(r), member("api_details", "frequency")(r)...)
	},
	"place": func(r map[string]any) []string {
		var out []string
		for _, p := range append(member("dataset_details", "spatial")(r), member("api_details", "spatial")(r)...) {
			p = strings.TrimPrefix(p, "http://data.europa.eu/nuts/code/")
			if !strings.Contains(p, ",") && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
		return out
	},
	"has_download": func(r map[string]any) []string {
		details, _ := r["dataset_details"].(map[string]any)
		files, _ := details["distributions"].([]any)
		return []string{fmt.Sprint(slices.ContainsFunc(files, func(f any) bool { return f.(map[string]any)["download_url"] != nil }))}
	},
}

// licenceTable are the rows of the table of licences by their id: the export names a licence, the
// table says what it allows.
var licenceTable = sync.OnceValue(func() map[string]map[string]string {
	text, err := os.ReadFile("../../build/reference/licences.tsv")
	if err != nil {
		panic(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	head, out := strings.Split(lines[0], "\t"), map[string]map[string]string{}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, cell := range strings.Split(line, "\t") {
			row[head[i]] = cell
		}
		out[row["id"]] = row
	}
	return out
})

// member reads the texts at a path of members; what is null or empty is none.
func member(path ...string) func(map[string]any) []string {
	return func(r map[string]any) []string {
		v := any(r)
		for _, name := range path {
			object, _ := v.(map[string]any)
			v = object[name]
		}
		switch v := v.(type) {
		case nil:
			return nil
		case []any:
			var out []string
			for _, x := range v {
				out = append(out, fmt.Sprint(x))
			}
			return out
		}
		if text := fmt.Sprint(v); text != "" {
			return []string{text}
		}
		return nil
	}
}

// records reads the NDJSON export of a service.
func records(t *testing.T, base string) (list []map[string]any) {
	t.Helper()
	resp, err := http.Get(base + "/api/v1/export/entries.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r map[string]any
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if lines.Err() != nil || len(list) < 100 {
		t.Fatalf("%d records: %v", len(list), lines.Err())
	}
	return list
}

// TestFacetsAreARecount: what the service counts is what a reader of the export counts, for
// random combinations of all filters.
func TestFacetsAreARecount(t *testing.T) {
	t.Parallel()
	base, _, _ := serveSample(t)
	all := records(t, base)
	var names []string
	for name := range recounted {
		names = append(names, name)
	}
	slices.Sort(names)
	random, met := rand.New(rand.NewPCG(1, 2)), map[string]int{}
	for range 500 {
		asked, chosen := url.Values{}, all[random.IntN(len(all))]
		for range 1 + random.IntN(3) {
			// Mostly what an entry has, so that something is found.
			name := names[random.IntN(len(names))]
			if random.IntN(5) == 0 {
				chosen = all[random.IntN(len(all))]
			}
			values := recounted[name](chosen)
			if len(values) == 0 || slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, ",") }) {
				continue
			}
			asked.Set(name, strings.Join(values[:1+random.IntN(len(values))], ","))
		}
		selected := narrowed(all, asked)
		if len(selected) > 0 {
			for name := range asked {
				met[name]++
			}
		}
		compareFacets(t, base, asked, selected)
		if t.Failed() {
			return
		}
	}
	for _, name := range names {
		stated := slices.ContainsFunc(all, func(r map[string]any) bool { return len(recounted[name](r)) > 0 })
		if met[name] == 0 && stated {
			t.Errorf("no combination with %s found anything", name)
		}
	}
}

// narrowed are the active records that fit.
func narrowed(all []map[string]any, asked url.Values) (out []map[string]any) {
	for _, r := range all {
		fits := r["status"] == "ACTIVE" || asked.Has("status")
		for name := range asked {
			have, wanted := recounted[name](r), strings.Split(asked.Get(name), ",")
			has := func(v string) bool { return slices.Contains(have, v) }
			if name == "tags" || name == "license_allows" { // all of them
				fits = fits && !slices.ContainsFunc(wanted, func(v string) bool { return !has(v) })
			} else {
				fits = fits && slices.ContainsFunc(wanted, has)
			}
		}
		if fits {
			out = append(out, r)
		}
	}
	return out
}

func compareFacets(t *testing.T, base string, asked url.Values, selected []map[string]any) {
	t.Helper()
	resp, err := http.Get(base + "/api/v1/entries/facets?" + asked.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var page struct {
		Total  int `json:"total"`
		Facets map[string][]struct {
			Value string `json:"value"`
			Count int    `json:"count"`
		} `json:"facets"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", asked.Encode(), resp.Status, err)
	}
	if page.Total != len(selected) {
		t.Errorf("%s: %d entries, the export has %d", asked.Encode(), page.Total, len(selected))
	}
	for name, values := range recounted {
		counts := map[string]int{}
		for _, r := range selected {
			for _, v := range values(r) {
				counts[v]++
			}
		}
		got := page.Facets[name]
		if name == "is_public_sector" {
			continue // a filter only
		}
		if len(got) != min(200, len(counts)) {
			t.Errorf("%s: %d values of %s, the export has %d", asked.Encode(), len(got), name, len(counts))
		}
		for _, c := range got {
			if counts[c.Value] != c.Count {
				t.Errorf("%s: %d times %s %q, the export has %d", asked.Encode(), c.Count, name, c.Value, counts[c.Value])
			}
		}
	}
}
