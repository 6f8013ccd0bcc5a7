package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/snapshot"
)

// Screen is a page that the service makes for one reader.
type Screen struct {
	// ID names the screen's strings and, with ".html", its template.
	ID string
	// Lang is the language of the page, that of pages in one language if "" or
	// none of the interface.
	Lang string
	// Title replaces that of the strings, TitleKey chooses another one of them;
	// "" for none.
	Title, TitleKey string
	// Data is what the template shows.
	Data any
}

// screenList are the screens; a test fails if a template is in no list.
var screenList = []string{"submit", "report", "watch", "watch-step", "watch-manage", "submission", "done", "evidence", "login", "desk", "desk-queue", "desk-bulk", "desk-decisions", "desk-trust", "desk-submissions", "desk-duplicates", "desk-entry",
	"desk-sources", "desk-publishers", "desk-institutions", "desk-webhooks", "desk-webhook", "desk-jobs", "desk-audit", "desk-tokens", "desk-problem"}

// screenScripts are the assets that a screen needs besides the site's own.
var screenScripts = map[string][]string{"desk-queue": {"desk.js"}, "desk-bulk": {"desk.js"}}

// screenFragments are the templates that screens share.
const screenFragments = "fragments.html"

// Screen renders a page for one reader; search engines are to leave it alone.
func (p *Pages) Screen(c *snapshot.Catalog, s Screen) ([]byte, error) {
	if !slices.Contains(screenList, s.ID) {
		return nil, fmt.Errorf("no screen %q", s.ID)
	}
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
	return k.templated(&Head{Lang: lang, Title: title, Description: t.str(family + ".description"), Route: "/" + s.ID, Hidden: true, Scripts: screenScripts[s.ID]}, s.ID+".html", s.Data)
}
