package watches

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

//go:embed templates
var files embed.FS

var pages = template.Must(template.ParseFS(files, "templates/page.html"))

// view is what a page of a watch shows.
type view struct {
	Register, Home     string
	Title, Text, Saved string
	// Button posts to the address of the page.
	Button         string
	Link, LinkText string
	// Choices are the frequencies of the form.
	Choices []choice
	End     string
}

type choice struct {
	Value   catalog.Frequency
	Text    string
	Checked bool
}

// policy lets nothing in and nothing out: no script, no frame, no request but
// the form's. The address holds a token, so it is told to nobody.
var policy = map[string]string{
	"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	"Referrer-Policy":         "no-referrer", "X-Robots-Tag": "noindex", "Cache-Control": web.CacheNever, "Vary": "Accept",
	"Content-Type": "text/html; charset=utf-8",
}

func (g *Group) page(w http.ResponseWriter, r *http.Request, status int, v *view) error {
	site := g.Site()
	v.Register, v.Home = site.Name, site.BaseURL+"/"
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, "page.html", v); err != nil {
		return err
	}
	for name, value := range policy {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(b.Bytes()) //nolint:errcheck // the client is gone, nobody can be told
	}
	return nil
}

// refuse answers a token that is good no more, as a page to a browser.
func (g *Group) refuse(w http.ResponseWriter, r *http.Request, err error) error {
	if !errors.Is(err, catalog.ErrNotFound) {
		return err
	}
	if wantsJSON(r) {
		return web.NotFound("The token is not known, was used, or has expired.")
	}
	return g.page(w, r, http.StatusNotFound, &view{Title: "This link is no longer valid", Text: "It was used already, has expired, or the watch has ended. You can ask for a new watch at any time."})
}

// wantsJSON tells a program from a browser; one that does not say is a browser.
func wantsJSON(r *http.Request) bool {
	return web.Prefer(strings.Join(r.Header.Values("Accept"), ","), "text/html", wire.MediaJSON) == wire.MediaJSON
}

func (g *Group) managePath(token string) string {
	return wire.Path(g.Site(), notify.RouteManage+token)
}

func (g *Group) manageView(w *catalog.Watch, token, saved string) *view {
	v := &view{Title: "Your watch", Text: "How often do you want mail?", Saved: saved, Button: "Save", End: wire.Path(g.Site(), notify.RouteUnsubscribe+token)}
	for _, c := range []choice{{catalog.FrequencyImmediate, "As soon as something happens", false}, {catalog.FrequencyDaily, "At most one mail a day", false},
		{catalog.FrequencyWeekly, "At most one mail a week", false}} {
		c.Checked = c.Value == w.Frequency
		v.Choices = append(v.Choices, c)
	}
	return v
}
