package dcat

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/rdfxml"
	"github.com/assay-register/assay/render/snapshot"
)

// StreamJSONLD names the fragments in JSON-LD, StreamRDFXML the same ones as RDF/XML (package rdfxml): pages quote
// them, but nobody keeps them.
const (
	StreamJSONLD = "dcat.jsonld"
	StreamRDFXML = "dcat.rdf"
)

// extRDFXML is the extension of RDF/XML documents.
const extRDFXML = "rdf"

// pageForms are the forms of pages: RDF/XML is made from JSON-LD.
var pageForms = [...]struct {
	*form
	ext, media string
}{{turtleForm, turtleForm.ext, turtleForm.media}, {jsonldForm, jsonldForm.ext, jsonldForm.media}, {jsonldForm, extRDFXML, rdfxml.Type}}

// Pages is how many pinned documents there are: each page in each form. An
// empty catalog has one empty page.
func (r *Renderer) Pages(c *snapshot.Catalog) int {
	return len(pageForms) * pagesOf(r.indexOf(c))
}

func pagesOf(x *index) int { return max(1, (len(x.exported)+PageSize-1)/PageSize) }

// StartRoute is where a harvester begins: the first page of whichever snapshot is
// presented. ext is ttl, jsonld or rdf.
func StartRoute(ext string) string { return "/api/v1/catalog/dcat/1." + ext }

// PageRoute is the route of a page, counted from one; ext is ttl, jsonld or rdf.
func PageRoute(snapshotID string, page int, ext string) string {
	return "/s/" + snapshotID + "/api/v1/catalog/dcat/" + strconv.Itoa(page) + "." + ext
}

// SnapshotPage renders pinned document n, counted from one: page 1 in Turtle, page 1
// in JSON-LD, page 1 in RDF/XML, page 2 in Turtle and so on.
func (r *Renderer) SnapshotPage(c *snapshot.Catalog, n int) (artifact.File, error) {
	f, number := pageForms[(n-1)%len(pageForms)], (n-1)/len(pageForms)+1
	x := r.indexOf(c)
	d := r.fullDocument(c, f.form)
	d.page = &page{at: func(n int) string { return PageRoute(c.ID, n, f.ext) }, number: number, pages: pagesOf(x), total: len(x.exported)}
	d.from, d.to = 0, 0
	if on := x.exported[min((number-1)*PageSize, len(x.exported)):min(number*PageSize, len(x.exported))]; len(on) > 0 {
		d.from, d.to = int(on[0]), int(on[len(on)-1])+1
	}
	body := d.room()
	err := d.write(&body)
	if err == nil && f.ext == extRDFXML {
		jsonld := body.body
		body, err = body.asRDFXML()
		artifact.Free(jsonld)
	}
	if err != nil {
		err = fmt.Errorf("page %d.%s: %w", number, f.ext, err)
	}
	return artifact.File{Route: PageRoute(c.ID, number, f.ext), Type: f.media, Class: Class, Cache: artifact.Pinned, Body: body.body, Quotes: body.quotes, Pooled: true}, err
}

// asRDFXML is a document of JSON-LD as RDF/XML; where that quotes the fragment of an entry, so does this.
func (r *room) asRDFXML() (made room, err error) {
	x, err := rdfxml.New(r.body)
	if err != nil {
		return made, err
	}
	x.Head()
	at := 0
	for _, q := range r.quotes {
		err = errors.Join(err, x.Nodes(r.body[at:q.At]))
		from := len(x.Out)
		at = q.At + q.Length
		err = errors.Join(err, x.Nodes(r.body[q.At:at]))
		made.quotes = append(made.quotes, artifact.Quote{Stream: StreamRDFXML, Ordinal: q.Ordinal, At: from, Length: len(x.Out) - from})
	}
	err = errors.Join(err, x.Nodes(r.body[at:]))
	x.Foot()
	made.body = x.Out
	return made, err
}

// Start renders, in each form, the first page under the route that never changes: a
// directory has no redirect, so the page itself lies there. Its links lead to the
// pinned pages.
func (r *Renderer) Start(c *snapshot.Catalog) ([]artifact.File, error) {
	files := make([]artifact.File, len(pageForms))
	for i, f := range pageForms {
		var err error
		if files[i], err = r.SnapshotPage(c, i+1); err != nil {
			return nil, err
		}
		files[i].Route, files[i].Cache = StartRoute(f.ext), artifact.Mutable
	}
	return files, nil
}

// page is where a document stands among its pages.
type page struct {
	// at is the route of a page.
	at            func(number int) string
	number, pages int
	// total is how many entries all pages hold.
	total int
}

// write describes the page by both generations of Hydra on one node. A last
// page has no next one: harvesters stop there.
func (p *page) write(w writer) {
	g := newGraph()
	defer g.release()
	n := g.node(own(p.at(p.number)), classPaged, classPartial)
	n.add(hydraTotalItems, typed(strconv.Itoa(p.total), xsdInteger))
	n.add(hydraItemsPerPage, typed(strconv.Itoa(PageSize), xsdInteger))
	p.link(n, hydraFirst, 1)
	p.link(n, hydraPrevious, p.number-1)
	p.link(n, hydraNext, p.number+1)
	p.link(n, hydraLast, p.pages)
	g.write(w)
}

func (p *page) link(n *node, names []*name, number int) {
	if number < 1 || number > p.pages {
		return
	}
	for _, name := range names {
		n.link(name, own(p.at(number)))
	}
}
