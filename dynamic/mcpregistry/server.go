package mcpregistry

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Bounds of a server.json, in characters (server.schema.json, 2025-12-11).
const (
	textMax = 100
	nameMax = 200
	iconMax = 255
)

const (
	schemaURL = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
	// officialKey is the member in which a registry speaks of a version.
	officialKey = "io.modelcontextprotocol.registry/official"
	// unknownVersion is that of a server whose source states none: the schema asks for one,
	// and takes what is no number.
	unknownVersion = "unknown"
)

// nameForm is the form of a name: a namespace, a slash, a name.
var nameForm = regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)

// server is one version of a server with what registries say of it (ServerResponse).
type server struct {
	Server detail         `json:"server"`
	Meta   map[string]any `json:"_meta"`

	updated time.Time
}

// detail is a server.json.
type detail struct {
	Schema      string      `json:"$schema"`
	Name        string      `json:"name"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description"`
	Version     string      `json:"version"`
	WebsiteURL  string      `json:"websiteUrl,omitempty"`
	Repository  *repository `json:"repository,omitempty"`
	Icons       []icon      `json:"icons,omitempty"`
	Packages    []pack      `json:"packages,omitempty"`
	Remotes     []transport `json:"remotes,omitempty"`
}

type repository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type icon struct {
	Src string `json:"src"`
}

type pack struct {
	RegistryType string    `json:"registryType"`
	Identifier   string    `json:"identifier"`
	Version      string    `json:"version,omitempty"`
	Transport    transport `json:"transport"`
}

type transport struct {
	Type string `json:"type"`
	URL  string `json:"url,omitempty"`
}

// official is what a registry says of a version.
type official struct {
	Status          string  `json:"status"`
	StatusMessage   string  `json:"statusMessage,omitempty"`
	StatusChangedAt *string `json:"statusChangedAt"`
	PublishedAt     *string `json:"publishedAt"`
	UpdatedAt       *string `json:"updatedAt"`
	IsLatest        bool    `json:"isLatest"`
}

// verdict is what this register says besides.
type verdict struct {
	Entry              string                    `json:"entry"`
	Page               string                    `json:"page"`
	Description        *string                   `json:"description"`
	Institution        *string                   `json:"institution"`
	CountryCode        *string                   `json:"country_code"`
	IsPublicSector     bool                      `json:"is_public_sector"`
	OfficialConfidence *int                      `json:"official_confidence"`
	VerificationState  catalog.VerificationState `json:"verification_state"`
	LastVerifiedAt     *string                   `json:"last_verified_at"`
	AuthType           catalog.AuthType          `json:"auth_type"`
	License            *string                   `json:"license"`
}

// memory keeps the servers of one edition of a snapshot.
type memory struct {
	mu      sync.Mutex
	edition string
	servers []*server
}

// servers are those of the current snapshot, by name. They are read once for each edition
// of it.
func (a *API) servers(r *http.Request) (*query.Snapshot, []*server, error) {
	s, err := a.library.At(r.Context(), "")
	if err != nil {
		return nil, nil, err
	}
	a.known.mu.Lock()
	defer a.known.mu.Unlock()
	if a.known.edition != s.Edition() {
		edition := s.Edition()
		list, err := a.all(r.Context(), s)
		if err != nil {
			return nil, nil, err
		}
		a.known.edition, a.known.servers = edition, list
	}
	return s, a.known.servers, nil
}

// all makes the servers of a snapshot.
func (a *API) all(ctx context.Context, s *query.Snapshot) ([]*server, error) {
	found, err := s.Select(ctx, &query.Selection{Limit: len(s.Lines), Values: url.Values{
		"type": {string(catalog.TypeMCPServer)}, "status": {string(catalog.StatusActive) + "," + string(catalog.StatusDeprecated)}},
		Order: []query.Key{{Compare: func(a, b *snapshot.Line) int { return strings.Compare(a.ID, b.ID) }}}})
	if err != nil {
		return nil, err
	}
	var out []*server
	names := map[string]bool{}
	for _, l := range found.Lines {
		e, err := a.documents.Record(s, l.ID)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it left since the snapshot
		}
		if err != nil {
			return nil, err
		}
		x := newServer(s.Site, e, names)
		names[x.Server.Name] = true
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b *server) int { return strings.Compare(a.Server.Name, b.Server.Name) })
	return out, nil
}

func newServer(site snapshot.Site, e *documents.Record, taken map[string]bool) *server {
	name := upstreamName(e)
	if name == "" || taken[name] {
		name = namespace(site) + "/" + e.Slug
	}
	x := &server{Server: detail{Schema: schemaURL, Name: name, Title: cut(e.Name), Version: unknownVersion, WebsiteURL: text(e.HomepageURL)}}
	d := &x.Server
	d.Description = cut(cmp.Or(text(e.Description), text(e.DescriptionEn), e.Name))
	if e.RepoURL != nil {
		d.Repository = &repository{*e.RepoURL, forge(*e.RepoURL)}
	}
	if logo := text(e.LogoURL); strings.HasPrefix(logo, "https://") && len(logo) <= iconMax {
		d.Icons = []icon{{logo}}
	}
	if m := e.MCPDetails; m != nil {
		d.Version = cmp.Or(text(m.Version), unknownVersion)
		if m.EndpointURL != nil {
			d.Remotes = []transport{{remoteType(text(m.Transport)), *m.EndpointURL}}
		}
		for _, p := range m.Packages {
			d.Packages = append(d.Packages, pack{p.Registry, p.Identifier, text(p.Version), transport{Type: "stdio"}})
		}
	}
	x.updated, _ = time.Parse(time.RFC3339, text(e.UpdatedAt))
	x.Meta = map[string]any{officialKey: newOfficial(e), namespace(site) + "/register": newVerdict(site, e)}
	return x
}

func newOfficial(e *documents.Record) official {
	o := official{Status: statuses[e.Status], StatusChangedAt: e.PublishedAt, PublishedAt: e.PublishedAt, UpdatedAt: e.UpdatedAt, IsLatest: true}
	if e.DeprecatedAt != nil {
		o.StatusChangedAt = e.DeprecatedAt
	}
	return o
}

func newVerdict(site snapshot.Site, e *documents.Record) verdict {
	v := verdict{Entry: e.ID, Page: strings.TrimSuffix(site.BaseURL, "/") + "/entry/" + e.Slug, Description: e.Description, CountryCode: e.CountryCode,
		IsPublicSector: e.IsPublicSector, OfficialConfidence: e.OfficialConfidence, VerificationState: e.VerificationState, LastVerifiedAt: e.LastVerifiedAt, AuthType: e.AuthType}
	if e.Publisher != nil {
		v.Institution = &e.Publisher.Name
	}
	if e.License != nil {
		v.License = &e.License.ID
	}
	return v
}

// upstreamName is the name that another registry has for the server, "" if it is from none.
func upstreamName(e *documents.Record) string {
	_, name, ok := strings.Cut(text(e.UpstreamRef), ":mcp-registry:")
	if !ok || len(name) > nameMax || !nameForm.MatchString(name) {
		return ""
	}
	return name
}

// namespace is that of the register: the host of its address backwards. Servers that no
// registry has named get their slug as a name in it, because the namespace of their
// publisher is not for the register to use.
func namespace(site snapshot.Site) string {
	host := catalog.Host(site.BaseURL)
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return "localhost"
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}

// remoteType is the word for how an endpoint is reached; streamable HTTP, which replaced
// SSE, where the source does not say.
func remoteType(stated string) string {
	if stated == "sse" {
		return stated
	}
	return "streamable-http"
}

// forge is what hosts a repository.
func forge(repo string) string {
	host := catalog.Host(repo)
	for _, known := range []string{"github", "gitlab", "bitbucket", "codeberg"} {
		if strings.HasPrefix(host, known+".") {
			return known
		}
	}
	return host
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// cut shortens a text to what the schema allows, at a word.
func cut(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	letters := []rune(s)
	if len(letters) <= textMax {
		return s
	}
	short := string(letters[:textMax-1])
	if i := strings.LastIndexByte(short, ' '); i > len(short)/2 {
		short = short[:i]
	}
	return strings.TrimRight(short, " ,;:.") + "…"
}
