package lint

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"golang.org/x/mod/semver"

	"github.com/assay-register/assay/build/harvest/apigouvfr"
	"github.com/assay-register/assay/build/harvest/apisguru"
	"github.com/assay-register/assay/build/harvest/ckan"
	"github.com/assay-register/assay/build/harvest/datajson"
	"github.com/assay-register/assay/build/harvest/mcpregistry"
	"github.com/assay-register/assay/build/harvest/openapidoc"
	"github.com/assay-register/assay/build/harvest/socrata"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/ukapicatalogue"
	"github.com/assay-register/assay/render/lint"
)

// pairs are dates of which the second is never before the first.
var pairs = [][2]string{{"issued", "modified"}, {"metadata_created", "metadata_modified"}, {"dateAdded", "dateUpdated"}, {"createdAt", "updatedAt"}, {"created_at", "last_modified"}}

// together looks at what the values of a record say together.
func (l *linter) together(at lint.Record, list []member) {
	of := func(name string) *member {
		for i := range list {
			if m := &list[i]; m.pointer == at.Pointer+"/"+name || m.pointer == name {
				return m
			}
		}
		return nil
	}
	for _, p := range pairs {
		l.order(at, of(p[0]), of(p[1]))
	}
	if m := of("title"); m != nil {
		l.all.title(m.value, at)
	} else if m := of("name"); m != nil && l.kind != ckan.Kind {
		l.all.title(m.value, at)
	}
	l.trial(at)
	if m := of("id"); m != nil && capital.MatchString(m.value) && (l.kind == KindNone || l.kind == ukapicatalogue.Kind) {
		l.found("identifier.form", at, m, "", strings.ToLower(m.value))
	}
	switch l.kind {
	case ckan.Kind:
		if n, have := of("num_resources"), of("resources"); n != nil && have != nil && n.kind == "number" && n.value != fmt.Sprint(have.size) {
			f := lint.New("ckan.resource-count", at, n.pointer, n.value, fmt.Sprintf("%s resources are stated, %d are listed", n.value, have.size))
			f.Patch = &lint.Patch{Form: lint.JSONPatch, Operations: []lint.Operation{{Op: "test", Path: n.pointer, Value: json.Number(n.value)}, {Op: "replace", Path: n.pointer, Value: have.size}}}
			l.add(f)
		}
	case datajson.Kind:
		l.dataset(at, list, of)
	case openapidoc.Kind:
		l.api(at, of)
	case mcpregistry.Kind, mcpregistry.KindFile:
		l.server(at, list, of)
	case apisguru.Kind:
		l.guru(at, list)
	case apigouvfr.Kind:
		l.page(at, list)
	case socrata.Kind:
		if m := of("resource/provenance"); m != nil && m.value == "community" {
			l.found("record.community", at, m, "", "")
		}
	}
}

func (l *linter) order(at lint.Record, first, second *member) {
	if first == nil || second == nil {
		return
	}
	a, _, bad := source.ParseDate("", first.value)
	b, _, worse := source.ParseDate("", second.value)
	if bad == nil && worse == nil && b.Before(a.Truncate(0)) && a.Format("2006-01-02") != b.Format("2006-01-02") {
		l.found("date.order", at, second, fmt.Sprintf("%s is before %s, %s", clip(second.value), first.name, clip(first.value)), "")
	}
}

// trial tells of records whose titles say that they are not meant for readers.
func (l *linter) trial(at lint.Record) {
	words := trial.FindString(at.Title)
	if words == "" || strings.EqualFold(words, "test") && !source.TestName(at.Title) && !edge(at.Title, words) {
		return
	}
	f := lint.New("record.trial", at, "title", at.Title, fmt.Sprintf("the title says %q", words))
	l.add(f)
}

// edge tells that a word stands at the beginning or end of a title, as marks do;
// inside, it may be what the data is about.
func edge(title, word string) bool {
	lower, word := strings.ToLower(strings.Trim(title, " -_()[].")), strings.ToLower(word)
	return strings.HasSuffix(lower, " "+word) || strings.HasSuffix(lower, "("+word) || strings.HasSuffix(lower, "_"+word) || lower == word || strings.HasPrefix(lower, word+" -") || strings.HasPrefix(lower, word+":")
}

// dataset looks at a dataset of DCAT-US; catalogues of version 3 have no access level.
func (l *linter) dataset(at lint.Record, list []member, of func(string) *member) {
	if !strings.HasPrefix(at.Pointer, "/dataset/") || l.bare[at.Document+at.Pointer] {
		return // nothing can be put into what is no object
	}
	if id := of("identifier"); id != nil && id.kind == "string" {
		l.all.identifier(id.value, at)
	}
	if of("accessLevel") == nil && of("accessRights") == nil {
		f := lint.New("datajson.access-level", at, at.Pointer+"/accessLevel", "", "")
		f.Patch = &lint.Patch{Form: lint.JSONPatch, Choose: true, Operations: []lint.Operation{{Op: "add", Path: at.Pointer + "/accessLevel", Value: "public"}}}
		if id := of("identifier"); id != nil && id.kind == "string" {
			f.Patch.Operations = slices.Insert(f.Patch.Operations, 0, lint.Operation{Op: "test", Path: id.pointer, Value: id.value})
		}
		l.add(f)
	}
	l.types(at, of)
	l.members(at, list)
	if m := of("spatial"); m != nil && m.kind == "array" && of("accessRights") == nil {
		l.found("member.type", at, m, "spatial is a list", "")
	}
}

// api looks at an OpenAPI document.
func (l *linter) api(at lint.Record, of func(string) *member) {
	if m := of("info/title"); m != nil {
		l.all.title(m.value, at)
	}
	for i := 0; ; i++ {
		m := of(fmt.Sprintf("servers/%d/url", i))
		if m == nil {
			break
		}
		if _, err := url.Parse(m.value); err == nil && !strings.Contains(m.value, ":") && !strings.HasPrefix(m.value, "/") && !strings.HasPrefix(m.value, "{") && m.value != "" {
			l.found("url.relative", at, m, "", "")
		}
	}
	switch swagger := of("swagger"); {
	case swagger != nil && of("host") == nil:
		f := lint.New("openapi.no-host", at, "/host", "", "a Swagger 2.0 document without host")
		f.Patch = &lint.Patch{Form: lint.JSONPatch, Choose: true, Operations: []lint.Operation{{Op: "add", Path: "/host", Value: "api.example.org"}}}
		l.add(f)
	case of("openapi") != nil && of("servers") == nil:
		f := lint.New("openapi.no-host", at, "/servers", "", "an OpenAPI 3 document without servers")
		f.Patch = &lint.Patch{Form: lint.JSONPatch, Choose: true, Operations: []lint.Operation{{Op: "add", Path: "/servers", Value: []any{map[string]any{"url": "https://api.example.org/v1"}}}}}
		l.add(f)
	}
}

// capital is a name of words with hyphens of which the first has a capital letter.
var capital = regexp.MustCompile(`^[A-Z][a-z]+(-[a-z]+)+$`)

var snake = regexp.MustCompile(`/_meta/.*_`)

// server looks at a record of an MCP registry.
func (l *linter) server(at lint.Record, list []member, of func(string) *member) {
	prefix := ""
	if of("server") != nil {
		prefix = "server/"
	}
	old := slices.IndexFunc(list, func(m member) bool { return snake.MatchString(m.pointer) || plainName(m.name) == "registryname" })
	switch {
	case prefix == "" && of("version_detail") != nil:
		l.add(lint.New("mcp.shape", at, at.Pointer+"/version_detail", "", "version_detail is a member of the registry of May 2025"))
	case prefix == "" && of("_meta") != nil:
		l.add(lint.New("mcp.shape", at, at.Pointer, "", "the server is not wrapped in a member server, as registries since October 2025 have it"))
	case old >= 0:
		l.found("mcp.shape", at, &list[old], "the member is written with underscores", "")
	}
	version := of(prefix + "version")
	if version == nil {
		version = of("version_detail/version")
	}
	if version != nil && !semver.IsValid("v"+strings.TrimPrefix(version.value, "v")) {
		l.found("mcp.version", at, version, "", "")
	}
	for i := range list {
		if m := &list[i]; (m.name == "isLatest" || m.name == "is_latest") && m.value == "false" {
			l.found("mcp.superseded", at, m, "", "")
			break
		}
	}
}

// guru looks at the keys and providers of a list of APIs.guru.
func (l *linter) guru(at lint.Record, list []member) {
	for i := range list {
		m := &list[i]
		if m.kind != "object" || strings.Count(m.pointer, "/") != 1 {
			continue
		}
		if strings.Count(m.name, ":") > 1 {
			l.found("apisguru.key", at, m, fmt.Sprintf("the key %q has more than one colon", m.name), "")
		}
		host, _, _ := strings.Cut(m.name, ":")
		m.value = m.name
		switch {
		case !source.PublicHost(host):
			l.found("url.not-public", at, m, fmt.Sprintf("the provider %q is no host of the public internet", host), "")
		case !known(host):
			l.found("url.host", at, m, fmt.Sprintf("the provider %q ends in no domain that exists", host), "")
		}
		m.value = ""
	}
}

// pageMembers are those that pages of api.gouv.fr have.
var pageMembers = []string{"title", "tagline", "external_site", "is_open", "owner", "owner_acronym", "last_update", "contact_link", "content_intro", "doc_tech_link", "doc_tech_external",
	"stat", "stats", "stats_detail_url", "stats_detail_description", "themes", "keywords", "partners", "clients", "uptime", "rate_limiting_description", "rate_limiting_link", "rate_limiting_resume", "access_description",
	"access_link", "access_page", "access_condition", "visits_2019", "datagouv_uuid", "account_link", "hidden", "subtitle", "legal", "slug", "monitoring_description", "monitoring_link", "producer", "acronyme", "logo", "site", "name", "image", "opening", "is_france_connected", "keyword", "partner"}

// page looks at a page of api.gouv.fr.
func (l *linter) page(at lint.Record, list []member) {
	for i := range list {
		m := &list[i]
		if strings.Count(m.pointer, "/") != 1 || slices.Contains(pageMembers, m.name) || m.name == "" {
			continue
		}
		for _, right := range pageMembers {
			if len(m.name) > 5 && levenshtein.ComputeDistance(m.name, right) <= 2 && l.misspelt(at, m, right) {
				meant := *m
				meant.name = right
				l.value(at, &meant, classOf(&meant))
				break
			}
		}
	}
	for i := range list {
		if m := &list[i]; m.name == "is_open" && m.kind == "number" && m.value != "0" && m.value != "1" {
			l.found("member.number", at, m, m.value+" is neither 0 nor 1", "")
		}
	}
}

func (l *linter) misspelt(at lint.Record, m *member, right string) bool {
	f := lint.New("member.misspelt", at, m.pointer, m.name, fmt.Sprintf("no reader knows %s; %s is meant", m.name, right))
	move := lint.Operation{Op: "move", From: m.pointer, Path: strings.TrimSuffix(m.pointer, escape(m.name)) + right}
	f.Patch = &lint.Patch{Form: lint.JSONPatch, Operations: []lint.Operation{move}}
	if m.kind == "string" {
		f.Patch.Operations = []lint.Operation{{Op: "test", Path: m.pointer, Value: m.value}, move}
	}
	l.add(f)
	return true
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // a hash takes everything
	return h.Sum64()
}
