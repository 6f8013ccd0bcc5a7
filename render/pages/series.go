package pages

import (
	"slices"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
)

// series renders the page of every series.
func (b *snapshotView) series(emit func(artifact.File) error) error {
	list := b.c.Series()
	for i := range list {
		l := b.seriesList(&list[i])
		if err := b.listPages(l, emit); err != nil {
			return err
		}
	}
	return nil
}

func (b *snapshotView) seriesList(s *snapshot.Series) *list {
	return &list{facet: "series", value: s.ID, base: "/series/" + s.ID, name: s.Title, lang: s.Lang, ordinals: s.Members, all: s.Members, total: len(s.Members)}
}

// seriesOf is the series of an entry, nil for none.
func (b *snapshotView) seriesOf(id string) *snapshot.Series {
	if i := b.c.ByID(id); i >= 0 {
		return b.c.SeriesOf(i)
	}
	return nil
}

// seriesNote says how a series came about, and from when to when it is.
func (b *snapshotView) seriesNote(t *locale, s *snapshot.Series) *templates.SeriesNote {
	key := "series.derived"
	if s.Stated {
		key = "series.stated"
	}
	return &templates.SeriesNote{Text: t.T(key), Span: b.span(s)}
}

// span is the time from the first member to the last.
func (b *snapshotView) span(s *snapshot.Series) string {
	first, last := b.c.Lines[s.Members[0]].Member.Period, b.c.Lines[s.Members[len(s.Members)-1]].Member.Period
	if first.IsZero() || last.IsZero() {
		return ""
	}
	first.To = last.To
	return first.Years().String()
}

// place shows an entry among the members of its series.
func (b *snapshotView) place(w *writer, s *snapshot.Series, ordinal int32) {
	w.raw(`<h3>`)
	w.t("series.heading")
	w.raw(`</h3><p><a`)
	w.route("href", "/series/", s.ID)
	w.native(s.Lang)
	w.raw(">")
	w.clip(s.Title, 160)
	w.raw("</a> ")
	w.text(w.locale.str("series.count", "n", w.locale.number(len(s.Members))))
	w.raw("</p>")
	at := slices.Index(s.Members, ordinal)
	w.raw("<ul>")
	for _, n := range [...]struct {
		key string
		at  int
	}{{"series.previous", at - 1}, {"series.next", at + 1}} {
		if n.at < 0 || n.at >= len(s.Members) {
			continue
		}
		l := &b.c.Lines[s.Members[n.at]]
		w.raw("<li>")
		w.t(n.key)
		w.raw(" ")
		w.entryLink(l)
		if p := l.Member.Period; !p.IsZero() {
			w.raw(` <span translate="no">`)
			w.text(p.Years().String())
			w.raw("</span>")
		}
		w.raw("</li>")
	}
	w.raw("</ul>")
}
