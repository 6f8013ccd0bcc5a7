package documents

import (
	"net/http"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
)

// forms are the RDF forms in which one route may lie, by extension; the first
// is sent to a client that has no preference.
var forms = []struct{ ext, media string }{
	{".ttl", "text/turtle"},
	{".jsonld", "application/ld+json"},
	{".rdf", "application/rdf+xml"},
}

// formMedia are the media types of the forms.
var formMedia = func() (list []string) {
	for _, f := range forms {
		list = append(list, f.media)
	}
	return list
}()

// negotiated answers a route that has no document of its own with the form the
// client prefers (RFC 9110, 12.5.1). It reports whether there is one.
func (d site) negotiated(w http.ResponseWriter, r *http.Request, route string) (bool, error) {
	if d.toPage(w, r, route) {
		return true, nil
	}
	best, bestQ := "", -1.0
	for _, f := range forms {
		if !d.exists(route + f.ext) {
			continue
		}
		if q := web.Quality(r.Header.Get("Accept"), f.media); q > bestQ {
			best, bestQ = route+f.ext, q
		}
	}
	if best == "" {
		return false, nil
	}
	doc, err := d.get(best)
	if err == nil && doc == nil {
		return false, nil
	}
	if err == nil {
		err = refuseQuery(r, doc.head.Type)
	}
	if err != nil {
		return true, err
	}
	w.Header().Set("Content-Location", best)
	return true, d.answer(&varied{w}, r, doc)
}

// toPage leads whoever prefers HTML from the name of an entry to its page, in their language (RFC 9110,
// 15.4.4: the page describes what the name names).
func (d site) toPage(w http.ResponseWriter, r *http.Request, route string) bool {
	name, ok := strings.CutPrefix(route, namePrefix)
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if !ok || accept == "" || web.Prefer(accept, forms[0].media, forms[1].media, "text/html") != "text/html" {
		return false
	}
	p := d.s.Find(name)
	if p.Standing != query.Visible || p.ID != name {
		return false
	}
	page := wire.LocalRoute(pages.Preferred(r.Header.Get("Accept-Language")), pagePrefix+p.Slug)
	if !d.exists(page) {
		return false
	}
	w.Header().Set("Vary", "Accept, Accept-Language")
	w.Header().Set("Location", wire.Path(d.s.Site, page))
	w.WriteHeader(http.StatusSeeOther)
	return true
}

// varied adds Accept to Vary, whatever else an answer varies by.
type varied struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (v *varied) WriteHeader(status int) {
	h := v.Header()
	h.Set("Vary", strings.Join(append([]string{"Accept"}, h.Values("Vary")...), ", "))
	v.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (v *varied) Unwrap() http.ResponseWriter { return v.ResponseWriter }

// alternates names the RDF forms of the entry whose page a route is, for the Link
// header (RFC 8288).
func (d site) alternates(route string) string {
	if strings.HasPrefix(route, pagePrefix) {
		return strings.Join(d.forms(route), ", ")
	}
	name, ok := strings.CutPrefix(route, entryPrefix)
	if !ok || strings.Contains(name, "/") {
		return ""
	}
	p := d.s.Find(name)
	if p.ID == "" {
		return ""
	}
	links := d.forms(route)
	for _, f := range forms {
		if d.exists("/id/" + p.ID + f.ext) {
			links = append(links, "<"+wire.Path(d.s.Site, "/id/"+p.ID+f.ext)+`>; rel="alternate"; type="`+f.media+`"`)
		}
	}
	return strings.Join(links, ", ")
}

// forms name the derived forms of the entry whose page a route is: how to cite it, and of a
// dataset its files. Those that some datasets lack are made to see whether there is one.
func (d site) forms(route string) (links []string) {
	l := d.shown(route)
	if l == nil {
		return nil
	}
	for i := range d.derived {
		x := &d.derived[i]
		if x.Ext == "" {
			continue
		}
		at := namePrefix + l.ID + x.Ext
		if strings.HasPrefix(x.Ext, "/") {
			if l.Type != catalog.TypeDataset || !l.Download {
				continue
			}
			if doc, err := d.get(at); err != nil || doc == nil {
				continue
			}
		}
		media, _, _ := strings.Cut(x.Type, ";")
		links = append(links, "<"+wire.Path(d.s.Site, at)+`>; rel="alternate"; type="`+media+`"`)
	}
	return links
}

// catalogue names the document of the register's own APIs for whoever asks for
// it with HEAD (RFC 9727, section 3).
func (d site) catalogue(route string) string {
	const catalogue = "/.well-known/api-catalog"
	if route != catalogue {
		return ""
	}
	return "<" + wire.Path(d.s.Site, catalogue) + `>; rel="api-catalog"`
}
