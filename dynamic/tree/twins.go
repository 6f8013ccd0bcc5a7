package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// mediaMarkdown is what agents ask for that read text.
const mediaMarkdown = "text/markdown"

// shown is the entry whose own page a route is, -1 for another route.
func (t *Tree) shown(route string) (s *query.Snapshot, ordinal int) {
	name, ok := strings.CutPrefix(route, entryPrefix)
	if !ok {
		name, ok = strings.CutPrefix(route, pagePrefix)
	}
	if s = t.library.Current(); !ok || s == nil || strings.Contains(name, "/") {
		return nil, -1
	}
	p := s.Find(name)
	if p.Standing != query.Visible {
		return nil, -1
	}
	return s, s.ByID(p.ID)
}

// outcome is what became of the wish for another form of a page.
type outcome int

const (
	// none: the client prefers the page.
	none outcome = iota
	// lacking: there is no such form, so the page has to do.
	lacking
	// answered: the client got the form.
	answered
)

// twin answers the page of an entry in the form that the client prefers to the
// page itself: markdown or RDF (RFC 9110, section 12.5.1). It returns the
// writer for the page when that is to follow.
func (t *Tree) twin(w http.ResponseWriter, r *http.Request, route string) (page http.ResponseWriter, o outcome, err error) {
	s, at := t.shown(route)
	if at < 0 {
		return w, none, nil
	}
	l := &s.Lines[at]
	retire(w.Header(), l.Deprecated, l.Sunset)
	w = web.Varied(w, "Accept")
	own := wire.MediaJSON
	if strings.HasPrefix(route, pagePrefix) {
		own = "text/html"
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	other := ""
	switch web.Prefer(accept, own, mediaMarkdown, forms[0].media, forms[1].media) {
	case mediaMarkdown:
		other = wire.OKFRoute(l.Type, l.Slug)
	case forms[0].media:
		other = namePrefix + l.ID + forms[0].ext
	case forms[1].media:
		other = namePrefix + l.ID + forms[1].ext
	}
	if other == "" {
		return w, none, nil
	}
	path, info := t.find(other)
	if info == nil {
		return w, lacking, nil
	}
	if err := refuseQuery(r, path); err != nil {
		return w, answered, err
	}
	f, err := t.open(path, info)
	if errors.Is(err, fs.ErrNotExist) {
		return w, lacking, nil
	}
	if err != nil {
		return w, answered, err
	}
	w.Header().Set("Content-Location", wire.Path(s.Site, other))
	err = t.answer(w, r, route, f, t.library.Present())
	return w, answered, err
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
