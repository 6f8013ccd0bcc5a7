package dynamic

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// TestACopyOfTheStoreMakesNoAdministrator: whoever reads the files of a store in
// which somebody is logged in tries every text in them as a cookie, as a token,
// and as a key that signs the cookie of each token.
func TestACopyOfTheStoreMakesNoAdministrator(t *testing.T) {
	folder := t.TempDir()
	st, err := sqlite.Open(t.Context(), filepath.Join(folder, "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	s, err := New(Config{SiteDir: sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 5}).Dir, Store: st})
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, s: s, site: "same-origin"}
	id := b.login(catalog.RoleAdmin)
	b.want(200, "GET", "/admin/tokens", nil, "admin Ada")
	var copied []byte
	for _, name := range []string{"assay.db", "assay.db-wal"} {
		part, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		copied = append(append(copied, part...), 0)
	}
	if !bytes.Contains(copied, []byte(id)) {
		t.Fatal("the copy does not hold the token's id: the test reads nothing")
	}
	if bytes.Contains(copied, []byte(b.cookie.Value)) {
		t.Error("the store holds the cookie of a login")
	}
	texts := map[string]bool{}
	for _, text := range regexp.MustCompile(`[A-Za-z0-9_.+/=|-]{12,200}`).FindAll(copied, -1) {
		texts[string(text)] = true
		for end := 26; end <= min(len(text), 70); end++ { // fields of a row stand side by side
			texts[string(text[:end])] = true
			texts[string(text[len(text)-end:])] = true
		}
	}
	if len(texts) < 100 {
		t.Fatalf("%d texts in the copy", len(texts))
	}
	payload := id + "|" + strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10) + "|x"
	n := 0
	for text := range texts {
		n++
		m := hmac.New(sha256.New, []byte(text))
		m.Write([]byte("session\n" + payload))
		forged := base64.RawURLEncoding.EncodeToString([]byte(payload)) + "." + hex.EncodeToString(m.Sum(nil))
		for _, cookie := range []string{text, forged} {
			if asStranger(s, n, &http.Cookie{Name: b.cookie.Name, Value: cookie}, "") {
				t.Fatalf("a cookie made of %q opens the desk", text)
			}
		}
		if asStranger(s, n, nil, text) {
			t.Fatalf("%q is taken for a token", text)
		}
	}
	if !asStranger(s, 0, b.cookie, "") {
		t.Error("the login itself does not open the desk: the test shows nothing")
	}
}

// asStranger tells whether the desk, or its interface, lets a client in.
func asStranger(s *Service, n int, cookie *http.Cookie, token string) bool {
	path := "/admin/tokens"
	if cookie == nil {
		path = "/api/v1/admin/tokens"
	}
	r := httptest.NewRequest(http.MethodGet, "http://register.example"+path, nil)
	r.RemoteAddr = fmt.Sprintf("[2001:db8:%x:%x::1]:9", n>>16, n&0xffff)
	if cookie != nil {
		r.Header.Set("Cookie", cookie.Name+"="+cookie.Value)
	} else {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w.Code == http.StatusOK
}

// TestALogoutEndsTheLogin also for who kept its cookie. The eleventh login of a
// token ends its first, and the list of tokens counts them.
func TestALogoutEndsTheLogin(t *testing.T) {
	b := newBrowser(t)
	id := b.login(catalog.RoleAdmin)
	kept := b.cookie
	b.want(303, "POST", "/admin/logout", url.Values{})
	b.cookie = kept
	b.want(303, "GET", "/admin/tokens", nil)
	err := b.s.config.Store.View(t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Sessions().Of(t.Context(), id)
		if len(list) > 0 {
			t.Errorf("%+v are left after the logout", list)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	secret, _, err := access.Create(t.Context(), b.s.config.Store, catalog.RoleAdmin, "Eve", access.Actor{Name: "test"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var cookies []*http.Cookie
	for range 11 {
		cookies = append(cookies, b.want(303, "POST", "/admin/login", url.Values{"token": {secret}}).Result().Cookies()[0])
	}
	for i, c := range cookies {
		b.cookie = c
		want := http.StatusOK
		if i == 0 {
			want = http.StatusSeeOther
		}
		b.want(want, "GET", "/admin/tokens", nil)
	}
	b.want(200, "GET", "/admin/tokens", nil, `<td class=num>10<`)
}
