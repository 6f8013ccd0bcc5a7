package dynamic

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

var wildcard = regexp.MustCompile(`\{[^}]*\}`)

// TestEveryRoleIsEnforced asks every operation that needs a role without a
// token, with an unknown one, and with one whose role is too small.
func TestEveryRoleIsEnforced(t *testing.T) {
	s := startWithStore(t)
	moderator, _, err := access.Create(t.Context(), s.config.Store, catalog.RoleModerator, "", access.Actor{By: "test"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	guarded := 0
	for _, op := range wire.Operations() {
		target := wildcard.ReplaceAllString(op.Path, "6f1c1b0e-55a1-5a3c-9f0e-2f4f1c7d9b11")
		if op.Role == "" {
			continue
		}
		guarded++
		if op.Cache != wire.CacheNever {
			t.Errorf("%s: what needs a token is cached as %q", op.ID, op.Cache)
		}
		for token, want := range map[string]int{"": 401, "Bearer ": 401, "Basic YTpi": 401, "Bearer " + moderator: 403} {
			if want == 403 && op.Role == catalog.RoleModerator {
				continue
			}
			header := []string{"Content-Type", "application/json"}
			if token != "" {
				header = append(header, "Authorization", token)
			}
			w := get(s, op.Method, target, header...)
			if w.Code != want || (want == 401) != (w.Header().Get("WWW-Authenticate") != "") {
				t.Errorf("%s %s with %.15q: %d, want %d", op.Method, target, token, w.Code, want)
			}
		}
	}
	t.Logf("%d operations need a role", guarded)
}

// TestAnUndescribedOperationIsForAdministrators: what is forgotten stays shut.
func TestAnUndescribedOperationIsForAdministrators(t *testing.T) {
	s := startWithStore(t)
	h := s.mount(&Route{OperationID: "forgotten", Method: http.MethodGet, Pattern: "/forgotten",
		handler: func(http.ResponseWriter, *http.Request) error { t.Error("the handler ran"); return nil }}, nil)
	err := h(nil, new(http.Request))
	if e, ok := err.(*web.Error); !ok || e.Problem.Status != http.StatusUnauthorized {
		t.Errorf("got %v", err)
	}
}

// TestLimitsByKind: reads, writes and the proxy are counted apart, the files
// of the tree and the state of the service not at all.
func TestLimitsByKind(t *testing.T) {
	s := startWithStore(t)
	now := time.Now()
	s.limits = newLimiters(Limits{Reads: 2, Writes: 1, Proxy: 1}, func() time.Time { return now })
	s.handler = s.front.Wrap(s.mux())
	for _, target := range []string{"/health", "/snapshot.json", "/api/v1/entries/e1-record"} {
		for range 5 {
			if w := get(s, "GET", target); w.Code != 200 || w.Header().Get("RateLimit") != "" {
				t.Errorf("%s: %d %v", target, w.Code, w.Header())
			}
		}
	}
	for i, want := range []int{200, 200, 429, 429} {
		w := get(s, []string{"GET", "HEAD"}[i%2], "/api/v1/entries?limit=1")
		if w.Code != want || !strings.HasPrefix(w.Header().Get("RateLimit"), `"reads";r=`) {
			t.Errorf("read %d: %d %v", i+1, w.Code, w.Header())
		}
	}
	if w := get(s, "OPTIONS", "/api/v1/entries"); w.Code != 204 {
		t.Errorf("preflight: %d", w.Code)
	}
	now = now.Add(time.Minute)
	if w := get(s, "GET", "/api/v1/entries?limit=1"); w.Code != 200 {
		t.Errorf("a minute later: %d", w.Code)
	}
}
