package mcp

import (
	"context"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-register/assay/render/snapshot"
)

// addResources offers the texts of the register for reading: where to begin,
// the index of the knowledge bundle, and each entry as JSON and as markdown.
func addResources(s *sdk.Server, site snapshot.Site, a *asker) {
	base := strings.TrimSuffix(site.BaseURL, "/")
	read := func(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		route, ours := strings.CutPrefix(r.Params.URI, base)
		if !ours || !strings.HasPrefix(route, "/") {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		got, err := a.get(ctx, route)
		if err != nil {
			return nil, err
		}
		if got.Status != http.StatusOK {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		media, _, _ := strings.Cut(got.Header.Get("Content-Type"), ";")
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: media, Text: string(got.Body)}}}, nil
	}
	for _, x := range []sdk.Resource{
		{URI: base + "/llms.txt", Name: "start", Title: "Where to begin", MIMEType: "text/plain", Description: "What the register offers to machines, with links."},
		{URI: base + "/api/v1/okf/index.md", Name: "bundle-index", Title: "Index of the knowledge bundle", MIMEType: "text/markdown", Description: "The register as linked markdown (OKF)."},
	} {
		s.AddResource(&x, read)
	}
	for _, x := range []sdk.ResourceTemplate{
		{URITemplate: base + "/api/v1/entries/{idOrSlug}", Name: "entry", Title: "Entry", MIMEType: "application/json", Description: "One entry by id or slug."},
		{URITemplate: base + "/api/v1/okf/{section}/{slug}.md", Name: "concept", Title: "Entry as markdown", MIMEType: "text/markdown",
			Description: "One entry as a text with how to use it; section is apis, datasets or mcp-servers."},
	} {
		s.AddResourceTemplate(&x, read)
	}
}

// cacheable tells how long an answer of the protocol itself may be kept.
func cacheable(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
	if c.TTLMs == 0 {
		c.TTLMs = int(ttl.Milliseconds())
	}
	c.CacheScope = "public"
}
