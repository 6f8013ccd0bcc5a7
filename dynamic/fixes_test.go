package dynamic

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/lint"
	"github.com/assay-register/assay/render/wire"
)

// TestFixes: what an institution can mend is what its listed entries lack, each once,
// what brings most first; the page shows it in every language, the feed its beginning.
func TestFixes(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 60})
	for _, h := range site.Catalog.Holdings() {
		want := 0
		for _, o := range h.Ordinals {
			if l := &site.Catalog.Lines[o]; l.Listed() {
				want += len(lint.Unpack(l.Mend))
			}
		}
		at := "/api/v1/institutions/" + h.Institution.ID + "/fixes"
		seen := map[string]bool{}
		var weights []float64
		for page := 1; ; page++ {
			w := get(s, http.MethodGet, at+"?page="+string(rune('0'+page)))
			list := decode[wire.Fixes](t, w)
			if w.Code != http.StatusOK || list.Total != want || list.Entries != h.Listed {
				t.Fatalf("%s: %d, %d of %d: %s", at, w.Code, list.Total, want, w.Body)
			}
			for _, x := range list.Items {
				seen[x.EntryID+x.Rule] = true
				weights = append(weights, -x.Points*(x.Readers+1))
				if x.Points <= 0 || x.Why == "" || x.Remedy == "" || x.SourceURL == "" || !strings.HasSuffix(x.URL, "/entry/"+x.Slug) {
					t.Errorf("%+v", x)
				}
			}
			if page >= list.TotalPages || page == 9 {
				break
			}
		}
		if len(seen) != min(want, 900) || !slices.IsSorted(weights) {
			t.Errorf("%s: %d things, want %d; in order: %v", at, len(seen), want, slices.IsSorted(weights))
		}
	}
	id := site.Catalog.Holdings()[0].Institution.ID
	feed := decode[wire.FixesFeed](t, get(s, http.MethodGet, "/api/v1/institutions/"+id+"/fixes/feed"))
	badge := decode[wire.FixesBadge](t, get(s, http.MethodGet, "/api/v1/institutions/"+id+"/fixes/badge"))
	if w := get(s, http.MethodGet, "/api/v1/institutions/"+id+"/fixes/badge.svg"); w.Code != 200 || w.Header().Get("Content-Type") != "image/svg+xml; charset=utf-8" || !strings.Contains(w.Body.String(), badge.Message) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if len(feed.Items) == 0 || feed.Version != "https://jsonfeed.org/version/1.1" || badge.SchemaVersion != 1 || badge.Message == "" {
		t.Errorf("%+v %+v", feed, badge)
	}
	for route, want := range map[string]string{"/institution/" + id + "/fixes": "can mend", "/fr/institution/" + id + "/fixes": "peut améliorer", "/de/institution/" + id + "/fixes": "verbessern kann", "/nl/institution/" + id + "/fixes": "kan verbeteren"} {
		if w := get(s, http.MethodGet, route); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", route, w.Code, w.Body)
		}
	}
	for route, code := range map[string]int{"/api/v1/institutions/nobody/fixes": 404, "/api/v1/institutions/" + id + "/fixes?page=0": 422, "/api/v1/institutions/" + id + "/fixes?x=1": 422, "/institution/nobody/fixes": 404} {
		if w := get(s, http.MethodGet, route); w.Code != code {
			t.Errorf("%s: %d, want %d", route, w.Code, code)
		}
	}
}

// TestFixesOfTheVeryRecord: where the store keeps what a source published, the patch is for that
// record, in the form of the source.
func TestFixesOfTheVeryRecord(t *testing.T) {
	s, site, st := citing(t)
	err := st.Update(t.Context(), func(tx catalog.Tx) error {
		return tx.Sources().Put(t.Context(), catalog.Source{ID: "s", Key: "s", Kind: "datajson", Title: "S", URL: "https://data.example/data.json", CreatedAt: sitetest.At, UpdatedAt: sitetest.At})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range site.Catalog.Holdings() {
		at := "/api/v1/institutions/" + h.Institution.ID + "/fixes"
		first := decode[wire.Fixes](t, get(s, http.MethodGet, at))
		i := slices.IndexFunc(first.Items, func(x wire.Fix) bool { return len(x.JSONPatch) > 0 })
		if i < 0 {
			continue
		}
		x := first.Items[i]
		keepRecord(t, st, x.EntryID, `{"identifier":"d-7","title":"Tides","distribution":[{"downloadURL":"https://data.example/a"},{"downloadURL":"https://data.example/b","format":"CSV"}]}`)
		for _, y := range decode[wire.Fixes](t, get(s, http.MethodGet, at)).Items {
			if y.EntryID != x.EntryID || len(y.JSONPatch) == 0 {
				continue
			}
			op := y.JSONPatch[0]
			if op.Op != "test" || op.Path != "/identifier" || op.Value != "d-7" || y.Turtle != nil {
				t.Errorf("%s: %+v", y.Rule, y)
			}
			if y.Field == "formats" && (len(y.JSONPatch) != 2 || y.JSONPatch[1].Path != "/distribution/0/format") {
				t.Errorf("the files that have no format: %+v", y.JSONPatch)
			}
		}
		if w := get(s, http.MethodGet, "/institution/"+h.Institution.ID+"/fixes"); !strings.Contains(w.Body.String(), "d-7") {
			t.Error("the page shows another patch")
		}
		return
	}
	t.Fatal("nothing to mend")
}
