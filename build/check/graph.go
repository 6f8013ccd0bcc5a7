package check

import (
	"hash/maphash"
	"io"
	"strings"
	"sync"

	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/dcat"
	"github.com/assay-register/assay/render/wire"
)

// Terms by which the checks find their way in a graph.
const (
	dcatNS  = "http://www.w3.org/ns/dcat#"
	hydraNS = "http://www.w3.org/ns/hydra/core#"
)

// graphSum is a graph whatever the order of its statements: their number and
// the sum of their hashes.
type graphSum struct {
	statements int
	sum        uint64
}

// seed is that of the hashes of one process.
var seed = maphash.MakeSeed()

// graph is what is gathered from one document of RDF.
type graph struct {
	c     *checker
	route string
	graphSum
	// subject is the name that the document must describe, "" for none.
	subject   string
	described bool
	// last is the name that was looked up last, as names repeat.
	last string
	page catalogPage
}

// syntaxes are those of the media types that are RDF.
var syntaxes = map[string]rdf.Syntax{wire.MediaTurtle: rdf.Turtle, wire.MediaJSONLD: rdf.JSONLD, wire.MediaRDFXML: rdf.RDFXML}

// checkGraph reads a document of RDF: it must keep the rules of its syntax,
// have no blank node, name only routes of ours that answer, and say the same in
// all forms.
func (c *checker) checkGraph(l *wire.RouteLine, media string, page io.Reader) {
	c.report.Graphs++
	g := &graph{c: c, route: l.Route}
	if name, entry := entryName(l.Route); entry {
		g.subject = c.first.BaseURL + name
	}
	syntax := syntaxes[media]
	err := rdf.Read(page, syntax, rdf.Options{Base: c.first.BaseURL + l.Route}, func(t rdf.Triple) error {
		g.add(&t)
		return nil
	})
	c.report.Statements += g.statements
	switch {
	case err != nil:
		c.report.fault(l.Route, "is no %s: %v", syntax, err)
		return
	case g.statements == 0:
		c.report.fault(l.Route, "says nothing")
	case g.subject != "" && !g.described:
		c.report.fault(l.Route, "does not describe %s", g.subject)
	}
	if g.page.records > 0 || g.page.paged {
		c.paged[l.Route] = &g.page
		c.remember(len(l.Route) + len(g.page.self) + len(g.page.first) + len(g.page.next) + len(g.page.last))
	}
	c.matchForms(l.Route, g.graphSum)
}

// entryName is the name of the entry whose document a route is.
func entryName(route string) (name string, ok bool) {
	name, _, ok = cutForm(route)
	return name, ok && strings.HasPrefix(name, "/id/")
}

// cutForm separates the extension of a form from a route.
func cutForm(route string) (stem, form string, ok bool) {
	for _, form := range []string{"ttl", "jsonld", "rdf"} {
		if stem, ok := strings.CutSuffix(route, "."+form); ok {
			return stem, form, true
		}
	}
	return route, "", false
}

// add takes one statement.
func (g *graph) add(t *rdf.Triple) {
	g.statements++
	if t.Subject.Kind == rdf.Blank || t.Object.Kind == rdf.Blank {
		g.c.report.fault(g.route, "has a blank node: %v", t)
		return
	}
	g.described = g.described || t.Subject.Value == g.subject
	g.sum += g.hash(t)
	g.own(t.Subject.Value)
	if t.Object.Kind == rdf.IRI {
		g.own(t.Object.Value)
	}
	if strings.HasPrefix(t.Predicate.Value, hydraNS) || t.Predicate.Value == dcatNS+"record" || t.Predicate.Value == rdf.RDFType {
		g.page.add(t)
	}
}

// hash is that of a statement. The pages of a form link to pages of the same
// form, which is no difference between them.
func (g *graph) hash(t *rdf.Triple) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, term := range []*rdf.Term{&t.Subject, &t.Predicate, &t.Object} {
		value := term.Value
		if term.Kind == rdf.IRI && strings.HasPrefix(value, g.c.first.BaseURL+"/s/") {
			value, _, _ = cutForm(value)
		}
		for _, part := range []string{value, term.Datatype, strings.ToLower(term.Lang)} {
			h.WriteString(part)
			h.WriteByte(0)
		}
	}
	return h.Sum64()
}

// own looks up a name of the register: it must lead to a page, or to one of the
// forms between which a server chooses. The home page is no part of a snapshot.
func (g *graph) own(name string) {
	route, ok := strings.CutPrefix(name, g.c.first.BaseURL)
	if !ok || route == "" || route[0] != '/' || name == g.last {
		return
	}
	g.last = name
	route, _, _ = strings.Cut(route, "#")
	g.c.report.Links++
	if _, page := g.c.sum(route); page || route == "/" || selfDescribed[route] {
		return
	}
	if _, form := g.c.sum(route + ".ttl"); !form && !g.c.answers(route) {
		g.c.report.fault(g.route, "names %s, which no route answers", name)
	}
}

// answers tells whether a page that routes.ndjson does not name is there all
// the same, as in a tree whose build broke off.
func (c *checker) answers(route string) bool {
	f, err := c.pages.Open(c.ctx, route, artifact.JSON)
	return err == nil && f.Close() == nil
}

// formSums are the graphs of documents of which not all forms were met yet, by their route
// without the extension. Checkers of one site share them.
type formSums struct {
	mu   sync.Mutex
	sums map[string]formSum
}

// formSum is the graph of a document, and how many of its forms were met.
type formSum struct {
	graphSum
	forms int
}

// formsOf is in how many forms a document lies: pages of the catalogue are in RDF/XML,
// too, which the service makes of all others when it is asked for.
func formsOf(stem string) int {
	if strings.HasPrefix(stem, wire.PinnedPrefix) || stem == startStem {
		return 3
	}
	return 2
}

// startStem is the route of the page with which harvesters begin, without its form.
const startStem = "/api/v1/catalog/dcat/1"

// meet tells what a form of the document says that was met before; when all were met
// they are forgotten.
func (f *formSums) meet(stem string, sum graphSum) (other graphSum, met, done bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last, met := f.sums[stem]
	if !met {
		last.graphSum = sum
	}
	if last.forms++; last.forms == formsOf(stem) {
		delete(f.sums, stem)
		return last.graphSum, met, true
	}
	f.sums[stem] = last
	return last.graphSum, met, false
}

// matchForms compares a form of a document with the first one that was met.
func (c *checker) matchForms(route string, sum graphSum) {
	stem, _, ok := cutForm(route)
	if !ok || strings.HasPrefix(route, dcat.RouteFeed) {
		return // the feed has one form: TriG, and Turtle where there are no named graphs
	}
	other, met, done := c.forms.meet(stem, sum)
	if !met {
		c.remember(len(stem))
		return
	}
	if done {
		c.room += len(stem) + nameCost
	}
	if other != sum {
		c.report.fault(route, "says something else than its other form: %d and %d statements", sum.statements, other.statements)
	}
}

// checkForms looks for documents that lack a form. The measurements have one
// only.
func (c *checker) checkForms() {
	for stem := range c.forms.sums {
		if stem != "/api/v1/catalog/dcat-quality" {
			c.report.fault(stem, "lacks a form of RDF")
		}
	}
}
