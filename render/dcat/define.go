package dcat

import (
	"maps"
	"slices"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// entryTypes name the register's own kinds of entries.
var entryTypes = map[catalog.EntryType]string{
	catalog.TypeAPI: "API", catalog.TypeDataset: "Dataset", catalog.TypeMCPServer: "MCP server",
}

// entryType declares a kind of entries and the scheme of all of them.
func (g *graph) entryType(t catalog.EntryType) {
	scheme := definitionIRI("entry-type")
	n := g.node(definitionIRI("entry-type/"+string(t)), classConcept)
	n.add(skosPrefLabel, tagged(entryTypes[t], "en"))
	n.link(skosInScheme, scheme)
	g.node(scheme, classScheme).add(dctTitle, tagged("Entry types", "en"))
}

// concept is one address below /def with what it says.
type concept struct {
	name string
	add  func(*graph)
}

// concepts are all addresses below /def: those that documents mint, and /def
// itself with all of them.
func concepts() []concept {
	var list []concept
	all := func(g *graph) {
		for _, t := range catalog.EntryTypes() {
			g.entryType(t)
		}
	}
	list = append(list, concept{"/entry-type", all})
	for _, t := range catalog.EntryTypes() {
		list = append(list, concept{"/entry-type/" + string(t), func(g *graph) { g.entryType(t) }})
	}
	for i := range metrics {
		m := &metrics[i]
		list = append(list, concept{"/metric/" + m.name, func(g *graph) { g.metric(m) }})
	}
	parts := slices.Clone(list)
	return append(list, concept{"", func(g *graph) {
		for _, c := range parts {
			c.add(g)
		}
	}})
}

// definitions writes what each minted concept means.
func (r *Renderer) definitions(c *snapshot.Catalog, emit Emit) error {
	for _, d := range concepts() {
		g := newGraph()
		d.add(g)
		if err := r.small(c, "/def"+d.name, g, emit); err != nil {
			return err
		}
	}
	return nil
}

// institutions writes each agent that the documents mint.
func (r *Renderer) institutions(c *snapshot.Catalog, emit Emit) error {
	used := map[string]bool{}
	for _, i := range r.indexOf(c).exported {
		if id := c.Lines[i].InstitutionID; c.Institutions[id] != nil {
			used[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(used)) {
		g := newGraph()
		g.agent(c.Institutions[id])
		if err := r.small(c, "/id/institution/"+id, g, emit); err != nil {
			return err
		}
	}
	return nil
}

// small writes a graph, which it releases, with what it refers to, in both
// forms.
func (r *Renderer) small(c *snapshot.Catalog, route string, g *graph, emit Emit) error {
	defer g.release()
	x := r.indexOf(c)
	t := newTail(x)
	defer t.release()
	t.adopt(g)
	for _, f := range forms {
		body := room{body: artifact.Buffer(smallSize)}
		w := f.open(&body, x.base)
		w.head()
		g.write(w)
		t.write(w, f)
		w.foot()
		if err := f.close(w); err != nil {
			return err
		}
		file := artifact.File{Route: route + "." + f.ext, Type: f.media, Class: Class, Body: body.body, Pooled: true}
		if err := emit(file); err != nil {
			return err
		}
	}
	return nil
}

// smallSize is about what the document of an institution needs.
const smallSize = 4 << 10
