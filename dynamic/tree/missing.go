package tree

import (
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
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

// missing says what became of a route that has no file.
func (t *Tree) missing(w http.ResponseWriter, r *http.Request, route string) error {
	if err := t.library.Check(); err != nil {
		return err
	}
	if id := pinnedTo(route); id != "" && !t.lies().folder("s/"+id) {
		return query.Expired(id)
	}
	for _, prefix := range []string{entryPrefix, badgePrefix, pagePrefix} {
		if rest, ok := strings.CutPrefix(route, prefix); ok && plain(route) {
			name, part, _ := strings.Cut(rest, "/")
			return t.missingEntry(w, r, prefix, name, part)
		}
	}
	for _, prefix := range bodyPrefixes {
		if name, ok := strings.CutPrefix(route, prefix); ok && plain(route) {
			return t.missingBody(w, r, prefix, name)
		}
	}
	if name, ok := strings.CutPrefix(route, namePrefix); ok && plain(route) {
		return t.missingName(w, r, name)
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
func (t *Tree) missingBody(w http.ResponseWriter, r *http.Request, prefix, name string) error {
	if s := t.library.Current(); s != nil {
		if heir := s.MergedBodies[name]; heir != "" && t.exists(prefix+heir) {
			return t.redirect(w, r, prefix+heir)
		}
	}
	return web.NotFound("No institution with a visible entry has this id or key.")
}

// bundleRoute answers 503 until a bundle was built (specification, "Errors").
const bundleRoute = "/api/v1/okf/bundle.tar.gz"

// missingEntry leads from former names to present ones (decisions §2, §4).
// part is the sub-resource, "" for the entry's own page.
func (t *Tree) missingEntry(w http.ResponseWriter, r *http.Request, prefix, name, part string) error {
	s := t.library.Current()
	if s == nil {
		return web.NotFound("No entry has this id or slug.")
	}
	p := s.Find(name)
	if p.Standing == query.Visible && t.gone(prefix, p) {
		p = t.library.Current().Find(name)
	}
	switch p.Standing {
	case query.Removed:
		return web.Removed(name, p.Successor)
	case query.Visible, query.Moved:
		if target := t.target(prefix, name, part, p); target != "" {
			return t.redirect(w, r, target)
		}
	}
	if part != "" && p.Standing != query.Unknown {
		return web.NotFound("The entry has no such sub-resource.")
	}
	return web.NotFound("No entry has this id or slug.")
}

// target is the route that answers in place of name and part, "" if there is
// none. Sub-resources lie under the id only.
func (t *Tree) target(prefix, name, part string, p query.Place) string {
	if part != "" {
		if route := prefix + p.ID + "/" + part; name != p.ID && t.exists(route) {
			return route
		}
		return ""
	}
	handle := p.Slug
	if prefix == pagePrefix {
		if i := t.library.Current().ByID(p.ID); i >= 0 {
			handle = t.library.Current().Lines[i].Slug
		}
	} else if p.Merged || len(name) == len(p.ID) && strings.EqualFold(name, p.ID) {
		handle = p.ID
	}
	if route := prefix + handle; name != handle && t.exists(route) {
		return route
	}
	return ""
}

// missingName leads from former names to the present one, and says why there
// is no RDF about an entry: it was removed, or DCAT-AP cannot hold it.
func (t *Tree) missingName(w http.ResponseWriter, r *http.Request, name string) error {
	ext := ""
	for _, f := range forms {
		if rest, ok := strings.CutSuffix(name, f.ext); ok {
			name, ext = rest, f.ext
		}
	}
	s := t.library.Current()
	if s == nil {
		return web.NotFound("No entry has this id.")
	}
	switch p := s.Find(name); p.Standing {
	case query.Removed:
		return web.Removed(name, p.Successor)
	case query.Visible, query.Moved:
		if reason := s.Lines[s.ByID(p.ID)].LeftOut; reason != "" {
			return web.NotFound("DCAT-AP cannot hold this entry (" + reason + "); what the register knows of it is at " +
				wire.Path(s.Site, entryPrefix+p.ID) + ".")
		}
		if p.ID != name && t.exists(namePrefix+p.ID+forms[0].ext) {
			return t.redirect(w, r, namePrefix+p.ID+ext)
		}
	}
	return web.NotFound("No entry has this id.")
}

// left tells that a route is answered with what became of it although a file lies
// there. The page of an entry may be of an older snapshot and not yet swept away:
// the entry is no more, or has another name. That of a merged institution is for
// hosts that cannot redirect.
func (t *Tree) left(route string) bool {
	s := t.library.Current()
	if s == nil {
		return false
	}
	for _, prefix := range bodyPrefixes {
		if name, ok := strings.CutPrefix(route, prefix); ok && s.MergedBodies[name] != "" {
			return true
		}
	}
	rest, ok := strings.CutPrefix(route, entryPrefix)
	if !ok {
		return false
	}
	name, _, _ := strings.Cut(rest, "/")
	standing := s.Find(name).Standing
	return standing == query.Removed || standing == query.Moved
}

// gone tells that an entry which the present snapshot shows has no page any
// more: a build has just replaced it, and the new one is read at once.
func (t *Tree) gone(prefix string, p query.Place) bool {
	if prefix != entryPrefix || t.exists(entryPrefix+p.ID) {
		return false
	}
	return t.library.Refresh(time.Now()) == nil
}
