package score

import (
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var day = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

func bare(t catalog.EntryType) *Input {
	row := &catalog.Row{Entry: catalog.Entry{Type: t, AuthType: catalog.AuthUnknown, FreeAccessClass: catalog.AccessUnknown}}
	switch t {
	case catalog.TypeAPI:
		row.Entry.API = &catalog.APIDetails{}
	case catalog.TypeDataset:
		row.Entry.Dataset = &catalog.DatasetDetails{}
	case catalog.TypeMCPServer:
		row.Entry.MCP = &catalog.MCPDetails{}
	}
	return &Input{Row: row, Day: day}
}

var (
	ministry = &catalog.Institution{ID: "i", Name: "Ministry", Type: catalog.InstGovernment, CountryCode: "GR"}
	openData = &catalog.Licence{ID: "CC-BY-4.0", URL: "https://example.org/by", Open: catalog.RightYes, CommercialUse: catalog.RightYes,
		Redistribution: catalog.RightYes, AttributionRequired: catalog.RightYes, ShareAlike: catalog.RightNo}
)

func profile(in *Input) *catalog.Profile {
	if in.Row.Profile == nil {
		in.Row.Profile = &catalog.Profile{}
	}
	return in.Row.Profile
}

// step is a minimal change of an input that meets a rule; given prepares an
// input that the change alone decides.
type step struct {
	rule        string
	given, then func(*Input)
}

var steps = []step{
	{"metadata.description", nil, func(in *Input) { in.entry().Description = "text" }},
	{"metadata.homepage", nil, func(in *Input) { in.entry().HomepageURL = "https://example.org" }},
	{"metadata.landing_page", nil, func(in *Input) { in.entry().Dataset.LandingPage = "https://example.org" }},
	{"metadata.docs", nil, func(in *Input) { in.entry().DocsURL = "https://example.org/docs" }},
	{"metadata.repository", nil, func(in *Input) { in.entry().RepoURL = "https://example.org/repo" }},
	{"metadata.tags", nil, func(in *Input) { in.entry().Tags = []string{"a"} }},
	{"metadata.institution", nil, func(in *Input) { in.Institution = ministry }},
	{"metadata.country", nil, func(in *Input) { in.entry().CountryCode = "GR" }},
	{"metadata.base_url", nil, func(in *Input) { in.entry().API.BaseURL = "https://api.example.org" }},
	{"metadata.machine_description", nil, func(in *Input) { in.entry().API.OpenAPIURL = "https://api.example.org/openapi.json" }},
	{"metadata.endpoint", nil, func(in *Input) { in.entry().MCP.EndpointURL = "https://mcp.example.org" }},
	{"metadata.tools", nil, func(in *Input) { in.entry().MCP.Tools = []catalog.MCPTool{{Name: "t"}} }},
	{"metadata.auth", nil, func(in *Input) { in.entry().AuthType = catalog.AuthAPIKey }},
	{"metadata.terms", nil, func(in *Input) { in.entry().API.TermsURL = "https://example.org/terms" }},
	{"metadata.formats", nil, func(in *Input) { in.entry().Formats = []string{"PDF"} }},
	{"metadata.distribution", nil, func(in *Input) { in.entry().Dataset.Distributions = []catalog.Distribution{{Title: "file"}} }},
	{"metadata.licence", nil, func(in *Input) { in.entry().LicenseRaw = "free" }},
	{"metadata.modified", nil, func(in *Input) { in.entry().SourceModifiedAt = day }},
	{"metadata.frequency", nil, func(in *Input) { in.entry().Dataset.Frequency = "DAILY" }},
	{"metadata.coverage", nil, func(in *Input) { in.entry().Dataset.Spatial = []string{"GR"} }},
	{"metadata.contact", nil, func(in *Input) { in.entry().Contact = &catalog.Contact{Email: "data@example.org"} }},

	{"agent.machine_description", nil, func(in *Input) { in.entry().API.GraphQLURL = "https://api.example.org/graphql" }},
	{"agent.known_format", nil, func(in *Input) { in.entry().API.SpecFormat = "openapi" }},
	{"agent.docs", nil, func(in *Input) { in.entry().DocsURL = "https://example.org/docs" }},
	{"agent.homepage", nil, func(in *Input) { in.entry().HomepageURL = "https://example.org" }},
	{"agent.tags", nil, func(in *Input) { in.entry().Tags = []string{"a"} }},
	{"agent.runnable", func(in *Input) { in.entry().API.BaseURL = "https://api.example.org" }, func(in *Input) { in.entry().AuthType = catalog.AuthNone }},

	{"agent.landing_page", nil, func(in *Input) { in.entry().HomepageURL = "https://example.org" }},
	{"agent.distributions", nil, func(in *Input) { in.entry().Dataset.Distributions = []catalog.Distribution{{Title: "file"}} }},
	{"agent.documentation", nil, func(in *Input) { in.entry().DocsURL = "https://example.org/docs" }},
	{"agent.machine_format", nil, func(in *Input) { in.entry().Formats = []string{"CSV"} }},
	{"agent.profiled_fields", nil, func(in *Input) { profile(in).Fields = []catalog.ProfileField{{Name: "a"}} }},
	{"agent.example_query", nil, func(in *Input) { profile(in).QueryExamples = []catalog.QueryExample{{URL: "https://example.org"}} }},
	{"agent.runnable_download", func(in *Input) {
		in.entry().Dataset.Distributions = []catalog.Distribution{{DownloadURL: "https://example.org/a.csv"}}
	}, func(in *Input) { in.entry().AuthType = catalog.AuthNone }},

	{"agent.endpoint", nil, func(in *Input) { in.entry().MCP.EndpointURL = "https://mcp.example.org" }},
	{"agent.handshake", nil, func(in *Input) { in.entry().MCP.HandshakeAt = day }},
	{"agent.tools", nil, func(in *Input) { in.entry().MCP.Tools = []catalog.MCPTool{{Name: "t"}} }},
	{"agent.mcp_docs", nil, func(in *Input) { in.entry().DocsURL = "https://example.org/docs" }},
	{"agent.mcp_tags", nil, func(in *Input) { in.entry().Tags = []string{"a"} }},
}

func (s *step) prepare(t catalog.EntryType) *Input {
	in := bare(t)
	if s.given != nil {
		s.given(in)
	}
	return in
}

func ruleByID(t testing.TB, id string) Rule {
	t.Helper()
	for _, r := range Rules() {
		if r.ID == id {
			return r
		}
	}
	t.Fatalf("no rule %s", id)
	return Rule{}
}

func typesOf(r *Rule) []catalog.EntryType {
	if len(r.Types) > 0 {
		return r.Types
	}
	return catalog.EntryTypes()
}

func finding(t failer, r *Result, id string) (int, Finding) {
	t.Helper()
	for i := range r.Axes {
		for _, f := range r.Axes[i].Findings {
			if f.Rule == id {
				return i, f
			}
		}
	}
	t.Fatalf("no finding %s", id)
	return 0, Finding{}
}

// failer is a test or a rapid check.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}
