package tree

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/wire"
)

// forms are the RDF forms in which one route may lie, by extension; the first
// is sent to a client that has no preference.
var forms = []struct{ ext, media string }{
	{".ttl", "text/turtle"},
	{".jsonld", "application/ld+json"},
}

// negotiated answers a route that has no file of its own with the form the
// client prefers (RFC 9110, 12.5.1). It reports whether there is one.
func (t *Tree) negotiated(w http.ResponseWriter, r *http.Request, route string) (bool, error) {
	present := t.library.Present()
	best, bestQ := "", -1.0
	for _, f := range forms {
		if !t.exists(route + f.ext) {
			continue
		}
		if q := quality(r.Header.Get("Accept"), f.media); q > bestQ {
			best, bestQ = route+f.ext, q
		}
	}
	if best == "" {
		return false, nil
	}
	path, info := t.find(best)
	if info == nil {
		return false, nil
	}
	if err := refuseQuery(r, path); err != nil {
		return true, err
	}
	f, err := t.open(path, info)
	if err != nil {
		return true, err
	}
	w.Header().Set("Content-Location", best)
	err = t.answer(&varied{w}, r, route, f, present)
	return true, err
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

// quality is how much an Accept header wants a media type, 0 to 1. A client
// that names neither form gets one all the same, as the wish for a page cannot
// be met.
func quality(accept, media string) float64 {
	if accept == "" {
		return 1
	}
	kind, _, _ := strings.Cut(media, "/")
	best, rank := 0.0, -1
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		name = strings.ToLower(strings.TrimSpace(name))
		r := map[string]int{media: 2, kind + "/*": 1, "*/*": 0}
		level, ok := r[name]
		if !ok || level < rank {
			continue
		}
		best, rank = weight(params), level
	}
	return best
}

// weight reads the q parameter, 1 if there is none or it is broken.
func weight(params string) float64 {
	for p := range strings.SplitSeq(params, ";") {
		if v, ok := strings.CutPrefix(strings.TrimSpace(strings.ToLower(p)), "q="); ok {
			if q, err := strconv.ParseFloat(v, 64); err == nil && q >= 0 && q <= 1 {
				return q
			}
		}
	}
	return 1
}

// alternates names the RDF forms of the entry whose page lies at the path, for
// the Link header (RFC 8288).
func (t *Tree) alternates(path string) string {
	name, ok := strings.CutPrefix("/"+path, entryPrefix)
	name, page := strings.CutSuffix(name, "/index.json")
	if !ok || !page || strings.Contains(name, "/") {
		return ""
	}
	s := t.library.Current()
	if s == nil {
		return ""
	}
	p := s.Find(name)
	if p.ID == "" {
		return ""
	}
	var links []string
	for _, f := range forms {
		if t.exists("/id/" + p.ID + f.ext) {
			links = append(links, "<"+wire.Path(s.Site, "/id/"+p.ID+f.ext)+`>; rel="alternate"; type="`+f.media+`"`)
		}
	}
	return strings.Join(links, ", ")
}

// catalogue names the document of the register's own APIs for whoever asks for
// it with HEAD (RFC 9727, section 3).
func (t *Tree) catalogue(path string) string {
	const route = "/.well-known/api-catalog"
	if !strings.HasPrefix("/"+path, route) {
		return ""
	}
	site, _ := t.library.Site()
	return "<" + wire.Path(site, route) + `>; rel="api-catalog"`
}
