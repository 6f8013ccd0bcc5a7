package wire

import (
	"fmt"
	"strings"
)

// RouteCKAN is the base address of the register as a CKAN portal, RouteCKANActions what its
// actions lie below.
const (
	RouteCKAN        = "/api/v1/ckan"
	RouteCKANActions = RouteCKAN + "/api/3/action/"
)

// Bounds of what CKAN's actions list at once: as much as a CKAN whose settings are its own.
const (
	CKANRowsMax     = 1000
	CKANRowsDefault = 10
	CKANNamesMax    = 100_000
	CKANChanges     = 31
)

// CKANAction is one action that the register answers (CKAN 2.11, "API guide").
type CKANAction struct {
	Name, Summary, Description string
	Params                     []Param
}

// CKANActions lists them.
func CKANActions() []CKANAction {
	return []CKANAction{
		{"site_read", "May the portal be read", "Always `true`.", nil},
		{"status_show", "About the portal", "Title, address and the version of CKAN whose actions are answered.", nil},
		{"help_show", "About an action", "What an action does.", []Param{{Name: "name", In: "query", Kind: KindString, Required: true, Example: "package_search", Description: "Name of the action."}}},
		{"package_list", "Names of all packages", "The slugs of the listed entries, by name.", page(CKANNamesMax, CKANNamesMax)},
		{"current_package_list_with_resources", "All packages", "The listed entries whole, those that changed last first.", append(page(CKANRowsDefault, CKANRowsMax), whole("page", 1, MaxInteger, nil, "Page number, in place of `offset`."))},
		{"package_search", "Search packages", "The entries that have the words of `q` and fit `fq`, as `GET /api/v1/entries/search` finds them; words in the language of Solr are conditions without a rank.", packageSearchParams()},
		{"package_show", "A package", "An entry by id or slug.", append([]Param{ckanID()}, ignored("use_default_schema", "include_tracking", "include_plugin_data")...)},
		{"resource_show", "A resource", "A file or endpoint of an entry, by the id that the package has for it.", append([]Param{ckanID()}, ignored("include_tracking")...)},
		{"resource_search", "Search resources", "Resources whose `name`, `description`, `url` or `format` has a text.", append(page(CKANRowsMax, CKANRowsMax),
			Param{Name: "query", In: "query", Kind: KindString, Required: true, Description: "`field:text`, several as a JSON list; all must fit.", Example: "format:csv"}, word("order_by", "A field to order by.", "name"))},
		{"organization_list", "Organisations", "The institutions that have a listed entry.", listParamsCKAN("organizations")},
		{"organization_show", "An organisation", "An institution by id or key, with its packages if they are asked for.", showParamsCKAN()},
		{"group_list", "Groups", "The EU data themes that have a listed entry.", listParamsCKAN("groups")},
		{"group_show", "A group", "A theme by its code, with its packages if they are asked for.", showParamsCKAN()},
		{"tag_list", "Tags", "The tags of the listed entries.", []Param{
			word("query", "A part of the tag.", "air"), word("vocabulary_id", "The register has no vocabularies: with one there are no tags.", "places"), flag("all_fields", "Tags as objects.")}},
		{"tag_show", "A tag", "A tag by its name, with its packages if they are asked for.", []Param{ckanID(), flag("include_datasets", "With the packages."), word("vocabulary_id", "Has no effect.", "places")}},
		{"license_list", "Licences", "The licences of the listed entries.", nil},
		{"recently_changed_packages_activity_list", "What changed", "The listed entries, those that changed last first, as activities.", page(CKANChanges, CKANRowsMax)},
	}
}

func packageSearchParams() []Param {
	list := []Param{
		word("q", "Words; empty or `*:*` for all. What names a field of Solr (`field:value`) is read as `fq` is.", "water"),
		word("fq", "Conditions in the language of Solr: `field:value`, quotes, `AND`, `OR`, `NOT`, `+`, `-`, parentheses, `[a TO b]`, `*`.", "res_format:CSV"),
		word("fq_list", "Further conditions, a JSON list.", `["tags:air"]`),
		word("sort", "`field asc|desc`, several with commas.", "metadata_modified desc"),
		whole("rows", 0, MaxInteger, CKANRowsDefault, atMost("Packages at most", CKANRowsMax)),
		whole("start", 0, MaxInteger, 0, "How many packages are passed over."),
		flag("facet", "Whether `facet.field` counts."),
		word("facet.field", "Fields to count, a JSON list.", `["organization"]`),
		{Name: "facet.limit", In: "query", Kind: KindString, Pattern: "^-?[0-9]{1,9}$", Means: "an integer of at most nine digits", Example: "50", Description: "Values of each field at most, the most frequent; negative for all."},
		whole("facet.mincount", 0, MaxInteger, nil, "Values that fewer have are left out."),
		word("ext_bbox", "west,south,east,north in degrees: packages whose box has a point in common, as ckanext-spatial has it. Those without a box are not found.", "2.5,49.5,6.4,51.5"),
		word("fl", "The members of packages that are wanted, with commas.", "id,name"),
	}
	return append(list, ignored("include_private", "include_drafts", "include_deleted", "use_default_schema", "include_tracking", "defType", "mm", "qf", "q.op")...)
}

// atMost describes a number that is lowered to a bound, as CKAN does, not refused.
func atMost(what string, most int) string {
	return fmt.Sprintf("%s; more than %d is read as %d.", what, most, most)
}

func page(usual, most int) []Param {
	return []Param{whole("limit", 0, MaxInteger, usual, atMost("How many at most", most)), whole("offset", 0, MaxInteger, 0, "How many are passed over.")}
}

func listParamsCKAN(what string) []Param {
	list := append(page(CKANNamesMax, CKANNamesMax), word("sort", "`name`, `title` or `package_count`, with `asc` or `desc`.", "package_count desc"),
		flag("all_fields", "Objects, not names."), word(what, "A JSON list of names: only these.", `["a"]`), word("order_by", "An older name of `sort`.", "name"))
	return append(list, ignored("include_dataset_count", "include_extras", "include_tags", "include_groups", "include_users", "type", "q")...)
}

func showParamsCKAN() []Param {
	list := []Param{ckanID(), flag("include_datasets", "With the packages, at most 1000.")}
	return append(list, ignored("include_dataset_count", "include_extras", "include_users", "include_groups", "include_tags", "include_followers", "use_default_schema")...)
}

func ckanID() Param {
	return Param{Name: "id", In: "query", Kind: KindString, Required: true, Example: exampleSlug, Description: "Id or name."}
}

func word(name, description, example string) Param {
	return Param{Name: name, In: "query", Kind: KindString, Description: description, Example: example}
}

func whole(name string, least, most int, usual any, description string) Param {
	return Param{Name: name, In: "query", Kind: KindInteger, Min: least, Max: most, Default: usual, Description: description}
}

// flag is yes or no as clients of CKAN write it.
func flag(name, description string) Param {
	return Param{Name: name, In: "query", Kind: KindString, Enum: []string{"true", "false", "True", "False", "TRUE", "FALSE", "1", "0"}, Description: description}
}

// ignored are parameters of CKAN that clients send and that change nothing here.
func ignored(names ...string) (list []Param) {
	for _, name := range names {
		list = append(list, Param{Name: name, In: "query", Kind: KindString, Description: "Has no effect."})
	}
	return list
}

// ckanOperations are the actions of CKAN, each with its parameters in the query; the same
// are taken by POST as a JSON object.
func ckanOperations() []Operation {
	var ops []Operation
	for _, a := range CKANActions() {
		words := strings.Split(a.Name, "_")
		id := "ckan"
		for _, w := range words {
			id += strings.ToUpper(w[:1]) + w[1:]
		}
		ops = append(ops, Operation{ID: id, Path: RouteCKANActions + a.Name, Tag: TagProtocols, Summary: "CKAN: " + a.Summary, Params: a.Params,
			Description: a.Description + " Also by POST with a JSON object. Errors have the form of CKAN, `{\"success\": false, \"error\": …}`.",
			Media:       MediaJSON, Errors: MediaJSON, Problems: []int{400, 404, 409, 503}, Cache: CacheShort})
	}
	return ops
}
