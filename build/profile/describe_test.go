package profile

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

const openapiYAML = `openapi: 3.1.0
info: {title: Stations, version: "2.3", termsOfService: "https://api.example.org/terms"}
servers: [{url: "/{stage}/v2", variables: {stage: {default: live}}}]
security: [{key: []}]
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}, token: {type: http, scheme: bearer}}
paths:
  /b:
    post: {description: "Adds\n one", responses: {"201": {description: made}}}
  /a:
    get:
      summary: All of them
      security: [{token: []}]
      responses:
        "200": {description: ok, headers: {X-RateLimit-Limit: {schema: {type: integer}}, Other: {schema: {type: string}}}}
        "429": {description: too many}
`

func TestDescribe(t *testing.T) {
	d, err := Describe(context.Background(), []byte(openapiYAML), "https://api.example.org/docs/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := &Description{Format: "openapi", Version: "2.3", BaseURL: "https://api.example.org/live/v2", Count: 2, Auth: catalog.AuthAPIKey,
		Endpoints: []catalog.Endpoint{{Method: "GET", Path: "/a", Summary: "All of them"}, {Method: "POST", Path: "/b", Summary: "Adds one"}},
		RateLimit: "Answers tell the limit in X-RateLimit-Limit. Too many requests are refused with status 429.", TermsURL: "https://api.example.org/terms"}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}

func TestDescribeAuthentication(t *testing.T) {
	const head = `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"components":{"securitySchemes":{"b":{"type":"http","scheme":"basic"},"o":{"type":"oauth2","flows":{}},"c":{"type":"mutualTLS"}}},`
	for body, want := range map[string]catalog.AuthType{
		`"paths":{}}`:                                catalog.AuthUnknown,
		`"security":[{}],"paths":{}}`:                catalog.AuthNone,
		`"security":[{"o":[]},{"b":[]}],"paths":{}}`: catalog.AuthBasic,
		`"security":[{"c":[]}],"paths":{}}`:          catalog.AuthCustom,
		`"paths":{"/":{"get":{"security":[{"o":[]}],"responses":{"200":{"description":""}}}}}}`: catalog.AuthOAuth,
		`"paths":{"/":{"get":{"security":[],"responses":{"200":{"description":""}}}}}}`:         catalog.AuthUnknown,
	} {
		d, err := Describe(context.Background(), []byte(head+body), "https://x.example/openapi.json")
		if err != nil || d.Auth != want {
			t.Errorf("%s: %v, %v", body, d, err)
		}
	}
	old := `{"swagger":"2.0","info":{"title":"t","version":"1"},"host":"api.example.org","basePath":"/v1","schemes":["https"],"paths":{},"securityDefinitions":{"k":{"type":"apiKey","in":"query","name":"k"}},"security":[{"k":[]}]}`
	d, err := Describe(context.Background(), []byte(old), "https://x.example/swagger.json")
	if err != nil || d.Format != "swagger" || d.BaseURL != "https://api.example.org/v1" || d.Auth != catalog.AuthAPIKey {
		t.Errorf("swagger: %+v, %v", d, err)
	}
}

func TestDescribeRefuses(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "openapi: [", `{"openapi":"3.0.0","paths":{"/":{"$ref":"https://elsewhere.example/x.json"}}}`, strings.Repeat(" ", MaxBytes+1)} {
		if d, err := Describe(context.Background(), []byte(text), "https://x.example"); err == nil {
			t.Errorf("%.30q gives %+v", text, d)
		}
	}
}

func FuzzDescribe(f *testing.F) {
	f.Add([]byte(openapiYAML))
	f.Add([]byte(`{"swagger":"2.0","info":{"title":"t","version":"1"},"paths":{"/":{"get":{"responses":{}}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Describe(context.Background(), data, "https://x.example/openapi.json")
		if err == nil && (len(d.Endpoints) > maxEndpoints || d.Count < len(d.Endpoints) || d.Auth == "") {
			t.Errorf("%+v", d)
		}
	})
}
