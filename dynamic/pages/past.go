package pages

import (
	"net/http"
	"net/url"

	"github.com/assay-register/assay/dynamic/web"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Past answers /past in a language: what the register said of an entry on other days.
func Past(c Config, lang string) web.Handler {
	return c.page(func(current *snapshot.Catalog, r *http.Request, asked url.Values) ([]byte, error) {
		page := view.PastAsked{Entry: asked.Get("entry"), From: asked.Get("from"), To: asked.Get("to")}
		entry := "/api/v1/entries/" + url.PathEscape(page.Entry)
		if page.Entry == "" {
			return c.Views.Past(current, lang, &page)
		}
		window := url.Values{}
		for _, name := range []string{"from", "to"} {
			if v := asked.Get(name); v != "" {
				window.Set(name, v)
			}
		}
		var history wire.EntryHistory
		var err error
		if page.Problem, err = c.ask(r, current, entry+"/history", url.Values{}, &history); err != nil || page.Problem != "" {
			return c.past(current, lang, &page, err)
		}
		page.History = &history
		if page.From == "" {
			return c.Views.Past(current, lang, &page)
		}
		var differences wire.EntryDifferences
		if page.Problem, err = c.ask(r, current, entry+"/differences", window, &differences); err == nil && page.Problem == "" {
			page.Differences = &differences
		} else {
			page.History = nil
		}
		return c.past(current, lang, &page, err)
	})
}

func (c Config) past(current *snapshot.Catalog, lang string, page *view.PastAsked, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return c.Views.Past(current, lang, page)
}
