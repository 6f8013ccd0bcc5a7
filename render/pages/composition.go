package pages

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/chart"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/templates"
	"github.com/assay-register/assay/templates/figures"
)

// tiers and types in the order of their bars.
var (
	tierOrder = []catalog.MQATier{catalog.TierExcellent, catalog.TierGood, catalog.TierFair, catalog.TierPoor, catalog.TierUnranked}
	typeOrder = []catalog.EntryType{catalog.TypeDataset, catalog.TypeAPI, catalog.TypeMCPServer}
)

// yearsDrawn is how many years the picture of what was found when has at most.
const yearsDrawn = 12

// composition draws what the entries of a country or a publisher are, folded, for who wants to see
// more than figures; file begins the names of the pictures that a reader keeps.
func (b *snapshotView) composition(t *locale, ordinals []int32, file string) templ.Component {
	var list []templ.Component
	add := func(key, column string, values []string, name func(string) string, of func(*snapshot.Line) string) {
		counts := map[string]int{}
		for _, o := range ordinals {
			counts[of(&b.c.Lines[o])]++
		}
		if len(counts) > 1 {
			list = append(list, barsOfCounts(key, column, file, values, counts, name).Figure(b.sites[t.code]))
		}
	}
	add("country.types", "facet.type", texts(typeOrder), func(v string) string { return t.T("type." + v) }, func(l *snapshot.Line) string { return string(l.Type) })
	add("chart.quality", "facet.tier", texts(tierOrder), func(v string) string { return t.T("tier." + v) }, func(l *snapshot.Line) string { return string(l.Tier) })
	add("chart.added", "chart.year", b.yearsOf(ordinals), func(v string) string { return v }, foundIn)
	if list == nil {
		return nil
	}
	return templates.Pictures(b.sites[t.code], list)
}

// barsOfCounts are the values that something has, in their order, with how often each occurs.
func barsOfCounts(key, column, file string, values []string, counts map[string]int, name func(string) string) *figures.Bars {
	out := &figures.Bars{Key: key, Column: column, Name: file + "-" + column[strings.IndexByte(column, '.')+1:]}
	var drawn []chart.Bar
	for _, v := range values {
		if n := counts[v]; n > 0 {
			out.List = append(out.List, figures.Bar{Name: name(v), V: n})
			drawn = append(drawn, chart.Bar{Name: name(v), V: float64(n)})
		}
	}
	out.Draw = func(title string, number func(float64) string) string { return chart.Bars(drawn, title, number) }
	return out
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// foundIn is the year in which the register found an entry.
func foundIn(l *snapshot.Line) string { return strconv.Itoa(time.Unix(l.Created, 0).UTC().Year()) }

// yearsOf are the latest years in which entries were found, the first first.
func (b *snapshotView) yearsOf(ordinals []int32) []string {
	seen := map[string]bool{}
	for _, o := range ordinals {
		seen[foundIn(&b.c.Lines[o])] = true
	}
	list := sorted(seen)
	return slices.Clip(list[max(0, len(list)-yearsDrawn):])
}
