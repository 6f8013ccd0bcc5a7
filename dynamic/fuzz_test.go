package dynamic

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
)

// FuzzListQuery sends any query string: the answer comes soon and is a page or
// a problem, never a failure.
func FuzzListQuery(f *testing.F) {
	s, site := start(f, sitetest.Options{Entries: 80})
	for _, q := range filters(site) {
		f.Add(q)
	}
	for _, q := range []string{"page=1&limit=100&sort_by=name&sort_order=desc", "snapshot=" + site.Catalog.ID, "snapshot=20260101-0123456789ab", "%", "a=%zz", "&&&", ";", "search=" + strings.Repeat("a+", 3000),
		"tags=" + strings.Repeat("x,", 4000), strings.Repeat("page=1&", 1000), "search=%F0%9F%98%80%00%E2%80%8B", "updated_since=9999-12-31T23:59:59.999999999-23:59", "\xff\xfe=\x00"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest("GET", "/api/v1/entries", nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		begin := time.Now()
		s.Handler().ServeHTTP(w, r)
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("took %v", took)
		}
		if w.Code >= 500 || w.Code < 200 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q: %d %s", query, w.Code, w.Body)
		}
		if w.Code == 200 && query != "" {
			self := decode[page](t, w).Links.Self
			if again := get(s, "GET", self); again.Code != 200 || again.Header().Get("Etag") != w.Header().Get("Etag") {
				t.Errorf("%q: its own link %s gives %d or other bytes", query, self, again.Code)
			}
		}
	})
}
