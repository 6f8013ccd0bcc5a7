package lint

import "github.com/assay-register/assay/render/catalog"

// Template is what to write for a field in a catalogue of some kind: the publisher
// puts in what is true.
type Template struct {
	// Member is a JSON pointer within the record, or a property.
	Member     string
	Operations []Operation
	// Turtle is a predicate and its object.
	Turtle string
}

func put(member string, value any) Template {
	return Template{Member: member, Operations: []Operation{{Op: "add", Path: member, Value: value}}}
}

func says(property, iri, object string) Template {
	return Template{Member: property, Turtle: "<" + iri + "> " + object}
}

const (
	dct   = "http://purl.org/dc/terms/"
	dcat  = "http://www.w3.org/ns/dcat#"
	foaf  = "http://xmlns.com/foaf/0.1/"
	ccBy  = "https://creativecommons.org/licenses/by/4.0/"
	what  = "What the data is about, in two or three sentences."
	page  = "https://data.example.org/dataset"
	guide = "https://data.example.org/documentation"
	file  = "https://data.example.org/data.csv"
	api   = "https://api.example.org/v1"
	whom  = "Name of the publisher"
	day   = "2026-01-31"
)

// turtle are the templates of DCAT-AP, by published field.
var turtle = map[string]Template{
	"description":                   says("dct:description", dct+"description", `"`+what+`"@en`),
	"homepage_url":                  says("dcat:landingPage", dcat+"landingPage", "<"+page+">"),
	"dataset_details.landing_page":  says("dcat:landingPage", dcat+"landingPage", "<"+page+">"),
	"docs_url":                      says("foaf:page", foaf+"page", "<"+guide+">"),
	"tags":                          says("dcat:keyword", dcat+"keyword", `"keyword"@en`),
	"publisher_name":                says("dct:publisher", dct+"publisher", "[ a <"+foaf+"Agent> ; <"+foaf+`name> "`+whom+`"@en ]`),
	"dataset_details.distributions": says("dcat:distribution", dcat+"distribution", distribution),
	"formats":                       says("dcat:distribution", dcat+"distribution", distribution),
	"license":                       says("dct:license", dct+"license", "<"+ccBy+">"),
	"source_modified_at":            says("dct:modified", dct+"modified", `"`+day+`"^^<http://www.w3.org/2001/XMLSchema#date>`),
	"dataset_details.frequency":     says("dct:accrualPeriodicity", dct+"accrualPeriodicity", "<http://publications.europa.eu/resource/authority/frequency/MONTHLY>"),
	"dataset_details.spatial":       says("dct:spatial", dct+"spatial", "<http://publications.europa.eu/resource/authority/country/BEL>"),
	"contact":                       says("dcat:contactPoint", dcat+"contactPoint", `[ a <http://www.w3.org/2006/vcard/ns#Kind> ; <http://www.w3.org/2006/vcard/ns#hasEmail> <mailto:opendata@example.org> ]`),
	"api_details.base_url":          says("dcat:endpointURL", dcat+"endpointURL", "<"+api+">"),
	"api_details.openapi_url":       says("dcat:endpointDescription", dcat+"endpointDescription", "<"+api+"/openapi.json>"),
	"api_details.spec_format":       says("dct:conformsTo", dct+"conformsTo", "<https://spec.openapis.org/oas/v3.1.0>"),
}

const distribution = "[ a <" + dcat + "Distribution> ; <" + dct + `title> "Data"@en ; <` + dcat + "accessURL> <" + file + "> ; <" + dcat + "downloadURL> <" + file + "> ; <" + dct +
	"format> <http://publications.europa.eu/resource/authority/file-type/CSV> ; <" + dct + "license> <" + ccBy + "> ]"

// pointers are the templates of catalogues in JSON, by kind and published field.
var pointers = map[string]map[string]Template{
	"datajson": {
		"description": put("/description", what), "dataset_details.landing_page": put("/landingPage", page), "homepage_url": put("/landingPage", page),
		"docs_url": put("/describedBy", guide), "tags": put("/keyword", []any{"keyword"}), "publisher_name": put("/publisher", map[string]any{"@type": "org:Organization", "name": whom}),
		"dataset_details.distributions": put("/distribution", files("downloadURL")), "formats": put("/distribution", files("downloadURL")),
		"license": put("/license", ccBy), "source_modified_at": put("/modified", day), "dataset_details.frequency": put("/accrualPeriodicity", "R/P1M"),
		"dataset_details.spatial": put("/spatial", "Name of the area"), "contact": put("/contactPoint", map[string]any{"@type": "vcard:Contact", "fn": "Open data team", "hasEmail": "mailto:opendata@example.org"}),
	},
	"ckan": {
		"description": put("/notes", what), "tags": put("/tags", []any{map[string]any{"name": "keyword", "display_name": "keyword"}}),
		"publisher_name": put("/organization", map[string]any{"name": "publisher", "title": whom}), "dataset_details.distributions": put("/resources", files("url")), "formats": put("/resources", files("url")),
		"license":            {Member: "/license_id", Operations: []Operation{{Op: "add", Path: "/license_id", Value: "CC-BY-4.0"}, {Op: "add", Path: "/license_url", Value: ccBy}}},
		"source_modified_at": put("/metadata_modified", day), "docs_url": put("/documentation", []any{guide}),
	},
	"udata": {
		"description": put("/description", what), "tags": put("/tags", []any{"keyword"}), "license": put("/license", "lov2"), "dataset_details.frequency": put("/frequency", "monthly"),
		"publisher_name": put("/organization", map[string]any{"name": whom}), "api_details.base_url": put("/base_api_url", api),
	},
	"ods": {
		"description": put("/metas/default/description", what), "tags": put("/metas/default/keyword", []any{"keyword"}), "license": put("/metas/default/license", ccBy),
		"publisher_name": put("/metas/default/publisher", whom), "source_modified_at": put("/metas/default/modified", day), "dataset_details.frequency": put("/metas/default/update_frequency", "monthly"),
	},
	"socrata": {
		"description": put("/resource/description", what), "tags": put("/classification/domain_tags", []any{"keyword"}), "license": put("/metadata/license", "Creative Commons Attribution 4.0"),
		"publisher_name": put("/resource/attribution", whom),
	},
	"openapi": {
		"description": put("/info/description", what), "license": put("/info/license", map[string]any{"name": "CC-BY-4.0", "url": ccBy}), "docs_url": put("/externalDocs", map[string]any{"url": guide}),
		"tags": put("/tags", []any{map[string]any{"name": "keyword"}}), "contact": put("/info/contact", map[string]any{"email": "api@example.org"}),
		"auth_type": put("/security", []any{}),
	},
}

func files(address string) []any {
	return []any{map[string]any{address: file, "format": "CSV", "mediaType": "text/csv", "name": "Data"}}
}

// TemplateOf is what to write in a catalogue of a kind for a published field, nil
// where that is not known.
func TemplateOf(kind string, t catalog.EntryType, field string) *Template {
	list := pointers[kind]
	if kind == "dcat" {
		list = turtle
	}
	x, ok := list[field]
	if kind == "datajson" && t == catalog.TypeAPI && field == "docs_url" {
		x = put("/page", []any{guide}) // of a DataService of DCAT-US 3.0
	}
	if !ok {
		return nil
	}
	return &x
}
