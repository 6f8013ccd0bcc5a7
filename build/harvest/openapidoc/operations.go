package openapidoc

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// endpointsKept is how many operations an entry keeps; EndpointsCount counts
// all of them.
const endpointsKept = 500

// Bounds of what an operation keeps, in bytes.
const (
	pathMax    = 500
	summaryMax = 300
)

// methods are the operations of a path item, in the order of the
// specification.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// each visits the operations in byte order of their paths.
func (d *doc) each(visit func(path, method string, op map[string]any)) {
	paths := object(d.root, "paths")
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		for _, method := range methods {
			if op := object(paths, p, method); op != nil {
				visit(p, method, op)
			}
		}
	}
}

// operations sets the endpoints and the formats of the answers.
func operations(b *source.Builder, d *doc) {
	api := b.Draft.Entry.API
	types := map[string]bool{}
	mark(types, list(d.root, "produces"))
	d.each(func(path, method string, op map[string]any) {
		api.EndpointsCount++
		d.answers(op, types)
		if len(api.Endpoints) < endpointsKept {
			api.Endpoints = append(api.Endpoints, endpoint(path, method, op))
		}
	})
	if api.EndpointsCount > 0 {
		b.Deliver("api.endpoints_count", "paths", "operations counted", "")
		note := ""
		if len(api.Endpoints) < api.EndpointsCount {
			note = "the first of them in byte order of their paths"
		}
		b.Remark("api.endpoints", "paths", "", note)
	}
	formats(b, slices.Sorted(maps.Keys(types)))
}

func endpoint(path, method string, op map[string]any) catalog.Endpoint {
	p := source.Token(path)
	p, _ = source.Cut(p, pathMax)
	raw := text(op, "summary")
	if strings.TrimSpace(raw) == "" {
		raw = source.MarkdownText(text(op, "description"))
	}
	summary, _ := source.Line(raw)
	summary, _ = source.Cut(summary, summaryMax)
	return catalog.Endpoint{Method: strings.ToUpper(method), Path: p, Summary: summary}
}

// answers notes the media types of the answers that succeed.
func (d *doc) answers(op map[string]any, types map[string]bool) {
	mark(types, list(op, "produces"))
	responses := object(op, "responses")
	for status := range responses {
		if !strings.HasPrefix(status, "2") && status != "default" {
			continue
		}
		for t := range object(d.follow(responses[status]), "content") {
			types[t] = true
		}
	}
}

// follow returns the response that a local reference points to, or v itself.
func (d *doc) follow(v any) any {
	name, ok := strings.CutPrefix(text(v, "$ref"), "#/components/responses/")
	if !ok {
		return v
	}
	return object(d.root, "components", "responses", name)
}

func mark(types map[string]bool, list []any) {
	for _, t := range list {
		types[text(t)] = true
	}
}
