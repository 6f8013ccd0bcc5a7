package mcp

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/dynamic/inside"
)

func schemaOf(t *testing.T, text string) schema {
	t.Helper()
	var s schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPortable(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{
			`{"type":"object","description":"kept","properties":{"a":{"type":["string","null"],"format":"uri","description":"kept"}}}`,
			`{"type":"object","description":"kept","properties":{"a":{"description":"kept",
				"anyOf":[{"type":"string","format":"uri"},{"type":"null"}]}}}`,
		},
		{
			`{"properties":{"list":{"type":"array","items":true}}}`,
			`{"properties":{"list":{"type":"array","items":{"$ref":"#/$defs/AnyValue"}}}}`,
		},
		{
			`{"properties":{"any":true,"also":{"description":"x"}}}`,
			`{"properties":{"any":{"$ref":"#/$defs/AnyValue"},"also":{"$ref":"#/$defs/AnyValue"}}}`,
		},
		{
			`{"$defs":{"Item":{"description":"dropped","properties":{"description":{"type":"string","description":"dropped"}}}}}`,
			`{"$defs":{"Item":{"properties":{"description":{"type":"string"}}}}}`,
		},
		{
			`{"properties":{"k":{"enum":["a","b"]},"n":{"anyOf":[{"$ref":"#/$defs/X","description":"dropped"},{"type":"null"}]}}}`,
			`{"properties":{"k":{"enum":["a","b"]},"n":{"anyOf":[{"$ref":"#/$defs/X"},{"type":"null"}]}}}`,
		},
		{
			`{"additionalProperties":{"type":["number","null"],"minimum":0}}`,
			`{"additionalProperties":{"anyOf":[{"type":"number","minimum":0},{"type":"null"}]}}`,
		},
		{`{"additionalProperties":false}`, `{"additionalProperties":false}`},
	} {
		if d := cmp.Diff(schemaOf(t, c.want), portable(schemaOf(t, c.in), false)); d != "" {
			t.Errorf("%s: %s", c.in, d)
		}
	}
}

func TestRefers(t *testing.T) {
	s := schemaOf(t, `{"properties":{"a":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/AnyValue"}]}}}`)
	if !refers(s, "#/$defs/AnyValue") || refers(s, "#/$defs/Other") {
		t.Error("references are not seen")
	}
}

func TestPrompts(t *testing.T) {
	session := connect(t)
	list, err := session.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != len(prompts()) {
		t.Fatalf("%v, %v", list, err)
	}
	known := map[string]bool{}
	for _, x := range tools() {
		known[x.name] = true
	}
	for _, field := range []string{"verification_state", "proof_summary", "country_code"} {
		known[field] = true
	}
	for _, p := range prompts() {
		for _, word := range strings.FieldsFunc(strings.Join(p.lines, " "), func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
			if strings.Contains(word, "_") && !known[word] {
				t.Errorf("%s names the tool or field %s, which does not exist", p.name, word)
			}
		}
	}
	for _, c := range []struct {
		args map[string]string
		want string
		not  string
	}{
		{map[string]string{"topic": "air {country} quality"}, "about: air {country} quality.", "Search only"},
		{map[string]string{"topic": "water", "country": "GR"}, "only the country GR", "{"},
	} {
		got, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "find_source", Arguments: c.args})
		if err != nil {
			t.Fatal(err)
		}
		if text := got.Messages[0].Content.(*sdk.TextContent).Text; !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%v: %s", c.args, text)
		}
	}
}

func TestToolsThatAreNotServedAreLeftOut(t *testing.T) {
	d, err := parse(described(t, "", "object"))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Site: site, API: inside.New(http.NotFoundHandler()), Served: func(operation string) bool { return operation == "getEntry" }}
	server := c.server(d)
	client, end := sdk.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), end, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "get_entry" {
		t.Errorf("%v, %v", list, err)
	}
}

func TestAToolAnswersInJSON(t *testing.T) {
	if !choosesForm(schemaOf(t, `{"enum":["json","csv"]}`)) || choosesForm(schemaOf(t, `{"enum":["CSV","JSON"]}`)) || choosesForm(schema{}) {
		t.Error("the form of an answer is not recognised")
	}
}
