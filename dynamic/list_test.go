package dynamic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

type snapLine = snapshot.Line

// oracle answers lists from the decoded items, one by one.
type oracle struct {
	items   []wire.Item
	latency map[string]int32
	lines   map[string]*snapshot.Line
}

func newOracle(t *testing.T, site *sitetest.Site) *oracle {
	o := &oracle{latency: map[string]int32{}, lines: map[string]*snapshot.Line{}}
	for i := range site.Catalog.Lines {
		l := &site.Catalog.Lines[i]
		var item wire.Item
		if err := json.Unmarshal(site.Items[l.ID], &item); err != nil {
			t.Fatal(err)
		}
		o.items = append(o.items, item)
		o.latency[l.ID], o.lines[l.ID] = l.P50, l
	}
	return o
}

func str[T ~string](p *T) string {
	if p == nil {
		return ""
	}
	return string(*p)
}

func has(values string, have ...string) bool {
	return slices.ContainsFunc(strings.Split(values, ","), func(v string) bool { return v != "" && slices.Contains(have, v) })
}

// matches judges an item by one parameter.
func (o *oracle) matches(i *wire.Item, name, v string) bool {
	switch name {
	case "type":
		return has(v, string(i.Type))
	case "is_public_sector":
		return i.IsPublicSector == (v == "true")
	case "country", "country_code":
		return has(strings.ToUpper(v), str(i.CountryCode))
	case "institution_type":
		return has(v, str(i.InstitutionType))
	case "institution_id":
		return has(v, str(i.InstitutionID))
	case "tags":
		return !slices.ContainsFunc(strings.Split(v, ","), func(tag string) bool { return !slices.Contains(i.Tags, strings.ToLower(tag)) })
	case "verification_state":
		return has(v, string(i.VerificationState))
	case "status":
		return has(v, string(i.Status))
	case "free_access_class":
		return has(v, string(i.FreeAccessClass))
	case "auth_type":
		return has(v, string(i.AuthType))
	case "mqa_tier":
		return has(v, string(i.MQATier))
	case "maturity":
		return has(v, string(i.Maturity))
	case "format":
		return has(strings.ToUpper(v), i.Formats...)
	case "lang":
		return has(strings.ToLower(v), str(i.NativeLang))
	case "license":
		return has(v, o.lines[i.ID].LicenseID)
	case "theme":
		return has(strings.ToUpper(v), o.lines[i.ID].Themes...)
	case "period_start", "period_end":
		l := o.lines[i.ID]
		day := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.DateOnly) }
		switch { // texts of days sort as days do
		case l.From == 0 && l.To == 0:
			return false
		case name == "period_start":
			return l.To == 0 || day(l.To) >= v
		}
		return l.From == 0 || day(l.From) <= v+"~"
	case "updated_since":
		since, err := time.Parse(time.RFC3339, v)
		if err != nil {
			since, _ = time.Parse(time.DateOnly, v)
		}
		at, _ := time.Parse(time.RFC3339, str(i.UpdatedAt))
		return !at.Before(since)
	case "search":
		words := strings.Fields(search.Key(i.SearchVector, ""))
		return !slices.ContainsFunc(strings.Fields(search.Key(v, "")), func(term string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, term) })
		})
	}
	return true
}

// key is what an item is sorted by; unknown values sort last either way.
func (o *oracle) key(i *wire.Item, by string) (text string, number float64, known bool) {
	switch by {
	case "name":
		return search.Fold(i.Name), 0, true
	case "created_at":
		return str(i.CreatedAt), 0, i.CreatedAt != nil
	case "last_verified_at":
		return str(i.LastVerifiedAt), 0, i.LastVerifiedAt != nil
	case "p50_latency_ms":
		return "", float64(o.latency[i.ID]), o.latency[i.ID] >= 0
	}
	return "", *i.RankingScore, true
}

func (o *oracle) list(q url.Values) []string {
	var found []wire.Item
	for _, i := range o.items {
		ok := q.Has("status") || i.Status == "ACTIVE"
		for name := range q {
			ok = ok && o.matches(&i, name, q.Get(name))
		}
		if ok {
			found = append(found, i)
		}
	}
	by := cmp.Or(q.Get("sort_by"), "ranking_score")
	desc := by != "name" && by != "p50_latency_ms"
	if q.Has("sort_order") {
		desc = q.Get("sort_order") == "desc"
	}
	slices.SortFunc(found, func(a, b wire.Item) int {
		at, an, ak := o.key(&a, by)
		bt, bn, bk := o.key(&b, by)
		if ak != bk {
			if ak {
				return -1
			}
			return 1
		}
		r := cmp.Or(cmp.Compare(at, bt), cmp.Compare(an, bn))
		if !ak {
			r = 0
		}
		if desc {
			r = -r
		}
		return cmp.Or(r, cmp.Compare(a.ID, b.ID))
	})
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	return ids
}

// filters are parameters that each narrow the generated site.
func filters(site *sitetest.Site) []string {
	inst := sitetest.Institutions(sitetest.At)
	return []string{
		"type=API", "type=API,DATASET", "is_public_sector=true", "is_public_sector=false",
		"country_code=GR", "country_code=gr,FR", "country=cy", "institution_type=" + string(inst[0].Type) + "," + string(inst[1].Type),
		"institution_id=" + inst[2].ID, "institution_id=" + inst[2].ID + "," + inst[3].ID, "tags=air", "tags=air,maps", "tags=Air", "tags=open%20data",
		"tags=%CF%8D%CE%B4%CF%89%CF%81", "verification_state=VERIFIED", "verification_state=FAILING,STALE", "status=ACTIVE", "status=DEPRECATED",
		"status=ACTIVE,DEPRECATED", "free_access_class=FREE_NO_AUTH,UNKNOWN", "auth_type=NONE", "mqa_tier=poor,fair", "maturity=discovered", "maturity=verified",
		"license=CC0-1.0", "license=CC0-1.0,ODbL-1.0", "theme=ENVI", "theme=envi,TRAN", "period_start=1905", "period_end=1907-06", "period_start=1903&period_end=1908-06-30",
		"format=CSV", "format=csv,json", "lang=el", "lang=EL,fr", "updated_since=2026-11-01", "updated_since=2026-11-01T12:00:00%2B02:00",
		"search=air", "search=kt%C3%ADria", "search=%CE%BA%CF%84%CE%B9%CF%81%CE%B9%CE%B1", "search=bus%20st", "search=Quality,AIR", "search=", "search=!!!",
	}
}

func collect(t *testing.T, s *Service, target string) []string {
	t.Helper()
	var ids []string
	for target != "" {
		w := get(s, "GET", target)
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
		p := decode[page](t, w)
		for _, raw := range p.Items {
			var i struct{ ID string }
			json.Unmarshal(raw, &i)
			ids = append(ids, i.ID)
		}
		target = ""
		if p.Links.Next != nil {
			target = *p.Links.Next
		}
	}
	return ids
}

func TestListsMatchTheOracle(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 160})
	o := newOracle(t, site)
	orders := []string{"", "sort_by=name", "sort_by=created_at&sort_order=asc", "sort_by=created_at", "sort_by=last_verified_at",
		"sort_by=last_verified_at&sort_order=asc", "sort_by=p50_latency_ms", "sort_by=p50_latency_ms&sort_order=desc", "sort_order=asc", "sort_by=name&sort_order=desc"}
	narrowing := 0
	for i, f := range filters(site) {
		for _, order := range []string{orders[i%len(orders)], orders[(i+3)%len(orders)], ""} {
			query := strings.Trim(f+"&"+order, "&")
			values, err := url.ParseQuery(query)
			if err != nil {
				t.Fatal(err)
			}
			want := o.list(values)
			if got := collect(t, s, "/api/v1/entries?limit=100&"+query); !slices.Equal(got, want) {
				t.Errorf("%s: %d entries, want %d; or another order", query, len(got), len(want))
			}
			if len(want) > 0 && len(want) < len(site.Catalog.Order) {
				narrowing++
			}
		}
	}
	if narrowing < 50 {
		t.Errorf("only %d of the filters narrow", narrowing)
	}
	for _, order := range orders {
		values, _ := url.ParseQuery(order)
		if got := collect(t, s, "/api/v1/entries?limit=37&"+order); !slices.Equal(got, o.list(values)) {
			t.Errorf("%s: another order", order)
		}
	}
}

func TestFiltersCombine(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 160})
	o, all := newOracle(t, site), filters(site)
	for i, a := range all {
		for j := i + 1; j < len(all); j += 5 {
			query := a + "&" + all[j] + "&sort_by=name"
			values, _ := url.ParseQuery(query)
			if slices.ContainsFunc([]string{"country"}, values.Has) && values.Has("country_code") {
				continue
			}
			if slices.ContainsFunc(slices.Collect(func(yield func([]string) bool) {
				for _, v := range values {
					if !yield(v) {
						return
					}
				}
			}), func(v []string) bool { return len(v) > 1 }) {
				continue
			}
			if got := collect(t, s, "/api/v1/entries?limit=100&"+query); !slices.Equal(got, o.list(values)) {
				t.Errorf("%s differs", query)
			}
		}
	}
}

func TestLiveItemsAreTheTreesItems(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 120})
	for _, target := range []string{"/api/v1/entries?page=2", "/api/v1/entries?limit=100&status=DEPRECATED,ACTIVE&sort_by=name"} {
		p := decode[page](t, get(s, "GET", target))
		for _, raw := range p.Items {
			var i struct{ ID string }
			json.Unmarshal(raw, &i)
			if string(raw) != string(site.Items[i.ID]) {
				t.Errorf("%s: item %s differs", target, i.ID)
			}
		}
		if !p.Manifest.Live || p.Snapshot != site.Catalog.ID {
			t.Errorf("%s: live %v, snapshot %s", target, p.Manifest.Live, p.Snapshot)
		}
	}
	live, pinned := decode[page](t, get(s, "GET", "/api/v1/entries?page=3")), decode[page](t, get(s, "GET", "/s/"+site.Catalog.ID+"/api/v1/entries/pages/3"))
	live.Links.Self = pinned.Links.Self
	if fmt.Sprint(live.Items) != fmt.Sprint(pinned.Items) || !slices.Equal([]any{live.Total, live.Page, *live.Links.Next, *live.Links.Prev, live.Links.First, live.Links.Last},
		[]any{pinned.Total, pinned.Page, *pinned.Links.Next, *pinned.Links.Prev, pinned.Links.First, pinned.Links.Last}) {
		t.Error("a default page and its pinned page disagree")
	}
}

func TestLinks(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 137})
	id := site.Catalog.ID
	w := get(s, "GET", "/api/v1/entries?tags=maps,air&country=gr&sort_order=desc&limit=2&page=2&search=Air%20%C3%89coles&snapshot="+id)
	p := decode[page](t, w)
	if want := "/api/v1/entries?page=2&limit=2&country_code=GR&tags=air,maps&search=air+ecoles&snapshot=" + id; p.Links.Self != want {
		t.Errorf("self %q, want %q", p.Links.Self, want)
	}
	w = get(s, "GET", "/api/v1/entries?type=API&page=2")
	p = decode[page](t, w)
	want := fmt.Sprintf(`<%s>; rel="self", <%s>; rel="first", <%s>; rel="prev", <%s>; rel="next", <%s>; rel="last"`,
		p.Links.Self, p.Links.First, *p.Links.Prev, *p.Links.Next, p.Links.Last)
	if got := w.Header().Get("Link"); got != want {
		t.Errorf("Link %q, want %q", got, want)
	}
	if w = get(s, "GET", "/api/v1/entries"); !strings.Contains(w.Header().Get("Link"), `</s/`+id+`/api/v1/entries/pages/2>; rel="next"`) {
		t.Errorf("the tree's own page has Link %q", w.Header().Get("Link"))
	}
	w = get(s, "GET", "/api/v1/entries?page=4000000&type=API&limit=100")
	p = decode[page](t, w)
	if w.Code != 200 || len(p.Items) != 0 || p.Links.Next != nil || *p.Links.Prev != p.Links.Last || p.Page != 4000000 {
		t.Errorf("beyond the end: %d %+v", w.Code, p)
	}
	w = get(s, "GET", "/api/v1/entries?search=nowhereatall")
	p = decode[page](t, w)
	if p.Total != 0 || p.TotalPages != 0 || p.Links.First != p.Links.Last || string(w.Body.Bytes()[:12]) != `{"items":[],` {
		t.Errorf("nothing found: %+v", p)
	}
}

func TestFacetsCountTheSelection(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 150})
	o := newOracle(t, site)
	for _, f := range append(filters(site), "country_code=GR&type=API") {
		values, _ := url.ParseQuery(f)
		p := decode[wire.FacetsPage](t, get(s, "GET", "/api/v1/entries/facets?"+f))
		want := o.list(values)
		sum := 0
		for _, c := range p.Facets.Type {
			sum += c.Count
		}
		if p.Total != len(want) || sum != len(want) || p.Snapshot != site.Catalog.ID {
			t.Errorf("%s: total %d, types %d, want %d", f, p.Total, sum, len(want))
		}
	}
	if w := get(s, "GET", "/api/v1/entries/facets?page=1"); w.Code != 422 {
		t.Errorf("facets have pages: %d", w.Code)
	}
}

func TestPagingSeesOneCatalogWhileItIsReplaced(t *testing.T) {
	for _, query := range []string{"", "?limit=7", "?type=API,DATASET&sort_by=name&limit=9", "?sort_by=p50_latency_ms&sort_order=desc&limit=11"} {
		dir := t.TempDir()
		site := sitetest.Make(t, dir, sitetest.Options{Entries: 100})
		s, err := New(Config{SiteDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		values, _ := url.ParseQuery(strings.TrimPrefix(query, "?"))
		want := newOracle(t, site).list(values)
		var got []string
		for target, n := "/api/v1/entries"+query, 0; target != ""; n++ {
			p := decode[page](t, get(s, "GET", target))
			for _, raw := range p.Items {
				var i struct{ ID string }
				json.Unmarshal(raw, &i)
				got = append(got, i.ID)
			}
			if n == 1 || n == 3 || n == 5 {
				sitetest.Make(t, dir, sitetest.Options{Entries: 100, Generation: n, Gone: n * 3})
				if err := s.library.Refresh(time.Now()); err != nil {
					t.Fatal(err)
				}
			}
			target = ""
			if p.Links.Next != nil {
				target = *p.Links.Next
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %d entries, want %d", query, len(got), len(want))
		}
	}
}
