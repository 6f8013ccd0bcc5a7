package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/score"
)

// The standards that the rules cite.
var (
	dcatAP     = Source{"DCAT-AP 3.0.1", "https://semiceu.github.io/DCAT-AP/releases/3.0.1/"}
	dcatUS     = Source{"DCAT-US 1.1, Project Open Data metadata schema", "https://resources.data.gov/resources/dcat-us/"}
	dcat3      = Source{"DCAT 3", "https://www.w3.org/TR/vocab-dcat-3/"}
	openAPI    = Source{"OpenAPI 3.1.1", "https://spec.openapis.org/oas/v3.1.1.html"}
	jsonRFC    = Source{"RFC 8259, section 8.1", "https://www.rfc-editor.org/rfc/rfc8259#section-8.1"}
	jsonText   = Source{"RFC 8259", "https://www.rfc-editor.org/rfc/rfc8259"}
	uriRFC     = Source{"RFC 3986", "https://www.rfc-editor.org/rfc/rfc3986"}
	special    = Source{"RFC 6761, special-use names", "https://www.rfc-editor.org/rfc/rfc6761"}
	rootZone   = Source{"IANA root zone database", "https://www.iana.org/domains/root/db"}
	isoDate    = Source{"RFC 3339, profile of ISO 8601", "https://www.rfc-editor.org/rfc/rfc3339"}
	mailto     = Source{"RFC 6068, mailto", "https://www.rfc-editor.org/rfc/rfc6068"}
	unicodeStd = Source{"Unicode in XML and other markup languages", "https://www.w3.org/TR/unicode-xml/"}
	bcp47      = Source{"BCP 47", "https://www.rfc-editor.org/info/bcp47"}
	openDef    = Source{"Open Definition 2.1", "https://opendefinition.org/od/2.1/en/"}
	fileTypes  = Source{"EU authority table file-type", "https://op.europa.eu/en/web/eu-vocabularies/dataset/-/resource?uri=http://publications.europa.eu/resource/dataset/file-type"}
	frequency  = Source{"EU authority table frequency", "https://op.europa.eu/en/web/eu-vocabularies/dataset/-/resource?uri=http://publications.europa.eu/resource/dataset/frequency"}
	isoCountry = Source{"ISO 3166-1", "https://www.iso.org/iso-3166-country-codes.html"}
	ckanAPI    = Source{"CKAN Action API", "https://docs.ckan.org/en/latest/api/"}
	mcpServer  = Source{"MCP registry, server.json", "https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md"}
	apisGuru   = Source{"APIs.guru API", "https://apis.guru/api-doc/"}
	csvRFC     = Source{"RFC 4180", "https://www.rfc-editor.org/rfc/rfc4180"}
	yamlSpec   = Source{"YAML 1.2.2", "https://yaml.org/spec/1.2.2/"}
	rdfSyntax  = Source{"RDF 1.1", "https://www.w3.org/TR/rdf11-concepts/"}
	practice   = Source{"W3C Data on the Web Best Practices", "https://www.w3.org/TR/dwbp/"}
)

// What readers lose, where several rules cost them the same.
const (
	lostRecord  = "readers do not get the record at all"
	lostAddress = "readers and programs that follow it arrive nowhere"
	lostTime    = "nobody can sort by it, or tell how fresh the data is"
	lostTerms   = "nobody can tell whether the data may be used"
	lostSearch  = "searches do not find it by the words that readers type"
	lostOne     = "readers cannot tell the records apart, and updates reach the wrong one"
)

var rules = sorted(documentRules, textRules, addressRules, valueRules, recordRules, gapRules())

func sorted(lists ...[]Rule) []Rule {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// GapRule is the id of the rule for a published field that nobody filled in.
func GapRule(field string) string { return "missing." + field }

// gapRules are the rules of the quality score that a publisher meets by filling in
// a member: one for each field, whatever axes it counts in.
func gapRules() []Rule {
	var out []Rule
	for _, r := range score.Rules() {
		if !Fillable(r.Field) || slices.ContainsFunc(out, func(x Rule) bool { return x.ID == GapRule(r.Field) }) {
			continue
		}
		out = append(out, Rule{ID: GapRule(r.Field), Severity: gapSeverity(r.Field), Title: "Not stated: " + plain(r.Meaning), Why: gapWhy(r.Field), Remedy: plain(r.Advice),
			Source: gapSource(r.Source)})
	}
	return append(out,
		Rule{ID: "licence.clarity", Severity: Should, Title: "The licence is not a known open one", Why: lostTerms, Remedy: "name a standard licence by its identifier or URL", Source: openDef})
}

// Fillable tells of a published field whether a catalogue can fill it in; the
// others are found by probing.
func Fillable(field string) bool {
	switch field {
	case "data_profile.fields", "data_profile.query_examples", "mcp_details.handshake_at", "mcp_details.tools", "country_code", "access.actions":
		return false
	}
	return true
}

// gapSeverity: DCAT-AP makes title and description mandatory; without a
// distribution, an endpoint or a licence there is nothing to use.
func gapSeverity(field string) Severity {
	switch field {
	case "description", "dataset_details.distributions", "license", "api_details.base_url", "mcp_details.endpoint_url", "publisher_name":
		return Must
	}
	return Should
}

func gapWhy(field string) string {
	switch field {
	case "description", "tags":
		return lostSearch
	case "license":
		return lostTerms
	case "publisher_name", "contact":
		return "readers do not know whom to trust, or whom to ask"
	case "source_modified_at", "dataset_details.frequency":
		return lostTime
	case "dataset_details.spatial":
		return "readers who search for a place or a year do not find it"
	case "dataset_details.distributions", "formats", "api_details.base_url", "mcp_details.endpoint_url":
		return "nobody can tell how to get at it"
	}
	return "readers have to find out by themselves, and programs cannot"
}

func gapSource(name string) Source {
	for _, s := range []Source{dcatAP, dcat3, openAPI, fileTypes, mcpServer} {
		if len(name) >= len(s.Name) && name[:len(s.Name)] == s.Name {
			return Source{name, s.URL}
		}
	}
	return Source{name, practice.URL}
}

// plain is a sentence of the rubric without its end, to stand within another.
func plain(s string) string { return strings.TrimSuffix(s, ".") }
