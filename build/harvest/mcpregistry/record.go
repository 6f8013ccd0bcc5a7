package mcpregistry

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// record is one listed version of a server. The registry has published three
// shapes: version_detail and packages with registry_name (May 2025), a flat
// server with _meta in snake case (September), and {server, _meta} in camel
// case (October). A server.json is the flat one without the registry's _meta.
type record struct {
	server
	// prefix leads to the members of the server, for provenance.
	prefix string
	// listed tells that a registry vouches for the namespace.
	listed bool
	// latest is nil when the input does not say.
	latest *bool
	// status is active, deprecated or deleted.
	status    string
	published string
	// emptyPage tells that this is an answer of a registry without servers.
	emptyPage bool
}

type server struct {
	Name          loose  `json:"name"`
	Title         loose  `json:"title"`
	Description   loose  `json:"description"`
	Status        loose  `json:"status"`
	Version       loose  `json:"version"`
	VersionDetail detail `json:"version_detail"`
	Repository    struct {
		URL loose `json:"url"`
	} `json:"repository"`
	WebsiteURL      loose `json:"websiteUrl"`
	WebsiteURLSnake loose `json:"website_url"`
	Icons           []struct {
		Src loose `json:"src"`
	} `json:"icons"`
	Packages []pack   `json:"packages"`
	Remotes  []remote `json:"remotes"`
}

type detail struct {
	Version     loose `json:"version"`
	ReleaseDate loose `json:"release_date"`
	IsLatest    *bool `json:"is_latest"`
}

// pack is an installable form of the server.
type pack struct {
	RegistryType      loose `json:"registryType"`
	RegistryTypeSnake loose `json:"registry_type"`
	RegistryName      loose `json:"registry_name"`
	Identifier        loose `json:"identifier"`
	Name              loose `json:"name"`
	Version           loose `json:"version"`
	Transport         struct {
		Type loose `json:"type"`
	} `json:"transport"`
}

func (p *pack) registry() string {
	return strings.ToLower(string(cmp.Or(p.RegistryType, p.RegistryTypeSnake, p.RegistryName)))
}

func (p *pack) identifier() string { return string(cmp.Or(p.Identifier, p.Name)) }

// remote is an address at which the server runs.
type remote struct {
	Type          loose    `json:"type"`
	TransportType loose    `json:"transport_type"`
	URL           loose    `json:"url"`
	Headers       []header `json:"headers"`
	Protocols     []loose  `json:"supportedProtocolVersions"`
}

type header struct {
	Name  loose `json:"name"`
	Value loose `json:"value"`
}

// official is what a registry says about a version.
type official struct {
	Status         loose `json:"status"`
	PublishedAt    loose `json:"publishedAt"`
	PublishedSnake loose `json:"published_at"`
	IsLatest       *bool `json:"isLatest"`
	IsLatestSnake  *bool `json:"is_latest"`
}

// officialKey is the member of _meta in which the registry speaks.
const officialKey = "io.modelcontextprotocol.registry/official"

// loose is text that may be written as a number or a boolean. Anything else is
// nothing: one odd member must not cost the record.
type loose string

// UnmarshalJSON implements json.Unmarshaler.
func (l *loose) UnmarshalJSON(data []byte) error {
	switch data = bytes.TrimSpace(data); {
	case len(data) > 0 && data[0] == '"':
		return json.Unmarshal(data, (*string)(l))
	case len(data) > 0 && data[0] != '{' && data[0] != '[' && string(data) != "null":
		*l = loose(data)
	}
	return nil
}

// decode reads a record of any of the shapes.
func (r *record) decode(records *source.JSON, item source.Item) *source.Rejection {
	var outer struct {
		Server   json.RawMessage            `json:"server"`
		Metadata json.RawMessage            `json:"metadata"`
		Meta     map[string]json.RawMessage `json:"_meta"`
		// July is how the registry wrote _meta for a few weeks.
		July json.RawMessage `json:"x-io.modelcontextprotocol.registry"`
	}
	if bad := records.Decode(item, &outer); bad != nil {
		return bad
	}
	body := item
	if len(outer.Server) > 0 && outer.Server[0] == '{' {
		body.Raw, r.prefix = outer.Server, "server."
	}
	if bad := records.Decode(body, &r.server); bad != nil {
		return bad
	}
	r.emptyPage = item.Path == "" && outer.Metadata != nil && r.Name == "" && r.prefix == ""
	said := outer.Meta[officialKey]
	if said == nil {
		said = outer.July
	}
	var o official
	if said != nil && json.Unmarshal(said, &o) != nil {
		said, o = nil, official{}
	}
	r.listed = said != nil || r.VersionDetail.IsLatest != nil
	r.status = strings.ToLower(string(cmp.Or(o.Status, r.Status)))
	r.published = string(cmp.Or(o.PublishedAt, o.PublishedSnake, r.VersionDetail.ReleaseDate))
	for _, b := range []*bool{o.IsLatest, o.IsLatestSnake, r.VersionDetail.IsLatest} {
		if b != nil {
			r.latest = b
			break
		}
	}
	return nil
}

// version is the version of the server, wherever the shape has it.
func (r *record) version() (value, field string) {
	if r.Version != "" {
		return string(r.Version), r.prefix + "version"
	}
	return string(r.VersionDetail.Version), r.prefix + "version_detail.version"
}
