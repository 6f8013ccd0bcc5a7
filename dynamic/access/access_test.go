package access

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

var ada = Actor{By: "t0", Name: "Ada"}

func openStore(t *testing.T) catalog.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// door is a guard with a clock of its own and a route for each role.
type door struct {
	guard *Guard
	at    time.Time
	store catalog.Store
}

func newDoor(t *testing.T) *door {
	d := &door{store: openStore(t), at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	d.guard = New(d.store, func() time.Time { return d.at })
	return d
}

func (d *door) token(t *testing.T, role catalog.Role) (string, catalog.Token) {
	t.Helper()
	secret, token, err := Create(t.Context(), d.store, role, "holder of "+string(role), ada, d.at)
	if err != nil {
		t.Fatal(err)
	}
	return secret, token
}

// ask goes to a route that asks for the role; the answer names the caller.
func (d *door) ask(role catalog.Role, from string, authorization ...string) *httptest.ResponseRecorder {
	front := &web.Front{Now: time.Now, Timeout: time.Second, Log: slog.New(slog.DiscardHandler),
		Site: func() (snapshot.Site, string) { return snapshot.Site{}, "" }}
	h := d.guard.Require(role, func(w http.ResponseWriter, r *http.Request) error {
		c := web.CallerOf(r.Context())
		w.Write([]byte(string(c.Role) + "/" + c.Token + "/" + c.Name))
		return nil
	})
	r := httptest.NewRequest("GET", "/x", nil)
	r.RemoteAddr = from + ":9"
	r.Header["Authorization"] = authorization
	w := httptest.NewRecorder()
	front.Wrap(front.Adapt(h)).ServeHTTP(w, r)
	return w
}

func TestRoles(t *testing.T) {
	d := newDoor(t)
	admin, a := d.token(t, catalog.RoleAdmin)
	moderator, m := d.token(t, catalog.RoleModerator)
	for _, c := range []struct {
		role   catalog.Role
		token  string
		status int
		body   string
	}{
		{catalog.RoleAdmin, admin, 200, "admin/" + a.ID + "/holder of admin"},
		{catalog.RoleModerator, admin, 200, "admin/" + a.ID + "/holder of admin"},
		{catalog.RoleModerator, moderator, 200, "moderator/" + m.ID + "/holder of moderator"},
		{catalog.RoleAdmin, moderator, 403, "role admin"},
		{"", moderator, 200, "//"}, {"", "nonsense", 200, "//"},
	} {
		w := d.ask(c.role, "192.0.2.1", "Bearer "+c.token)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
			t.Errorf("%q asked for, %.12s: %d %s", c.role, c.token, w.Code, w.Body)
		}
	}
}

func TestWhatIsNoToken(t *testing.T) {
	d := newDoor(t)
	secret, token := d.token(t, catalog.RoleAdmin)
	for name, header := range map[string][]string{
		"none": nil, "empty": {""}, "no scheme": {secret}, "another scheme": {"Basic " + secret}, "no token": {"Bearer "},
		"two headers": {"Bearer " + secret, "Bearer " + secret}, "long": {"Bearer " + strings.Repeat("x", 600)},
	} {
		w := d.ask(catalog.RoleModerator, "192.0.2.1", header...)
		if w.Code != 401 || w.Header().Get("WWW-Authenticate") != "Bearer" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
	}
	for _, guess := range []string{"assay_X", secret + "x", strings.ToLower(secret), secret[:len(secret)-1], token.Hash, token.ID} {
		w := d.ask(catalog.RoleModerator, "192.0.2.2", "Bearer "+guess)
		if w.Code != 401 || w.Header().Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
			t.Errorf("guess %.20s: %d %v", guess, w.Code, w.Header())
		}
	}
	if w := d.ask(catalog.RoleModerator, "192.0.2.1", "bearer  "+secret); w.Code != 200 {
		t.Errorf("another spelling of the scheme: %d", w.Code)
	}
}

// TestGuessingIsThrottled: after ten wrong tokens even a right one is refused,
// so that going on tells nothing; other clients are not touched.
func TestGuessingIsThrottled(t *testing.T) {
	d := newDoor(t)
	secret, _ := d.token(t, catalog.RoleAdmin)
	for i := range guessesMax {
		if w := d.ask(catalog.RoleAdmin, "192.0.2.1", "Bearer guess"); w.Code != 401 {
			t.Fatalf("guess %d: %d", i+1, w.Code)
		}
	}
	for _, token := range []string{"guess", secret} {
		if w := d.ask(catalog.RoleAdmin, "192.0.2.1", "Bearer "+token); w.Code != 429 || w.Header().Get("Retry-After") == "" {
			t.Errorf("after %d guesses: %d %v", guessesMax, w.Code, w.Header())
		}
	}
	if w := d.ask(catalog.RoleAdmin, "192.0.2.9", "Bearer "+secret); w.Code != 200 {
		t.Errorf("another client: %d", w.Code)
	}
	d.at = d.at.Add(time.Minute)
	if w := d.ask(catalog.RoleAdmin, "192.0.2.1", "Bearer "+secret); w.Code != 200 {
		t.Errorf("a minute later: %d", w.Code)
	}
}

func TestARevokedTokenIsRefusedWithinSeconds(t *testing.T) {
	d := newDoor(t)
	secret, token := d.token(t, catalog.RoleAdmin)
	if w := d.ask(catalog.RoleAdmin, "192.0.2.1", "Bearer "+secret); w.Code != 200 {
		t.Fatal(w.Code)
	}
	if _, err := Revoke(t.Context(), d.store, token.ID, ada, d.at); err != nil {
		t.Fatal(err)
	}
	d.at = d.at.Add(fresh)
	if w := d.ask(catalog.RoleAdmin, "192.0.2.1", "Bearer "+secret); w.Code != 401 {
		t.Errorf("%s after its revocation: %d", fresh, w.Code)
	}
}

func TestChangesOfTokensAreAudited(t *testing.T) {
	d := newDoor(t)
	secret, token := d.token(t, catalog.RoleModerator)
	if _, err := Revoke(t.Context(), d.store, token.ID, ada, d.at); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]error{token.ID: catalog.ErrConflict, "nobody": catalog.ErrNotFound} {
		if _, err := Revoke(t.Context(), d.store, id, ada, d.at); !errors.Is(err, want) {
			t.Errorf("revoke %s again: %v", id, err)
		}
	}
	for role, name := range map[catalog.Role]string{"owner": "", "": "", "admin": strings.Repeat("n", 300)} {
		if _, _, err := Create(t.Context(), d.store, role, name, ada, d.at); !errors.Is(err, catalog.ErrInvalid) {
			t.Errorf("role %q: %v", role, err)
		}
	}
	var rows []catalog.AuditRow
	err := d.store.View(t.Context(), func(tx catalog.Tx) (err error) {
		rows, err = tx.Audits().Before(context.Background(), 0, token.ID, 9)
		return err
	})
	if err != nil || len(rows) != 2 || rows[0].Action != "revokeToken" || rows[1].Action != "createToken" || rows[0].By != ada.By || rows[0].Name != ada.Name {
		t.Errorf("%v, audit %+v", err, rows)
	}
	if token.Hash != Hash(secret) || strings.Contains(token.Hash, secret) {
		t.Errorf("stored %+v", token)
	}
}

// TestMemoryOfTokensIsBounded shows that wrong tokens are not remembered.
func TestMemoryOfTokensIsBounded(t *testing.T) {
	d := newDoor(t)
	for range 50 {
		d.ask(catalog.RoleAdmin, "192.0.2.1", "Bearer wrong")
	}
	if len(d.guard.known) > 0 {
		t.Errorf("%d wrong tokens are remembered", len(d.guard.known))
	}
}
