package dynamic

import (
	"net/http"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
)

func TestBundleThatIsNotBuilt(t *testing.T) {
	s, site := start(t, sitetest.Options{Entries: 1})
	w := get(s, http.MethodGet, "/api/v1/okf/bundle.tar.gz")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("status %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	put(t, s, site, map[string]string{"/api/v1/okf/bundle.tar.gz": "x"})
	if w := get(s, http.MethodGet, "/api/v1/okf/bundle.tar.gz"); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/gzip" {
		t.Errorf("status %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
}
