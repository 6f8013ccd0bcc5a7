package profile

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

const described = `openapi: 3.0.3
info: {title: Towns, version: "1"}
paths:
  /towns/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}, example: "0123"}
      - {name: lang, in: query, schema: {type: string}}
    get:
      parameters:
        - {name: lang, in: query, description: "Language of\n  the names", schema: {type: string, enum: [nl, fr], default: nl}}
      responses:
        "200":
          description: ok
          content:
            application/json:
              example: {town: Namur, inhabitants: 110000}
        "404": {description: none}
  /mayors:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              example: [{surname: Peeters, email: someone@example.org}]
`

func TestOperationsHaveParametersAndAnswers(t *testing.T) {
	d, err := Describe(t.Context(), []byte(described), "https://x.example/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := []catalog.Endpoint{{Method: "GET", Path: "/mayors"}, {Method: "GET", Path: "/towns/{id}", Answer: "{\n  \"inhabitants\": 110000,\n  \"town\": \"Namur\"\n}",
		Parameters: []catalog.Argument{{Name: "id", In: "path", Type: "string", Required: true, Example: "0123"},
			{Name: "lang", In: "query", Type: "string", Description: "Language of the names", Example: "nl", Values: []string{"nl", "fr"}}}}}
	if d := cmp.Diff(want, d.Endpoints); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
