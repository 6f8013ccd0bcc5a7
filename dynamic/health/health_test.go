package health

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/web"
)

func TestHealth(t *testing.T) {
	dir := t.TempDir()
	library, err := query.Open(dir, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	front := &web.Front{Log: slog.New(slog.DiscardHandler), Now: time.Now, Site: library.Site, Timeout: time.Second}
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		front.Wrap(front.Adapt(Get(library))).ServeHTTP(w, httptest.NewRequest("GET", "/health", nil))
		return w
	}
	if w := ask(); w.Code != 503 || w.Header().Get("Retry-After") == "" || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("without a snapshot: %d %v", w.Code, w.Header())
	}
	site := sitetest.Make(t, dir, sitetest.Options{Entries: 3})
	if err := library.Refresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	if w := ask(); w.Code != 200 || w.Body.String() != `{"status":"ok","snapshot":"`+site.Catalog.ID+`"}` || !strings.Contains(w.Header().Get("Cache-Control"), "no-store") {
		t.Errorf("with a snapshot: %d %s", w.Code, w.Body)
	}
}
