package documents

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// mediaMarkdown is what agents ask for that read text.
const mediaMarkdown = "text/markdown"

// shown is the entry whose own page a route is, nil for another route.
func (d site) shown(route string) *snapshot.Line {
	name, ok := strings.CutPrefix(route, entryPrefix)
	if !ok {
		name, ok = ofPage(route)
	}
	if !ok || strings.Contains(name, "/") {
		return nil
	}
	p := d.s.Find(name)
	if p.Standing != query.Visible {
		return nil
	}
	return &d.s.Lines[d.s.ByID(p.ID)]
}

// ofPage is the slug of the entry whose page a route is, in whatever language.
func ofPage(route string) (slug string, ok bool) {
	for _, prefix := range pagePrefixes {
		if slug, ok = strings.CutPrefix(route, prefix); ok {
			return slug, true
		}
	}
	return "", false
}

// alternate answers the page of an entry in the form that the client prefers to the
// page itself: markdown or RDF (RFC 9110, section 12.5.1). It returns the
// writer for the page when that is to follow, as where there is no such form.
func (d site) alternate(w http.ResponseWriter, r *http.Request, route string) (page http.ResponseWriter, done bool, err error) {
	l := d.shown(route)
	if l == nil {
		return w, false, nil
	}
	retire(w.Header(), l.Deprecated, l.Sunset)
	w = web.Varied(w, "Accept")
	own := wire.MediaJSON
	if _, page := ofPage(route); page {
		own = "text/html"
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	other := ""
	switch media := web.Prefer(accept, append([]string{own, mediaMarkdown}, formMedia...)...); media {
	case own:
	case mediaMarkdown:
		other = wire.OKFRoute(l.Type, l.Slug)
	default:
		other = namePrefix + l.ID + forms[slices.Index(formMedia, media)].ext
	}
	if other == "" {
		return w, false, nil
	}
	doc, err := d.get(other)
	if err != nil || doc == nil {
		return w, err != nil, err
	}
	if err := refuseQuery(r, doc.head.Type); err != nil {
		return w, true, err
	}
	w.Header().Set("Content-Location", wire.Path(d.s.Site, other))
	return w, true, d.answer(w, r, doc)
}

// retire says since when an entry is deprecated (RFC 9745) and when its source
// will stop (RFC 8594), in Unix seconds, 0 for neither.
func retire(h http.Header, deprecated, sunset int64) {
	if deprecated != 0 {
		h["Deprecation"] = []string{fmt.Sprintf("@%d", deprecated)}
	}
	if sunset != 0 {
		h["Sunset"] = []string{time.Unix(sunset, 0).UTC().Format(http.TimeFormat)}
	}
}
