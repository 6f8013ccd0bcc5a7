package verify

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

func TestToolArguments(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		want   []catalog.Argument
	}{
		"nothing": {`{"type":"object"}`, nil}, "no object": {`true`, nil}, "properties of another form": {`{"properties":[1]}`, nil},
		"required first": {`{"properties":{"b":{"type":"string","description":"Two\nlines"},"z":{"type":["null","integer"],"default":5},"a":true},"required":["z","missing"]}`,
			[]catalog.Argument{{Name: "z", Type: "integer", Required: true, Example: "5"}, {Name: "a"}, {Name: "b", Type: "string", Description: "Two lines"}}},
		"values": {`{"properties":{"lang":{"enum":["nl","fr",{"x":1}],"type":"text"}}}`, []catalog.Argument{{Name: "lang", Values: []string{"nl", "fr"}}}},
		"long":   {`{"properties":{"x":{"description":"` + strings.Repeat("a", 1000) + `"}}}`, []catalog.Argument{{Name: "x", Description: strings.Repeat("a", argumentText-1) + "…"}}},
	} {
		var v any
		if err := json.Unmarshal([]byte(c.schema), &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(c.want, toolArguments(v)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func FuzzToolArguments(f *testing.F) {
	f.Add(`{"properties":{"a":{"type":"string"}},"required":["a"]}`)
	f.Add(`{"properties":{"":{"enum":[null,1.5,"x"]}}}`)
	f.Fuzz(func(t *testing.T, schema string) {
		var v any
		if json.Unmarshal([]byte(schema), &v) != nil {
			return
		}
		list := toolArguments(v)
		if len(list) > argumentsMax {
			t.Errorf("%d arguments", len(list))
		}
		for _, a := range list {
			if a.Name == "" || strings.ContainsAny(a.Name+a.Description+a.Example, "\n\r") {
				t.Errorf("%+v", a)
			}
		}
	})
}
