package dynamic

import (
	"context"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/catalog"
)

// browser keeps a cookie and sends forms as a browser does.
type browser struct {
	t      *testing.T
	s      *Service
	cookie *http.Cookie
	// site is what Sec-Fetch-Site says of its forms.
	site string
}

func newBrowser(t *testing.T) *browser {
	return &browser{t: t, s: startWithStore(t), site: "same-origin"}
}

func (b *browser) send(method, target string, form url.Values) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequest(method, "http://register.example"+target, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", b.site)
	}
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	w := httptest.NewRecorder()
	b.s.Handler().ServeHTTP(w, r)
	if w.Code == http.StatusOK && !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		b.t.Errorf("%s %s is %s", method, target, w.Header().Get("Content-Type"))
	}
	if _, after, lacks := strings.Cut(w.Body.String(), "⟦"); lacks {
		b.t.Errorf("%s %s lacks a string: ⟦%.200s", method, target, after)
	}
	return w
}

// want sends and checks status and content.
func (b *browser) want(status int, method, target string, form url.Values, parts ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	w := b.send(method, target, form)
	if w.Code != status {
		b.t.Fatalf("%s %s: %d, want %d: %.600s", method, target, w.Code, status, w.Body)
	}
	for _, p := range parts {
		if !strings.Contains(html.UnescapeString(w.Body.String()), p) {
			b.t.Errorf("%s %s lacks %q", method, target, p)
		}
	}
	return w
}

// login makes a token and begins a session with it.
func (b *browser) login(role catalog.Role) (tokenID string) {
	b.t.Helper()
	secret, token, err := access.Create(b.t.Context(), b.s.config.Store, role, string(role)+" Ada", access.Actor{Name: "test"}, time.Now())
	if err != nil {
		b.t.Fatal(err)
	}
	w := b.want(http.StatusSeeOther, http.MethodPost, "/admin/login", url.Values{"token": {secret}, "to": {"/admin/queue"}})
	if to := w.Header().Get("Location"); to != "/admin/queue" {
		b.t.Errorf("a login leads to %q", to)
	}
	for _, c := range w.Result().Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Secure != strings.HasPrefix(c.Name, "__Host-") {
			b.t.Errorf("the cookie is %+v", c)
		}
		b.cookie = c
	}
	if b.cookie == nil {
		b.t.Fatal("a login sets no cookie")
	}
	return token.ID
}

var csrfValue = regexp.MustCompile(`name="csrf" value="([0-9a-f]+)"`)

// csrf is what the forms of a page carry.
func (b *browser) csrf(page string) string {
	b.t.Helper()
	m := csrfValue.FindStringSubmatch(b.want(http.StatusOK, http.MethodGet, page, nil).Body.String())
	if m == nil {
		b.t.Fatalf("%s has no form", page)
	}
	return m[1]
}

func TestAReaderSuggestsASource(t *testing.T) {
	b := newBrowser(t)
	b.want(200, "GET", "/submit?url=https%3A%2F%2Fa.example%2F", nil, `value="https://a.example/"`)
	hostile := `"><script>alert(1)</script>`
	w := b.want(422, "POST", "/submit", url.Values{"url": {"ftp://x"}, "name": {hostile}}, "aria-invalid", hostile)
	if strings.Contains(w.Body.String(), "<script>alert") {
		t.Error("what was typed became markup")
	}
	w = b.want(303, "POST", "/submit", url.Values{"url": {"https://data.example.gov/rivers"}, "name": {"Rivers"}, "contact_email": {"me@example.org"}})
	page := b.want(200, "GET", w.Header().Get("Location"), nil, "Rivers", "Received")
	if strings.Contains(page.Body.String(), "me@example.org") {
		t.Error("the page of a submission shows who sent it")
	}
	b.want(404, "GET", "/submission/"+catalog.NewID("submission", "none"), nil)
	b.site = "cross-site"
	for _, form := range []string{"/submit", "/report", "/watch", "/admin/login", "/admin/logout", "/admin/tokens/x/revoke"} {
		b.want(403, "POST", form, url.Values{"url": {"https://data.example.gov/lakes"}}, "another site")
	}
}

func TestAReaderReportsAndWatches(t *testing.T) {
	b := newBrowser(t)
	e := b.entry(catalog.StatusActive)
	for _, form := range []string{"/report", "/watch"} {
		b.want(200, "GET", form+"?entry=e3-record", nil, `value="e3-record"`)
		b.want(200, "GET", form+"?entry=former-3&x=y", nil, "<form")
	}
	b.want(422, "POST", "/report", url.Values{"message": {"wrong"}}, "e-entry")
	b.want(404, "POST", "/report", url.Values{"entry": {"no-such-entry"}, "message": {"wrong"}})
	b.want(200, "POST", "/report", url.Values{"entry": {e.Slug}, "message": {"The licence is wrong"}}, "Thank you")
	for _, form := range []string{"/report", "/watch", "/verify"} {
		b.want(404, "GET", form+"?entry=no-such-entry", nil, "No entry is known under this name.", "<form")
		b.want(404, "GET", "/de"+form+"?entry=..%2Fno%20entry", nil, `<html lang="de"`, "<form")
		b.want(410, "GET", form+"?entry="+sitetest.Removed, nil, "This entry was removed.", "<form")
	}
	b.want(422, "POST", "/watch", url.Values{"email": {"nobody"}, "entry": {e.Slug}})
	b.want(202, "POST", "/watch", url.Values{"email": {"me@example.org"}, "entry": {e.Slug}, "frequency": {"weekly"}}, "look into your mail")
}

// TestFormsSpeakTheLanguageOfTheirAddress and go on in it: the pages, what is wrong in a form, what follows it, and
// the login of the desk.
func TestFormsSpeakTheLanguageOfTheirAddress(t *testing.T) {
	b := newBrowser(t)
	e := b.entry(catalog.StatusActive)
	b.want(200, "GET", "/fr/submit?name=x", nil, `<html lang="fr"`, `action="/fr/submit"`, `hreflang="nl" href="https://`, `href="/de/submit?name=x"`)
	w := b.want(422, "POST", "/fr/submit", url.Values{"name": {"x"}}, "donnez l’adresse de la source", `<html lang="fr"`)
	if strings.Contains(w.Body.String(), "give the address") {
		t.Error("a form in French says in English what is wrong")
	}
	w = b.want(303, "POST", "/de/submit", url.Values{"url": {"https://data.example.gov/lakes"}, "name": {"Lakes"}})
	if to := w.Header().Get("Location"); !strings.HasPrefix(to, "/de/submission/status/") {
		t.Errorf("a form in German leads to %s", to)
	}
	b.want(200, "GET", w.Header().Get("Location"), nil, `<html lang="de"`, "Lakes")
	b.want(422, "POST", "/nl/report", url.Values{"message": {"fout"}}, "Zeg om welke vermelding het gaat.")
	b.want(202, "POST", "/nl/watch", url.Values{"email": {"ich@example.org"}, "entry": {e.Slug}}, `<html lang="nl"`)
	w = b.want(303, "GET", "/fr/admin/queue", nil)
	if to := w.Header().Get("Location"); !strings.HasPrefix(to, "/fr/admin/login?to=%2Fadmin%2Fqueue") {
		t.Errorf("the desk in French leads to %s", to)
	}
}

// A form that cannot be taken says why in the language of its page, and nothing in English.
func TestFormsAreRefusedInTheLanguageOfTheirPage(t *testing.T) {
	b := newBrowser(t)
	slug := b.entry(catalog.StatusActive).Slug
	for target, forms := range map[string][]url.Values{
		"/submit": {{}, {"url": {"ftp://a.example/x"}}, {"url": {"https://a.example/a b"}}, {"url": {"https://me:secret@a.example/"}}, {"url": {"https://"}},
			{"url": {"https://a.example/"}, "name": {strings.Repeat("x", 5000)}}, {"url": {"https://a.example/"}, "name": {"a\nb"}}, {"url": {"https://a.example/"}, "type": {"BOOK"}},
			{"url": {"https://a.example/"}, "country_code": {"Belgium"}}, {"url": {"https://a.example/"}, "contact_email": {"me"}}},
		"/report": {{}, {"entry": {"none"}, "category": {"OTHER"}, "message": {"x"}}, {"entry": {slug}, "category": {"BAD"}, "message": {"x"}}, {"entry": {slug}, "category": {"OTHER"}}},
		"/watch": {{}, {"email": {"me"}}, {"email": {"me@office.example"}}, {"email": {"me@office.example"}, "entry": {"none"}}, {"email": {"me@office.example"}, "entry": {slug}, "frequency": {"hourly"}},
			{"email": {"me@office.example"}, "country_code": {"Belgium"}}, {"email": {"me@office.example"}, "tags": {strings.Repeat("x", 200)}}},
		"/claim": {{}, {"institution": {"none"}}, {"source": {"none"}, "method": {"dns"}}, {"institution": {"a"}, "source": {"b"}}, {"secret": {"x"}, "id": {"y"}}},
	} {
		for _, lang := range []string{"fr", "de", "nl"} {
			for _, form := range forms {
				w := b.send(http.MethodPost, "/"+lang+target, form)
				page := mainOf(html.UnescapeString(w.Body.String()))
				if w.Code < 400 || w.Code == http.StatusTooManyRequests || w.Code >= 500 || !strings.Contains(page, `class="note bad"`) {
					t.Errorf("/%s%s with %v: %d: %.300s", lang, target, form, w.Code, page)
				}
				if _, english, is := strings.Cut(page, `lang="en"`); is {
					t.Errorf("/%s%s with %v speaks English: %.200s", lang, target, form, english)
				}
			}
		}
	}
}

func (b *browser) entry(status catalog.Status) *catalog.Entry {
	b.t.Helper()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e := &catalog.Entry{ID: catalog.NewID("entry", "rivers"), Slug: "rivers", Type: catalog.TypeDataset, Name: "Rivers", PrimarySourceURL: "https://data.example.gov/r",
		IdentityKey: "k", MatchKey: catalog.MatchKey(catalog.TypeDataset, "https://data.example.gov/r", "rivers"), FreeAccessClass: catalog.AccessUnknown,
		AuthType: catalog.AuthUnknown, Status: status, StatusReason: "officialness 65 of 80", CreatedAt: now, UpdatedAt: now}
	if status == catalog.StatusActive {
		e.PublishedAt = now
	}
	b.update(func(ctx context.Context, tx catalog.Tx) error {
		return tx.Entries().Put(ctx, catalog.Write{Entry: e, Provenance: &catalog.Provenance{EntryID: e.ID}, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now}}})
	})
	return e
}

func (b *browser) update(fn func(context.Context, catalog.Tx) error) {
	b.t.Helper()
	if err := b.s.config.Store.Update(b.t.Context(), func(tx catalog.Tx) error { return fn(b.t.Context(), tx) }); err != nil {
		b.t.Fatal(err)
	}
}

func TestTheDeskIsForThoseWithAToken(t *testing.T) {
	b := newBrowser(t)
	w := b.want(303, "GET", "/admin/queue?kind=reports", nil)
	if to := w.Header().Get("Location"); to != "/admin/login?to=%2Fadmin%2Fqueue%3Fkind%3Dreports" {
		t.Errorf("a stranger is sent to %q", to)
	}
	b.want(401, "POST", "/admin/login", url.Values{"token": {"assay_guess"}}, "not known")
	b.login(catalog.RoleModerator)
	b.want(200, "GET", "/admin", nil, "moderator Ada")
	b.want(403, "GET", "/admin/audit", nil, "for administrators")
}

func TestASessionCannotBeForged(t *testing.T) {
	b := newBrowser(t)
	id := b.login(catalog.RoleAdmin)
	good := *b.cookie
	for _, value := range []string{"", ".", good.Value[:len(good.Value)-1], "x" + good.Value, strings.ToLower(good.Value), good.Value + "A"} {
		b.cookie = &http.Cookie{Name: good.Name, Value: value}
		b.want(303, "GET", "/admin", nil)
	}
	b.cookie = &good
	b.want(200, "GET", "/admin/tokens", nil, "admin Ada")
	csrf := b.csrf("/admin/tokens")
	b.want(403, "POST", "/admin/tokens/"+id+"/revoke", url.Values{"csrf": {strings.Repeat("0", len(csrf))}}, "not one of this login")
	b.want(303, "POST", "/admin/tokens/"+id+"/revoke", url.Values{"csrf": {csrf}})
	b.want(303, "GET", "/admin", nil) // a revoked token ends its sessions
}

func TestAModeratorDecides(t *testing.T) {
	b := newBrowser(t)
	e := b.entry(catalog.StatusPending)
	b.login(catalog.RoleModerator)
	csrf := b.csrf("/admin/queue")
	b.want(200, "GET", "/admin/queue", nil, "Rivers", "officialness 65 of 80")
	b.want(422, "POST", "/admin/candidates/"+e.ID+"/approve", url.Values{"csrf": {csrf}}, "This was not done")
	w := b.want(303, "POST", "/admin/candidates/"+e.ID+"/approve", url.Values{"csrf": {csrf}, "reason": {"seen with the ministry"}, "edit-name": {"Rivers of the land"}})
	b.want(200, "GET", w.Header().Get("Location"), nil, "Approved.")
	b.want(409, "POST", "/admin/candidates/"+e.ID+"/approve", url.Values{"csrf": {csrf}, "reason": {"again"}})
	b.update(func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Entries().Get(ctx, e.ID)
		if err == nil && list[0].Status != catalog.StatusActive {
			t.Errorf("the entry is %s", list[0].Status)
		}
		rows, err := tx.Audits().Before(ctx, 0, "", 10)
		if err == nil && (len(rows) == 0 || rows[0].Name != "moderator Ada" || rows[0].Reason != "seen with the ministry") {
			t.Errorf("the audit log says %+v", rows)
		}
		return err
	})
}

// putsBack changes a source and an institution by forms that begin with what the register
// has, and takes back what stands there.
func (b *browser) putsBack(csrf string) {
	b.t.Helper()
	source := url.Values{"csrf": {csrf}, "key": {"tides"}, "title": {"Tides"}, "kind": {"ckan"}, "url": {"https://tides.example/"}, "filters": {"organization=a, b\r\ntag=sea"}, "portal": {"1"}, "reason": {"new"}}
	b.want(303, "POST", "/admin/sources", source)
	b.want(200, "GET", "/admin/sources?key=tides", nil, "organization=a, b\ntag=sea</textarea>", `name="portal" value="1" checked`, `name="shown"`)
	source.Set("shown", "1")
	source.Del("portal")
	b.want(303, "POST", "/admin/sources", source)
	b.lacks("/admin/sources?key=tides", `name="portal" value="1" checked`)

	body := func(key, name string, more url.Values) {
		f := url.Values{"csrf": {csrf}, "key": {key}, "name": {name}, "type": {"AGENCY"}, "country_code": {"GB"}, "reason": {"as they say"}}
		maps.Copy(f, more)
		b.want(303, "POST", "/admin/institutions", f)
	}
	body("tide-office", "Tide Office", url.Values{"aliases": {"Tides, Currents and Waves"}})
	body("old-tides", "Tide Bureau", url.Values{"merged_into": {"tide-office"}})
	old := "/admin/institutions?id=" + catalog.NewID("institution", "old-tides")
	b.want(200, "GET", "/admin/institutions?id="+catalog.NewID("institution", "tide-office"), nil, "Tides, Currents and Waves</textarea>")
	b.want(200, "GET", "/admin/institutions?q=BUREAU", nil, "old-tides")
	b.lacks("/admin/institutions?q=BUREAU", "Tide Office")
	b.want(200, "GET", old, nil, `name="merged_into" value="`+catalog.NewID("institution", "tide-office")+`"`)
	body("old-tides", "Tide Bureau", url.Values{"shown": {"1"}})
	b.lacks(old, `value="`+catalog.NewID("institution", "tide-office")+`"`)
}

// lacks asks for a page that must not have a text.
func (b *browser) lacks(at, text string) {
	b.t.Helper()
	if w := b.want(200, "GET", at, nil); strings.Contains(w.Body.String(), text) {
		b.t.Errorf("%s has %s", at, text)
	}
}

func TestAnAdministratorWorks(t *testing.T) {
	b := newBrowser(t)
	e := b.entry(catalog.StatusActive)
	b.login(catalog.RoleAdmin)
	csrf := b.csrf("/admin")
	for _, page := range []string{"/admin", "/admin/queue", "/admin/submissions", "/admin/entry", "/admin/sources", "/admin/publishers", "/admin/institutions", "/admin/webhooks", "/admin/jobs", "/admin/audit", "/admin/tokens"} {
		b.want(200, "GET", page, nil)
	}
	b.putsBack(csrf)
	at := "/admin/entries/" + e.ID
	b.want(303, "POST", at+"/edit", url.Values{"csrf": {csrf}, "field": {"tags"}, "value": {"water, rivers"}, "reason": {"as published"}})
	b.want(200, "GET", "/admin/entry?id=rivers", nil, "rivers, water", "as published")
	b.want(303, "POST", at+"/revoke", url.Values{"csrf": {csrf}, "field": {"tags"}, "reason": {"no"}})
	b.want(303, "POST", at+"/target", url.Values{"csrf": {csrf}, "availability": {"99,5"}, "window_days": {"30"}, "active": {"1"}, "reason": {"their promise"}})
	b.want(422, "POST", at+"/target", url.Values{"csrf": {csrf}, "availability": {"much"}, "window_days": {"30"}}, "give a share in percent")
	b.want(303, "POST", at+"/deprecate", url.Values{"csrf": {csrf}, "reason": {"old"}, "sunset_at": {"2027-12-31"}})
	b.want(303, "POST", at+"/reactivate", url.Values{"csrf": {csrf}, "reason": {"back"}})
	b.want(303, "POST", "/admin/verification", url.Values{"csrf": {csrf}, "entries": {"rivers"}})
	b.want(200, "GET", "/admin/jobs", nil, "queued")
	w := b.want(200, "POST", "/admin/webhooks", url.Values{"csrf": {csrf}, "url": {"https://hooks.example.org/a"}, "countries": {"FR, DE"}}, "whsec_")
	hook := regexp.MustCompile(`/admin/webhooks/([0-9a-z-]+)/test`).FindStringSubmatch(w.Body.String())
	if hook == nil {
		t.Fatal("the new webhook has no page")
	}
	b.want(200, "GET", "/admin/webhooks/"+hook[1], nil, "https://hooks.example.org/a")
	b.want(303, "POST", "/admin/webhooks/"+hook[1]+"/delete", url.Values{"csrf": {csrf}})
	b.want(303, "POST", at+"/remove", url.Values{"csrf": {csrf}, "reason": {"gone"}})
	b.want(303, "POST", "/admin/logout", nil)
}
