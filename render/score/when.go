package score

// When is the condition of a rule as data, over the members of published JSON; a program
// of any language that knows these few words judges as the register does. A member is
// there if it is not null, "" or an empty list.
type When struct {
	// There is the path of a member that must be there, with points between names.
	There string `json:"there,omitempty"`
	// Any, All and Not join conditions.
	Any []When `json:"any,omitempty"`
	All []When `json:"all,omitempty"`
	Not *When  `json:"not,omitempty"`
	// Path is the member that the words below are about: Is a value it must have,
	// Begins what its text begins with, OneOf the texts of which it is one, Has the members
	// of an object that must be in its list, Among the name of a list of the rules in which
	// one of its texts, in upper case, must be.
	Path   string         `json:"path,omitempty"`
	Is     any            `json:"is,omitempty"`
	Begins string         `json:"begins,omitempty"`
	OneOf  []string       `json:"one_of,omitempty"`
	Has    map[string]any `json:"has,omitempty"`
	Among  string         `json:"among,omitempty"`
}

func there(path string) When                 { return When{There: path} }
func anyOf(list ...When) When                { return When{Any: list} }
func allOf(list ...When) When                { return When{All: list} }
func not(w When) When                        { return When{Not: &w} }
func is(path string, value any) When         { return When{Path: path, Is: value} }
func among(path, list string) When           { return When{Path: path, Among: list} }
func has(path string, m map[string]any) When { return When{Path: path, Has: m} }

var (
	licensed  = allOf(anyOf(there("license_raw"), there("license")), not(is("license.id", "UNSPECIFIED")))
	described = anyOf(there("api_details.openapi_url"), there("api_details.graphql_url"), When{Path: "api_details.spec_format", Begins: "ogc-"},
		When{Path: "api_details.spec_format", OneOf: selfDescribed})
	runnable = has("access.actions", map[string]any{"runnable": true, "direct": true})
	landing  = anyOf(there("dataset_details.landing_page"), there("homepage_url"))
	settled  = allOf(is("license.open", "yes"), there("license.url"), is("reuse.commercial_use.status", "known"), is("reuse.redistribution.status", "known"),
		is("reuse.attribution_required.status", "known"), is("reuse.share_alike.status", "known"))
)

// whens are the conditions by rule.
var whens = map[string]When{
	"officialness.domain_verification": proved("domain_verification"), "officialness.portal_backlink": proved("portal_backlink"),
	"officialness.github_organisation": proved("github_organisation"), "officialness.reciprocal_link": proved("reciprocal_link"),
	"officialness.policy_presence": proved("policy_presence"),
	"metadata.description":         there("description"), "metadata.homepage": there("homepage_url"), "metadata.landing_page": landing,
	"metadata.docs": there("docs_url"), "metadata.repository": there("repo_url"), "metadata.tags": there("tags"),
	"metadata.institution": anyOf(there("publisher.name"), there("institution")), "metadata.country": there("country_code"),
	"metadata.base_url": there("api_details.base_url"), "metadata.machine_description": described,
	"metadata.endpoint": there("mcp_details.endpoint_url"), "metadata.tools": there("mcp_details.tools"),
	"metadata.auth":  allOf(there("auth_type"), not(is("auth_type", "UNKNOWN"))),
	"metadata.terms": anyOf(licensed, there("api_details.terms_url")), "metadata.formats": there("formats"),
	"metadata.distribution": there("dataset_details.distributions"), "metadata.licence": licensed, "metadata.modified": there("source_modified_at"),
	"metadata.frequency": allOf(there("dataset_details.frequency"), not(is("dataset_details.frequency", "UNKNOWN"))),
	"metadata.coverage":  anyOf(there("dataset_details.spatial"), there("dataset_details.temporal_start"), there("dataset_details.temporal_end")),
	"metadata.contact":   anyOf(there("contact.name"), there("contact.url"), there("contact.email")),

	"agent.machine_description": described, "agent.known_format": allOf(there("api_details.spec_format"), not(is("api_details.spec_format", "none"))),
	"agent.docs": there("docs_url"), "agent.homepage": there("homepage_url"), "agent.tags": there("tags"), "agent.runnable": runnable,
	"agent.landing_page": landing, "agent.distributions": there("dataset_details.distributions"), "agent.documentation": there("docs_url"),
	"agent.machine_format": among("formats", "machine_formats"), "agent.profiled_fields": there("data_profile.fields"),
	"agent.example_query": there("data_profile.query_examples"), "agent.runnable_download": runnable, "agent.endpoint": there("mcp_details.endpoint_url"),
	"agent.handshake": there("mcp_details.handshake_at"), "agent.tools": there("mcp_details.tools"), "agent.mcp_docs": there("docs_url"),
	"agent.mcp_tags": there("tags"),
}

func proved(kind string) When { return has("signals", map[string]any{"kind": kind, "held": true}) }

// WhenOf is the condition of a rule, nil for one that is judged by levels.
func WhenOf(rule string) *When {
	if w, ok := whens[rule]; ok {
		return &w
	}
	return nil
}

// LevelsWhen are the conditions of the levels of a rule, best first; the first that holds
// counts. Those of checks are shares and have none.
func LevelsWhen(rule string) []When {
	if rule != "licence.clarity" {
		return nil
	}
	return []When{allOf(licensed, settled), allOf(licensed, there("license")), licensed, {}}
}

// How the points of its rules make an axis.
const (
	// CombineSum adds the points of the rules that are met; CombineShare is 100 times the
	// rules met by those that judge the type; CombineLevel is the points of the first level
	// that holds; CombineSteps is the greatest level that the share of checks that
	// succeeded reaches.
	CombineSum, CombineShare, CombineLevel, CombineSteps = "sum", "share", "level", "steps"
)

// CombineOf says how an axis is made.
func CombineOf(a AxisID) string {
	switch a {
	case AxisMetadata:
		return CombineShare
	case AxisLicence:
		return CombineLevel
	case AxisAvailability:
		return CombineSteps
	}
	return CombineSum
}

// Neutral is what officialness counts of an entry that is not public-sector, in points.
const Neutral = 50
