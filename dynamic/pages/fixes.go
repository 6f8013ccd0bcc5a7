package pages

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
)

// Fixes answers what an institution can mend, in a language.
func Fixes(c Config, lang string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		current := c.Current()
		if current == nil {
			return c.Static(w, r)
		}
		asked := url.Values{}
		if page := values.Get("page"); page != "" {
			asked.Set("page", page)
		}
		var list wire.Fixes
		problem, err := c.ask(r, current, strings.ReplaceAll(wire.FixesPath, "{id}", url.PathEscape(r.PathValue("id"))), asked, &list)
		if err != nil {
			return err
		}
		if problem != "" {
			return web.NotFound(problem)
		}
		body, err := c.Views.Fixes(current, lang, &list)
		if err != nil {
			return err
		}
		d := web.Document{Head: web.Head{Type: view.HTML, Cache: web.CacheLive}, Body: web.NewBody(body)}
		return d.Write(w, r)
	}
}
