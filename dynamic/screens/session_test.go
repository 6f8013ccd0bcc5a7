package screens

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestALoginLastsTwelveHours and no longer, whatever its cookie says and however
// much it is used; another process of the register knows it.
func TestALoginLastsTwelveHours(t *testing.T) {
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	now := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	service := func() *Config {
		return &Config{Store: st, Now: func() time.Time { return now }, Current: func() *snapshot.Catalog { return nil }}
	}
	_, token, err := access.Create(t.Context(), st, catalog.RoleModerator, "Ada", access.Actor{}, now)
	if err != nil {
		t.Fatal(err)
	}
	cookie, err := service().begin(t.Context(), &web.Caller{Token: token.ID})
	if err != nil {
		t.Fatal(err)
	}
	ask := func() (*session, error) {
		r := httptest.NewRequest(http.MethodGet, "/admin", nil)
		r.AddCookie(cookie)
		return service().session(r)
	}
	for range 3 {
		s, err := ask()
		if err != nil || s.caller.Role != catalog.RoleModerator || len(s.csrf) != 64 || s.csrf == cookie.Value {
			t.Fatalf("%+v, %v", s, err)
		}
		now = now.Add(4*time.Hour - time.Minute)
	}
	now = now.Add(3 * time.Minute)
	if _, err := ask(); !errors.Is(err, errNoSession) {
		t.Errorf("after twelve hours: %v", err)
	}
}
