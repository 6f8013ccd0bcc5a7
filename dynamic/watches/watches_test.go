package watches

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// bed is the group over a store, with a clock that a test moves.
type bed struct {
	*Group
	t   *testing.T
	now time.Time
}

func newBed(t *testing.T) *bed {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	b := &bed{t: t, now: time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)}
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 3, BaseURL: "https://register.example/reg"}).Catalog
	site.Site.Name = `Regi<b>ster`
	b.Group = &Group{Store: s, Keys: notify.NewKeys(s, ""), Now: func() time.Time { return b.now }, Views: pages.New(),
		Current: func() *snapshot.Catalog { return site }, Site: func() snapshot.Site { return site.Site }}
	return b
}

// ask calls a handler with an Accept header and a token.
func (b *bed) ask(h web.Handler, method, accept, token, body string) (*httptest.ResponseRecorder, error) {
	r := httptest.NewRequest(method, "/", strings.NewReader(body))
	r.Header.Set("Accept", accept)
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	r.SetPathValue("token", token)
	w := httptest.NewRecorder()
	return w, h(w, r)
}

// asked creates a watch and gives it the token that its mail would have.
func (b *bed) asked(email, rest string) (id, token string) {
	b.t.Helper()
	w, err := b.ask(b.Create, "POST", "", "", `{"email":"`+email+`","filter":{"countries":["GR"]}`+rest+`}`)
	if err != nil || w.Code != http.StatusAccepted {
		b.t.Fatal(w.Code, err)
	}
	all := b.of(email)
	last := all[len(all)-1]
	if token, err = b.Keys.Verify(b.t.Context(), last.ID, "mail"); err != nil {
		b.t.Fatal(err)
	}
	id, last.VerifyHash = last.ID, notify.HashToken(token)
	if err := b.Store.Update(b.t.Context(), func(tx catalog.Tx) error { return tx.Watches().Put(b.t.Context(), last) }); err != nil {
		b.t.Fatal(err)
	}
	b.now = b.now.Add(time.Second)
	return id, token
}

func (b *bed) of(email string) (list []catalog.Watch) {
	b.t.Helper()
	err := b.Store.View(b.t.Context(), func(tx catalog.Tx) (err error) {
		list, err = tx.Watches().Of(b.t.Context(), email)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

const browser, program = "text/html,*/*;q=0.8", "application/json"

// TestTokensExpire: 48 hours after it was asked for, a watch cannot be
// confirmed any more.
func TestTokensExpire(t *testing.T) {
	b := newBed(t)
	_, token := b.asked("a@readers.example", "")
	b.now = b.now.Add(catalog.VerifyWithin)
	if _, err := b.ask(b.Verify, "GET", program, token, ""); !isStatus(err, 404) {
		t.Errorf("a program: %v", err)
	}
	for _, h := range []web.Handler{b.Verify, b.Confirm} {
		if w, err := b.ask(h, "GET", browser, token, ""); err != nil || w.Code != 404 || !strings.Contains(w.Body.String(), "no longer valid") {
			t.Errorf("a browser: %d %v", w.Code, err)
		}
	}
	if list := b.of("a@readers.example"); list[0].State != catalog.WatchPending {
		t.Errorf("got %+v", list)
	}
}

func isStatus(err error, status int) bool {
	var e *web.Error
	return errors.As(err, &e) && e.Problem.Status == status
}

// TestANewWatchTakesTheOldOnesPlace, but only one of the same address and scope.
func TestANewWatchTakesTheOldOnesPlace(t *testing.T) {
	b := newBed(t)
	confirm := func(email, rest string) string {
		id, token := b.asked(email, rest)
		if w, err := b.ask(b.Confirm, "POST", program, token, ""); err != nil || w.Code != 200 {
			t.Fatal(w.Code, err)
		}
		return id
	}
	confirm("a@readers.example", "")
	other := confirm("b@readers.example", "")
	pending, _ := b.asked("a@readers.example", "")
	second := confirm("A@readers.example", `,"frequency":"weekly"`)
	list := b.of("a@readers.example")
	if len(list) != 2 || list[0].ID != pending || list[1].ID != second || list[1].Frequency != catalog.FrequencyWeekly {
		t.Errorf("got %+v", list)
	}
	if list := b.of("b@readers.example"); len(list) != 1 || list[0].ID != other {
		t.Errorf("the watch of another address is gone: %+v", list)
	}
}

// TestPagesAreSafe looks at what every page says to a browser.
func TestPagesAreSafe(t *testing.T) {
	b := newBed(t)
	id, token := b.asked("a@readers.example", "")
	manage, err := b.Keys.Manage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range map[string]struct {
		h     web.Handler
		token string
		want  string
	}{
		"verify": {b.Verify, token, ">Confirm</button>"}, "manage": {b.Manage, manage, `action="/reg/api/v1/webhooks/watches/unsubscribe/` + manage},
		"unsubscribe": {b.AskUnsubscribe, manage, ">Unsubscribe</button>"}, "refused": {b.Manage, "<script>", "no longer valid"},
	} {
		w, err := b.ask(page.h, "GET", browser, page.token, "")
		body, h := w.Body.String(), w.Header()
		if err != nil || !strings.Contains(body, page.want) || strings.Contains(body, "<script>") || !strings.Contains(body, "Regi&lt;b&gt;ster") {
			t.Errorf("%s: %v %s", name, err, body)
		}
		for _, rule := range []string{"default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"} {
			if !strings.Contains(h.Get("Content-Security-Policy"), rule) {
				t.Errorf("%s lacks %s", name, rule)
			}
		}
		if h.Get("Referrer-Policy") != "no-referrer" || h.Get("Cache-Control") != "no-store" || h.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%s: %v", name, h)
		}
	}
	if list := b.of("a@readers.example"); len(list) != 1 || list[0].State != catalog.WatchPending {
		t.Errorf("looking changed %+v", list)
	}
}

// TestPagesSpeakTheReadersLanguage walks through the pages of a watch in each
// language; no string is missing, and caches are told why pages differ.
func TestPagesSpeakTheReadersLanguage(t *testing.T) {
	b := newBed(t)
	id, token := b.asked("a@readers.example", `,"events":["entry.created","entry.failing"]`)
	manage, err := b.Keys.Manage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for accept, want := range map[string][4]string{
		"":        {"Confirm your watch", "At most one mail a day", "It stops answering", "no longer valid"},
		"fr-CA":   {"Confirmez", "Au plus un courriel par jour", "Elle ne répond plus", "plus valable"},
		"de, el":  {"Bestätigen", "Höchstens eine Mail am Tag", "Er antwortet nicht mehr", "gilt nicht mehr"},
		"nonsen;": {"Confirm your watch", "At most one mail a day", "It joins the register", "no longer valid"},
	} {
		for i, page := range []struct {
			h     web.Handler
			token string
		}{{b.Verify, token}, {b.Manage, manage}, {b.Manage, manage}, {b.Verify, "x"}} {
			r := httptest.NewRequest("GET", "/", nil)
			r.Header.Set("Accept", browser)
			r.Header.Set("Accept-Language", accept)
			r.SetPathValue("token", page.token)
			w := httptest.NewRecorder()
			if err := page.h(w, r); err != nil {
				t.Fatal(err)
			}
			if body := w.Body.String(); !strings.Contains(body, want[i]) || strings.Contains(body, "⟦") || w.Header().Get("Vary") != "Accept, Accept-Language" {
				t.Errorf("%q, page %d lacks %q: %v %s", accept, i, want[i], w.Header(), body)
			}
		}
	}
}

// TestTheManagePageSaysWhatIsWatched by name, and links what has a page.
func TestTheManagePageSaysWhatIsWatched(t *testing.T) {
	b := newBed(t)
	id, _ := b.asked("a@readers.example", "")
	manage, err := b.Keys.Manage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	seen, gone := b.put("seen", catalog.StatusActive), b.put("gone", catalog.StatusRemoved)
	watch := b.of("a@readers.example")[0]
	for _, x := range []struct {
		filter catalog.EventFilter
		want   []string
	}{
		{catalog.EventFilter{}, []string{"All entries"}},
		{catalog.EventFilter{Entries: []string{seen, gone}}, []string{`<a href="/reg/entry/seen">Name of seen</a>`, ">" + gone + "<"}},
		{catalog.EventFilter{Countries: []string{"FR", "GR"}, Tags: []string{"<b>"}, Institutions: []string{"nobody"}}, []string{"FR, GR", "&lt;b&gt;", "nobody"}},
	} {
		watch.Filter = x.filter
		if err := b.Store.Update(t.Context(), func(tx catalog.Tx) error { return tx.Watches().Put(t.Context(), watch) }); err != nil {
			t.Fatal(err)
		}
		w, err := b.ask(b.Manage, "GET", browser, manage, "")
		for _, part := range x.want {
			if err != nil || !strings.Contains(w.Body.String(), part) {
				t.Errorf("%+v: no %s, %v: %s", x.filter, part, err, w.Body)
			}
		}
	}
	b.Group.Current = func() *snapshot.Catalog { return nil }
	if _, err := b.ask(b.Manage, "GET", browser, manage, ""); !isStatus(err, 503) {
		t.Errorf("without a snapshot: %v", err)
	}
}

// put stores an entry and returns its id.
func (b *bed) put(slug string, status catalog.Status) string {
	b.t.Helper()
	e := &catalog.Entry{ID: catalog.NewID("entry", slug), Slug: slug, Type: catalog.TypeDataset, Name: "Name of " + slug, PrimarySourceURL: "https://data.example.gov/" + slug,
		IdentityKey: slug, MatchKey: slug, FreeAccessClass: catalog.AccessUnknown, AuthType: catalog.AuthUnknown, Status: status, CreatedAt: b.now, UpdatedAt: b.now, PublishedAt: b.now}
	err := b.Store.Update(b.t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(b.t.Context(), catalog.Write{Entry: e, Provenance: &catalog.Provenance{EntryID: e.ID}, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: b.now}}})
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return e.ID
}

// TestManageForm takes what the page sends and refuses anything else.
func TestManageForm(t *testing.T) {
	b := newBed(t)
	id, token := b.asked("a@readers.example", "")
	if _, err := b.ask(b.Confirm, "POST", program, token, ""); err != nil {
		t.Fatal(err)
	}
	manage, err := b.Keys.Manage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	post := func(form string) error {
		r := httptest.NewRequest("POST", "/", strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.SetPathValue("token", manage)
		return b.ManageForm(httptest.NewRecorder(), r)
	}
	if err := post("frequency=immediate"); err != nil || b.of("a@readers.example")[0].Frequency != catalog.FrequencyImmediate {
		t.Error(err)
	}
	for _, form := range []string{"", "frequency=hourly", "frequency=%zz", "frequency=" + strings.Repeat("x", 5000)} {
		if post(form) == nil {
			t.Errorf("%.30q was taken", form)
		}
	}
	w, err := b.ask(b.Manage, "GET", program, manage, "")
	var shown wire.Watch
	if err != nil || json.Unmarshal(w.Body.Bytes(), &shown) != nil || shown.Frequency != catalog.FrequencyImmediate || shown.ManagementToken != nil {
		t.Errorf("%v %s", err, w.Body)
	}
}

// TestOneStoreOneKey: each process makes the same tokens, those of another
// store or key are none.
func TestOneStoreOneKey(t *testing.T) {
	b, other := newBed(t), newBed(t)
	id := catalog.NewID("watch", "1")
	token, err := b.Keys.Manage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := notify.NewKeys(b.Store, "").Managed(t.Context(), token); err != nil || got != id {
		t.Errorf("another process: %s, %v", got, err)
	}
	for name, keys := range map[string]*notify.Keys{"another store": other.Keys, "a key of its own": notify.NewKeys(b.Store, "secret")} {
		if _, err := keys.Managed(t.Context(), token); !errors.Is(err, catalog.ErrNotFound) {
			t.Errorf("%s takes the token: %v", name, err)
		}
	}
}
