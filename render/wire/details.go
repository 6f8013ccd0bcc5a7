package wire

import (
	"github.com/assay-register/assay/render/catalog"
)

func newAPI(e *catalog.Entry) *APIDetails {
	d := e.API
	if d == nil {
		return nil
	}
	out := &APIDetails{
		ID: catalog.NewID("api_details", e.ID), EntryID: e.ID, BaseURL: null(d.BaseURL), OpenAPIURL: null(d.OpenAPIURL),
		GraphQLURL: null(d.GraphQLURL), APIVersion: null(d.Version), SpecFormat: null(d.SpecFormat),
		EndpointsCount: number(max(d.EndpointsCount, len(d.Endpoints))), Endpoints: []Endpoint{},
		RateLimitInfo: null(d.RateLimitInfo), FreeTierLimits: null(d.FreeTierLimits), PingURL: null(d.PingURL), OtherURLs: list(d.OtherURLs), Spatial: list(d.Spatial),
		Frequency: null(d.Frequency),
		TermsURL:  null(d.TermsURL), CreatedAt: stamp(latest(d.CreatedAt, e.CreatedAt)), UpdatedAt: stamp(latest(d.UpdatedAt, e.UpdatedAt)),
	}
	for _, p := range d.Endpoints {
		out.Endpoints = append(out.Endpoints, Endpoint{p.Method, p.Path, null(p.Summary), arguments(p.Parameters), null(p.Answer)})
	}
	return out
}

func newDataset(e *catalog.Entry) *DatasetDetails {
	d := e.Dataset
	if d == nil {
		return nil
	}
	out := &DatasetDetails{
		ID: catalog.NewID("dataset_details", e.ID), EntryID: e.ID, LandingPage: null(d.LandingPage), OtherPages: list(d.OtherPages), Frequency: null(d.Frequency),
		Spatial: list(d.Spatial), TemporalStart: stamp(d.TemporalStart), TemporalEnd: stamp(d.TemporalEnd),
		Version: null(d.Version), Distributions: []Distribution{},
		CreatedAt: stamp(latest(d.CreatedAt, e.CreatedAt)), UpdatedAt: stamp(latest(d.UpdatedAt, e.UpdatedAt)),
	}
	for _, x := range d.Distributions {
		licence := x.LicenseID
		if licence == "" {
			licence = x.LicenseRaw
		}
		out.Distributions = append(out.Distributions, Distribution{null(x.Title), null(x.AccessURL), null(x.DownloadURL),
			null(x.Format), null(x.MediaType), number(x.ByteSize), null(licence), stamp(x.ModifiedAt), null(x.Description), list(x.OtherURLs), list(x.Languages)})
	}
	return out
}

func newMCP(e *catalog.Entry) *MCPDetails {
	d := e.MCP
	if d == nil {
		return nil
	}
	out := &MCPDetails{
		ID: catalog.NewID("mcp_details", e.ID), EntryID: e.ID, EndpointURL: null(d.EndpointURL), Transport: null(d.Transport),
		Version: null(d.Version), ProtocolVersions: list(d.ProtocolVersions), Packages: []MCPPackage{}, Tools: []MCPTool{},
		HandshakeAt: stamp(d.HandshakeAt),
	}
	for _, p := range d.Packages {
		out.Packages = append(out.Packages, MCPPackage{p.Registry, p.Identifier, null(p.Version)})
	}
	for _, t := range d.Tools {
		out.Tools = append(out.Tools, MCPTool{t.Name, null(t.Title), null(t.Description), t.ReadOnly, arguments(t.Arguments)})
	}
	return out
}

func arguments(from []catalog.Argument) []Argument {
	out := make([]Argument, 0, len(from))
	for _, a := range from {
		out = append(out, Argument{a.Name, null(a.In), null(a.Type), a.Required, null(a.Description), null(a.Example), list(a.Values)})
	}
	return out
}
