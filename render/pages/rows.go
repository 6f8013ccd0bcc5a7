package pages

import (
	"cmp"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
)

// Row is an entry as one row of a list.
type Row struct {
	Slug, Name, NameEn, Lang string
	// About is the beginning of its description in AboutLang, "" to show none.
	About, AboutLang string
	Type             catalog.EntryType
	State            catalog.VerificationState
	Institution      string
	Country          string
	Access           catalog.FreeAccessClass
	Rights           catalog.AccessRights
	Formats          []string
	MQA              score.Tenths
	Tier             catalog.MQATier
	// Checked is the time of the last check, zero for none and where pages lie still: a list
	// would move with each check of each of its entries.
	Checked time.Time
	// Qualifier tells it from others of its name, "" for none.
	Qualifier string
	// Marked stands for About, with marks where it answers a question.
	Marked template.HTML
	// Series is what stands for its whole series, nil where it stands for itself.
	Series *snapshot.Series
}

// rowOf is a line of the snapshot as a row.
func (b *snapshotView) rowOf(l *snapshot.Line) Row {
	r := Row{Slug: l.Slug, Name: l.Name, NameEn: l.NameEn, Lang: l.Lang, Type: l.Type, State: l.State, Country: l.Country,
		Access: l.FreeAccess, Rights: l.Rights, Formats: l.Formats, MQA: l.MQA, Tier: l.Tier, Qualifier: l.Qualifier}
	if i := b.c.Institutions[l.InstitutionID]; i != nil {
		r.Institution = cmp.Or(i.NameEn, i.Name)
	}
	return r
}

// model is the row for components, in a language.
func (r *Row) model(t *locale) templates.Row {
	m := templates.Row{Slug: r.Slug, Name: cmp.Or(strings.TrimSpace(r.Name), r.Slug), Lang: r.Lang, Qualifier: r.Qualifier, About: r.About, AboutLang: r.AboutLang, Marked: string(r.Marked),
		State: t.T("state." + string(r.State)), StateClass: string(cmp.Or(stateClasses[r.State], "idle")), Checked: r.Checked, Score: r.MQA.String(), Tier: t.T("tier." + string(r.Tier))}
	if r.NameEn != r.Name {
		m.NameEn = r.NameEn
	}
	if r.Series != nil {
		m.Series, m.Members = "/series/"+r.Series.ID, len(r.Series.Members)
	}
	m.Meta = append(m.Meta, templates.RowFact{Text: t.T("type." + string(r.Type))})
	if r.Institution != "" {
		m.Meta = append(m.Meta, templates.RowFact{Text: clip(r.Institution, 60), Own: true})
	}
	if catalog.CountryShape(r.Country) {
		m.Meta = append(m.Meta, templates.RowFact{Text: t.country(r.Country), Outside: true})
	}
	m.Meta = append(m.Meta, templates.RowFact{Text: t.T(accessKey(r.Access, r.Rights))})
	if n := len(r.Formats); n > 0 {
		m.Meta = append(m.Meta, templates.RowFact{Text: clip(strings.Join(r.Formats[:min(n, 4)], ", "), 50), Outside: true})
	}
	return m
}

// rows writes a list of entries.
func (w *writer) rows(list []Row) {
	w.raw(`<ul class="rows">`)
	for i := range list {
		w.row(&list[i])
	}
	w.raw("</ul>")
}

func (w *writer) row(r *Row) {
	w.raw(`<li class="row"`)
	w.attr("data-slug", r.Slug)
	w.raw(`><div class="row-main"><h3><a`)
	w.route("href", "/entry/", r.Slug)
	w.native(r.Lang)
	w.raw(">")
	w.clip(cmp.Or(strings.TrimSpace(r.Name), r.Slug), 160)
	w.raw("</a></h3>")
	if r.NameEn != "" && r.NameEn != r.Name {
		w.raw(`<p class="row-en" lang="en" translate="no">`)
		w.clip(r.NameEn, 160)
		w.raw("</p>")
	}
	if r.Qualifier != "" {
		w.raw(`<p class="row-en" translate="no">`)
		w.clip(r.Qualifier, 160)
		w.raw("</p>")
	}
	if r.Series != nil {
		w.seriesLink(r.Series)
	}
	if r.About != "" || r.Marked != "" {
		w.raw(`<p class="row-about"`)
		w.native(r.AboutLang)
		w.raw(">")
		if r.Marked != "" {
			w.raw(markup(r.Marked))
		} else {
			w.clip(r.About, 240)
		}
		w.raw("</p>")
	}
	w.rowMeta(r)
	w.raw(`</div><div class="row-state">`)
	w.state(r.State)
	if !r.Checked.IsZero() {
		w.raw(`<span class="row-when">`)
		w.day(r.Checked)
		w.raw("</span>")
	}
	w.raw(`</div><div class="row-score"><b>`)
	w.points(r.MQA)
	w.raw("</b>")
	w.tag("span", "tier."+string(r.Tier))
	w.raw("</div></li>\n")
}

func (w *writer) rowMeta(r *Row) {
	w.raw(`<p class="meta">`)
	w.tag("span", "type."+string(r.Type))
	if r.Institution != "" {
		w.raw("<span")
		w.native("")
		w.raw(">")
		w.clip(r.Institution, 60)
		w.raw("</span>")
	}
	if catalog.CountryShape(r.Country) {
		w.raw(`<span translate="no">`)
		w.text(w.locale.country(r.Country))
		w.raw("</span>")
	}
	w.tag("span", accessKey(r.Access, r.Rights))
	if n := len(r.Formats); n > 0 {
		w.raw(`<span translate="no">`)
		w.joined(r.Formats[:min(n, 4)], 50)
		w.raw("</span>")
	}
	w.raw("</p>")
}

// pager leads to the neighbours of page n of a list.
func (w *writer) pager(l *list, n int) { w.turn(l.base, n, l.pages()) }

// turn leads from page n to those beside it, of all pages that begin at base.
func (w *writer) turn(base string, n, pages int) {
	if pages < 2 {
		return
	}
	w.raw(`<nav class="pages" aria-label="`)
	w.t("pages.label")
	w.raw(`"><span>`)
	if n > 1 {
		w.pageLink(numbered(base, n-1), "prev", "pages.prev")
	}
	w.raw(`</span><span class="soft">`)
	w.text(w.locale.str("pages.of", "n", strconv.Itoa(n), "all", strconv.Itoa(pages)))
	w.raw("</span><span>")
	if n < pages {
		w.pageLink(numbered(base, n+1), "next", "pages.next")
	}
	w.raw("</span></nav>")
}

func (w *writer) pageLink(route string, rel markup, key string) {
	w.raw(`<a class="btn" rel="`, rel, `"`)
	w.route("href", route)
	w.raw(">")
	w.t(key)
	w.raw("</a>")
}
