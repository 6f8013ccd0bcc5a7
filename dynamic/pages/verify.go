package pages

import (
	"net/http"

	"github.com/assay-register/assay/dynamic/web"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/templates"
	"github.com/assay-register/assay/templates/info"
)

// Verify answers /verify in a language: the page of the snapshot, unless its address names an
// entry that there is not.
func Verify(c Config, lang string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		values, err := web.DecodeQuery(r.URL.RawQuery)
		current := c.Current()
		name := values.Get("entry")
		if err != nil || current == nil || name == "" {
			return c.Static(w, r) // which ignores what is not known
		}
		status, err := c.API.Lacks(r.Context(), current.Site, name)
		if err != nil {
			return err
		}
		if status == 0 {
			return c.Static(w, r)
		}
		body, err := c.Views.Screen(current, view.Screen{ID: "verify", Lang: lang, Route: "/verify", Main: &info.Verify{Trouble: templates.NoEntry(status)}})
		if err != nil {
			return err
		}
		web.ReplyPage(w, r, status, body)
		return nil
	}
}
