package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
)

// The pictures of a country say what a recount of its entries says.
func TestComposition(t *testing.T) {
	c := rendertest.Catalog(t)
	tiers, country := map[catalog.MQATier]int{}, c.Lines[c.ByID(rendertest.Find(t, rendertest.WeatherAPI).Entry().ID)].Country
	for i := range c.Lines {
		if l := &c.Lines[i]; l.Country == country && l.LeftOut == "" && l.Status == catalog.StatusActive {
			tiers[l.Tier]++
		}
	}
	page := between.ReplaceAllString(string(all(t)["/country/"+country]), "><")
	_, pictures, found := strings.Cut(page, "In pictures")
	if !found || len(tiers) < 2 {
		t.Fatalf("the page of %s has no pictures: %v", country, tiers)
	}
	for tier, n := range tiers {
		_, row, _ := strings.Cut(pictures, ">"+locales()["en"].T("tier."+string(tier))+"<td")
		if want := fmt.Sprintf(` class=num data-value="%d">`, n); !strings.HasPrefix(row, want) {
			t.Errorf("%s: %.60q, want %s", tier, row, want)
		}
	}
}

// A score that changed is drawn, one that did not is not.
func TestScoreHistory(t *testing.T) {
	s := *rendertest.Find(t, rendertest.WeatherAPI)
	row := *s.Row
	s.Row = &row
	v := &view{Scored: &s, e: s.Entry()}
	mqa := s.Result.MQA.Float()
	for name, x := range map[string]struct {
		days []float64
		want int
	}{"none before": {nil, 0}, "the same": {[]float64{mqa, mqa}, 0}, "one change": {[]float64{mqa - 3, mqa - 3, mqa}, 2}, "two": {[]float64{mqa - 3, mqa - 5}, 3}} {
		row.Scores = nil
		for i, m := range x.days {
			row.Scores = append(row.Scores, catalog.ScoreDay{Day: fmt.Sprintf("2026-01-%02d", i+1), MQA: m})
		}
		got := v.scores()
		if got == nil && x.want > 0 || got != nil && len(got.Points) != x.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
