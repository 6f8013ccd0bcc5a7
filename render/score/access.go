package score

import (
	"cmp"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// Action is one thing a reader or a machine can do with an entry.
type Action struct {
	// Kind is api, openapi, graphql, download, mcp, docs, landing or source.
	Kind   string
	Label  string
	Method string
	URL    string
	// Source names the field the URL comes from.
	Source string
	// Runnable tells that a machine can do it now, without credentials.
	Runnable bool
	// Direct tells that the URL answers with the data itself.
	Direct bool
}

// Access is what can be done with an entry and how directly.
type Access struct {
	Level   catalog.AccessLevel
	Primary *Action
	Actions []Action
}

// AccessOf derives the actions of an entry from its details. The first action
// is the primary one. Level is "direct" when a machine can fetch the data
// itself without credentials, "documented" when a person must take a step
// first, else "reference_only" (decisions §5, "Access").
func AccessOf(e *catalog.Entry) Access {
	open := e.AuthType == catalog.AuthNone || e.AuthType == catalog.AuthUnknown && e.FreeAccessClass == catalog.AccessFreeNoAuth
	var a Access
	switch e.Type {
	case catalog.TypeAPI:
		a.Actions = apiActions(e, open)
	case catalog.TypeDataset:
		a.Actions = datasetActions(e, open)
	case catalog.TypeMCPServer:
		a.Actions = mcpActions(e, open)
	}
	a.Actions = appendPages(a.Actions, e)
	a.Actions = distinct(a.Actions)
	slices.SortStableFunc(a.Actions, func(x, y Action) int { return cmp.Compare(rank(x), rank(y)) })
	a.Level = level(a.Actions)
	if len(a.Actions) > 0 {
		a.Primary = &a.Actions[0]
	}
	return a
}

func rank(a Action) int {
	switch {
	case a.Direct && a.Runnable:
		return 0
	case a.Direct:
		return 1
	case a.Kind == "openapi" || a.Kind == "graphql":
		return 2
	case a.Kind == "docs":
		return 3
	default:
		return 4
	}
}

func level(actions []Action) catalog.AccessLevel {
	documented := false
	for _, a := range actions {
		if a.Direct && a.Runnable {
			return catalog.LevelDirect
		}
		documented = documented || a.Kind != "source"
	}
	if documented {
		return catalog.LevelDocumented
	}
	return catalog.LevelReferenceOnly
}

// pagesMax is how many actions appendPages adds at most.
const pagesMax = 3

func apiActions(e *catalog.Entry, open bool) []Action {
	d := e.API
	if d == nil {
		return nil
	}
	out := make([]Action, 0, 3+pagesMax)
	url, source := d.BaseURL, "api_details.base_url"
	if url == "" {
		url, source = d.PingURL, "api_details.ping_url"
	}
	if url != "" {
		out = append(out, Action{Kind: "api", Label: "Call the API", Method: "GET", URL: url, Source: source, Runnable: open, Direct: true})
	}
	if d.OpenAPIURL != "" {
		out = append(out, Action{Kind: "openapi", Label: "Read the OpenAPI description", Method: "GET", URL: d.OpenAPIURL, Source: "api_details.openapi_url", Runnable: true})
	}
	if d.GraphQLURL != "" {
		out = append(out, Action{Kind: "graphql", Label: "Query with GraphQL", Method: "POST", URL: d.GraphQLURL, Source: "api_details.graphql_url", Runnable: open, Direct: true})
	}
	return out
}

func datasetActions(e *catalog.Entry, open bool) []Action {
	d := e.Dataset
	if d == nil {
		return nil
	}
	out := make([]Action, 0, len(d.Distributions)+1+pagesMax)
	for i := range d.Distributions {
		dist := &d.Distributions[i]
		url := cmp.Or(dist.DownloadURL, dist.AccessURL)
		if url == "" {
			continue
		}
		_, _, ftp := catalog.CutFTP(url) // listed, and for a program of its own
		label := "Download"
		if dist.Format != "" {
			label += " " + dist.Format
		}
		if dist.Title != "" {
			label += ": " + dist.Title
		}
		out = append(out, Action{Kind: "download", Label: label, Method: "GET", URL: url,
			Source: "dataset_details.distributions", Runnable: open && !ftp, Direct: dist.DownloadURL != ""})
	}
	if d.LandingPage != "" {
		out = append(out, Action{Kind: "landing", Label: "Open the landing page", Method: "GET", URL: d.LandingPage, Source: "dataset_details.landing_page"})
	}
	return out
}

func mcpActions(e *catalog.Entry, open bool) []Action {
	if e.MCP == nil || e.MCP.EndpointURL == "" {
		return nil
	}
	return append(make([]Action, 0, 1+pagesMax), Action{Kind: "mcp", Label: "Connect an agent", Method: "POST", URL: e.MCP.EndpointURL, Source: "mcp_details.endpoint_url", Runnable: open, Direct: true})
}

// appendPages adds the pages that people read.
func appendPages(out []Action, e *catalog.Entry) []Action {
	for _, page := range [pagesMax]struct{ kind, label, url, source string }{
		{"docs", "Read the documentation", e.DocsURL, "docs_url"},
		{"landing", "Open the home page", e.HomepageURL, "homepage_url"},
		{"source", "Open the source", e.PrimarySourceURL, "primary_source_url"},
	} {
		if page.url != "" {
			out = append(out, Action{Kind: page.kind, Label: page.label, Method: "GET", URL: page.url, Source: page.source})
		}
	}
	return out
}

// few is up to how many actions it is quicker to compare each with all others.
const few = 8

// distinct keeps the first action of each URL.
func distinct(actions []Action) []Action {
	if len(actions) <= few {
		return distinctFew(actions)
	}
	seen := make(map[string]bool, len(actions))
	return slices.DeleteFunc(actions, func(a Action) bool {
		if seen[a.URL] {
			return true
		}
		seen[a.URL] = true
		return false
	})
}

func distinctFew(actions []Action) []Action {
	kept := actions[:0]
	for _, a := range actions {
		if !slices.ContainsFunc(kept, func(k Action) bool { return k.URL == a.URL }) {
			kept = append(kept, a)
		}
	}
	return kept
}
