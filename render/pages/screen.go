package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
)

// Screen is a page that the service makes for one reader.
type Screen struct {
	// ID names the screen's strings.
	ID string
	// Lang is the language of the page, the first one if "" or none of the interface.
	Lang string
	// Route is where the page lies in the first language, if it exists in every one, with its
	// query; "" for a page with one address.
	Route string
	// Title replaces that of the strings, TitleKey chooses another one of them;
	// "" for none.
	Title, TitleKey string
	// Main is the main part of the page.
	Main Main
}

// Main is what a page shows.
type Main interface {
	Page(*templates.Site) templ.Component
}

// screenScripts are the assets that a screen needs besides the site's own.
var screenScripts = map[string][]string{"desk-queue": {"desk.js"}, "desk-bulk": {"desk.js"}, "verify": {"verify.js"}}

// Screen renders a page for one reader; search engines are to leave it alone.
func (p *Pages) Screen(c *snapshot.Catalog, s Screen) ([]byte, error) {
	lang := s.Lang
	if !slices.Contains(languages, lang) {
		lang = languages[0]
	}
	k, t := p.renderer(c.Site), locales()[lang]
	// The pages of the desk share a description.
	family, _, _ := strings.Cut(s.ID, "-")
	title := s.Title
	if title == "" {
		title = t.str(cmp.Or(s.TitleKey, s.ID+".title"))
	}
	h := &Head{Lang: lang, Title: title, Description: t.str(family + ".description"), Route: cmp.Or(s.Route, "/"), Translated: s.Route != "", Hidden: true, Scripts: screenScripts[s.ID]}
	return k.component(h, s.Main.Page(k.sites[lang]))
}
