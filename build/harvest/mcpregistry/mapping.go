package mcpregistry

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// The records that do not become entries.
const (
	// CodeEmpty is a record with nothing in it.
	CodeEmpty source.Code = "empty_record"
	// CodeSuperseded is a version of a server of which the list has a later
	// one; the entry is made of that.
	CodeSuperseded source.Code = "superseded_version"
	// CodeDeprecated is a server that its publisher advises against.
	CodeDeprecated source.Code = "deprecated_upstream"
)

// mapper turns records into drafts.
type mapper struct {
	in     *source.Input
	host   string
	bodies *bodies
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

// refuse sorts out the records that are no current server. Those that are
// deleted or deprecated carry no upstream ref: for the register they are gone.
func refuse(r *record, place string) *source.Rejection {
	name := source.Token(string(r.Name))
	version, _ := r.version()
	bad := &source.Rejection{Place: place}
	switch {
	case name == "" && r.Description == "" && r.Repository.URL == "" && r.Packages == nil && r.Remotes == nil:
		bad.Code, bad.Reason, bad.Remedy = CodeEmpty, "the record is empty", "leave the record out"
	case name == "":
		bad.Code, bad.Reason, bad.Remedy = source.CodeMissingName, "the server has no name", "give the server a name"
	case r.latest != nil && !*r.latest:
		bad.Code, bad.Reason = CodeSuperseded, fmt.Sprintf("%s %s is not the latest version", name, version)
		bad.Remedy = "nothing: the latest version stands for the server"
	case r.status == "deleted":
		bad.Code, bad.Reason, bad.Remedy = source.CodeDeleted, name+" was deleted from the registry", "publish the server again"
	case r.status == "deprecated":
		bad.Code, bad.Reason, bad.Remedy = CodeDeprecated, name+" is deprecated by its publisher", "publish a version that is not deprecated"
	default:
		return nil
	}
	return bad
}

// draft maps one server.
func (m *mapper) draft(r *record, place, seed string) (source.Draft, *source.Rejection) {
	if bad := refuse(r, place); bad != nil {
		return source.Draft{}, bad
	}
	id := source.Token(string(r.Name))
	b := source.NewBuilder(m.in, place, seed, "")
	e := &b.Draft.Entry
	e.Type, e.UpstreamRef, e.MCP = catalog.TypeMCPServer, m.host+":"+Kind+":"+id, &catalog.MCPDetails{}
	b.Inherit("type", "the registry lists MCP servers only")
	b.Compute("upstream_ref", r.prefix+"name", "registry, kind and name", "")
	key, title := r.prefix+"title", string(r.Title)
	if strings.TrimSpace(title) == "" {
		key, title = r.prefix+"name", id
	}
	b.Line(&e.Name, "name", key, title, catalog.NameMax)
	b.Text(&e.Description, "description", r.prefix+"description", "", string(r.Description), "", catalog.DescriptionMax)
	version, field := r.version()
	b.Line(&e.MCP.Version, "mcp.version", field, version, catalog.TagMax)
	b.URL(&e.HomepageURL, "homepage_url", r.prefix+"websiteUrl", string(cmp.Or(r.WebsiteURL, r.WebsiteURLSnake)))
	m.repository(b, r)
	if len(r.Icons) > 0 {
		b.URL(&e.LogoURL, "logo_url", r.prefix+"icons[].src", string(r.Icons[0].Src))
	}
	b.Date(&e.SourceModifiedAt, "source_modified_at", "publishedAt", r.published)
	m.remotes(b, r)
	packages(b, r)
	if !m.primary(b, r) {
		return source.Draft{}, &source.Rejection{Place: place, Code: source.CodeMissingURL, Reason: id + " has no address that can be used",
			Remedy: "give the server a remote, a repository, a website or a package", UpstreamRef: e.UpstreamRef}
	}
	m.publisher(b, r, id)
	return b.Done(), nil
}

func (m *mapper) repository(b *source.Builder, r *record) {
	e := &b.Draft.Entry
	if !b.URL(&e.RepoURL, "repo_url", r.prefix+"repository.url", string(r.Repository.URL)) {
		return
	}
	if repo, ok := source.RepoURL(e.RepoURL); ok {
		e.RepoURL = repo
	}
}

// publisher marks who runs the server. A server that wraps the data of a
// public body is mostly run by someone else, so it counts as a third party's
// unless its namespace belongs to a public body, and, where no registry has
// checked the namespace, its endpoint does as well.
func (m *mapper) publisher(b *source.Builder, r *record, id string) {
	e, space := &b.Draft.Entry, namespace(id)
	if name := domain(space); name != "" {
		e.PublisherName = name
		b.Compute("publisher_name", r.prefix+"name", "the domain of the namespace", "")
		b.Draft.PublisherName = e.PublisherName
	}
	e.ThirdParty = !m.bodies.own(space) || !r.listed && !m.bodies.runs(catalog.Host(e.MCP.EndpointURL))
	note := "the namespace belongs to no known public body"
	if !e.ThirdParty {
		note = "the namespace belongs to a public body"
	}
	b.Compute("third_party", r.prefix+"name", "namespace looked up in the register of institutions", note)
}

// primary sets the address that stands for the server.
func (m *mapper) primary(b *source.Builder, r *record) bool {
	e := &b.Draft.Entry
	for _, a := range []struct{ url, from string }{
		{e.MCP.EndpointURL, "remotes[].url"}, {e.RepoURL, "repository.url"}, {e.HomepageURL, "websiteUrl"}, {m.packagePage(e.MCP.Packages), "packages[].identifier"},
	} {
		if a.url != "" {
			e.PrimarySourceURL = a.url
			b.Compute("primary_source_url", r.prefix+a.from, "the first of endpoint, repository, website, package", "")
			return true
		}
	}
	return false
}
