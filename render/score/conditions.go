package score

import "strings"

// The conditions of rules, in the members of an entry's JSON: what a stranger
// needs to judge a rule as the functions in facts.go do. A member that is null,
// an empty text or an empty list is not there.
const (
	whenLicence = `license_raw or license is there, and license.id is not "UNSPECIFIED"`
	whenHome    = "homepage_url is there"
	whenDocs    = "docs_url is there"
	whenTags    = "tags is there"
	whenRun     = "access.actions has one whose runnable and direct are true"
	whenBase    = "dataset_details.landing_page or homepage_url is there"
	whenFiles   = "dataset_details.distributions is there"
	whenTools   = "mcp_details.tools is there"
	whenRemote  = "mcp_details.endpoint_url is there"
)

// whenMachine says what hasMachineDescription looks at.
var whenMachine = `api_details.openapi_url or api_details.graphql_url is there, or api_details.spec_format begins with "ogc-" or is one of "` +
	strings.Join(selfDescribed, `", "`) + `"`

var conditions = map[string]string{
	ruleAvailability: "its points are 100 * up / total of the checks of the last window_days days, members of the checks document",
	ruleLicence: `no licence unless ` + whenLicence + `; not recognised if license is null; the best level if license.open is "yes", license.url is there and reuse.commercial_use, ` +
		`reuse.redistribution, reuse.attribution_required and reuse.share_alike all have the status "known"; else the second`,
	"metadata.description":         "description is there",
	"metadata.homepage":            whenHome,
	"metadata.landing_page":        whenBase,
	"metadata.docs":                whenDocs,
	"metadata.repository":          "repo_url is there",
	"metadata.tags":                whenTags,
	"metadata.institution":         "publisher.name or institution is there",
	"metadata.country":             "country_code is there",
	"metadata.base_url":            "api_details.base_url is there",
	"metadata.machine_description": whenMachine,
	"metadata.endpoint":            whenRemote,
	"metadata.tools":               whenTools,
	"metadata.auth":                `auth_type is there and not "UNKNOWN"`,
	"metadata.terms":               whenLicence + "; or api_details.terms_url is there",
	"metadata.formats":             "formats is there",
	"metadata.distribution":        whenFiles,
	"metadata.licence":             whenLicence,
	"metadata.modified":            "source_modified_at is there",
	"metadata.frequency":           `dataset_details.frequency is there and not "UNKNOWN"`,
	"metadata.coverage":            "dataset_details.spatial, temporal_start or temporal_end is there",
	"metadata.contact":             "contact has a name, url or email",
	"agent.machine_description":    whenMachine,
	"agent.known_format":           `api_details.spec_format is there and not "none"`,
	"agent.docs":                   whenDocs,
	"agent.homepage":               whenHome,
	"agent.tags":                   whenTags,
	"agent.runnable":               whenRun,
	"agent.landing_page":           whenBase,
	"agent.distributions":          whenFiles,
	"agent.documentation":          whenDocs,
	"agent.machine_format":         "one of formats, in upper case, is among machine_formats",
	"agent.profiled_fields":        "data_profile.fields is there",
	"agent.example_query":          "data_profile.query_examples is there",
	"agent.runnable_download":      whenRun,
	"agent.endpoint":               whenRemote,
	"agent.handshake":              "mcp_details.handshake_at is there",
	"agent.tools":                  whenTools,
	"agent.mcp_docs":               whenDocs,
	"agent.mcp_tags":               whenTags,
}

// conditionOf says when a rule is met. Those of officialness ask for one proof.
func conditionOf(id string) string {
	if c, ok := conditions[id]; ok {
		return c
	}
	return `signals has one whose kind is "` + id[len(signalPrefix):] + `" and whose held is true; of two such one counts`
}
