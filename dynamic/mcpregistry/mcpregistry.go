// Package mcpregistry answers as a registry of MCP servers: the MCP registry API v0.1
// (modelcontextprotocol/registry, docs/reference/api/openapi.yaml of 2025-12-01), read.
// Clients take the register as their registry by its base address, others as a source.
package mcpregistry

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// API answers the operations.
type API struct {
	library   *query.Library
	documents *documents.Server
	known     memory
}

// New makes the API of a library.
func New(library *query.Library, documents *documents.Server) *API {
	return &API{library: library, documents: documents}
}

// list is the answer of the list and of the versions of a server.
type list struct {
	Servers  []*server `json:"servers"`
	Metadata metadata  `json:"metadata"`
}

type metadata struct {
	NextCursor string `json:"nextCursor,omitempty"`
	Count      int    `json:"count"`
}

// List answers the servers page by page, by name. A cursor is the name of the last server
// that was given, so that it stays right in the next snapshot.
func (a *API) List(w http.ResponseWriter, r *http.Request) error {
	q, err := parse(r)
	if err != nil {
		return a.fail(w, r, err)
	}
	s, all, err := a.servers(r)
	if err != nil {
		return a.fail(w, r, err)
	}
	out := list{Servers: []*server{}}
	for _, x := range all {
		if x.Server.Name <= q.cursor || !q.fits(x) {
			continue
		}
		if len(out.Servers) == q.limit {
			out.Metadata.NextCursor = out.Servers[q.limit-1].Server.Name
			break
		}
		out.Servers = append(out.Servers, x)
	}
	out.Metadata.Count = len(out.Servers)
	return a.write(w, r, s, out)
}

// Versions answers the versions of a server, of which the register has one.
func (a *API) Versions(w http.ResponseWriter, r *http.Request) error {
	s, x, err := a.one(r)
	if err != nil {
		return a.fail(w, r, err)
	}
	return a.write(w, r, s, list{[]*server{x}, metadata{Count: 1}})
}

// Version answers one version of a server.
func (a *API) Version(w http.ResponseWriter, r *http.Request) error {
	s, x, err := a.one(r)
	if err == nil && r.PathValue("version") != latest && r.PathValue("version") != x.Server.Version {
		err = web.NotFound("Server version not found. The register knows the present one, " + x.Server.Version + ".")
	}
	if err != nil {
		return a.fail(w, r, err)
	}
	return a.write(w, r, s, x)
}

// one finds the server that a path names.
func (a *API) one(r *http.Request) (*query.Snapshot, *server, error) {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err == nil {
		err = query.Check(values, wire.MCPServersParams()[5:])
	}
	if err != nil {
		return nil, nil, err
	}
	s, all, err := a.servers(r)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range all {
		if x.Server.Name == r.PathValue("serverName") {
			return s, x, nil
		}
	}
	return nil, nil, web.NotFound("Server not found.")
}

func (a *API) write(w http.ResponseWriter, r *http.Request, s *query.Snapshot, v any) error {
	body, err := web.JSON(v)
	if err != nil {
		return err
	}
	d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheLive, Snapshot: s.ID}, Body: web.NewBody(body)}
	return d.Write(w, r)
}

// fail answers an error of the caller in the form of the protocol; others are those of the
// service.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) error {
	p := web.ProblemOf(err)
	if p.Status >= http.StatusInternalServerError {
		return err
	}
	text := p.Detail
	if len(p.Errors) > 0 {
		p.Status, text = http.StatusBadRequest, strings.TrimPrefix(p.Errors[0].Location, "query.")+": "+p.Errors[0].Message
	}
	return web.Reply(w, r, p.Status, wire.RegistryError{Error: text})
}

// latest stands for the present version of a server.
const latest = "latest"

// request is a request for the list.
type request struct {
	cursor, search, version string
	limit                   int
	since                   time.Time
}

func parse(r *http.Request) (*request, error) {
	values, err := web.DecodeQuery(r.URL.RawQuery)
	if err == nil {
		err = query.Check(values, wire.MCPServersParams())
	}
	if err != nil {
		return nil, err
	}
	q := &request{limit: wire.MCPServersDefault, cursor: values.Get("cursor"), search: strings.ToLower(values.Get("search")), version: values.Get("version")}
	if values.Has("limit") {
		q.limit, _ = strconv.Atoi(values.Get("limit")) // it was judged
	}
	if since := values.Get("updated_since"); since != "" {
		if q.since, err = time.Parse(time.RFC3339, since); err != nil {
			q.since, _ = time.Parse(time.DateOnly, since) // it was judged
		}
	}
	return q, nil
}

func (q *request) fits(x *server) bool {
	return (q.search == "" || strings.Contains(strings.ToLower(x.Server.Name), q.search) || strings.Contains(strings.ToLower(x.Server.Title), q.search)) &&
		(q.version == "" || q.version == latest || q.version == x.Server.Version) &&
		(q.since.IsZero() || !x.updated.Before(q.since))
}

// statuses are the words of the protocol for the life-cycle states.
var statuses = map[catalog.Status]string{catalog.StatusActive: "active", catalog.StatusDeprecated: "deprecated"}
