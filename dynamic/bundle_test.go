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
	if err := sitetest.WriteFile(site.Dir, "/api/v1/okf/bundle.tar.gz", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if w := get(s, http.MethodGet, "/api/v1/okf/bundle.tar.gz"); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/gzip" {
		t.Errorf("status %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
}
