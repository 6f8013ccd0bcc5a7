package openapidoc

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// authentication sets how a caller authenticates, from the schemes that the
// document requires: of all operations, else of any. Schemes that are declared
// but never required say nothing, and neither does silence; only an empty
// requirement says that no authentication is needed.
func authentication(b *source.Builder, d *doc) {
	schemes, key := object(d.root, "components", "securitySchemes"), "components.securitySchemes"
	if d.swagger {
		schemes, key = object(d.root, "securityDefinitions"), "securityDefinitions"
	}
	found, open := map[catalog.AuthType]bool{}, false
	require := func(requirements []any, stated bool) {
		open = open || stated && len(requirements) == 0
		for _, r := range requirements {
			m := object(r)
			open = open || m != nil && len(m) == 0
			for name := range m {
				if s := object(schemes, name); s != nil {
					found[authType(s)] = true
				}
			}
		}
	}
	_, stated := d.root["security"].([]any)
	require(list(d.root, "security"), stated)
	if len(found) == 0 && !open {
		d.each(func(_, _ string, op map[string]any) { require(list(op, "security"), false) })
		open = false
	}
	set(b, key, found, open)
}

// easiest is the order in which one of several accepted ways is named.
var easiest = []catalog.AuthType{catalog.AuthAPIKey, catalog.AuthBasic, catalog.AuthBearer, catalog.AuthOAuth, catalog.AuthCustom}

func set(b *source.Builder, key string, found map[catalog.AuthType]bool, open bool) {
	e := &b.Draft.Entry
	e.AuthType = catalog.AuthUnknown
	if open {
		e.AuthType, e.FreeAccessClass = catalog.AuthNone, catalog.AccessFreeNoAuth
		b.Remark("auth_type", "security", "an empty requirement: no authentication is needed", "")
		b.Compute("free_access_class", "security", "no authentication is needed", "")
		return
	}
	for _, t := range easiest {
		if !found[t] {
			continue
		}
		e.AuthType = t
		note := ""
		if len(found) > 1 {
			var all []string
			for _, t := range slices.Sorted(maps.Keys(found)) {
				all = append(all, string(t))
			}
			note = "the document names several ways: " + strings.Join(all, ", ")
		}
		b.Remark("auth_type", key, "the required security schemes", note)
		return
	}
}

// authType is the register's word for a security scheme.
func authType(scheme map[string]any) catalog.AuthType {
	switch strings.ToLower(text(scheme, "type")) {
	case "apikey":
		return catalog.AuthAPIKey
	case "oauth2", "openidconnect":
		return catalog.AuthOAuth
	case "basic":
		return catalog.AuthBasic
	case "http":
		switch strings.ToLower(text(scheme, "scheme")) {
		case "basic":
			return catalog.AuthBasic
		case "bearer":
			return catalog.AuthBearer
		}
	}
	return catalog.AuthCustom
}
