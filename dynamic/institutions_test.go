package dynamic

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// TestInstitutionList: the list of institutions can be narrowed to those of a state or
// a country; its pages together have each of them once, those with most entries first.
func TestInstitutionList(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	all := site.Catalog.Holdings()
	for query, fits := range map[string]func(*catalog.Institution) bool{
		"":              func(*catalog.Institution) bool { return true },
		"state=known&":  (*catalog.Institution).Known,
		"state=stated&": func(i *catalog.Institution) bool { return !i.Known() },
		"country_code=gr,FR&state=stated&": func(i *catalog.Institution) bool {
			return !i.Known() && slices.Contains([]string{"GR", "FR"}, i.CountryCode)
		},
		"country_code=gr&":                  func(i *catalog.Institution) bool { return i.CountryCode == "GR" },
		"snapshot=" + site.Catalog.ID + "&": func(*catalog.Institution) bool { return true },
		"country_code=ZZ&":                  func(*catalog.Institution) bool { return false },
	} {
		var want, got []string
		for _, h := range all {
			if fits(h.Institution) {
				want = append(want, h.Institution.ID)
			}
		}
		at := "/api/v1/institutions?" + query + "limit=1"
		for at != "" {
			w := get(s, http.MethodGet, at)
			p := decode[wire.InstitutionsPage](t, w)
			if w.Code != http.StatusOK || p.Total != len(want) || p.Limit != 1 || w.Header().Get("Link") == "" {
				t.Fatalf("%s: %d, %d of %d: %s", at, w.Code, p.Total, len(want), w.Body)
			}
			for i := range p.Items {
				got = append(got, p.Items[i].Institution.ID)
			}
			at = ""
			if p.Links.Next != nil {
				at = *p.Links.Next
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for query, why := range map[string]string{"state=wrong": "use one of known, stated", "state=known&state=stated": "more than once", "type=API": "unknown parameter",
		"limit=0": "use an integer", "page=99999": ""} {
		w := get(s, http.MethodGet, "/api/v1/institutions?"+query)
		if want := map[bool]int{true: http.StatusOK, false: http.StatusUnprocessableEntity}[why == ""]; w.Code != want || !strings.Contains(w.Body.String(), why) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}
