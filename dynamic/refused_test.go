package dynamic

import (
	"net/http"
	"strings"
	"testing"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/wire"
)

// TestRefusedPages: who asked for a page with a browser reads in the language of the address why
// there is none; programs get the problem document.
func TestRefusedPages(t *testing.T) {
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	s, err := New(Config{SiteDir: sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 3}).Dir, Limits: Limits{Reads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ path, accept, kind, want string }{
		{"/de/search?q=a", browser, "text/html", "<h1"}, // within the quota
		{"/de/search?q=a", browser, "text/html", "Zu viele Anfragen"},
		{"/search?q=a", browser, "text/html", "Too many requests"},
		{"/search?q=a", "*/*", wire.MediaProblem, `"status":429`},
		{"/api/v1/entries", browser, wire.MediaProblem, `"status":429`},
	} {
		res := get(s, http.MethodGet, step.path, "Accept", step.accept)
		if !strings.HasPrefix(res.Header().Get("Content-Type"), step.kind) || !strings.Contains(res.Body.String(), step.want) {
			t.Errorf("%s for %s: %d %s %.300s", step.path, step.accept, res.Code, res.Header().Get("Content-Type"), res.Body.String())
		}
		if res.Code == http.StatusTooManyRequests && res.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %v", step.path, res.Code, res.Header())
		}
	}
}
