package table

import (
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// types are the words for the kinds of sources, in letters only.
var types = map[string]catalog.EntryType{"api": catalog.TypeAPI, "service": catalog.TypeAPI, "dataset": catalog.TypeDataset,
	"data": catalog.TypeDataset, "mcpserver": catalog.TypeMCPServer, "mcp": catalog.TypeMCPServer}

// kind sets the type of the entry and files its url under what that makes it.
// Without a type, a url that leads to a machine-readable description is an
// API's, any other a dataset's.
func (r *record) kind(b *source.Builder, typeColumn, urlColumn string) *source.Rejection {
	e := &b.Draft.Entry
	raw, _ := source.Line(r.values["type"])
	spec := source.SpecFormat(e.PrimarySourceURL)
	if raw == "" {
		e.Type = catalog.TypeDataset
		if spec != "" {
			e.Type = catalog.TypeAPI
		}
		b.Compute("type", urlColumn, "read off the url", "the list names no type")
	} else {
		word := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(raw))
		known, ok := types[word]
		if !ok {
			return r.refuse(source.CodeInvalidField, fmt.Sprintf("the type of %s is %.40q", e.Name, raw), "use one of API, DATASET, MCP_SERVER")
		}
		e.Type = known
		b.Remark("type", typeColumn, "", "")
	}
	switch e.Type {
	case catalog.TypeAPI:
		api(b, urlColumn, spec)
	case catalog.TypeMCPServer:
		e.MCP = &catalog.MCPDetails{EndpointURL: e.PrimarySourceURL}
		b.Compute("mcp.endpoint_url", urlColumn, "", "")
	default:
		dataset(b, urlColumn)
	}
	return nil
}

func api(b *source.Builder, column, spec string) {
	e := &b.Draft.Entry
	e.API = &catalog.APIDetails{SpecFormat: spec}
	if spec == "openapi" || spec == "swagger" {
		e.API.OpenAPIURL = e.PrimarySourceURL
		b.Compute("api.openapi_url", column, "the url is a machine-readable description", "")
	} else {
		e.API.BaseURL = e.PrimarySourceURL
		b.Compute("api.base_url", column, "", "")
	}
	if spec != "" {
		b.Compute("api.spec_format", column, "read off the url", "")
	}
}

// dataset files the url as a file if its name says so, else as a page.
func dataset(b *source.Builder, column string) {
	e := &b.Draft.Entry
	e.Dataset = &catalog.DatasetDetails{}
	if code, ok := source.Format(e.PrimarySourceURL); ok && code != "HTML" {
		e.Dataset.Distributions = []catalog.Distribution{{AccessURL: e.PrimarySourceURL, DownloadURL: e.PrimarySourceURL, Format: code}}
		b.Compute("dataset.distributions", column, "the url is a file by its name", "")
		return
	}
	e.Dataset.LandingPage = e.PrimarySourceURL
	b.Compute("dataset.landing_page", column, "", "")
}
