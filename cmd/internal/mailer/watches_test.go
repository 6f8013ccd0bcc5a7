package mailer

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/dynamic"
	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// register is a whole service with a mail server beside it.
type register struct {
	t     *testing.T
	store catalog.Store
	post  *post
	base  string
	key   string
	// sender reaches the mail server; institution is that of the entries written next.
	sender      mail.Sender
	institution string
}

func onBoth(t *testing.T, test func(r *register)) {
	t.Run("sqlite", func(t *testing.T) {
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
		if err != nil {
			t.Fatal(err)
		}
		test(start(t, s))
	})
	t.Run("postgres", func(t *testing.T) {
		s, err := postgres.Open(t.Context(), pgtest.NewStoreURL(t))
		if err != nil {
			t.Fatal(err)
		}
		test(start(t, s))
	})
}

// operator is the address of who runs the register.
const operator = "operator@register.example"

func start(t *testing.T, s catalog.Store) *register {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &register{t: t, store: s, post: newPost(t), base: "http://" + l.Addr().String()}
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 3, BaseURL: r.base})
	o := r.post.options()
	o.DKIMDomain, o.DKIMSelector = "register.example", "s1"
	o.DKIMKey, r.key = signing(t)
	sender, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r.sender = sender
	service, err := dynamic.New(dynamic.Config{SiteDir: site.Dir, Store: s, Mail: sender, MailGather: 10 * time.Millisecond, Operator: operator,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Outbound:       http.DefaultClient, AllowPrivate: true, Jobs: func(tasks ...catalog.JobTask) func(context.Context) error {
			return (&jobs.Runner{Store: s, Worker: "mailer", Tasks: tasks, Idle: 20 * time.Millisecond, Log: slog.New(slog.DiscardHandler)}).Run
		}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		s.Close()
	})
	r.event(1, "Rain gauges", catalog.EventCreated)
	return r
}

// event changes entry n.
func (r *register) event(n int, name string, kinds ...catalog.EventKind) catalog.Entry {
	r.t.Helper()
	ref := fmt.Sprintf("data.example:dataset:%d", n)
	past, at := time.Unix(1_700_000_000, 0).UTC(), time.Now().UTC()
	e := catalog.Entry{ID: catalog.EntryID(ref, "", 1), Slug: fmt.Sprintf("rain-%d", n), Type: catalog.TypeDataset, Name: name, UpstreamRef: ref,
		IdentityKey: ref, MatchKey: ref, Status: catalog.StatusActive, CreatedAt: past, UpdatedAt: at, PublishedAt: past, CountryCode: "GR", InstitutionID: r.institution}
	var events []catalog.Event
	for _, k := range kinds {
		events = append(events, catalog.Event{Type: k, OccurredAt: at, Changes: []catalog.FieldChange{{Field: "license_id", From: json.RawMessage(`null`), To: json.RawMessage(`"CC0-1.0"`)}}})
	}
	err := r.store.Update(r.t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(r.t.Context(), catalog.Write{Entry: &e, Events: append([]catalog.Event(nil), events...)})
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return e
}

// ask sends a request; header holds names and values in turn.
func (r *register) ask(method, url, body string, want int, header ...string) (string, http.Header) {
	r.t.Helper()
	if strings.HasPrefix(url, "/") {
		url = r.base + url
	}
	q, err := http.NewRequestWithContext(r.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != want {
		r.t.Fatalf("%s %s: %d %s, %v, want %d", method, url, resp.StatusCode, b, err, want)
	}
	return string(b), resp.Header
}

func (r *register) watch(body string) (string, http.Header) {
	r.t.Helper()
	return r.ask("POST", wire.RouteWatches, body, 202, "Content-Type", "application/json")
}

// mails waits for a number of mails and returns the last one.
func (r *register) mails(n int) opened {
	r.t.Helper()
	for end := time.Now().Add(time.Minute); len(r.post.letters()) < n; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("%d mails, want %d", len(r.post.letters()), n)
		}
	}
	l := r.post.letters()
	if len(l) != n {
		r.t.Fatalf("%d mails, want %d", len(l), n)
	}
	checkDKIM(r.t, l[n-1].raw, r.key)
	return open(r.t, l[n-1].raw)
}

// link finds the address in a text that begins like this.
func (r *register) link(text, prefix string) string {
	r.t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(r.base+prefix) + `[A-Za-z0-9._-]+`).FindString(text)
	if found == "" {
		r.t.Fatalf("no link to %s in\n%s", prefix, text)
	}
	return found
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// TestWatchInABrowser asks, reads the mail that came through a real server,
// follows its links as a person would, and unsubscribes by one click.
func TestWatchInABrowser(t *testing.T) {
	onBoth(t, func(r *register) {
		r.watch(`{"email":"reader@readers.example","entry":"rain-1","frequency":"immediate"}`)
		m := r.mails(1)
		if m.subject != "Confirm your watch: Rain gauges" || !strings.Contains(m.html, "Rain gauges") {
			t.Errorf("got %q", m.subject)
		}
		link := r.link(m.text, "/api/v1/webhooks/watches/verify/")
		if !strings.Contains(m.html, link) {
			t.Error("the HTML form has another link")
		}
		page, header := r.ask("GET", link, "", 200, "Accept", browser)
		if !strings.Contains(page, `<form class=form method="post"><p><button class="btn btn-main" type="submit">Confirm`) || !strings.Contains(header.Get("Content-Security-Policy"), "frame-ancestors 'none'") ||
			header.Get("Referrer-Policy") != "no-referrer" || header.Get("Cache-Control") != "no-store" {
			t.Errorf("got %s %v", page, header)
		}
		r.ask("HEAD", link, "", 200, "Accept", "application/json")
		r.event(1, "Rain gauges", catalog.EventUpdated)
		time.Sleep(100 * time.Millisecond)
		r.mails(1) // looking confirms nothing
		r.ask("POST", link, "", 200, "Accept", browser)
		r.ask("GET", link, "", 404, "Accept", browser)
		r.ask("POST", link, "", 404, "Accept", "application/json")

		r.event(1, "Rain <gauges>\r\nBcc: victim@readers.example", catalog.EventFailing, catalog.EventUpdated)
		m = r.mails(2)
		if m.Get("Bcc") != "" || m.subject != "2 changes: Rain <gauges> Bcc: victim@readers.example" || !strings.Contains(m.html, "Rain &lt;gauges&gt;") ||
			!strings.Contains(m.text, "Fails the checks") || !strings.Contains(m.text, "Changed: license id") {
			t.Errorf("got %q\n%s", m.subject, m.text)
		}
		manage := r.link(m.text, "/api/v1/webhooks/watches/manage/")
		if page, _ := r.ask("GET", manage, "", 200, "Accept", browser); !strings.Contains(page, `value="immediate" checked`) {
			t.Errorf("got %s", page)
		}
		page, _ = r.ask("POST", manage, "frequency=weekly", 200, "Accept", browser, "Content-Type", "application/x-www-form-urlencoded")
		if !strings.Contains(page, `value="weekly" checked`) || !strings.Contains(page, "Saved.") {
			t.Errorf("got %s", page)
		}
		unsubscribe := strings.Trim(m.Get("List-Unsubscribe"), "<>")
		if unsubscribe != r.link(m.text, "/api/v1/webhooks/watches/unsubscribe/") || m.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
			t.Errorf("got %v", m.Header)
		}
		r.ask("GET", unsubscribe, "", 200, "Accept", browser) // ends nothing
		r.ask("GET", manage, "", 200, "Accept", browser)
		r.ask("POST", unsubscribe, "List-Unsubscribe=One-Click", 200, "Content-Type", "application/x-www-form-urlencoded")
		r.ask("POST", unsubscribe, "List-Unsubscribe=One-Click", 200)
		r.ask("GET", manage, "", 404, "Accept", browser)
		if list := r.of("reader@readers.example"); len(list) != 0 {
			t.Errorf("kept %+v", list)
		}
	})
}

func (r *register) of(email string) (list []catalog.Watch) {
	err := r.store.View(r.t.Context(), func(tx catalog.Tx) (err error) {
		list, err = tx.Watches().Of(r.t.Context(), email)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

// TestWatchByAProgram confirms by the request that it is told, changes and ends the watch by its token.
func TestWatchByAProgram(t *testing.T) {
	onBoth(t, func(r *register) {
		r.watch(`{"email":"Reader@readers.example","filter":{"countries":["GR"]},"events":["entry.failing"],"frequency":"immediate"}`)
		link := r.link(r.mails(1).text, "/api/v1/webhooks/watches/verify/")
		body, _ := r.ask("GET", link, "", 200, "Accept", "application/json")
		var how wire.WatchConfirmation
		if err := json.Unmarshal([]byte(body), &how); err != nil || how.State != catalog.WatchPending || how.Method != "POST" || how.Href != link {
			t.Fatalf("got %s, %v, want how to confirm %s", body, err, link)
		}
		if list := r.of("reader@readers.example"); len(list) != 1 || list[0].State != catalog.WatchPending {
			t.Fatalf("looking changed %+v", list)
		}
		body, _ = r.ask(how.Method, how.Href, "", 200, "Accept", "application/json")
		var w wire.Watch
		if err := json.Unmarshal([]byte(body), &w); err != nil || w.State != catalog.WatchActive || w.ManagementToken == nil {
			t.Fatalf("got %s, %v", body, err)
		}
		at, token := wire.RouteWatches+"/"+w.ID, "Bearer "+*w.ManagementToken
		for _, bad := range []string{"", "Bearer", "Bearer x", "Bearer " + w.ID + ".AAAA", token + "x", strings.Replace(token, w.ID, catalog.NewID("watch", "other"), 1)} {
			r.ask("PATCH", at, `{"frequency":"daily"}`, 401, "Content-Type", "application/json", "Authorization", bad)
			r.ask("DELETE", at, "", 401, "Authorization", bad)
		}
		body, _ = r.ask("PATCH", at, `{"filter":{"tags":["rain"],"countries":["GR"]}}`, 200, "Content-Type", "application/json", "Authorization", token)
		if !strings.Contains(body, `"tags":["rain"]`) || !strings.Contains(body, `"events":["entry.failing"]`) || strings.Contains(strings.ToLower(body), "reader@") {
			t.Errorf("got %s", body)
		}
		r.ask("PATCH", at, `{"filter":{}}`, 422, "Content-Type", "application/json", "Authorization", token)
		r.ask("DELETE", at, "", 204, "Authorization", token)
		r.ask("PATCH", at, `{"frequency":"daily"}`, 404, "Content-Type", "application/json", "Authorization", token)
	})
}

// TestWhatHappensWhileAMailIsUnderWay has a mail of its own, though nothing else
// happens after it.
func TestWhatHappensWhileAMailIsUnderWay(t *testing.T) {
	onBoth(t, func(r *register) {
		r.watch(`{"email":"reader@readers.example","entry":"rain-1","frequency":"immediate"}`)
		r.ask("POST", r.link(r.mails(1).text, "/api/v1/webhooks/watches/verify/"), "", 200, "Accept", "application/json")
		var once sync.Once
		r.post.mu.Lock()
		r.post.meanwhile = func(string) {
			once.Do(func() {
				r.event(1, "Rain gauges", catalog.EventVerified)
				r.taken()
			})
		}
		r.post.mu.Unlock()
		r.event(1, "Rain gauges", catalog.EventFailing)
		m := r.mails(3)
		if !strings.Contains(m.text, "Answers the checks again") || strings.Contains(m.text, "Fails the checks") {
			t.Errorf("the second mail: %s", m.text)
		}
	})
}

// taken waits until the latest event was noted for those who watch.
func (r *register) taken() {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		behind := true
		err := r.store.View(context.WithoutCancel(r.t.Context()), func(tx catalog.Tx) error {
			last, err := tx.Events().Last(r.t.Context())
			if err != nil {
				return err
			}
			text, err := tx.Meta().Get(r.t.Context(), "watched_event")
			behind = text != strconv.FormatInt(last, 10)
			return err
		})
		if err != nil {
			r.t.Error(err)
		}
		if !behind {
			return
		}
	}
	r.t.Error("the event was not taken")
}

// TestNobodyLearnsWhichAddressIsKnown compares the answers for a known and an
// unknown address; and an address is not flooded by those who ask for it.
func TestNobodyLearnsWhichAddressIsKnown(t *testing.T) {
	onBoth(t, func(r *register) {
		ask := func(email string) string {
			body, header := r.watch(`{"email":"` + email + `","entry":"rain-1"}`)
			for _, name := range []string{"Date", "X-Request-Id", "Ratelimit"} {
				header.Del(name)
			}
			return fmt.Sprint(body, header)
		}
		first := ask("known@readers.example")
		r.ask("POST", r.link(r.mails(1).text, "/api/v1/webhooks/watches/verify/"), "", 200, "Accept", "application/json")
		for range 5 {
			if again := ask("known@readers.example"); again != first || ask("new@readers.example") != first {
				t.Errorf("answers differ: %s", again)
			}
		}
		r.mails(1 + 2 + 3) // of each address three in a day
		time.Sleep(100 * time.Millisecond)
		if n := len(r.post.letters()); n != 6 {
			t.Errorf("%d mails", n)
		}
	})
}

// TestOneMailboxIsAskedThreeTimesADay however it is spelt, whoever asks: sixty
// spellings from sixty clients are three mails, and a restart forgets nothing.
func TestOneMailboxIsAskedThreeTimesADay(t *testing.T) {
	onBoth(t, func(r *register) {
		local := "thereader"
		for n := range 60 {
			dot := 1 + n%(len(local)-1)
			address := fmt.Sprintf("%s.%s+%d@%s", local[:dot], strings.ToUpper(local[dot:]), n, []string{"gmail.com", "GoogleMail.com", "GMAIL.com"}[n%3])
			r.ask("POST", wire.RouteWatches, `{"email":"`+address+`","entry":"rain-1"}`, 202, "Content-Type", "application/json", "X-Forwarded-For", fmt.Sprintf("192.0.2.%d", n+1))
		}
		r.settled()
		r.mails(3)
	})
}

// TestAClientThatAsksForManyWatchesWaits longer each time; others do not, and the
// form says so without a script.
func TestAClientThatAsksForManyWatchesWaits(t *testing.T) {
	onBoth(t, func(r *register) {
		ask := func(n, want int, client string) http.Header {
			_, header := r.ask("POST", wire.RouteWatches, fmt.Sprintf(`{"email":"reader%d@readers.example","entry":"rain-1"}`, n), want, "Content-Type", "application/json", "X-Forwarded-For", client)
			return header
		}
		for n := range 20 {
			ask(n, 202, "192.0.2.1")
		}
		after, err := strconv.Atoi(ask(20, 429, "192.0.2.1").Get("Retry-After"))
		if err != nil || after < 1 || after > 60 {
			t.Errorf("wait %d s, %v", after, err)
		}
		page, header := r.ask("POST", "/watch", "email=reader%40readers.example&entry=rain-1&frequency=daily", 429, "Content-Type", "application/x-www-form-urlencoded",
			"Sec-Fetch-Site", "same-origin", "X-Forwarded-For", "192.0.2.1", "Accept", browser)
		if header.Get("Retry-After") == "" || !strings.Contains(page, "can be asked for in") || !strings.Contains(page, "reader@readers.example") {
			t.Errorf("the form says %v %s", header, page)
		}
		ask(21, 202, "192.0.2.2")
	})
}

// settled waits until no mail is queued or under way but those that wait for
// their turn.
func (r *register) settled() {
	r.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		open := 0
		err := r.store.View(r.t.Context(), func(tx catalog.Tx) error {
			list, err := tx.Jobs().List(r.t.Context(), catalog.JobFilter{})
			open = 0
			for i := range list {
				if s := list[i].State; s == catalog.JobRunning || s == catalog.JobQueued && list[i].RunAt.Before(time.Now().Add(time.Minute)) {
					open++
				}
			}
			return err
		})
		if err != nil {
			r.t.Fatal(err)
		}
		if open == 0 {
			return
		}
		if time.Now().After(end) {
			r.t.Fatalf("%d jobs do not end", open)
		}
	}
}

func TestWatchRefuses(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, s)
	for body, want := range map[string]string{
		`{"entry":"rain-1"}`: "body.email", `{"email":"a@readers.example\r\nBcc: b@readers.example","entry":"rain-1"}`: "body.email",
		`{"email":"a@readers.example, b@readers.example","entry":"rain-1"}`: "body.email", `{"email":"a@readers.example"}`: "body.entry",
		`{"email":"a@readers.example","entry":"nothing"}`: "body.entry", `{"email":"a@readers.example","entry":"rain-1","filter":{}}`: "body.filter",
		`{"email":"a@readers.example","entry":"rain-1","frequency":"hourly"}`: "body.frequency", `{"email":"a@readers.example","entry":"rain-1","events":["x"]}`: "body.events",
		`{"email":"a@readers.example","filter":{"tags":["` + strings.Repeat("x", 200) + `"]}}`: "body.filter.tags", `{"email":"a@readers.example","who":"me"}`: "body.who",
	} {
		if got, _ := r.ask("POST", wire.RouteWatches, body, 422, "Content-Type", "application/json"); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	for _, path := range []string{"/verify/", "/manage/", "/unsubscribe/"} {
		for _, token := range []string{"x", strings.Repeat("A", 43), "..%2f", catalog.NewID("watch", "x") + ".x"} {
			r.ask("GET", wire.RouteWatches+path+token, "", 404, "Accept", "application/json")
		}
	}
}
