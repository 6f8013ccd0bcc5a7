// Package mcpregistry reads registries of MCP servers: the list of the MCP
// Registry, live or captured, in the three shapes that it has had, and single
// server.json files. The latest version of a server is an entry; older ones
// are part of it and are counted as superseded.
package mcpregistry

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
)

// Kind is the word for a registry in `assay harvest --kind`.
const Kind = "mcp-registry"

// KindFile is the word for a single server.json, or a folder of them.
const KindFile = "server-json"

// Connector implements source.Connector for both kinds.
type Connector struct{}

// Run implements source.Connector. The input is a registry's address, a
// captured list or server.json, or a folder of such files.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	known, err := publicBodies()
	if err != nil {
		return fmt.Errorf("read institutions: %w", err)
	}
	m := mapper{in: &in, host: in.Host("registry.modelcontextprotocol.io"), bodies: known, emit: emit, reject: reject}
	feed := source.Feed{Paths: []string{"servers"}, Each: m.item, First: in.PageURL()}
	if in.Source.Kind != KindFile {
		feed.First = listURL(in.PageURL(), in.Source.Filters, in.Since)
		feed.Next = next
	}
	return feed.Run(ctx, &in, reject)
}

// words are those of the registry's list that a source may set as filters.
var words = []string{"search", "version"}

// listURL is the address of the first page of the list. A registry's bare
// address stands for its list.
func listURL(base string, filters map[string]string, since time.Time) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v0/servers"
	}
	q := u.Query()
	if q.Get("limit") == "" {
		q.Set("limit", "100")
	}
	for _, word := range words {
		if filters[word] != "" {
			q.Set(word, filters[word])
		}
	}
	if !since.IsZero() {
		q.Set("updated_since", since.UTC().Format(time.RFC3339))
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// next is the address of the page after one that was read: the registry gives
// a cursor with each page but the last.
func next(p source.Page) string {
	var meta struct {
		Camel string `json:"nextCursor"`
		Snake string `json:"next_cursor"`
	}
	u, err := url.Parse(p.URL)
	if !p.Body.Head("metadata", &meta) || meta.Camel+meta.Snake == "" || err != nil {
		return ""
	}
	q := u.Query()
	q.Set("cursor", meta.Camel+meta.Snake)
	u.RawQuery = q.Encode()
	if u.String() == p.URL {
		return ""
	}
	return u.String()
}

// item emits or rejects one record.
func (m *mapper) item(records *source.JSON, item source.Item, seed string) error {
	var r record
	bad := r.decode(records, item)
	if bad == nil && r.emptyPage {
		return nil
	}
	var draft source.Draft
	if bad == nil {
		draft, bad = m.draft(&r, records.Place(item), seed)
	}
	if bad != nil {
		return m.reject(*bad)
	}
	return m.emit(draft)
}
