package edge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// rule leads from a path to another one.
type rule struct{ From, To string }

// shape is a path, with named segments for parameters, and its media type.
type shape struct{ Path, Media string }

// Service stands for the address of the service in files that must name it.
func (t *table) Service() string { return "https://service.example" }

// named writes a path of the interface with named segments for its parameters,
// as _headers and _redirects have them; ok is false for a path that has one
// within a segment, which they cannot express.
func named(path string) (string, bool) {
	segments := strings.Split(path, "/")
	n := 0
	for i, s := range segments {
		if !strings.Contains(s, "{") {
			continue
		}
		if !strings.HasPrefix(s, "{") || !strings.HasSuffix(s, "}") {
			return "", false
		}
		n++
		segments[i] = ":p" + strconv.Itoa(n)
	}
	return strings.Join(segments, "/"), true
}

// plain are the operations whose path has no extension and lies in the tree,
// the more exact ones first.
func plain() []wire.Operation {
	var out []wire.Operation
	for _, op := range wire.Operations() {
		if op.Static && op.Method == "GET" && !artifact.HasExtension(op.Path) && kindOf(op.Media) != "text/html" {
			out = append(out, op)
		}
	}
	slices.SortStableFunc(out, func(a, b wire.Operation) int {
		if n := strings.Count(a.Path, "{") - strings.Count(b.Path, "{"); n != 0 {
			return n
		}
		return strings.Compare(a.Path, b.Path)
	})
	return out
}

func kindOf(media string) string {
	kind, _, _ := strings.Cut(media, ";")
	return kind
}

// Rewrites lead from the extensionless routes to their files.
func (t *table) Rewrites() []rule {
	var out []rule
	for _, op := range plain() {
		if from, ok := named(op.Path); ok {
			out = append(out, rule{from, from + "/index." + artifact.Extension(op.Media)})
		}
	}
	return out
}

// Moves lead from spelt-out names to routes.
func (t *table) Moves() []rule { return []rule{{"/index.html", "/"}} }

// Shapes are the routes whose media type a host would not guess.
func (t *table) Shapes() []shape {
	var out []shape
	for _, e := range t.Types {
		if e.Ext != "html" && e.Ext != "css" && e.Ext != "js" {
			out = append(out, shape{"/*." + e.Ext, e.Media})
		}
	}
	for _, op := range plain() {
		if path, ok := named(op.Path); ok {
			out = append(out, shape{path, artifact.TypeOf(strings.TrimPrefix(op.Path, "/") + "/index." + artifact.Extension(op.Media))})
		}
	}
	for _, e := range t.Exact {
		if artifact.HasExtension(e.Route) {
			out = append(out, shape{e.Route, e.Media})
		}
	}
	return out
}

// Params are the rules by which lists with parameters go to the service, one
// for each parameter: such files match parameters by name only.
func (t *table) Params() []string {
	var out []string
	for _, op := range wire.Operations() {
		path, ok := named(op.Path)
		if !op.Static || !ok {
			continue
		}
		for _, p := range op.Params {
			if p.In != "path" {
				out = append(out, path+" "+p.Name+"=:v "+t.Service()+path+"?"+p.Name+"=:v 200!")
			}
		}
	}
	return out
}

// Lives are the paths that only the service answers.
func (t *table) Lives() []string {
	var out []string
	for _, path := range t.Live {
		segments := strings.Split(path, "/")
		n, whole := 0, true
		for i, s := range segments {
			if s == "*" {
				n++
				segments[i] = ":p" + strconv.Itoa(n)
			} else if strings.Contains(s, "*") {
				whole = false
			}
		}
		if whole {
			out = append(out, strings.Join(segments, "/"))
		}
	}
	return out
}
