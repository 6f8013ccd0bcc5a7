package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// asked are the values that a drawn query may ask for, by the name of the filter.
var asked = map[string][]string{
	"type": texts(catalog.EntryTypes()), "country_code": {"DE", "GR", "XX"}, "institution_type": {string(catalog.InstGovernment)}, "institution_id": {"i1"},
	"tags": {tags[0], tags[1]}, "verification_state": {string(catalog.StateVerified), string(catalog.StateStale)},
	"status":            {string(catalog.StatusActive), string(catalog.StatusDeprecated)},
	"free_access_class": texts(catalog.FreeAccessClasses()[:4]), "auth_type": texts(catalog.AuthTypes()[:5]), "access_rights": texts(catalog.AccessRightsValues()),
	"mqa_tier": texts(catalog.MQATiers()[:4]), "maturity": texts(catalog.Maturities()[:5]), "format": formats, "lang": {"el", "de"},
	"license": {"CC0-1.0", "ODbL-1.0"}, "license_allows": permissions[:2], "theme": {"ENVI", "TRAN"}, "hvd_category": {"c_1", "c_2"}, "place": {"BE1"}, "frequency": {"DAILY"},
	"has_download": {"true", "false"}, "is_public_sector": {"true", "false"},
}

func drawQuery(t *rapid.T) Query {
	q := Query{Where: map[string][]string{}, Since: instant(t, "from"), Until: instant(t, "to"),
		Sort: oneOf(t, "sort", append(SortKeys(), "")...), Desc: rapid.Bool().Draw(t, "desc")}
	// A query with every filter finds nothing; each is dropped mostly.
	dropped := func() bool { return rapid.IntRange(0, 5).Draw(t, "drop") > 0 }
	for _, d := range Dimensions() {
		if values := asked[d.Name]; len(values) == 0 {
			t.Fatalf("nothing is asked of %s", d.Name)
		} else if !dropped() {
			q.Where[d.Name] = some(t, d.Name, values...)
		}
	}
	if dropped() {
		q.Since = time.Time{}
	}
	if dropped() {
		q.Until = time.Time{}
	}
	if rapid.IntRange(0, 4).Draw(t, "narrow") == 0 {
		q.UpdatedSince = time.Unix(int64(rapid.IntRange(0, 3).Draw(t, "since")), 0)
	}
	if rapid.IntRange(0, 4).Draw(t, "among") == 0 {
		q.Among = func(ordinal int32) bool { return ordinal%2 == 0 }
	}
	return q
}

// instant is an early time, or none.
func instant(t *rapid.T, label string) time.Time {
	if n := rapid.IntRange(0, 4).Draw(t, label); n > 0 {
		return time.Unix(int64(n), 0)
	}
	return time.Time{}
}

// overlaps is the oracle of periods: a second that both cover.
func overlaps(q *Query, l *Line) bool {
	if q.Since.IsZero() && q.Until.IsZero() {
		return true
	}
	if l.From == 0 && l.To == 0 {
		return false
	}
	for at := int64(-1); at < 7; at++ {
		asked := (q.Since.IsZero() || at >= q.Since.Unix()) && (q.Until.IsZero() || at <= q.Until.Unix())
		if asked && (l.From == 0 || at >= l.From) && (l.To == 0 || at <= l.To) {
			return true
		}
	}
	return false
}

// wants is the oracle of one entry.
func wants(q *Query, ordinal int, l *Line) bool {
	in := func(name string, have ...string) bool {
		wanted := q.Where[name]
		return len(wanted) == 0 || slices.ContainsFunc(wanted, func(v string) bool { return slices.Contains(have, v) })
	}
	ok := in("type", string(l.Type)) && in("country_code", l.Country) && in("institution_type", string(l.InstType)) &&
		in("institution_id", l.InstitutionID) && in("verification_state", string(l.State)) && in("status", string(l.Status)) &&
		in("free_access_class", string(l.FreeAccess)) && in("auth_type", string(l.Auth)) && in("access_rights", string(l.Rights)) &&
		in("mqa_tier", string(l.Tier)) && in("maturity", string(l.Maturity)) && in("lang", l.Lang) && in("format", l.Formats...) &&
		in("theme", l.Themes...) && in("license", l.LicenseID) && in("hvd_category", l.HVD...) && in("place", l.Places...) &&
		in("frequency", l.Frequency) && in("has_download", fmt.Sprint(l.Download)) && in("is_public_sector", fmt.Sprint(l.Public)) && overlaps(q, l)
	if len(q.Where["status"]) == 0 {
		ok = ok && l.Status == catalog.StatusActive
	}
	for _, right := range q.Where["license_allows"] {
		if !slices.Contains(l.Allows, right) {
			return false
		}
	}
	for _, tag := range q.Where["tags"] {
		ok = ok && slices.Contains(l.Tags, tag)
	}
	ok = ok && (q.Among == nil || q.Among(int32(ordinal)))
	ok = ok && (q.UpdatedSince.IsZero() || !time.Unix(l.Updated, 0).Before(q.UpdatedSince))
	return ok
}

func texts[T ~string](list []T) []string {
	var out []string
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}

// before is the oracle of the order of two different entries.
func before(key SortKey, desc bool, a, b *Line) bool {
	if key == "" {
		key, desc = SortRanking, true
	}
	type value struct {
		text    string
		n       int64
		unknown bool
	}
	get := func(l *Line) value {
		switch key {
		case SortName:
			return value{text: search.Fold(l.Name)}
		case SortCreated:
			return value{n: l.Created, unknown: l.Created == 0}
		case SortVerified:
			return value{n: l.Verified, unknown: l.Verified == 0}
		case SortLatency:
			return value{n: int64(l.P50), unknown: l.P50 < 0}
		}
		return value{n: int64(l.Ranking)}
	}
	x, y := get(a), get(b)
	if x.unknown != y.unknown {
		return y.unknown
	}
	r := cmp.Or(cmp.Compare(x.text, y.text), cmp.Compare(x.n, y.n))
	if x.unknown {
		r = 0
	}
	if desc {
		r = -r
	}
	return r < 0 || r == 0 && a.ID < b.ID
}

func TestListAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := reopen(t, drawCatalog(t, 25))
		for range 5 {
			q := drawQuery(t)
			var want []int32
			for i := range c.Lines {
				if wants(&q, i, &c.Lines[i]) {
					want = append(want, int32(i))
				}
			}
			for i := range want {
				for j := i; j > 0 && before(q.Sort, q.Desc, &c.Lines[want[j]], &c.Lines[want[j-1]]); j-- {
					want[j], want[j-1] = want[j-1], want[j]
				}
			}
			if d := gocmp.Diff(want, c.List(q)); d != "" {
				t.Fatalf("query %+v (-want +got):\n%s", q, d)
			}
		}
	})
}

func TestOrderIsTheDefaultList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t, 30)
		if d := gocmp.Diff(c.Order, append([]int32{}, c.List(Query{})...)); d != "" {
			t.Fatalf("the order and the default list differ:\n%s", d)
		}
	})
}

func TestUnknownValuesComeLast(t *testing.T) {
	lines := []Line{{Traits: &Traits{Status: catalog.StatusActive}, ID: id(1), P50: -1}, {Traits: &Traits{Status: catalog.StatusActive}, ID: id(2), P50: 20, Created: 5, Verified: 5},
		{Traits: &Traits{Status: catalog.StatusActive}, ID: id(3), P50: 10, Created: 9, Verified: 9}}
	c := freeze(t, lines)
	for _, key := range []SortKey{SortCreated, SortVerified, SortLatency} {
		for _, desc := range []bool{false, true} {
			got := c.List(Query{Sort: key, Desc: desc})
			if last := c.Lines[got[2]].ID; last != id(1) {
				t.Errorf("%s, descending %t: the last is %s", key, desc, last)
			}
			if first := c.Lines[got[0]].ID; (first == id(3)) != (desc != (key == SortLatency)) {
				t.Errorf("%s, descending %t: the first is %s", key, desc, first)
			}
		}
	}
}

func TestFacetsAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t, 25)
		f := c.Facets(c.Order)
		check := func(name string, got []Count, get func(*Line) []string) {
			counts := map[string]int{}
			for _, i := range c.Order {
				for _, v := range get(&c.Lines[i]) {
					counts[v]++
				}
			}
			delete(counts, "")
			if len(got) != len(counts) || got == nil {
				t.Fatalf("%s: %v, want %v", name, got, counts)
			}
			for i, g := range got {
				if counts[g.Value] != g.Count {
					t.Fatalf("%s: %v, want %v", name, got, counts)
				}
				if i > 0 && (got[i-1].Count < g.Count || got[i-1].Count == g.Count && got[i-1].Value >= g.Value) {
					t.Fatalf("%s is not in order: %v", name, got)
				}
			}
		}
		check("type", f.Type, func(l *Line) []string { return []string{string(l.Type)} })
		check("country", f.CountryCode, func(l *Line) []string { return []string{l.Country} })
		check("institution type", f.InstitutionType, func(l *Line) []string { return []string{string(l.InstType)} })
		check("institution", f.InstitutionID, func(l *Line) []string { return []string{l.InstitutionID} })
		check("tags", f.Tags, func(l *Line) []string { return l.Tags })
		check("state", f.State, func(l *Line) []string { return []string{string(l.State)} })
		check("status", f.Status, func(l *Line) []string { return []string{string(l.Status)} })
		check("access", f.FreeAccessClass, func(l *Line) []string { return []string{string(l.FreeAccess)} })
		check("auth", f.AuthType, func(l *Line) []string { return []string{string(l.Auth)} })
		check("tier", f.Tier, func(l *Line) []string { return []string{string(l.Tier)} })
		check("maturity", f.Maturity, func(l *Line) []string { return []string{string(l.Maturity)} })
		check("format", f.Format, func(l *Line) []string { return l.Formats })
		check("lang", f.Lang, func(l *Line) []string { return []string{l.Lang} })
		check("theme", f.Theme, func(l *Line) []string { return l.Themes })
		check("licence", f.License, func(l *Line) []string { return []string{l.LicenseID} })
		check("rights", f.AccessRights, func(l *Line) []string { return []string{string(l.Rights)} })
		check("category", f.HVDCategory, func(l *Line) []string { return l.HVD })
		check("place", f.Place, func(l *Line) []string { return l.Places })
		check("license_allows", f.LicenseAllows, func(l *Line) []string { return l.Allows })
		check("frequency", f.Frequency, func(l *Line) []string { return []string{l.Frequency} })
		check("download", f.HasDownload, func(l *Line) []string { return []string{fmt.Sprint(l.Download)} })
	})
}

func TestFacetsAreBounded(t *testing.T) {
	lines := make([]Line, FacetMax+5)
	for i := range lines {
		lines[i] = Line{Traits: &Traits{Status: catalog.StatusActive}, ID: id(i), Tags: []string{id(i)}}
	}
	c := freeze(t, lines)
	if got := len(c.Facets(c.Order).Tags); got != FacetMax {
		t.Errorf("%d tags are counted out", got)
	}
	if got := c.Facets(nil); len(got.Tags) != 0 || got.Tags == nil {
		t.Errorf("facets of nothing: %v", got.Tags)
	}
}
