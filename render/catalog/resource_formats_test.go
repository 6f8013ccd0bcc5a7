package catalog_test

import (
	"slices"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func TestResourceFormats(t *testing.T) {
	const at = "https://data.example/x"
	for _, c := range []struct {
		name string
		e    catalog.Entry
		want []string
	}{
		{"files, each format once, in one spelling", catalog.Entry{Formats: []string{"XML"}, Dataset: &catalog.DatasetDetails{Distributions: []catalog.Distribution{
			{Format: "json", AccessURL: at}, {Format: "CSV", DownloadURL: at}, {Format: "JSON", AccessURL: at}, {AccessURL: at}, {Format: "ZIP"}}}}, []string{"CSV", "JSON"}},
		{"an API without a known interface", catalog.Entry{Formats: []string{"JSON"}, API: &catalog.APIDetails{BaseURL: at}}, []string{"API"}},
		{"an API with a description", catalog.Entry{API: &catalog.APIDetails{BaseURL: at, OpenAPIURL: at, SpecFormat: "swagger"}}, []string{"OPENAPI"}},
		{"a map service", catalog.Entry{API: &catalog.APIDetails{BaseURL: at, SpecFormat: "ogc-wms"}}, []string{"WMS_SRVC"}},
		{"an interface whose word is its code", catalog.Entry{API: &catalog.APIDetails{BaseURL: at, SpecFormat: "sdmx"}}, []string{"SDMX"}},
		{"an API without an address", catalog.Entry{API: &catalog.APIDetails{SpecFormat: "soap"}}, nil},
		{"an MCP server", catalog.Entry{MCP: &catalog.MCPDetails{EndpointURL: at}}, []string{"MCP"}},
		{"nothing", catalog.Entry{Formats: []string{"CSV"}}, nil},
	} {
		if got := c.e.ResourceFormats(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
