package pages

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
)

// Screen is a page that the service makes for one reader.
type Screen struct {
	// ID names the screen's strings and, with ".html", its template.
	ID string
	// Title replaces that of the strings, "" for none.
	Title string
	// Data is what the template shows.
	Data any
}

// screenList are the screens; a test fails if a template is in no list.
var screenList = []string{"submit", "report", "watch", "submission", "done", "evidence", "login", "desk", "desk-queue", "desk-submissions", "desk-entry",
	"desk-sources", "desk-institutions", "desk-webhooks", "desk-webhook", "desk-jobs", "desk-audit", "desk-tokens", "desk-problem"}

// screenPieces are the templates that screens share.
const screenPieces = "pieces.html"

// Screen renders a page for one reader; search engines are to leave it alone.
func (p *Pages) Screen(c *snapshot.Catalog, s Screen) ([]byte, error) {
	if !slices.Contains(screenList, s.ID) {
		return nil, fmt.Errorf("no screen %q", s.ID)
	}
	k, t := p.kit(c.Site), tongues()[languages[0]]
	name := s.ID + ".html"
	tmpl, err := template.New(name).Funcs(k.funcs(t)).ParseFS(templates.Files, name, screenPieces)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := tmpl.Execute(&b, s.Data); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	// The pages of the desk share a description.
	family, _, _ := strings.Cut(s.ID, "-")
	title := s.Title
	if title == "" {
		title = t.str(s.ID + ".title")
	}
	return k.document(&Head{Title: title, Description: t.str(family + ".description"), Route: "/" + s.ID, Hidden: true}, b.Bytes())
}
