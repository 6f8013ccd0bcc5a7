package dynamic

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// TestSearchInAnOrder: what a search found is in the order of the list, if that is asked for.
func TestSearchInAnOrder(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 60})
	for _, key := range snapshot.SortKeys() {
		for _, order := range []string{"", "asc", "desc"} {
			params := url.Values{"sort_by": {string(key)}, "limit": {"100"}}
			if order != "" {
				params.Set("sort_order", order)
			}
			var listed, found []string
			for _, i := range decode[wire.EntriesPage](t, get(s, http.MethodGet, "/api/v1/entries?"+params.Encode())).Items {
				listed = append(listed, i.ID)
			}
			params.Set("q", "budget")
			page := decode[wire.SearchPage](t, get(s, http.MethodGet, "/api/v1/entries/search?"+params.Encode()))
			for _, i := range page.Items {
				found = append(found, i.Entry.ID)
			}
			// Equal values are in the order of relevance in one and of ids in the other.
			want := slices.DeleteFunc(listed, func(id string) bool { return !slices.Contains(found, id) })
			if len(found) < 5 || len(want) != len(found) {
				t.Fatalf("%s %s: %d found, %d listed", key, order, len(found), len(want))
			}
			values := func(ids []string) (out []any) {
				for _, id := range ids {
					at := slices.IndexFunc(page.Items, func(i wire.SearchItem) bool { return i.Entry.ID == id })
					e := page.Items[at].Entry
					switch key {
					case snapshot.SortRanking:
						out = append(out, *e.RankingScore)
					case snapshot.SortName:
						out = append(out, e.Name)
					case snapshot.SortCreated:
						out = append(out, e.CreatedAt)
					case snapshot.SortVerified:
						out = append(out, text(e.LastVerifiedAt))
					}
				}
				return out
			}
			if !slices.Equal(values(found), values(want)) {
				t.Errorf("%s %s: %v, the list has %v", key, order, values(found), values(want))
			}
		}
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TestFacetsOfACollapsedList: a value counts as many rows as a collapsed list has that is
// narrowed to it.
func TestFacetsOfACollapsedList(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 60})
	for _, asked := range []string{"", "q=budget&"} {
		route := "/api/v1/entries"
		var f snapshot.Facets
		var total int
		if asked == "" {
			page := decode[wire.FacetsPage](t, get(s, http.MethodGet, route+"/facets?collapse=series"))
			f, total = page.Facets, page.Total
		} else {
			route += "/search"
			page := decode[wire.SearchPage](t, get(s, http.MethodGet, route+"?"+asked+"collapse=series"))
			f, total = page.Facets, page.Total
		}
		sum := 0
		for _, c := range f.Type {
			sum += c.Count
		}
		if sum != total {
			t.Errorf("%q: %d rows, %d by type", asked, total, sum)
		}
		for _, d := range snapshot.Dimensions() {
			if !d.Counted {
				continue
			}
			for _, c := range (*d.Counts(&f))[:min(3, len(*d.Counts(&f)))] {
				page := decode[wire.PageHead](t, get(s, http.MethodGet, route+"?"+asked+"collapse=series&"+url.Values{d.Name: {c.Value}}.Encode()))
				if page.Total != c.Count {
					t.Errorf("%q: %s %s counts %d, the list has %d", asked, d.Name, c.Value, c.Count, page.Total)
				}
			}
		}
	}
}
