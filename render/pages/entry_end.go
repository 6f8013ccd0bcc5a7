package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// trails are the first of the fields that come from one origin alike.
func (v *view) trails(list []*catalog.FieldRow) []*catalog.FieldRow {
	for i := range v.Row.Provenance.Rows {
		p := &v.Row.Provenance.Rows[i]
		if !slices.ContainsFunc(list, func(first *catalog.FieldRow) bool { return sameOrigin(first, p) }) {
			list = append(list, p)
		}
	}
	return list
}

// sameOrigin tells that two fields come from one source on one day in one way.
func sameOrigin(a, b *catalog.FieldRow) bool {
	return a.Basis == b.Basis && a.SourceID == b.SourceID && a.SourceURL == b.SourceURL && a.Note == b.Note && a.Transform == b.Transform &&
		upstream(a) == upstream(b) && a.ObservedAt.Unix()/86400 == b.ObservedAt.Unix()/86400
}

// upstream is the upstream field that the page names, "" where it names none.
func upstream(p *catalog.FieldRow) string {
	if p.Note != "" || p.Transform != "" || p.UpstreamField == p.Field {
		return ""
	}
	return p.UpstreamField
}

// origins lists where each field comes from.
func (w *writer) origins(v *view) {
	var room [originsShown]*catalog.FieldRow
	list := v.trails(room[:0])
	w.part("provenance", "origin.heading")
	w.raw("<p>")
	w.t("origin.about")
	w.raw(" <a")
	w.route("href", "/api/v1/entries/", v.e.ID, "/provenance")
	w.raw(">JSON</a></p>")
	if len(list) > 0 {
		w.more("origin.show")
		w.table("origin.heading", "origin.field", "origin.basis", "origin.source", "origin.seen")
		for _, p := range list[:min(len(list), originsShown)] {
			w.origin(v, p)
		}
		w.endTable()
		w.rest(len(list), originsShown)
		w.endMore()
	}
	w.end()
}

func (w *writer) origin(v *view, p *catalog.FieldRow) {
	w.raw(`<tr><th scope="row" class="mono" translate="no">`)
	w.originFields(v, p)
	w.raw("</th><td>")
	w.t("origin.is." + string(p.Basis))
	w.raw(`</td><td translate="no">`)
	source := p.SourceID
	if v.Source != nil && p.SourceID == v.Source.ID {
		source = v.Source.Title
	}
	w.web(p.SourceURL, clip(cmp.Or(source, p.SourceURL), 80))
	if note := cmp.Or(p.Note, p.Transform, p.UpstreamField); note != "" && note != p.Field {
		w.raw(`<br><span class="small soft" dir="auto">`)
		w.clip(note, 160)
		w.raw("</span>")
	}
	w.raw("</td><td>")
	if !p.ObservedAt.IsZero() {
		w.day(p.ObservedAt)
	}
	w.raw("</td></tr>")
}

// originFields names the fields that come from where the first of them does.
func (w *writer) originFields(v *view, first *catalog.FieldRow) {
	var comma markup
	for i := range v.Row.Provenance.Rows {
		if p := &v.Row.Provenance.Rows[i]; p == first || sameOrigin(first, p) {
			w.raw(comma)
			w.text(p.Field)
			comma = ", "
		}
	}
}

// cite gives the entry as text and as BibTeX, and the badges.
func (w *writer) cite(v *view) {
	name, by := cmp.Or(strings.TrimSpace(v.e.Name), v.e.Slug), v.publisher()
	w.part("cite", "cite.heading")
	w.code("cite.text")
	if by != "" {
		w.text(strings.TrimRight(by, ". "))
		w.raw(". ")
	}
	w.text(name)
	w.raw(". In: ")
	w.text(w.site.Name)
	w.raw(", ")
	w.date(v.ChangedAt)
	w.raw(". ")
	w.address(v)
	w.endCode()
	w.bibtex(v, name, by)
	w.end()
	w.badges(v)
}

// address writes the address of the entry's page as text.
func (w *writer) address(v *view) {
	w.text(w.base)
	w.raw("/entry/")
	w.text(v.e.Slug)
}

func (w *writer) bibtex(v *view, name, by string) {
	w.code("cite.bibtex")
	w.raw("@misc{")
	w.text(v.e.Slug)
	w.raw(",\n  title = {{")
	w.text(latex(name))
	if by != "" {
		w.raw("}},\n  author = {{")
		w.text(latex(by))
	}
	w.raw("}},\n  year = {")
	from := len(w.b)
	w.date(v.ChangedAt)
	w.b = w.b[:from+len("2006")]
	w.raw("},\n  note = {As listed on ")
	w.date(v.ChangedAt)
	w.raw("},\n  howpublished = {\\url{")
	w.address(v)
	w.raw("}}\n}")
	w.endCode()
}

// latex escapes the characters that TeX reads as commands.
func latex(s string) string { return latexEscapes.Replace(s) }

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`, "$", `\$`, "~", `\~{}`, "^", `\^{}`, "\n", " ")

// badgeKinds are the pictures that a badge can be (specification, "Badges").
var badgeKinds = []string{"combined", "verified", "tier", "score", "type", "access"}

// badges shows the badge with its code; a script of the site lets the reader
// choose another kind and language of markup.
func (w *writer) badges(v *view) {
	w.part("badge", "badge.heading")
	w.raw(`<div class="stack" data-badge`)
	w.attr("data-page", w.base, "/entry/", v.e.Slug)
	w.attr("data-picture", w.base, badgeRoute, v.e.Slug, "/")
	w.raw(`><p><img alt="" height="20"`)
	w.route("src", badgeRoute, v.e.Slug, "/", badgeKinds[0])
	w.raw(`></p>`)
	w.same("badges", "", w.badgeForm)
	w.code("badge.code")
	w.raw("[![")
	w.text(strings.ReplaceAll(w.site.Name, "]", ""))
	w.raw("](")
	w.text(w.base)
	w.raw(badgeRoute)
	w.text(v.e.Slug)
	w.raw("/")
	w.text(badgeKinds[0])
	w.raw(")](")
	w.address(v)
	w.raw(")")
	w.endCode()
	w.raw("</div>")
	w.end()
}

// badgeRoute is the beginning of the route of a badge.
const badgeRoute = "/api/v1/badges/"

// badgeForm lets the reader choose a badge.
func (w *writer) badgeForm() {
	w.raw(`<div class="chips" hidden data-badge-form><label>`)
	w.t("badge.kind")
	w.raw(` <select name="kind">`)
	for _, k := range badgeKinds {
		w.raw("<option")
		w.attr("value", k)
		w.raw(">")
		w.t("badge." + k)
		w.raw("</option>")
	}
	w.raw(`</select></label><label>`)
	w.t("badge.as")
	w.raw(` <select name="as" translate="no"><option>Markdown</option><option>HTML</option><option>AsciiDoc</option><option>reStructuredText</option></select></label></div>`)
}

// publisher leads to the page of the body behind it, if there is one.
func (w *writer) publisher(v *view, by string) {
	i := v.Institution
	if i == nil || !catalog.IsID(i.ID) {
		w.outside(by)
		return
	}
	w.raw("<a")
	w.route("href", "/institution/", i.ID)
	w.raw(">")
	w.outside(by)
	w.raw("</a>")
}

// rail is what stands beside the entry: the facts, its other forms, and what a
// reader can do.
func (w *writer) rail(v *view) {
	e := v.e
	w.raw(`<aside class="rail" id="about" aria-label="`)
	w.t("rail.heading")
	w.raw(`"><div class="card"><h2>`)
	w.t("rail.facts")
	w.raw(`</h2><dl class="stack">`)
	if by := v.publisher(); by != "" {
		w.term("rail.publisher")
		w.publisher(v, by)
		w.endTerm()
	}
	if v.Source != nil {
		w.term("rail.source")
		w.raw("<a")
		w.route("href", "/source/", v.Source.ID)
		w.raw(">")
		w.outside(clip(cmp.Or(v.Source.Title, v.Source.Key, v.Source.ID), 80))
		w.raw("</a>")
		w.endTerm()
	}
	w.contact(e.Contact)
	if e.NativeLang != "" {
		w.term("rail.language")
		w.raw(`<span translate="no">`)
		w.text(w.locale.languageOf(e.NativeLang))
		w.raw("</span>")
		w.endTerm()
	}
	if e.AccessRights != "" {
		w.term("facet.rights")
		w.t("rights." + string(e.AccessRights))
		w.endTerm()
	}
	w.term("rail.scope")
	w.t("scope." + string(v.Result.Scope))
	w.endTerm()
	w.term("rail.listed")
	w.day(e.PublishedAt)
	w.endTerm()
	w.raw(`</dl></div>`)
	w.railForms(v)
	w.railActs(v)
	w.raw("</aside>")
}

func (w *writer) contact(c *catalog.Contact) {
	if c == nil || c.Name == "" && c.Email == "" && !linkable(c.URL) {
		return
	}
	w.term("rail.contact")
	if linkable(c.URL) {
		w.web(c.URL, cmp.Or(c.Name, c.Email, clip(c.URL, 60)))
	} else {
		w.outside(cmp.Or(c.Name, c.Email))
	}
	w.endTerm()
}

// railForms leads to the entry's machine-readable forms.
func (w *writer) railForms(v *view) {
	w.raw(`<div class="card"><h2>`)
	w.t("rail.forms")
	w.raw(`</h2><ul translate="no">`)
	w.railLink("JSON", "/api/v1/entries/", v.e.ID)
	w.raw(slot) // RDF, where DCAT-AP holds the entry
	w.railLink("Markdown (OKF)", "/api/v1/okf/", sectionOf(v.e.Type), "/", v.e.Slug, ".md")
	w.railLink("quality-score", "/api/v1/entries/", v.e.ID, "/quality-score")
	w.railLink("checks", "/api/v1/entries/", v.e.ID, "/checks")
	w.raw("</ul></div>")
}

func (w *writer) railLink(label markup, route ...string) {
	w.raw("<li><a")
	w.route("href", route...)
	w.raw(">", label, "</a></li>")
}

// railActs are what a reader can do about the entry.
func (w *writer) railActs(v *view) {
	w.raw(`<div class="card"><h2>`)
	w.t("rail.act")
	w.raw(`</h2><ul>`)
	w.railAct("act.watch", "/watch?entry=", v.e.Slug)
	w.railAct("act.feed", "/api/v1/feeds/entry/", v.e.ID, ".atom")
	w.railAct("act.compare", "/compare?ids=", v.e.Slug)
	w.railAct("act.report", "/report?entry=", v.e.Slug)
	w.raw("</ul></div>")
}

func (w *writer) railAct(key string, route ...string) { w.railLink(w.locale.html(key), route...) }
