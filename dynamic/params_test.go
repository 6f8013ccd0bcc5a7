package dynamic

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

func TestParameters(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 50})
	many := strings.TrimSuffix(strings.Repeat("API,", 51), ",")
	for _, c := range []struct {
		query, location, message string // location "" for a 200
	}{
		{"page=1", "", ""}, {"page=9007199254740991", "", ""}, {"page=007", "", ""}, {"limit=1", "", ""}, {"limit=100", "", ""},
		{"page=0", "page", "use an integer from 1"}, {"page=-1", "page", "use an integer"}, {"page=1.5", "page", "use an integer"}, {"page=", "page", "use an integer"},
		{"page=9007199254740992", "page", "use an integer"}, {"page=99999999999999999999999", "page", "use an integer"}, {"page=%2B1", "page", "use an integer"},
		{"page=x", "page", "use an integer"}, {"limit=0", "limit", "use an integer from 1 to 100"}, {"limit=101", "limit", "from 1 to 100"},
		{"type=API,DATASET,MCP_SERVER", "", ""}, {"type=API,%20DATASET", "", ""}, {"type=api", "type", "use one of API, DATASET, MCP_SERVER"},
		{"type=", "type", "use one of"}, {"type=API,", "type", "use one of"}, {"type=" + many, "type", "at most 50"},
		{"type=API&type=DATASET", "type", "more than once"}, {"page=1&page=1", "page", "more than once"},
		{"is_public_sector=1", "is_public_sector", "use true or false"}, {"is_public_sector=TRUE", "is_public_sector", "use true or false"},
		{"country_code=GR", "", ""}, {"country_code=G", "country_code", "use a country code of two letters such as GR"}, {"country_code=GRC", "country_code", "use a country code"},
		{"country_code=1a", "country_code", "use a country code"}, {"country=GR,x", "country", "use a country code"}, {"country=GR&country_code=GR", "country", "another name"},
		{"country_code=G%C4%B0", "country_code", "use a country code"},
		{"institution_type=KINGDOM", "institution_type", "use one of GOVERNMENT"}, {"institution_id=7", "institution_id", "UUID"},
		{"tags=a,,b", "tags", "not empty"}, {"tags=", "tags", "not empty"}, {"verification_state=OK", "verification_state", "VERIFIED, STALE, FAILING, UNVERIFIED"},
		{"status=REMOVED", "status", "use one of ACTIVE, DEPRECATED"}, {"status=PENDING_REVIEW", "status", "use one of"},
		{"free_access_class=x", "free_access_class", "FREE_NO_AUTH"}, {"auth_type=x", "auth_type", "API_KEY"}, {"mqa_tier=x", "mqa_tier", "excellent"},
		{"maturity=x", "maturity", "discovered"}, {"sort_by=id", "sort_by", "name, created_at, last_verified_at, p50_latency_ms, ranking_score"},
		{"sort_order=up", "sort_order", "asc, desc"}, {"sort_order=", "sort_order", "asc, desc"},
		{"updated_since=2026-01-01", "", ""}, {"updated_since=2026-01-01T00:00:00.25Z", "", ""}, {"updated_since=2026-13-01", "updated_since", "use a time like"},
		{"updated_since=2026-01-01T00:00:00+02:00", "updated_since", "write + as %2B"}, {"updated_since=0001-01-01", "", ""}, {"updated_since=yesterday", "updated_since", "use a time"},
		{"search=" + strings.Repeat("a%20", 40), "", ""}, {"search=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u", "search", "at most 20 words"},
		{"snapshot=" + site.Catalog.ID, "", ""}, {"snapshot=latest", "snapshot", "use the id of a snapshot such as"}, {"snapshot=", "snapshot", "not empty"},
		{"foo=1", "foo", "unknown parameter; known are page, limit"}, {"Page=1", "Page", "unknown"}, {"=", "", "unknown parameter"}, {"%20page=1", " page", "unknown"},
	} {
		w := get(s, "GET", "/api/v1/entries?"+c.query)
		if c.message == "" {
			if w.Code != 200 {
				t.Errorf("%s: %d %s", c.query, w.Code, w.Body)
			}
			continue
		}
		p := decode[wire.Problem](t, w)
		if w.Code != 422 || len(p.Errors) != 1 || p.Errors[0].Location != "query."+c.location || !strings.Contains(p.Errors[0].Message, c.message) {
			t.Errorf("%s: %d %+v", c.query, w.Code, p)
		}
	}
}

func TestAllErrorsComeTogether(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 5})
	w := get(s, "GET", "/api/v1/entries?limit=0&type=X&foo=1&page=1&page=2&country_code=&"+strings.Repeat("u"+strings.Repeat("x", 200)+"=1&", 2))
	p := decode[wire.Problem](t, w)
	var got []string
	for _, e := range p.Errors {
		got = append(got, e.Location)
		if len(e.Location) > 120 || len(e.Value) > 120 {
			t.Errorf("a long echo: %+v", e)
		}
	}
	want := []string{"query.page", "query.limit", "query.type", "query.country_code", "query.foo"}
	if w.Code != 422 || len(got) != 6 || !slices.Equal(got[:5], want) || p.Detail != "6 parameters cannot be used." {
		t.Errorf("%d %v, want %v; %s", w.Code, got, want, p.Detail)
	}
}

// TestEquivalentRequestsAreOne compares requests that mean the same.
func TestEquivalentRequestsAreOne(t *testing.T) {
	s, _ := start(t, sitetest.Options{Entries: 50})
	for _, group := range [][]string{
		{"page=1", "limit=20", "sort_by=ranking_score", "sort_order=desc", "status=ACTIVE", "search=", "page=01&sort_by=ranking_score&sort_order=desc"},
		{"type=API,DATASET", "type=DATASET,API,API", "page=1&type=DATASET,%20API"},
		{"country=gr", "country_code=GR"}, {"sort_by=name", "sort_by=name&sort_order=asc"},
		{"search=Air%20QUALITY", "search=quality,air", "search=air+quality+air"},
		{"updated_since=2026-01-01", "updated_since=2026-01-01T02:00:00%2B02:00", "updated_since=2025-12-31T23:59:59.5Z"},
	} {
		first := get(s, "GET", "/api/v1/entries?"+group[0])
		for _, q := range group[1:] {
			if w := get(s, "GET", "/api/v1/entries?"+q); w.Code != 200 || w.Header().Get("Etag") != first.Header().Get("Etag") {
				t.Errorf("%s is not %s", q, group[0])
			}
		}
	}
}
