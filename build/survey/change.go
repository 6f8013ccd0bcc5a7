package survey

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/profile/personal"
	"github.com/assay-register/assay/render/catalog"
)

// Bounds of what an MCP server says about itself.
const (
	maxTools    = 200
	maxToolText = 2_000
	maxToolName = 200
)

// change collects what a look does to an entry.
type change struct {
	entry  *catalog.Entry
	rows   []catalog.FieldRow
	at     time.Time
	fields []catalog.FieldChange
	events []catalog.Event
	// trail tells that rows changed.
	trail bool
}

func (w *change) event(kind catalog.EventKind, changes []catalog.FieldChange, data any) {
	e := catalog.Event{Type: kind, OccurredAt: w.at, Changes: changes}
	if data != nil {
		e.Data = encoded(data)
	}
	w.events = append(w.events, e)
}

// put writes the entry with its events; without any there is nothing to write.
func (w *change) put(ctx context.Context, tx catalog.Tx) error {
	if len(w.fields) > 0 {
		w.event(catalog.EventUpdated, w.fields, nil)
	}
	if len(w.events) == 0 {
		return nil
	}
	w.entry.UpdatedAt = w.at
	if err := w.entry.Validate(); err != nil {
		return fmt.Errorf("what the source says about itself breaks a rule: %w", err)
	}
	write := catalog.Write{Entry: w.entry, Events: w.events}
	if w.trail {
		write.Provenance = &catalog.Provenance{EntryID: w.entry.ID, Rows: w.rows}
	}
	return tx.Entries().Put(ctx, write)
}

// mine tells whether a field may be set: it is empty, or the register observed
// it before. What a publisher or a catalogue states is left alone.
func (w *change) mine(field string, empty bool) bool {
	return empty || slices.ContainsFunc(w.rows, func(r catalog.FieldRow) bool { return r.Field == field && r.Basis == catalog.BasisObserved })
}

// note records that the register saw the value of a field itself.
func (w *change) note(field, url, upstream, transform string, from, to any) {
	row := catalog.FieldRow{Field: field, Basis: catalog.BasisObserved, SourceURL: url, UpstreamField: upstream, Transform: transform, ObservedAt: w.at}
	w.rows = slices.DeleteFunc(slices.Clone(w.rows), func(r catalog.FieldRow) bool { return r.Field == field && r.Basis == catalog.BasisObserved })
	w.rows, w.trail = append([]catalog.FieldRow{row}, w.rows...), true
	w.fields = append(w.fields, catalog.FieldChange{Field: field, From: encoded(from), To: encoded(to)})
}

// text sets a text that the register may set.
func (w *change) text(at *string, value, field, url, upstream, transform string) {
	if value == "" || *at == value || !w.mine(field, *at == "") {
		return
	}
	from := any(*at)
	if *at == "" {
		from = nil
	}
	*at = value
	w.note(field, url, upstream, transform, from, value)
}

// takeAPI takes over what an OpenAPI document says about its API.
func (w *change) takeAPI(f *findings) {
	d, api := f.api, *w.entry.API
	w.entry.API = &api
	const doc = "from the API's own document"
	w.text(&api.Version, d.Version, "api.version", f.source, "info.version", doc)
	w.text(&api.BaseURL, d.BaseURL, "api.base_url", f.source, "servers[].url", doc+", variables at their defaults")
	w.text(&api.TermsURL, d.TermsURL, "api.terms_url", f.source, "info.termsOfService", doc)
	w.text(&api.RateLimitInfo, d.RateLimit, "api.rate_limit_info", f.source, "paths.*.*.responses", "headers and statuses of "+doc[len("from "):])
	if api.SpecFormat == "" || api.SpecFormat == "none" {
		from := api.SpecFormat
		api.SpecFormat = ""
		w.text(&api.SpecFormat, d.Format, "api.spec_format", f.source, "openapi", doc)
		if api.SpecFormat == "" {
			api.SpecFormat = from
		}
	}
	if auth := w.entry.AuthType; d.Auth != catalog.AuthUnknown && d.Auth != auth && w.mine("auth_type", auth == catalog.AuthUnknown || auth == "") {
		w.entry.AuthType = d.Auth
		w.note("auth_type", f.source, "components.securitySchemes", "the security schemes that the API's own document requires", auth, d.Auth)
	}
	if d.Count > 0 && !slices.Equal(d.Endpoints, api.Endpoints) && w.mine("api.endpoints", len(api.Endpoints) == 0) {
		before := max(api.EndpointsCount, len(api.Endpoints))
		api.Endpoints, api.EndpointsCount = d.Endpoints, d.Count
		w.note("api.endpoints", f.source, "paths", doc, before, d.Count)
	}
	if len(w.fields) > 0 {
		api.UpdatedAt = w.at
	}
}

// takeServer takes over what an MCP server said in its handshake.
func (w *change) takeServer(f *findings) {
	m := *w.entry.MCP
	w.entry.MCP = &m
	s := f.server
	version, _ := source.Line(s.Version)
	version, _ = source.Cut(version, catalog.TagMax)
	w.text(&m.Version, version, "mcp.version", f.source, "serverInfo.version", "from the protocol's handshake")
	if s.Protocol != "" && !slices.Contains(m.ProtocolVersions, s.Protocol) {
		protocol, _ := source.Line(s.Protocol)
		protocol, _ = source.Cut(protocol, catalog.TagMax)
		from := m.ProtocolVersions
		m.ProtocolVersions = append(slices.Clone(from), protocol)
		slices.Sort(m.ProtocolVersions)
		w.note("mcp.protocol_versions", f.source, "protocolVersion", "the revision that was agreed on", from, m.ProtocolVersions)
	}
	if tools := cleaned(s.Tools); s.HasTools && !slices.Equal(tools, m.Tools) {
		from := len(m.Tools)
		m.Tools = tools
		w.note("mcp.tools", f.source, "tools", "as tools/list names them", from, len(tools))
	}
	if at := f.at.UTC().Truncate(time.Second); at.After(m.HandshakeAt) {
		from := any(nil)
		if !m.HandshakeAt.IsZero() {
			from = m.HandshakeAt
		}
		m.HandshakeAt = at
		w.note("mcp.handshake_at", f.source, "", "time of a handshake that succeeded", from, at)
	}
	if len(w.fields) > 0 {
		m.UpdatedAt = w.at
	}
}

// cleaned are tools whose texts can be published; those without a name are
// left out.
func cleaned(tools []catalog.MCPTool) []catalog.MCPTool {
	out := make([]catalog.MCPTool, 0, len(tools))
	line := func(s string, limit int) string {
		s, _ = source.Line(s)
		s, _ = source.Cut(s, limit)
		return personal.Redact(s)
	}
	for _, t := range tools[:min(len(tools), maxTools)] {
		t.Name, t.Title, t.Description = line(t.Name, maxToolName), line(t.Title, maxToolName), line(t.Description, maxToolText)
		if t.Name != "" {
			out = append(out, t)
		}
	}
	return out
}
