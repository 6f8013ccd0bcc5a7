package pages

import (
	"encoding/json"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Row is a hash of what lists show of an entry besides its line.
func Row(s *snapshot.Scored) uint64 {
	var b snapshot.Basis
	e := s.Entry()
	b.Text(clip(e.Description, aboutMax), clip(e.DescriptionEn, aboutMax))
	others := otherAbouts(e)
	for _, lang := range languages {
		b.Text(others[lang])
	}
	return b.Sum()
}

// Beside sums up what the page of the entry at an ordinal shows of the whole register: which of its
// themes and tags have pages.
func (p *Pages) Beside(c *snapshot.Catalog, ordinal int) uint64 {
	l, view := &c.Lines[ordinal], p.bookOf(c)
	var b snapshot.Basis
	for _, v := range l.Themes {
		b.Flag(view.lists["theme"][v] != nil)
	}
	for _, v := range l.Tags[:min(len(l.Tags), tagsShown)] {
		b.Flag(view.lists["tag"][v] != nil)
	}
	return b.Sum()
}

// basis sums up what page n of a list shows in any language; counts are those of its entries.
func (b *snapshotView) basis(l *list, n int, counts *snapshot.Facets) uint64 {
	var x snapshot.Basis
	x.Text(l.facet, l.value, l.base, l.key, l.name, l.lang)
	x.Number(l.total, n, l.pages(), min(2, len(b.lands)))
	b.addRows(&x, l, n)
	b.addValues(&x, l, counts, n == 1)
	switch l.facet {
	case "institution":
		b.addBody(&x, b.c.Institutions[l.value], n)
	case "series":
		s := b.c.SeriesByID(l.value)
		x.Flag(s.Stated)
		x.Text(b.span(s))
	case "country":
		if n == 1 {
			b.addStanding(&x, b.lands[l.value])
			for _, p := range b.publishers(b.lands[l.value]) {
				x.Number(p.Count)
				b.addRow(&x, b.c.Institutions[p.Value])
			}
		}
	case "licence":
		x.Add(b.sumOf(b.c.Licences[l.value]))
	}
	return x.Sum()
}

// addRows adds the entries on a page.
func (b *snapshotView) addRows(x *snapshot.Basis, l *list, n int) {
	for _, o := range l.on(n) {
		x.Add(b.c.Lines[o].Sums.Row)
		if s := b.c.SeriesOf(int(o)); s != nil {
			x.Text(s.ID)
			x.Number(len(s.Members))
		}
	}
}

// addValues adds the values of the filters that the page offers, with how many entries have
// each if it tells that.
func (b *snapshotView) addValues(x *snapshot.Basis, l *list, counts *snapshot.Facets, counted bool) {
	total, asked := 0, l.asked()
	for _, n := range counts.Type {
		total += n.Count
	}
	for _, p := range searchParams {
		values := *dimension(p.param).Counts(counts)
		x.Flag(len(values) == 1 && values[0].Count < total)
		x.Number(min(len(values), valuesMax+2))
		if !counted {
			values = values[:min(len(values), valuesMax+len(asked))]
		}
		for _, v := range values {
			x.Text(v.Value)
			if counted {
				x.Number(v.Count)
			}
			switch p.param {
			case "institution_id":
				b.addRow(x, b.c.Institutions[v.Value])
			case "license":
				x.Add(b.sumOf(b.c.Licences[v.Value]))
			}
		}
	}
}

// addBody adds what the page of an institution says of it.
func (b *snapshotView) addBody(x *snapshot.Basis, i *catalog.Institution, n int) {
	b.addRow(x, i)
	if n > 1 {
		return
	}
	b.addStanding(x, b.holdings[i.ID])
	for _, o := range b.holdings[i.ID] {
		x.Text(b.c.Lines[o].Months)
	}
	x.Flag(b.lands[i.CountryCode] != nil, b.holdings[i.ParentID] != nil)
	b.addRow(x, b.c.Institutions[i.ParentID])
}

func (b *snapshotView) addStanding(x *snapshot.Basis, ordinals []int32) {
	for _, o := range ordinals {
		l := &b.c.Lines[o]
		x.Text(string(l.State))
		x.Flag(l.Verified != 0)
		x.Number(int(l.MQA))
		x.Text(string(l.Type), string(l.Tier), foundIn(l))
	}
}

func (b *snapshotView) addRow(x *snapshot.Basis, i *catalog.Institution) { x.Add(b.sumOf(i)) }

// sumOf is a hash of the row of an institution or a licence, worked out once.
func (b *snapshotView) sumOf(row any) uint64 {
	b.rowSums.mu.Lock()
	defer b.rowSums.mu.Unlock()
	if sum, ok := b.rowSums.of[row]; ok {
		return sum
	}
	text, err := json.Marshal(row)
	if err != nil {
		return 0
	}
	sum := max(1, xxhash.Sum64(text))
	b.rowSums.of[row] = sum
	return sum
}

// on are the ordinals on page n.
func (l *list) on(n int) []int32 {
	first := (n - 1) * pageSize
	return slices.Clip(l.ordinals[first:min(first+pageSize, len(l.ordinals))])
}
