package mcp

import (
	"encoding/json"
	"testing"

	"github.com/assay-register/assay/render/discovery"
	"github.com/assay-register/assay/render/snapshot"
)

// TestMasksNameWhatAnswersHave holds each mask to the answers that are described: a name that none has would
// show nothing, and nobody would notice.
func TestMasksNameWhatAnswersHave(t *testing.T) {
	body, err := discovery.OpenAPI(snapshot.Site{BaseURL: "https://register.example", Name: "Register"}, "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	var doc schema
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	answers := map[string]schema{}
	for _, item := range doc["paths"].(schema) {
		get, _ := item.(schema)["get"].(schema)
		if id, ok := get["operationId"].(string); ok {
			content := get["responses"].(schema)["200"].(schema)["content"].(schema)
			if x, ok := content["application/json"].(schema); ok {
				answers[id] = x["schema"].(schema)
			}
		}
	}
	for _, x := range tools() {
		s, ok := answers[x.operation]
		if !ok {
			t.Errorf("%s: no answer is described", x.name)
			continue
		}
		missing(t, doc, x.name, parseMask(x.shows), s)
		if x.rows {
			missing(t, doc, "a row", parseMask(row), answers["getEntry"])
		}
	}
}

// missing tells which names of a mask no form of an answer has.
func missing(t *testing.T, doc schema, where string, m mask, s schema) {
	t.Helper()
	for name, inner := range m {
		member := property(doc, s, name)
		if member == nil {
			t.Errorf("%s: no answer has %s", where, name)
			continue
		}
		missing(t, doc, where+"."+name, inner, member)
	}
}

// property finds the schema of a member in any form of a schema, and of the elements of a list; nil for none.
func property(doc, s schema, name string) schema {
	if ref, ok := s["$ref"].(string); ok {
		return property(doc, doc["components"].(schema)["schemas"].(schema)[last(ref)].(schema), name)
	}
	if properties, ok := s["properties"].(schema); ok {
		if member, ok := properties[name].(schema); ok {
			return member
		}
	}
	if items, ok := s["items"].(schema); ok {
		return property(doc, items, name)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		forms, _ := s[word].([]any)
		for _, form := range forms {
			if member := property(doc, form.(schema), name); member != nil {
				return member
			}
		}
	}
	return nil
}
