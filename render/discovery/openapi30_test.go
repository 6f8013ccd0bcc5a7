package discovery

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/assay-register/assay/render/rendertest"
)

// The 3.0 form has the same operations and schemas, and nothing of 3.1.
func TestOpenAPI30(t *testing.T) {
	site := rendertest.Site
	newer, err := OpenAPI(site, "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	body, err := OpenAPI30(site, "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
		t.Error(err)
	}
	if bytes.Contains(body, []byte(`"null"`)) {
		t.Error("a type is null")
	}
	var a, b struct {
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	if json.Unmarshal(newer, &a) != nil || json.Unmarshal(body, &b) != nil || len(a.Paths) != len(b.Paths) || len(a.Components.Schemas) != len(b.Components.Schemas) {
		t.Errorf("%d paths and %d schemas, want %d and %d", len(b.Paths), len(b.Components.Schemas), len(a.Paths), len(a.Components.Schemas))
	}
}

func TestOlder(t *testing.T) {
	for from, want := range map[string]string{
		`{"type":["string","null"]}`:                        `{"type":"string","nullable":true}`,
		`{"type":["string","integer"]}`:                     `{"anyOf":[{"type":"string"},{"type":"integer"}]}`,
		`{"anyOf":[{"$ref":"#/a"},{"type":"null"}]}`:        `{"allOf":[{"$ref":"#/a"}],"nullable":true}`,
		`{"anyOf":[{"$ref":"#/a"},{"$ref":"#/b"}]}`:         `{"anyOf":[{"$ref":"#/a"},{"$ref":"#/b"}]}`,
		`{"anyOf":[{"$ref":"#/a"},{"$ref":"#/aPart"}]}`:     `{"$ref":"#/a"}`,
		`{"$ref":"#/a","description":"x"}`:                  `{"allOf":[{"$ref":"#/a"}],"description":"x"}`,
		`{"type":"object","propertyNames":{"maxLength":3}}`: `{"type":"object"}`,
		`{"properties":{"propertyNames":{"type":"array"}}}`: `{"properties":{"propertyNames":{"type":"array"}}}`,
	} {
		var v, w any
		if json.Unmarshal([]byte(from), &v) != nil || json.Unmarshal([]byte(want), &w) != nil {
			t.Fatal(from)
		}
		if older(v); !reflect.DeepEqual(v, w) {
			got, _ := json.Marshal(v)
			t.Errorf("%s: %s, want %s", from, got, want)
		}
	}
}
