package pages

import (
	"cmp"
	"strings"

	"github.com/assay-register/assay/render/catalog"
)

// trail is where some fields come from alike.
type trail struct {
	*catalog.FieldRow
	fields []string
}

// trails joins the fields that have one origin, in the order of the first.
func (v *view) trails() []trail {
	type key struct {
		basis                                 catalog.Basis
		source, address, upstream, note, made string
		day                                   int64
	}
	at := map[key]int{}
	var list []trail
	for i := range v.Row.Provenance.Rows {
		p := &v.Row.Provenance.Rows[i]
		k := key{p.Basis, p.SourceID, p.SourceURL, "", p.Note, p.Transform, p.ObservedAt.Unix() / 86400}
		if p.Note == "" && p.Transform == "" && p.UpstreamField != p.Field {
			k.upstream = p.UpstreamField
		}
		n, ok := at[k]
		if !ok {
			n = len(list)
			at[k] = n
			list = append(list, trail{FieldRow: p})
		}
		list[n].fields = append(list[n].fields, p.Field)
	}
	return list
}

// origins lists where each field comes from.
func (w *writer) origins(v *view) {
	list := v.trails()
	w.part("provenance", "origin.heading")
	w.raw("<p>")
	w.t("origin.about")
	w.raw(" <a")
	w.route("href", v.apiRoute, "/provenance")
	w.raw(">JSON</a></p>")
	if len(list) > 0 {
		w.more("origin.show")
		w.table("origin.heading", "origin.field", "origin.basis", "origin.source", "origin.seen")
		for i := range list[:min(len(list), originsShown)] {
			w.origin(v, &list[i])
		}
		w.endTable()
		w.rest(len(list), originsShown)
		w.endMore()
	}
	w.end()
}

func (w *writer) origin(v *view, p *trail) {
	w.raw(`<tr><th scope="row" class="mono" translate="no">`)
	w.text(strings.Join(p.fields, ", "))
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
		w.text(clip(note, 160))
		w.raw("</span>")
	}
	w.raw("</td><td>")
	if !p.ObservedAt.IsZero() {
		w.day(p.ObservedAt)
	}
	w.raw("</td></tr>")
}

// cite gives the entry as text and as BibTeX, and the badges.
func (w *writer) cite(v *view) {
	address := w.absolute("/entry/" + v.e.Slug)
	day := v.ChangedAt.UTC().Format("2006-01-02")
	name := cmp.Or(strings.TrimSpace(v.e.Name), v.e.Slug)
	text := name + ". "
	if by := v.publisher(); by != "" {
		text = strings.TrimRight(by, ". ") + ". " + text
	}
	w.part("cite", "cite.heading")
	w.code("cite.text", text+"In: "+w.site.Name+", "+day+". "+address)
	w.code("cite.bibtex", "@misc{"+v.e.Slug+",\n  title = {{"+latex(name)+"}},\n"+bibAuthor(v)+"  year = {"+day[:4]+"},\n  note = {As listed on "+day+"},\n  howpublished = {\\url{"+address+"}}\n}")
	w.end()
	w.badges(v, address)
}

func bibAuthor(v *view) string {
	if by := v.publisher(); by != "" {
		return "  author = {{" + latex(by) + "}},\n"
	}
	return ""
}

// latex escapes the characters that TeX reads as commands.
var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`, "$", `\$`, "~", `\~{}`, "^", `\^{}`, "\n", " ")

func latex(s string) string { return latexEscapes.Replace(s) }

// badgeKinds are the pictures that a badge can be (specification, "Badges").
var badgeKinds = []string{"combined", "verified", "tier", "score", "type", "access"}

// badges shows the badge with its code; a script of the site lets the reader
// choose another kind and language of markup.
func (w *writer) badges(v *view, address string) {
	w.part("badge", "badge.heading")
	picture := "/api/v1/badges/" + v.e.Slug + "/"
	w.raw(`<div class="stack" data-badge`)
	w.attr("data-page", address)
	w.attr("data-picture", w.absolute(picture))
	w.raw(`><p><img alt="" height="20"`)
	w.route("src", picture, badgeKinds[0])
	w.raw(`></p><div class="chips" hidden data-badge-form><label>`)
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
	w.code("badge.code", "[!["+strings.ReplaceAll(w.site.Name, "]", "")+"]("+w.absolute(picture+badgeKinds[0])+")]("+address+")")
	w.raw("</div>")
	w.end()
}

// rail is what stands beside the entry: the facts, its other forms, and what a
// reader can do.
func (w *writer) rail(v *view) {
	e := v.e
	w.raw(`<aside class="rail" aria-label="`)
	w.t("rail.heading")
	w.raw(`"><div class="card"><h2>`)
	w.t("rail.facts")
	w.raw(`</h2><dl class="stack">`)
	if i := v.Institution; i != nil {
		w.term("rail.publisher")
		w.outside(cmp.Or(i.NameEn, i.Name))
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
		w.text(languageName(e.NativeLang))
		w.raw("</span>")
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
	w.railLink(v.apiRoute, "JSON")
	w.raw(slot) // RDF, where DCAT-AP holds the entry
	w.railLink("/api/v1/okf/"+sectionOf(v.e.Type)+"/"+v.e.Slug+".md", "Markdown (OKF)")
	w.railLink(v.apiRoute+"/quality-score", "quality-score")
	w.railLink(v.apiRoute+"/checks", "checks")
	w.raw("</ul></div>")
}

func (w *writer) railLink(route, label string) {
	w.raw("<li><a")
	w.route("href", route)
	w.raw(">")
	w.text(label)
	w.raw("</a></li>")
}

// railActs are what a reader can do about the entry.
func (w *writer) railActs(v *view) {
	slug := v.e.Slug
	w.raw(`<div class="card"><h2>`)
	w.t("rail.act")
	w.raw(`</h2><ul>`)
	for _, a := range []struct{ key, route string }{
		{"act.watch", "/watch?entry=" + slug}, {"act.feed", "/api/v1/feeds/entry/" + v.e.ID + ".atom"},
		{"act.compare", "/compare?ids=" + slug}, {"act.report", "/report?entry=" + slug},
	} {
		w.raw("<li><a")
		w.route("href", a.route)
		w.raw(">")
		w.t(a.key)
		w.raw("</a></li>")
	}
	w.raw("</ul></div>")
}
