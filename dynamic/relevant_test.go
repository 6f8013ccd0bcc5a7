package dynamic

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// TestLessRelevantResults: what fits less than a third as well as the best, and is not among the
// first ten, is left out, counted, and shown on request.
func TestLessRelevantResults(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 300})
	some := 0
	for _, q := range []string{"budget", "air quality", "hour", "bus stops hour", "land use every hour", "maps", "écoles", "measured air"} {
		asked := "/api/v1/entries/search?limit=100&q=" + url.QueryEscape(q)
		shown := decode[wire.SearchPage](t, get(s, http.MethodGet, asked))
		all := decode[wire.SearchPage](t, get(s, http.MethodGet, asked+"&less_relevant=true"))
		if shown.Total+shown.LessRelevant != all.Total || all.LessRelevant != 0 {
			t.Errorf("%s: %d and %d less relevant, %d with them (and %d)", q, shown.Total, shown.LessRelevant, all.Total, all.LessRelevant)
		}
		types := 0
		for _, c := range shown.Facets.Type {
			types += c.Count
		}
		if types != shown.Total {
			t.Errorf("%s: %d by type, %d are shown", q, types, shown.Total)
		}
		some += shown.LessRelevant
		if len(all.Items) == 0 {
			t.Errorf("%s finds nothing", q)
			continue
		}
		best := slices.MaxFunc(all.Items, func(a, b wire.SearchItem) int { return cmp.Compare(a.Score, b.Score) }).Score
		for i, item := range all.Items {
			in := slices.ContainsFunc(shown.Items, func(o wire.SearchItem) bool { return o.Entry.ID == item.Entry.ID })
			if fits := item.Score >= best/3 || i < 10; fits && !in && len(shown.Items) < 100 && item.Score > 0.34*best {
				t.Errorf("%s: %s fits and is left out (%g of %g)", q, item.Entry.Name, item.Score, best)
			} else if !fits && in && item.Score < 0.32*best && i >= 10+equals(all.Items, item.Score) {
				t.Errorf("%s: %s does not fit and is shown (%g of %g)", q, item.Entry.Name, item.Score, best)
			}
		}
	}
	if some == 0 {
		t.Error("no question has less relevant results")
	}
}

// TestFilteredResultsAreAsManyAsCounted: as many entries of a value are found as a search counts of
// it, also where some fit much less well; of two values each.
func TestFilteredResultsAreAsManyAsCounted(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 300})
	compared, less := 0, 0
	for _, q := range []string{"budget", "air quality", "hour", "bus stops hour", "land use every hour", "maps", "écoles", "measured air"} {
		asked := "/api/v1/entries/search?limit=1&q=" + url.QueryEscape(q)
		all := decode[wire.SearchPage](t, get(s, http.MethodGet, asked))
		less += all.LessRelevant
		for _, d := range snapshot.Dimensions() {
			if !d.Counted {
				continue
			}
			for _, c := range *d.Counts(&all.Facets) {
				narrowed := decode[wire.SearchPage](t, get(s, http.MethodGet, asked+"&"+d.Name+"="+url.QueryEscape(c.Value)))
				if compared++; narrowed.Total != c.Count {
					t.Errorf("%s: %d with %s=%s, %d are counted", q, narrowed.Total, d.Name, c.Value, c.Count)
				}
			}
		}
	}
	if compared < 100 || less == 0 {
		t.Errorf("%d values were compared, %d results left out", compared, less)
	}
}

// equals is how many items have a score.
func equals(items []wire.SearchItem, score float64) (n int) {
	for i := range items {
		if items[i].Score == score {
			n++
		}
	}
	return n
}
