package documents

import (
	"net/http"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
	files "github.com/assay-register/assay/site"
)

// Prefixes of the routes of single entries and of their badges.
const (
	entryPrefix = "/api/v1/entries/"
	badgePrefix = "/api/v1/badges/"
	// pagePrefix begins the pages that people read; they bear the slug.
	pagePrefix = "/entry/"
	// namePrefix begins the names of entries in RDF and the documents behind
	// them.
	namePrefix = "/id/"
)

// pagePrefixes begin the routes of the pages of entries, one for each language.
var pagePrefixes = func() (list []string) {
	for _, lang := range files.Languages() {
		list = append(list, wire.LocalRoute(lang, pagePrefix))
	}
	return list
}()

// missing says what became of a route that has no document.
func (d site) missing(w http.ResponseWriter, r *http.Request, route string) error {
	if err := d.library.Check(); err != nil {
		return err
	}
	if id := pinnedTo(route); id != "" && d.library.File(id) == nil {
		return query.Expired(id)
	}
	for _, prefix := range append([]string{entryPrefix, badgePrefix}, pagePrefixes...) {
		if rest, ok := strings.CutPrefix(route, prefix); ok {
			name, part, _ := strings.Cut(rest, "/")
			return d.missingEntry(w, r, prefix, name, part)
		}
	}
	for _, prefix := range bodyPrefixes {
		if name, ok := strings.CutPrefix(route, prefix); ok {
			return d.missingBody(w, r, prefix, name)
		}
	}
	if name, ok := strings.CutPrefix(route, namePrefix); ok {
		return d.missingName(w, r, name)
	}
	if route == bundleRoute {
		return &web.Error{Problem: wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The OKF bundle has not been built yet."}}
	}
	return web.NotFound("No resource has this path.")
}

// bodyPrefixes are before the ids and keys of institutions.
var bodyPrefixes = []string{"/api/v1/institutions/", "/institution/"}

// missingBody leads from an institution that was merged to what it turned out to
// be (decisions-2 §B).
func (d site) missingBody(w http.ResponseWriter, r *http.Request, prefix, name string) error {
	if heir := d.s.MergedBodies[name]; heir != "" && d.exists(prefix+heir) {
		return d.redirect(w, r, prefix+heir)
	}
	return web.NotFound("No institution with a visible entry has this id or key.")
}

// bundleRoute answers 503 until a bundle was built (specification, "Errors").
const bundleRoute = "/api/v1/okf/bundle.tar.gz"

// missingEntry leads from former names to present ones (decisions §2, §4).
// part is the sub-resource, "" for the entry's own page.
func (d site) missingEntry(w http.ResponseWriter, r *http.Request, prefix, name, part string) error {
	p := d.s.Find(name)
	switch p.Standing {
	case query.Removed:
		return web.Removed(name, p.Successor)
	case query.Visible, query.Moved:
		if target := d.target(prefix, name, part, p); target != "" {
			return d.redirect(w, r, target)
		}
	}
	if part != "" && p.Standing != query.Unknown {
		return web.NotFound("The entry has no such sub-resource.")
	}
	return web.NotFound("No entry has this id or slug.")
}

// target is the route that answers in place of name and part, "" if there is
// none. Sub-resources lie under the id only.
func (d site) target(prefix, name, part string, p query.Place) string {
	if part != "" {
		if route := prefix + p.ID + "/" + part; name != p.ID && d.exists(route) {
			return route
		}
		return ""
	}
	handle := p.Slug
	if slices.Contains(pagePrefixes, prefix) {
		if i := d.s.ByID(p.ID); i >= 0 {
			handle = d.s.Lines[i].Slug
		}
	} else if p.Merged || len(name) == len(p.ID) && strings.EqualFold(name, p.ID) {
		handle = p.ID
	}
	if route := prefix + handle; name != handle && d.exists(route) {
		return route
	}
	return ""
}

// missingName leads from former names to the present one, and says why there
// is no RDF about an entry: it was removed, or DCAT-AP cannot hold it.
func (d site) missingName(w http.ResponseWriter, r *http.Request, name string) error {
	name, ext, kind := d.formOf(name)
	switch p := d.s.Find(name); p.Standing {
	case query.Removed:
		return web.Removed(name, p.Successor)
	case query.Visible, query.Moved:
		if kind != nil {
			return d.missingKind(w, r, name, p.ID, kind)
		}
		if reason := d.s.Lines[d.s.ByID(p.ID)].LeftOut; reason != "" {
			return web.NotFound("DCAT-AP cannot hold this entry (" + reason + "); what the register knows of it is at " +
				wire.Path(d.s.Site, entryPrefix+p.ID) + ".")
		}
		if p.ID != name && d.exists(namePrefix+p.ID+forms[0].ext) {
			return d.redirect(w, r, namePrefix+p.ID+ext)
		}
	}
	return web.NotFound("No entry has this id.")
}

// formOf parts what is asked for of an entry: its name, what follows it, and the kind of a
// document that is made of the answer about it, nil for RDF.
func (d site) formOf(route string) (name, ext string, kind *Derived) {
	for _, f := range forms {
		if name, ok := strings.CutSuffix(route, f.ext); ok {
			return name, f.ext, nil
		}
	}
	for i := range d.derived {
		k := &d.derived[i]
		if name, ok := strings.CutSuffix(route, k.Ext); ok && k.Ext != "" {
			return name, k.Ext, k
		}
	}
	return route, "", nil
}

// missingKind leads to the document of an entry's id, or says why the entry has none.
func (d site) missingKind(w http.ResponseWriter, r *http.Request, name, id string, kind *Derived) error {
	if route := namePrefix + id + kind.Ext; name != id && d.exists(route) {
		return d.redirect(w, r, route)
	}
	return web.NotFound(strings.TrimSpace("The entry has no such document. "+kind.None) + " What the register knows of it is at " + wire.Path(d.s.Site, entryPrefix+id) + ".")
}

// merged tells that a route is that of a merged institution, whose page is for hosts
// that cannot redirect.
func (d site) merged(route string) bool {
	for _, prefix := range bodyPrefixes {
		if name, ok := strings.CutPrefix(route, prefix); ok && d.s.MergedBodies[name] != "" {
			return true
		}
	}
	return false
}
