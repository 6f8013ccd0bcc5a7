package pages

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// PastAsked is what a reader asked of the past of an entry, and what the interface answered:
// nil where it was not asked, or Problem says why not.
type PastAsked struct {
	Entry, From, To string
	Problem         string
	History         *wire.EntryHistory
	Differences     *wire.EntryDifferences
}

// Past renders what the register said of an entry on other days.
func (p *Pages) Past(c *snapshot.Catalog, lang string, asked *PastAsked) ([]byte, error) {
	b, t := p.bookOf(c), locales()[lang]
	page := templates.Past{Entry: asked.Entry, From: asked.From, To: asked.To, Problem: asked.Problem}
	title := t.str("past.title")
	if h := asked.History; h != nil {
		page.ID, page.Slug, page.Name = h.EntryID, h.Slug, titleOf(c, lang, h.EntryID, h.Name)
		page.More = h.Total - len(h.Items)
		page.Events = pastEvents(t, h.Items)
		for _, k := range h.Kept {
			if k.CreatedAt != nil {
				page.Kept = append(page.Kept, templates.PastAnswer{At: instantOf(*k.CreatedAt), Route: "/api/v1/evidence/" + k.ID})
			}
		}
		if page.Name != "" {
			title = page.Name + " · " + title
		}
	}
	if d := asked.Differences; d != nil {
		page.Between = url.Values{"from": {d.From}, "to": {d.To}}.Encode()
		page.Before, page.After = "standing."+d.StandingFrom, "standing."+d.StandingTo
		page.Same, page.Unknown = strings.Join(d.Same, ", "), strings.Join(d.Unknown, ", ")
		for _, m := range d.Members {
			page.Rows = append(page.Rows, templates.PastRow{Name: m.Name, Before: pastValue(m.From), After: pastValue(m.To),
				BeforeBasis: "past.basis." + m.FromBasis, AfterBasis: "past.basis." + m.ToBasis})
		}
	}
	return b.component(&Head{Lang: lang, Title: title, Description: t.str("past.lead"), Route: "/past", Translated: true, Hidden: true}, page.Page(b.sites[lang]))
}

// emptyPast is the page before anything is asked for.
func emptyPast(b *snapshotView, t *locale) (templ.Component, error) {
	return new(templates.Past).Page(b.sites[t.code]), nil
}

func pastEvents(t *locale, list []wire.PastEvent) (out []templates.PastEvent) {
	for i := range list {
		e := &list[i]
		x := templates.PastEvent{At: instantOf(e.At), What: t.word("event", happened(e))}
		var fields []string
		for _, c := range e.Changes {
			fields = append(fields, c.Field)
		}
		x.Fields = strings.Join(fields, ", ")
		if e.Leaf != nil {
			x.Leaf = strconv.FormatInt(*e.Leaf, 10)
		}
		out = append(out, x)
	}
	return out
}

// happened is the word for an event: an entry that answers for the first time does not
// answer again.
func happened(e *wire.PastEvent) string {
	if e.Type != string(catalog.EventVerified) {
		return e.Type
	}
	for _, c := range e.Changes {
		if c.Field == "verification_state" && c.From == string(catalog.StateUnverified) {
			return "entry.first_verified"
		}
	}
	return e.Type
}

// pastValueShown is how much of a value a table shows, in characters.
const pastValueShown = 300

// pastValue writes a value for people: text as it is, all else as JSON.
func pastValue(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) != nil {
		s = string(v)
	}
	if string(v) == "null" {
		s = ""
	}
	return cmp.Or(templates.Clip(s, pastValueShown), "–")
}

func instantOf(s string) time.Time {
	at, _ := time.Parse(time.RFC3339, s) // the register wrote it
	return at
}
