package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/wire"
)

// drawn is a request as drawn.
type drawn struct {
	path   map[string]string
	query  url.Values
	header http.Header
	body   []byte
}

// pools are values that mean something to the register, by name of a
// parameter or member.
type pools map[string][]string

func newPools(t *testing.T, base, admin string) pools {
	_, body := fetch(t, base+"/api/v1/entries")
	var page wire.EntriesPage
	if err := json.Unmarshal(body, &page); err != nil {
		t.Fatal(err)
	}
	var ids, slugs, institutions []string
	for i := range page.Items {
		ids, slugs = append(ids, page.Items[i].ID), append(slugs, page.Items[i].Slug)
		if id := page.Items[i].InstitutionID; id != nil {
			institutions = append(institutions, *id)
		}
	}
	_, body = fetch(t, base+"/api/v1/sources")
	var list wire.SourcesPage
	if err := json.Unmarshal(body, &list); err != nil {
		t.Fatal(err)
	}
	var sources []string
	for _, s := range list.Items {
		sources = append(sources, s.ID)
	}
	unknown := []string{"nobody-has-this-slug", "6f1c1b0e-55a1-5a3c-9f0e-2f4f1c7d9b11"}
	names := slices.Concat(ids[:5], slugs[:5], unknown)
	made := func(path, body string) []string {
		r, err := http.NewRequest(http.MethodPost, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", wire.MediaJSON)
		r.Header.Set("Authorization", "Bearer "+admin)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var answer struct{ ID, Job string }
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.ID+answer.Job == "" {
			t.Fatalf("POST %s: %d, %v", path, resp.StatusCode, err)
		}
		return append([]string{answer.ID + answer.Job}, unknown[1])
	}
	return pools{"/api/v1/webhooks/{id}": made("/api/v1/webhooks", `{"url":"https://nobody.invalid/hook"}`),
		// What is removed or merged is nothing that others change.
		"/api/v1/admin/entries/{id}/remove": ids[10:15], "/api/v1/admin/entries/{id}/merge": ids[15:20],
		"/api/v1/feeds/institution/{id}": institutions[:3], "/api/v1/okf/{section}/{id}": slugs, "/api/v1/sources/{id}": sources,
		"section": {"apis", "datasets", "mcp-servers"}, "idOrKey": append(institutions[:3:3], unknown...), "identifier": {"GR", "el", "CSV", "CC-BY-4.0", "nothing"},
		"into": ids[5:10], "of": ids[5:10], "successor": ids[5:10],
		"/api/v1/submissions/{id}": made("/api/v1/submissions", `{"url":"https://nobody.invalid/submitted"}`),
		"/api/v1/admin/jobs/{id}":  made("/api/v1/admin/trigger/verification", `{"all":true}`),
		"id":                       append(ids[:5:5], unknown...), "idOrSlug": names, "slug": names, "snapshot": {page.Snapshot, "20200101-0123456789ab"},
		"institution_id": append(institutions[:3:3], unknown[1]), "institution": append(institutions[:3:3], unknown[1]), "n": {"1", "2"}, "source": sources,
		// The proxy asks nobody in a test.
		"entry": unknown, "ProxyRequest.entry": unknown, "q": {"weather", "air quality", "ktiria", "qz"}, "search": {"weather", "data"},
		"at": {"2026-11-20", "2026-11-20T12:00:00Z"}, "from": {"2026-11-20", "2026-11-20T12:00:00Z"}, "to": {"2026-11-21", "2026-11-21T00:00:00+02:00"},
		"email": {"a@nobody.invalid"}, "url": {"https://nobody.invalid/hook"}, "uri": {"https://nobody.invalid/x"}}
}

// of are the pools for a path: the id in it may be that of something else than
// an entry.
func (p pools) of(path string) pools {
	for prefix, ids := range p {
		if strings.HasPrefix(path, prefix) {
			out := maps.Clone(p)
			out["id"] = ids
			return out
		}
	}
	return p
}

// draw draws the parameters and the body of an operation, most of them valid.
func (p pools) draw(t *rapid.T, op *openapi3.Operation, d *drawn) {
	// One part of a request in six is bent, or most requests would not fit.
	bend := rapid.IntRange(0, 5).Draw(t, "bend") == 0
	for _, ref := range op.Parameters {
		q := ref.Value
		if !q.Required && rapid.IntRange(0, 3).Draw(t, "give "+q.Name) > 0 {
			continue
		}
		value := p.parameter(t, q, bend)
		switch q.In {
		case "path":
			if value == "" || value == "." || value == ".." { // would be another path
				value = "x"
			}
			d.path[q.Name] = value
		case "header":
			d.header.Set(q.Name, value)
		default:
			d.query.Set(q.Name, value)
		}
	}
	if bend && rapid.IntRange(0, 9).Draw(t, "unknown parameter") == 0 {
		d.query.Set("nobody", "1")
	}
	if op.RequestBody != nil {
		schema := op.RequestBody.Value.Content[wire.MediaJSON].Schema
		body, err := json.Marshal(p.value(t, "", schema, bend, 0))
		if err != nil {
			t.Fatal(err)
		}
		d.body = body
	}
}

func (p pools) parameter(t *rapid.T, q *openapi3.Parameter, bend bool) string {
	if bend && rapid.Bool().Draw(t, "bend "+q.Name) {
		if q.Schema.Value.Type.Is("boolean") { // the judge takes 0 and 1 for words of JSON
			return "yes"
		}
		return rapid.SampledFrom([]string{"", "x", "0", "-1", "1.5", "999999999999999999999", "null", "true", "é", "a,b", ",", " ", "2026-13-45T00:00:00Z",
			strings.Repeat("x", 300), "'\"<>&", "%00", "../x"}).Draw(t, q.Name)
	}
	return text(p.value(t, q.Name, q.Schema, false, 0))
}

// text is a value as a parameter has it.
func text(v any) string {
	if list, ok := v.([]any); ok {
		parts := make([]string, len(list))
		for i := range list {
			parts[i] = text(list[i])
		}
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(v)
}

// value draws a value of a schema.
func (p pools) value(t *rapid.T, name string, ref *openapi3.SchemaRef, bend bool, depth int) any {
	s := ref.Value
	if bend && depth > 0 && rapid.IntRange(0, 5).Draw(t, "bend "+name) == 0 {
		return rapid.SampledFrom([]any{nil, "", "x", "\x00", -1, 1.5, true, []any{}, map[string]any{}, strings.Repeat("é", 5000)}).Draw(t, name)
	}
	if choices := slices.Concat(s.AnyOf, s.OneOf); len(choices) > 0 {
		return p.value(t, name, rapid.SampledFrom(choices).Draw(t, "choice of "+name), bend, depth)
	}
	if len(s.Enum) > 0 {
		return rapid.SampledFrom(s.Enum).Draw(t, name)
	}
	kind := ""
	if s.Type != nil && len(*s.Type) > 0 {
		kind = rapid.SampledFrom([]string(*s.Type)).Draw(t, "type of "+name)
	}
	switch kind {
	case "string":
		return p.string(t, name, s)
	case "integer", "number":
		return p.integer(t, name, s)
	case "boolean":
		return rapid.Bool().Draw(t, name)
	case "array":
		return p.list(t, name, s, bend, depth)
	case "object":
		return p.object(t, name, s, bend, depth)
	case "null":
		return nil
	}
	return rapid.SampledFrom([]any{"any", 1, true}).Draw(t, name)
}

func (p pools) integer(t *rapid.T, name string, s *openapi3.Schema) any {
	if values := p[name]; values != nil {
		n, err := strconv.Atoi(rapid.SampledFrom(values).Draw(t, name))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	least, most := 0, 1000
	if s.Min != nil {
		least = int(*s.Min)
	}
	if s.Max != nil {
		most = int(*s.Max)
	}
	return rapid.IntRange(least, max(least, most)).Draw(t, name)
}

func (p pools) string(t *rapid.T, name string, s *openapi3.Schema) any {
	if values := p[name]; values != nil {
		return rapid.SampledFrom(values).Draw(t, name)
	}
	switch s.Format {
	case "uuid":
		return rapid.SampledFrom(p["id"]).Draw(t, name)
	case "date-time":
		return rapid.SampledFrom([]string{"2026-01-01T00:00:00Z", "2030-12-31T23:59:59.5+02:00"}).Draw(t, name)
	case "date":
		return "2026-03-01"
	case "email", "uri":
		return rapid.SampledFrom(p[s.Format]).Draw(t, name)
	}
	if s.Pattern != "" {
		allowed := rapid.StringMatching(s.Pattern).Filter(func(v string) bool { return fits(s, v) })
		return allowed.Draw(t, name)
	}
	least, most := int(s.MinLength), 40
	if s.MaxLength != nil {
		most = int(*s.MaxLength)
	}
	letters := rapid.SampledFrom([]rune("abcXYZ019 -_.é語"))
	drawn := rapid.StringOfN(letters, max(least, 1), max(least, min(most, 60)), -1).Draw(t, name)
	return drawn
}

// fits tells whether a text drawn from a pattern fits the rest of its schema.
func fits(s *openapi3.Schema, v string) bool {
	// A bound counts bytes, and so at most as many characters.
	if len(v) < int(s.MinLength) || s.MaxLength != nil && len(v) > int(*s.MaxLength) {
		return false
	}
	if v != "" && strings.TrimSpace(v) == "" { // \s of Go knows the spaces of ASCII only, that of ECMAScript all
		return false
	}
	return s.Not == nil || !regexp.MustCompile(s.Not.Value.Pattern).MatchString(v)
}

func (p pools) list(t *rapid.T, name string, s *openapi3.Schema, bend bool, depth int) any {
	most := 3
	if s.MaxItems != nil {
		most = int(min(*s.MaxItems, 5))
	}
	out := []any{}
	for range rapid.IntRange(max(1, int(s.MinItems)), max(1, int(s.MinItems), most)).Draw(t, "length of "+name) {
		v := p.value(t, name, s.Items, bend, depth+1)
		if !s.UniqueItems || !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func (p pools) object(t *rapid.T, name string, s *openapi3.Schema, bend bool, depth int) any {
	out := map[string]any{}
	for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
		required := slices.Contains(s.Required, member)
		if required && (!bend || rapid.IntRange(0, 9).Draw(t, "leave out "+member) > 0) || !required && depth < 4 && rapid.Bool().Draw(t, "give "+member) {
			out[member] = p.value(t, member, s.Properties[member], bend, depth+1)
		}
	}
	if more := s.AdditionalProperties.Schema; more != nil && len(s.Properties) == 0 && more.Value.Not == nil {
		for i := range rapid.IntRange(0, 3).Draw(t, "members of "+name) {
			key := fmt.Sprintf("x-%d", i)
			if bend {
				key = rapid.SampledFrom([]string{key, "", "é", "a b", "Cookie", "a\r\nb"}).Draw(t, "member of "+name)
			}
			out[key] = p.value(t, key, more, bend, depth+1)
		}
	}
	if bend && rapid.IntRange(0, 9).Draw(t, "unknown member") == 0 {
		out["nobody"] = 1
	}
	return out
}
