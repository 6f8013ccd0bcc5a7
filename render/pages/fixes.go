package pages

import (
	"encoding/json"
	"fmt"

	"github.com/assay-register/assay/render/lint"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// Fixes renders what an institution can mend.
func (p *Pages) Fixes(c *snapshot.Catalog, lang string, list *wire.Fixes) ([]byte, error) {
	b := p.bookOf(c)
	site := b.sites[lang]
	name := list.Name
	if i := c.Institutions[list.InstitutionID]; i != nil {
		name = locales()[lang].body(i)
	}
	page := templates.Fixes{ID: list.InstitutionID, Name: name, Total: list.Total, Concerned: concerned(c, list.InstitutionID), Number: list.Page, Pages: list.TotalPages}
	for i := range list.Rules {
		x := &list.Rules[i]
		page.Rules = append(page.Rules, templates.FixesRule{Advice: Advice(x.Rule), Entries: x.Entries, Points: x.Points})
	}
	for i := range list.Items {
		x := &list.Items[i]
		f := templates.Fix{Name: titleOf(c, lang, x.EntryID, x.Name), Route: "/entry/" + x.Slug, Advice: Advice(x.Rule), Must: x.Severity == "must", Points: x.Points, Source: x.Source, SourceURL: x.SourceURL}
		if x.Turtle != nil {
			f.Patch = *x.Turtle
		} else if len(x.JSONPatch) > 0 {
			if doc, err := json.MarshalIndent(x.JSONPatch, "", "  "); err == nil {
				f.Patch = string(doc)
			}
		}
		page.Items = append(page.Items, f)
	}
	return b.component(&Head{Lang: lang, Title: site.Say("fixes.title", "name", name), Description: site.T("fixes.about"), Route: fmt.Sprintf("/institution/%s/fixes", list.InstitutionID),
		Translated: true, Hidden: true}, page.Page(site))
}

// concerned counts the listed entries of an institution that lack anything.
func concerned(c *snapshot.Catalog, id string) (n int) {
	for _, h := range c.Holdings() {
		if h.Institution.ID != id {
			continue
		}
		for _, o := range h.Ordinals {
			if l := &c.Lines[o]; l.Listed() && len(lint.Unpack(l.Mend)) > 0 {
				n++
			}
		}
	}
	return n
}

// titleOf is the title of an entry in a language, and the one that is known of an entry that left.
func titleOf(c *snapshot.Catalog, lang, id, known string) string {
	n := c.ByID(id)
	if n < 0 {
		return known
	}
	title, _ := c.Lines[n].TitleIn(lang)
	return title
}

// Advice is the key of the string that says what to do: that of the first rule of the
// quality score that is met by filling the field in.
func Advice(rule string) string {
	for _, r := range score.Rules() {
		if lint.GapRule(r.Field) == rule {
			return "advice." + r.ID
		}
	}
	return "fixes.licence"
}
