package harvest

import (
	"slices"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// sight is a field of which the register sees for itself what it says: the prober
// at the address, the closer look in the API's own document, in the handshake of a
// server. What was seen stays while what was looked at stays the same.
type sight struct {
	// same tells whether a row says what was seen of what is still there.
	same func(was, is *catalog.Entry, row *catalog.FieldRow) bool
	// keep takes what was seen over where the source says nothing of the field.
	keep func(dst, src *catalog.Entry) bool
	// over tells that what was seen counts more than what the source says.
	over bool
}

var sights = map[string]sight{
	"free_access_class": {same: func(was, is *catalog.Entry, row *catalog.FieldRow) bool {
		return !is.AccessRights.Excludes() && sameTarget(was, is, row)
	}, keep: access},
	"auth_type": {same: func(was, is *catalog.Entry, row *catalog.FieldRow) bool {
		return sameTarget(was, is, row) || row.UpstreamField != "" && sameDocument(was, is, row)
	}, keep: authentication},
	"api.base_url":          described(api(func(a *catalog.APIDetails) *string { return &a.BaseURL })),
	"api.version":           described(api(func(a *catalog.APIDetails) *string { return &a.Version })),
	"api.rate_limit_info":   described(api(func(a *catalog.APIDetails) *string { return &a.RateLimitInfo })),
	"api.terms_url":         described(api(func(a *catalog.APIDetails) *string { return &a.TermsURL })),
	"api.spec_format":       described(specFormat),
	"api.endpoints":         described(endpoints),
	"mcp.version":           shaken(func(dst, src *catalog.MCPDetails) bool { return into(&dst.Version, src.Version) }),
	"mcp.handshake_at":      shaken(func(dst, src *catalog.MCPDetails) bool { dst.HandshakeAt = src.HandshakeAt; return true }),
	"mcp.protocol_versions": shaken(protocolVersions),
	"mcp.tools": {same: sameServer, over: true, keep: func(dst, src *catalog.Entry) bool {
		dst.MCP.Tools = src.MCP.Tools
		return true
	}},
}

// described is a field that is read from the API's own document.
func described(keep func(dst, src *catalog.Entry) bool) sight {
	return sight{same: sameDocument, keep: keep}
}

// shaken is a field of an MCP server's handshake.
func shaken(keep func(dst, src *catalog.MCPDetails) bool) sight {
	return sight{same: sameServer, keep: func(dst, src *catalog.Entry) bool { return keep(dst.MCP, src.MCP) }}
}

func sameTarget(was, is *catalog.Entry, row *catalog.FieldRow) bool {
	before, _ := verify.TargetOf(was)
	now, _ := verify.TargetOf(is)
	return before.URL == now.URL && row.SourceURL == now.URL
}

func sameDocument(was, is *catalog.Entry, _ *catalog.FieldRow) bool {
	return was.API != nil && is.API != nil && is.API.OpenAPIURL != "" && is.API.OpenAPIURL == was.API.OpenAPIURL
}

func sameServer(was, is *catalog.Entry, _ *catalog.FieldRow) bool {
	return was.MCP != nil && is.MCP != nil && is.MCP.EndpointURL == was.MCP.EndpointURL
}

func into(dst *string, src string) bool {
	if *dst != "" || src == "" {
		return false
	}
	*dst = src
	return true
}

func specFormat(dst, src *catalog.Entry) bool {
	if dst.API.SpecFormat == "none" {
		dst.API.SpecFormat = ""
	}
	return into(&dst.API.SpecFormat, src.API.SpecFormat)
}

func endpoints(dst, src *catalog.Entry) bool {
	if len(dst.API.Endpoints) > 0 {
		return false
	}
	dst.API.Endpoints, dst.API.EndpointsCount = src.API.Endpoints, max(dst.API.EndpointsCount, src.API.EndpointsCount)
	return true
}

func protocolVersions(dst, src *catalog.MCPDetails) bool {
	if len(dst.ProtocolVersions) > 0 {
		return false
	}
	dst.ProtocolVersions = src.ProtocolVersions
	return true
}

// keepSeen keeps what the register saw itself and may still say. The rows of the
// item must be loaded.
func (it *item) keepSeen() {
	for i := range it.rows {
		if row := &it.rows[i]; it.seen(row) && sights[row.Field].keep != nil {
			sights[row.Field].keep(it.entry, it.origin)
		}
	}
}

// seen tells whether a row says what the register saw, and may still say.
func (it *item) seen(row *catalog.FieldRow) bool {
	if row.Basis != catalog.BasisObserved || it.origin == nil {
		return false
	}
	s, ok := sights[row.Field]
	return !ok || s.same(it.origin, it.entry, row)
}

// saw is the row of what the register saw of a field and may still say, nil if
// there is none.
func (it *item) saw(field string) *catalog.FieldRow {
	i := slices.IndexFunc(it.rows, func(row catalog.FieldRow) bool { return row.Field == field && it.seen(&row) })
	if i < 0 {
		return nil
	}
	return &it.rows[i]
}
