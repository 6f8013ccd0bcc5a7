package dcat

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// document is a range of entries in one form. Full and paged documents begin
// with the catalogue, that of one entry does not.
type document struct {
	*index
	form     *form
	from, to int
	// only are the ordinals of the entries when they are no range.
	only []int32
	// whole adds the catalogue, page where it stands among its pages.
	whole bool
	page  *page
	// access adds dcat:accessService.
	access bool
}

// write puts the document together.
func (d *document) write(to io.Writer) error {
	t, err := d.tail()
	defer t.release()
	if err != nil {
		return err
	}
	return d.writeWith(t, to)
}

// tail collects what the entries of the document refer to.
func (d *document) tail() (*tail, error) {
	t := newTail(d.index)
	for _, i := range d.within(d.from, d.to) {
		t.institution(d.catalog.Lines[i].InstitutionID)
	}
	return t, t.read(d.from, d.to)
}

// writeWith puts the document together with what its entries refer to.
func (d *document) writeWith(tail *tail, to io.Writer) error {
	if d.base == "" {
		return fmt.Errorf("base URL %q is no web address: %w", d.catalog.Site.BaseURL, catalog.ErrInvalid)
	}
	c := d.catalog
	w := d.form.open(to, d.base)
	w.head()
	if d.whole {
		d.writeCatalog(w, tail)
	}
	w.rest()
	w.quote(d.form.stream, c.Streams[d.form.stream], d.from, d.to)
	if err := d.writeLinks(w, tail); err != nil {
		return err
	}
	d.writeSeries(w, tail)
	w.section()
	tail.write(w, d.form)
	w.foot()
	return d.form.close(w)
}

// room is where a document that is small enough to hold is written to.
type room struct {
	body   []byte
	quotes []artifact.Quote
}

// Write implements io.Writer.
func (r *room) Write(b []byte) (int, error) {
	r.body = append(r.body, b...)
	return len(b), nil
}

// Quote implements artifact.Quoter.
func (r *room) Quote(stream string, ordinal, from int, b []byte) error {
	r.quotes = append(r.quotes, artifact.Quote{Stream: stream, Ordinal: ordinal, From: from, At: len(r.body), Length: len(b)})
	r.body = append(r.body, b...)
	return nil
}

// room is about as large as the document will be.
func (d *document) room() room {
	stream, size := d.catalog.Streams[d.form.stream], 1<<13
	for i := d.from; i < d.to; i++ {
		if stream.Has(i) {
			size += stream.Size(i) * 5 / 4
		}
	}
	return room{body: artifact.Buffer(size)}
}

// list are the ordinals of the entries that the document holds.
func (d *document) list() []int32 {
	if d.only != nil {
		return d.only
	}
	return d.within(d.from, d.to)
}

// writeCatalog writes the catalogue with the lists of what the document holds
// (DCAT-AP 3.0.1, Catalogue), and the page when it is one.
func (d *document) writeCatalog(w writer, tail *tail) {
	g := catalogGraph(d.index)
	defer g.release()
	tail.adopt(g)
	id := g.nodes[0].id
	g.nodes[0].write(w)
	lines := d.catalog.Lines
	list := d.list()
	for _, i := range list {
		if lines[i].Type == catalog.TypeDataset {
			w.addEntry(id, dcatDataset, lines[i].ID, "")
		}
	}
	for _, i := range list {
		if lines[i].Type != catalog.TypeDataset {
			w.addEntry(id, dcatService, lines[i].ID, "")
		}
	}
	for _, i := range list {
		w.addEntry(id, dcatRecord, lines[i].ID, "#record")
	}
	for _, n := range g.nodes[1:] {
		n.write(w)
	}
	if d.page != nil {
		d.page.write(w)
	}
}

// catalogGraph describes the catalogue and who publishes it, without lists.
func catalogGraph(x *index) *graph {
	g, site := newGraph(), x.catalog.Site
	n := g.node(own("/catalog"), classCatalog)
	n.add(dctTitle, tagged(site.Name, "en"))
	if !n.has(dctTitle) {
		n.add(dctTitle, tagged("Register", "en"))
	}
	n.add(dctDescription, tagged("Public register of official public-sector APIs, datasets and MCP servers, each tested and scored.", "en"))
	publisher := own("/catalog#publisher")
	n.link(dctPublisher, publisher)
	home := own("/")
	n.link(foafHomepage, home)
	n.link(rdfsSeeAlso, own(routeQuality))
	g.siteLicence(n, site.License, x.catalog.Licences[site.License])
	g.code(n, dctLanguage, listLanguage, "ENG")
	for _, name := range slices.Sorted(maps.Keys(x.countries)) {
		g.code(n, dctSpatial, listCountry, name)
	}
	n.link(dcatThemeTaxonomy, themeScheme)
	g.ref(refScheme, listTheme)
	n.add(dctIssued, instant(x.issued))
	n.add(dctModified, instant(x.modified))
	agent := g.node(publisher, classAgent)
	for _, v := range n.values(dctTitle) {
		agent.add(foafName, v)
	}
	agent.link(foafHomepage, home)
	g.node(home, classDocument)
	g.siteContact(n, site)
	return g
}

// siteContact says where to reach who runs the register, if that is not the
// site itself.
func (g *graph) siteContact(n *node, site snapshot.Site) {
	if site.Contact == "" {
		return
	}
	id := own("/catalog#contact")
	n.link(dcatContactPoint, id)
	k := g.node(id, classKind, classOrg)
	k.add(vcardFn, plain(cmp.Or(cleanText(site.Name), "Register")))
	if u := link(site.Contact); u != "" {
		k.link(vcardHasURL, u)
	} else if mail, ok := strings.CutPrefix(site.ContactURI(), "mailto:"); ok {
		k.link(vcardHasEmail, iri("mailto:"+escape(mail)))
	}
}

// siteLicence is the licence of the catalogue itself.
func (g *graph) siteLicence(n *node, id string, row *catalog.Licence) {
	if l := licenceOf(id, row); l.iri != "" {
		n.link(dctLicense, l.iri)
		g.ref(refLicence, id)
	}
}

// entryDocument is the document of the entry at an ordinal, in a form that is
// yet to be chosen.
func (r *Renderer) entryDocument(c *snapshot.Catalog, ordinal int) *document {
	return &document{index: r.indexOf(c), from: ordinal, to: ordinal + 1, access: !r.opts.NoAccessService && !c.Site.NoAccessService}
}

// fullDocument is the document of the whole catalog.
func (r *Renderer) fullDocument(c *snapshot.Catalog, f *form) *document {
	return &document{index: r.indexOf(c), form: f, to: len(c.Lines), whole: true, access: !r.opts.NoAccessService && !c.Site.NoAccessService}
}
