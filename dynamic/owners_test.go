package dynamic

import (
	"context"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// zone is a domain name system with one TXT record.
type zone struct{ name, text string }

func (z *zone) LookupTXT(_ context.Context, name string) ([]string, error) {
	if name != z.name {
		return nil, errors.New("no such name")
	}
	return []string{z.text}, nil
}

func (z *zone) LookupCNAME(_ context.Context, host string) (string, error) { return host, nil }

// owner is a browser with a jar, in front of a register whose clock can be set.
type owner struct {
	*browser
	jar  map[string]*http.Cookie
	zone *zone
	at   time.Time
}

func newOwner(t *testing.T) *owner {
	st, err := sqlite.Open(t.Context(), t.TempDir()+"/assay.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	o := &owner{jar: map[string]*http.Cookie{}, zone: &zone{}, at: time.Now()}
	s, err := New(Config{SiteDir: sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 5}).Dir, Store: st, Resolver: o.zone, Now: func() time.Time { return o.at }})
	if err != nil {
		t.Fatal(err)
	}
	o.browser = &browser{t: t, s: s, site: "same-origin"}
	return o
}

// visit sends a form, or fetches a page, with the cookies of the jar.
func (o *owner) visit(status int, method, target string, form url.Values, parts ...string) *httptest.ResponseRecorder {
	o.t.Helper()
	r := httptest.NewRequest(method, "http://register.example"+target, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", o.site)
	}
	for _, c := range o.jar {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	o.s.Handler().ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
			o.t.Errorf("the cookie is %+v", c)
		}
		if o.jar[c.Name] = c; c.MaxAge < 0 {
			delete(o.jar, c.Name)
		}
	}
	body := html.UnescapeString(w.Body.String())
	if _, after, lacks := strings.Cut(body, "⟦"); lacks {
		o.t.Errorf("%s %s lacks a string: ⟦%.100s", method, target, after)
	}
	if w.Code != status {
		o.t.Fatalf("%s %s: %d, want %d: %.1500s", method, target, w.Code, status, mainOf(body))
	}
	for _, p := range parts {
		if !strings.Contains(body, p) {
			o.t.Errorf("%s %s lacks %q: %.3000s", method, target, p, mainOf(body))
		}
	}
	return w
}

func mainOf(body string) string {
	_, body, _ = strings.Cut(body, `<main id="main"`)
	body, _, _ = strings.Cut(body, "</main>")
	return body
}

// form is one with the value that only the owner's pages have.
func (o *owner) form(page string, pairs ...string) url.Values {
	o.t.Helper()
	m := csrfValue.FindStringSubmatch(o.visit(200, "GET", page, nil).Body.String())
	if m == nil {
		o.t.Fatalf("%s has no form", page)
	}
	f := url.Values{"csrf": {m[1]}}
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Set(pairs[i], pairs[i+1])
	}
	return f
}

var record = regexp.MustCompile(`assay-claim=[a-z0-9]+`)

// An owner proves an institution by DNS and speaks of an entry, in a browser without scripts.
func TestAnOwnerClaimsInABrowser(t *testing.T) {
	o := newOwner(t)
	e := o.entry(catalog.StatusActive)
	office := catalog.Institution{ID: catalog.NewID("institution", "office"), Key: "office", Name: "Office of Tides", Type: catalog.InstitutionTypes()[0], HomepageURL: "https://office.example/",
		OfficialDomains: []string{"office.example"}, CreatedAt: o.at, UpdatedAt: o.at}
	e.InstitutionID = office.ID
	err := o.s.config.Store.Update(t.Context(), func(tx catalog.Tx) error {
		return errors.Join(tx.Institutions().Put(t.Context(), office), tx.Entries().Put(t.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: o.at}}}))
	})
	if err != nil {
		t.Fatal(err)
	}
	o.visit(404, "GET", "/claim?entry=none", nil, "Claim what is yours")
	o.visit(200, "GET", "/fr/claim?entry=https%3A%2F%2Fregister.example%2Fentry%2F"+e.Slug, nil, "Office of Tides", "office.example", "Revendiquer")
	o.visit(422, "POST", "/claim", url.Values{"institution": {office.ID}, "domain": {"0ffice.example"}, "method": {"dns"}}, "none of the official domains", "Office of Tides")
	w := o.visit(303, "POST", "/de/claim", url.Values{"institution": {office.ID}, "domain": {"office.example"}, "method": {"dns"}})
	at := strings.TrimPrefix(w.Header().Get("Location"), "/de")
	page := o.visit(200, "GET", "/de"+at, nil, "_assay-claim.office.example", "Noch nicht nachgewiesen", "assay_owner_").Body.String()
	o.zone.name, o.zone.text = "_assay-claim.office.example", record.FindString(page)
	for range 2 {
		o.visit(303, "POST", at+"/check", o.form(at))
		o.at = o.at.Add(11 * time.Minute)
	}
	entry := at + "/entry/" + e.Slug
	o.visit(200, "GET", at, nil, "Proved", "/institution/"+office.ID+"/fixes")
	o.visit(303, "POST", entry+"/say", o.form(entry, "kind", "dispute", "field", "name", "text", "It is called Tides"))
	o.visit(422, "POST", entry+"/say", o.form(entry, "kind", "dispute"), "say what is wrong")
	o.visit(303, "POST", entry+"/say", o.form(entry, "kind", "maintenance", "from", o.at.UTC().Add(time.Hour).Format("2006-01-02T15:04"), "until", o.at.UTC().Add(3*time.Hour).Format("2006-01-02T15:04")))
	o.visit(303, "POST", entry+"/probe", o.form(entry))
	o.visit(409, "POST", entry+"/probe", o.form(entry), "ten minutes")
	shown := o.visit(200, "GET", "/nl"+entry+"?done=said", nil, "It is called Tides", "wacht op een moderator", "Het is bewaard").Body.String()
	id := regexp.MustCompile(`name="statement" value="([0-9a-f-]+)"`).FindStringSubmatch(shown)
	o.visit(303, "POST", entry+"/withdraw", o.form(entry, "statement", id[1]))
	o.visit(200, "GET", entry, nil, "withdrawn")
	o.visit(303, "POST", entry+"/answer", o.form(entry, "report", o.reported(e), "answer", "Mended today"))
	o.visit(200, "GET", entry+"?done=answered", nil, "Mended today", "Your answer is public")
	o.visit(404, "POST", entry+"/answer", o.form(entry, "report", catalog.NewID("report", "none"), "answer", "What?"))
	o.strangers(at, entry)
}

// reported is the id of a report that a reader sends.
func (o *owner) reported(e *catalog.Entry) (id string) {
	o.t.Helper()
	o.want(200, "POST", "/report", url.Values{"entry": {e.Slug}, "message": {"The licence is wrong"}})
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Reports().Of(ctx, e.ID)
		if len(list) == 1 {
			id = list[0].ID
		}
		return err
	})
	return id
}

// strangers see where the claim stands and can do nothing with it.
func (o *owner) strangers(at, entry string) {
	o.t.Helper()
	forged := o.form(entry)
	o.site = "cross-site"
	o.visit(403, "POST", entry+"/probe", forged)
	o.site = "same-origin"
	o.visit(403, "POST", entry+"/probe", url.Values{"csrf": {"00"}})
	secret := ""
	for name, c := range o.jar {
		secret = c.Value
		delete(o.jar, name)
	}
	if page := o.visit(200, "GET", at, nil, "open it with its secret").Body.String(); strings.Contains(page, "assay_owner_") || record.MatchString(page) {
		o.t.Error("a stranger sees the secret or the proof")
	}
	o.visit(303, "GET", entry, nil)
	o.visit(403, "POST", entry+"/probe", forged)
	id := strings.TrimPrefix(at, "/claim/")
	o.visit(401, "POST", "/claim", url.Values{"id": {id}, "secret": {"assay_owner_GUESS"}}, "No claim has this id and this secret")
	o.visit(401, "POST", "/de/claim", url.Values{"id": {id}, "secret": {"assay_owner_GUESS"}}, "Kein Anspruch hat diese Kennung")
	o.visit(422, "POST", "/de/claim", url.Values{"id": {"?"}, "secret": {"x"}}, "Geben Sie die Kennung")
	o.visit(303, "POST", "/claim", url.Values{"id": {id}, "secret": {secret}})
	o.visit(303, "POST", at+"/leave", nil)
	o.visit(303, "POST", "/claim", url.Values{"id": {id}, "secret": {secret}})
	o.visit(303, "POST", at+"/end", o.form(at))
	o.visit(200, "GET", at, nil, "Ended")
}
