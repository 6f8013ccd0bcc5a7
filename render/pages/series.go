package pages

import (
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
