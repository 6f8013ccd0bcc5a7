package ogc

import (
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// mediaOpenAPI is that of a description in OpenAPI 3.0, which clients of OGC read.
const mediaOpenAPI = "application/vnd.oai.openapi+json;version=3.0"

// Description answers the operations below the landing page in OpenAPI 3.0.
func (a *API) Description() web.Handler {
	return a.plain(mediaOpenAPI, func(s *query.Snapshot) any {
		paths := map[string]any{}
		for _, op := range wire.Operations() {
			rest, ok := strings.CutPrefix(op.Path, wire.RouteOGC)
			if !ok {
				continue
			}
			if rest == "" {
				rest = "/"
			}
			paths[rest] = map[string]any{"get": described(&op)}
		}
		return map[string]any{"openapi": "3.0.3", "info": map[string]any{"title": s.Site.Name, "version": "1.0.0", "description": "The register as a catalogue of OGC API - Records."},
			"servers": []any{map[string]any{"url": absolute(s.Site, wire.RouteOGC)}}, "paths": paths}
	})
}

func described(op *wire.Operation) map[string]any {
	params := []any{}
	for i := range op.Params {
		p := &op.Params[i]
		schema := map[string]any{"type": "string"}
		if p.Kind == wire.KindInteger {
			schema["type"], schema["minimum"] = "integer", p.Min
			if p.Max > 0 {
				schema["maximum"] = p.Max
			}
		}
		if p.Default != nil {
			schema["default"] = p.Default
		}
		if len(p.Enum) > 0 {
			schema["enum"] = p.Enum
		}
		params = append(params, map[string]any{"name": p.Name, "in": p.In, "required": p.In == "path", "description": p.Description, "schema": schema})
	}
	media, _, _ := strings.Cut(op.Media, ";")
	return map[string]any{"operationId": op.ID, "summary": op.Summary, "description": op.Description, "parameters": params, "responses": map[string]any{
		"200":     map[string]any{"description": "The answer.", "content": map[string]any{media: map[string]any{"schema": map[string]any{"type": "object"}}}},
		"default": map[string]any{"description": "A problem (RFC 9457).", "content": map[string]any{wire.MediaProblem: map[string]any{"schema": map[string]any{"type": "object"}}}}}}
}
