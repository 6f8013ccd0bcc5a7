package score

import (
	"github.com/assay-register/assay/render/catalog"
)

// AxisID names one of the quality axes.
type AxisID string

// The axes of the quality scores, in their published order.
const (
	AxisOfficialness AxisID = "officialness"
	AxisAvailability AxisID = "availability"
	AxisMetadata     AxisID = "metadata_completeness"
	AxisLicence      AxisID = "licence_clarity"
	AxisAgent        AxisID = "agent_readiness"
)

// axes lists each axis with its weight in mqa_score, in percent
// (specification, "Rules for computed fields" 6).
var axes = [5]struct {
	id     AxisID
	weight int
	label  string
}{
	{AxisOfficialness, 25, "Officialness"},
	{AxisAvailability, 25, "Availability"},
	{AxisMetadata, 20, "Metadata completeness"},
	{AxisLicence, 15, "Licence clarity"},
	{AxisAgent, 15, "Agent readiness"},
}

// Rule is one line of the rubric.
type Rule struct {
	ID   string
	Axis AxisID
	// Types are the entry types the rule applies to; empty means all.
	Types []catalog.EntryType
	// Points is the rule's share of its axis, in points of 100. The rules of
	// metadata completeness share their axis equally and leave it zero.
	Points  int
	Meaning string
	// Advice tells the publisher what to do to meet the rule.
	Advice string
	test   func(*Input) Outcome
	// Field is the published field that decides the rule.
	Field string
	// Source is the standard that names what is asked for.
	Source string
}

func (r *Rule) applies(t catalog.EntryType) bool {
	for _, x := range r.Types {
		if x == t {
			return true
		}
	}
	return len(r.Types) == 0
}

var (
	onlyAPI     = []catalog.EntryType{catalog.TypeAPI}
	onlyDataset = []catalog.EntryType{catalog.TypeDataset}
	onlyMCP     = []catalog.EntryType{catalog.TypeMCPServer}
	noDataset   = []catalog.EntryType{catalog.TypeAPI, catalog.TypeMCPServer}
)

// rules is the whole rubric of the two checklist axes (decisions §5).
var rules = []Rule{
	{ID: "metadata.description", Axis: AxisMetadata, Meaning: "A description is given.", Advice: "Add a description.", Field: "description", Source: "DCAT-AP 3.0.1, dct:description", test: hasDescription},
	{ID: "metadata.homepage", Axis: AxisMetadata, Types: noDataset, Meaning: "A home page is given.", Advice: "Add the home page.", Field: "homepage_url", Source: "DCAT 3, dcat:landingPage", test: hasHomepage},
	{ID: "metadata.landing_page", Axis: AxisMetadata, Types: onlyDataset, Meaning: "A landing page is given.", Advice: "Add the landing page.", Field: "dataset_details.landing_page", Source: "DCAT-AP 3.0.1, dcat:landingPage", test: hasLanding},
	{ID: "metadata.docs", Axis: AxisMetadata, Meaning: "Documentation is linked.", Advice: "Link the documentation.", Field: "docs_url", Source: "DCAT-AP 3.0.1, foaf:page", test: hasDocs},
	{ID: "metadata.repository", Axis: AxisMetadata, Types: onlyMCP, Meaning: "The source repository is linked.", Advice: "Link the source repository.", Field: "repo_url", Source: "MCP registry, server.json, repository", test: hasRepo},
	{ID: "metadata.tags", Axis: AxisMetadata, Meaning: "At least one tag is given.", Advice: "Add keywords.", Field: "tags", Source: "DCAT-AP 3.0.1, dcat:keyword", test: hasTags},
	{ID: "metadata.institution", Axis: AxisMetadata, Meaning: "The publisher is named, or its institution is known.", Advice: "Name the publishing institution.", Field: "publisher_name", Source: "DCAT-AP 3.0.1, dct:publisher", test: hasPublisher},
	{ID: "metadata.country", Axis: AxisMetadata, Meaning: "The country is known.", Advice: "Name the country.", Field: "country_code", Source: "ISO 3166-1", test: hasCountry},
	{ID: "metadata.base_url", Axis: AxisMetadata, Types: onlyAPI, Meaning: "The base URL is given.", Advice: "Publish the base URL.", Field: "api_details.base_url", Source: "DCAT-AP 3.0.1, dcat:endpointURL", test: hasBaseURL},
	{ID: "metadata.machine_description", Axis: AxisMetadata, Types: onlyAPI, Meaning: "A machine-readable description exists.", Advice: "Publish an OpenAPI document.", Field: "api_details.openapi_url", Source: "DCAT-AP 3.0.1, dcat:endpointDescription", test: hasMachineDescription},
	{ID: "metadata.endpoint", Axis: AxisMetadata, Types: onlyMCP, Meaning: "The endpoint is given.", Advice: "Publish a remote endpoint.", Field: "mcp_details.endpoint_url", Source: "MCP registry, server.json, remotes", test: hasEndpoint},
	{ID: "metadata.tools", Axis: AxisMetadata, Types: onlyMCP, Meaning: "The list of tools is known.", Advice: "Let tools/list answer.", Field: "mcp_details.tools", Source: "Model Context Protocol, tools/list", test: hasTools},
	{ID: "metadata.auth", Axis: AxisMetadata, Types: noDataset, Meaning: "The authentication is known.", Advice: "State how callers authenticate.", Field: "auth_type", Source: "OpenAPI 3.1, Security Requirement Object", test: hasAuth},
	{ID: "metadata.terms", Axis: AxisMetadata, Types: onlyAPI, Meaning: "A licence or terms of use are given.", Advice: "Add a licence or terms of use.", Field: "license", Source: "DCAT-AP 3.0.1, dct:license", test: hasLicenceOrTerms},
	{ID: "metadata.formats", Axis: AxisMetadata, Types: onlyDataset, Meaning: "The formats are given.", Advice: "State the formats.", Field: "formats", Source: "DCAT-AP 3.0.1, dct:format", test: hasFormats},
	{ID: "metadata.distribution", Axis: AxisMetadata, Types: onlyDataset, Meaning: "At least one distribution is given.", Advice: "Link the data files.", Field: "dataset_details.distributions", Source: "DCAT-AP 3.0.1, dcat:distribution", test: hasDistribution},
	{ID: "metadata.licence", Axis: AxisMetadata, Types: onlyDataset, Meaning: "A licence is given.", Advice: "Add a licence.", Field: "license", Source: "DCAT-AP 3.0.1, dct:license", test: hasLicence},
	{ID: "metadata.modified", Axis: AxisMetadata, Types: onlyDataset, Meaning: "The publisher's date of modification is given.", Advice: "State when the data last changed.", Field: "source_modified_at", Source: "DCAT-AP 3.0.1, dct:modified", test: hasModified},
	{ID: "metadata.frequency", Axis: AxisMetadata, Types: onlyDataset, Meaning: "The update frequency is given.", Advice: "State how often the data is updated.", Field: "dataset_details.frequency", Source: "DCAT-AP 3.0.1, dct:accrualPeriodicity", test: hasFrequency},
	{ID: "metadata.coverage", Axis: AxisMetadata, Types: onlyDataset, Meaning: "Spatial or temporal coverage is given.", Advice: "State the area or period covered.", Field: "dataset_details.spatial", Source: "DCAT-AP 3.0.1, dct:spatial and dct:temporal", test: hasCoverage},
	{ID: "metadata.contact", Axis: AxisMetadata, Types: onlyDataset, Meaning: "A contact point is given.", Advice: "Add a contact point.", Field: "contact", Source: "DCAT-AP 3.0.1, dcat:contactPoint", test: hasContact},

	{ID: "agent.machine_description", Axis: AxisAgent, Types: onlyAPI, Points: 30, Meaning: "A machine-readable description exists.", Advice: "Publish an OpenAPI document.", Field: "api_details.openapi_url", Source: "DCAT-AP 3.0.1, dcat:endpointDescription", test: hasMachineDescription},
	{ID: "agent.known_format", Axis: AxisAgent, Types: onlyAPI, Points: 15, Meaning: "The description has a known format.", Advice: "Name the format of the description.", Field: "api_details.spec_format", Source: "DCAT 3, dct:conformsTo", test: hasKnownFormat},
	{ID: "agent.docs", Axis: AxisAgent, Types: onlyAPI, Points: 15, Meaning: "Documentation is linked.", Advice: "Link the documentation.", Field: "docs_url", Source: "DCAT-AP 3.0.1, foaf:page", test: hasDocs},
	{ID: "agent.homepage", Axis: AxisAgent, Types: onlyAPI, Points: 10, Meaning: "A home page is given.", Advice: "Add the home page.", Field: "homepage_url", Source: "DCAT 3, dcat:landingPage", test: hasHomepage},
	{ID: "agent.tags", Axis: AxisAgent, Types: onlyAPI, Points: 15, Meaning: "At least one tag is given.", Advice: "Add keywords.", Field: "tags", Source: "DCAT-AP 3.0.1, dcat:keyword", test: hasTags},
	{ID: "agent.runnable", Axis: AxisAgent, Types: onlyAPI, Points: 15, Meaning: "An action can be run without credentials.", Advice: "Offer a call that needs no key.", Field: "access.actions", Source: "this register, access", test: hasRunnable},

	{ID: "agent.landing_page", Axis: AxisAgent, Types: onlyDataset, Points: 5, Meaning: "A landing page is given.", Advice: "Add the landing page.", Field: "dataset_details.landing_page", Source: "DCAT-AP 3.0.1, dcat:landingPage", test: hasLanding},
	{ID: "agent.distributions", Axis: AxisAgent, Types: onlyDataset, Points: 15, Meaning: "At least one distribution is given.", Advice: "Link the data files.", Field: "dataset_details.distributions", Source: "DCAT-AP 3.0.1, dcat:distribution", test: hasDistribution},
	{ID: "agent.documentation", Axis: AxisAgent, Types: onlyDataset, Points: 20, Meaning: "Documentation is linked.", Advice: "Link the documentation.", Field: "docs_url", Source: "DCAT-AP 3.0.1, foaf:page", test: hasDocs},
	{ID: "agent.machine_format", Axis: AxisAgent, Types: onlyDataset, Points: 20, Meaning: "A machine-readable format is offered.", Advice: "Offer CSV, JSON or another machine-readable format.", Field: "formats", Source: "EU authority table file-type", test: hasMachineFormat},
	{ID: "agent.profiled_fields", Axis: AxisAgent, Types: onlyDataset, Points: 20, Meaning: "The fields of the data are known.", Advice: "Offer a sample that can be profiled.", Field: "data_profile.fields", Source: "this register, data_profile", test: hasProfile},
	{ID: "agent.example_query", Axis: AxisAgent, Types: onlyDataset, Points: 10, Meaning: "An example query is known.", Advice: "Offer a query interface.", Field: "data_profile.query_examples", Source: "this register, data_profile", test: hasExample},
	{ID: "agent.runnable_download", Axis: AxisAgent, Types: onlyDataset, Points: 10, Meaning: "An action can be run without credentials.", Advice: "Offer a download that needs no key.", Field: "access.actions", Source: "this register, access", test: hasRunnable},

	{ID: "agent.endpoint", Axis: AxisAgent, Types: onlyMCP, Points: 30, Meaning: "The endpoint is given.", Advice: "Publish a remote endpoint.", Field: "mcp_details.endpoint_url", Source: "MCP registry, server.json, remotes", test: hasEndpoint},
	{ID: "agent.handshake", Axis: AxisAgent, Types: onlyMCP, Points: 30, Meaning: "The protocol handshake succeeded.", Advice: "Let initialize or server/discover answer.", Field: "mcp_details.handshake_at", Source: "Model Context Protocol, initialize and server/discover", test: hasHandshake},
	{ID: "agent.tools", Axis: AxisAgent, Types: onlyMCP, Points: 20, Meaning: "The list of tools is known.", Advice: "Let tools/list answer.", Field: "mcp_details.tools", Source: "Model Context Protocol, tools/list", test: hasTools},
	{ID: "agent.mcp_docs", Axis: AxisAgent, Types: onlyMCP, Points: 10, Meaning: "Documentation is linked.", Advice: "Link the documentation.", Field: "docs_url", Source: "DCAT-AP 3.0.1, foaf:page", test: hasDocs},
	{ID: "agent.mcp_tags", Axis: AxisAgent, Types: onlyMCP, Points: 10, Meaning: "At least one tag is given.", Advice: "Add keywords.", Field: "tags", Source: "DCAT-AP 3.0.1, dcat:keyword", test: hasTags},
}

// Rules returns the rubric of the checklist axes, for pages that explain it.
func Rules() []Rule { return append([]Rule(nil), rules...) }
