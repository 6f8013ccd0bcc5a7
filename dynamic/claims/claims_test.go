package claims

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/assay-register/assay/dynamic/mail"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var begin = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)

// world is a register, a name server and a web server on the loopback address.
type world struct {
	t     *testing.T
	g     *Group
	h     http.Handler
	store catalog.Store

	mu    sync.Mutex
	at    time.Time
	txt   map[string]string
	alias map[string]string
	web   func(w http.ResponseWriter, r *http.Request)
	sent  []*mail.Message
}

func (o *world) Send(_ context.Context, m *mail.Message) error {
	o.sent = append(o.sent, m)
	return nil
}

func (o *world) now() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.at = o.at.Add(11 * time.Second)
	return o.at
}

// listed has a source list an entry.
func (o *world) listed(slug, source string) {
	o.t.Helper()
	err := o.store.Update(o.t.Context(), func(tx catalog.Tx) error {
		owners, err := tx.Entries().BySlug(o.t.Context(), slug)
		if err != nil {
			return err
		}
		list, err := tx.Entries().Get(o.t.Context(), owners[slug])
		if err != nil {
			return err
		}
		list[0].SourceID = source
		return tx.Entries().Put(o.t.Context(), catalog.Write{Entry: &list[0], Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: begin}}})
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

func (o *world) later(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.at = o.at.Add(d)
}

// names answers TXT and address queries from the maps; a name that begins with * stands for all.
func (o *world) names(t *testing.T) *net.Resolver {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			m.Header = dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true, RecursionAvailable: true}
			m.Answers, m.Additionals = o.answer(q), nil
			if m.Answers == nil && q.Type == dnsmessage.TypeTXT {
				m.RCode = dnsmessage.RCodeNameError
			}
			if out, err := m.Pack(); err == nil {
				conn.WriteTo(out, from) //nolint:errcheck // the client asks again
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func (o *world) answer(q dnsmessage.Question) (list []dnsmessage.Resource) {
	o.mu.Lock()
	defer o.mu.Unlock()
	name := strings.TrimSuffix(q.Name.String(), ".")
	head := func(name dnsmessage.Name, kind dnsmessage.Type) dnsmessage.ResourceHeader {
		return dnsmessage.ResourceHeader{Name: name, Type: kind, Class: dnsmessage.ClassINET, TTL: 1}
	}
	switch q.Type {
	case dnsmessage.TypeTXT:
		text, ok := o.txt[name]
		if wild, all := o.txt["*"]; !ok && all {
			text, ok = wild, true
		}
		if ok {
			list = append(list, dnsmessage.Resource{Header: head(q.Name, q.Type), Body: &dnsmessage.TXTResource{TXT: []string{text}}})
		}
	case dnsmessage.TypeA:
		at := q.Name
		if to := o.alias[name]; to != "" {
			at = dnsmessage.MustNewName(to + ".")
			list = append(list, dnsmessage.Resource{Header: head(q.Name, dnsmessage.TypeCNAME), Body: &dnsmessage.CNAMEResource{CNAME: at}})
		}
		list = append(list, dnsmessage.Resource{Header: head(at, q.Type), Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}})
	}
	return list
}

func newWorld(t *testing.T) *world {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	o := &world{t: t, store: st, at: begin, txt: map[string]string{}, alias: map[string]string{}, web: http.NotFound}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { o.web(w, r) }))
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // the double has no certificate for these names
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		}}}
	o.g = &Group{Store: st, Now: o.now, Site: func() snapshot.Site { return snapshot.Site{BaseURL: "https://register.example", Name: "Register"} }, Mails: true,
		Prover: &Prover{Client: client, Resolver: o.names(t)}}
	o.routes()
	office := catalog.Institution{ID: catalog.NewID("institution", "office"), Key: "office", Name: "Office", Type: catalog.InstitutionTypes()[0], HomepageURL: "https://www.office.example/",
		OfficialDomains: []string{"office.example", "office.github.io", "gov.uk"}, CreatedAt: begin, UpdatedAt: begin}
	stated := catalog.Institution{ID: catalog.NewID("institution", "named"), Key: "named", Name: "Named", State: catalog.InstitutionStated, OfficialDomains: []string{"named.example"}, CreatedAt: begin, UpdatedAt: begin}
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		if err := tx.Institutions().Put(t.Context(), office, stated); err != nil {
			return err
		}
		for slug, institution := range map[string]string{"rain": office.ID, "snow": ""} {
			e := &catalog.Entry{ID: catalog.NewID("entry", slug), Slug: slug, Type: catalog.TypeDataset, Name: slug, InstitutionID: institution, IdentityKey: slug, MatchKey: slug,
				FreeAccessClass: catalog.AccessUnknown, AuthType: catalog.AuthUnknown, Status: catalog.StatusActive, CreatedAt: begin, UpdatedAt: begin, PublishedAt: begin}
			if err := tx.Entries().Put(t.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: begin}}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *world) routes() {
	site := func() (snapshot.Site, string) { return o.g.Site(), "" }
	front := &web.Front{Now: o.now, Site: site, Timeout: 30 * time.Second, BodyMax: 64 << 10, Log: slog.New(slog.DiscardHandler)}
	mux := http.NewServeMux()
	for path, methods := range map[string]map[string]web.Handler{
		"/claims": {"POST": o.g.Create}, "/claims/{id}": {"GET": o.g.Get, "DELETE": o.g.End}, "/claims/{id}/check": {"POST": o.g.Check}, "/claims/{id}/confirm": {"POST": o.g.Confirm},
		"/claims/{id}/statements": {"POST": o.g.State}, "/claims/options": {"GET": o.g.Options}, "/claims/{id}/owner": {"GET": o.g.Owned}, "/claims/{id}/statements/{statement}": {"DELETE": o.g.Withdraw}, "/claims/{id}/probe": {"POST": o.g.Probe}, "/claims/{id}/recheck": {"POST": o.g.Recheck}, "/claims/{id}/checks": {"GET": o.g.Asked}, "/entries/{idOrSlug}/statements": {"GET": o.g.Statements},
		"/claims/{id}/reports": {"GET": o.g.Reports}, "/claims/{id}/reports/{report}/answer": {"POST": o.g.AnswerReport},
		"/admin/claims": {"GET": o.g.List}, "/admin/claims/{id}/revoke": {"POST": o.g.Revoke}, "/admin/statements": {"GET": o.g.Stated}, "/admin/statements/{id}/decide": {"POST": o.g.Decide},
	} {
		mux.Handle(path, front.Adapt(web.Methods(methods)))
	}
	wrapped := front.Wrap(mux)
	o.h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrapped.ServeHTTP(w, r.WithContext(web.WithCaller(r.Context(), web.Caller{Token: "t1", Name: "Ada", Role: catalog.RoleModerator})))
	})
}

func (o *world) ask(method, path, secret, body string) (int, string) {
	o.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	w := httptest.NewRecorder()
	o.h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func (o *world) want(status int, method, path, secret, body string) string {
	o.t.Helper()
	code, answer := o.ask(method, path, secret, body)
	if code != status {
		o.t.Fatalf("%s %s %s: %d, want %d: %s", method, path, body, code, status, answer)
	}
	return answer
}

func (o *world) claim(method, domain, extra string) wire.ClaimReceipt {
	o.t.Helper()
	var out wire.ClaimReceipt
	answer := o.want(201, "POST", "/claims", "", fmt.Sprintf(`{"institution":"office","method":%q,"domain":%q%s}`, method, domain, extra))
	if err := json.Unmarshal([]byte(answer), &out); err != nil {
		o.t.Fatal(err)
	}
	return out
}

func (o *world) check(c *wire.ClaimReceipt) (got wire.Claim) {
	o.t.Helper()
	answer := o.want(200, "POST", "/claims/"+c.Claim.ID+"/check", c.Secret, "")
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		o.t.Fatal(err)
	}
	return got
}

// hold is a job in the hands of a worker.
type hold struct {
	o   *world
	job *catalog.Job
}

func (h hold) Job() *catalog.Job                     { return h.job }
func (h hold) Tell(any)                              {}
func (h hold) Wait(context.Context, time.Time) error { return nil }
func (h hold) Finish(ctx context.Context, fn func(catalog.Tx) error) error {
	return h.o.store.Update(ctx, fn)
}

func (o *world) work(kind, claim string) {
	o.t.Helper()
	for _, task := range o.g.Tasks(o) {
		if slices.Contains(task.Kinds, kind) {
			payload, _ := json.Marshal(claim)
			if err := task.Do(o.t.Context(), hold{o, &catalog.Job{ID: "j", Kind: kind, Payload: payload}}); err != nil {
				o.t.Fatal(err)
			}
		}
	}
}

func (o *world) events(kind catalog.EventKind) (n int) {
	o.t.Helper()
	err := o.store.View(o.t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Events().After(o.t.Context(), 0, 1000)
		for _, e := range list {
			if e.Type == kind {
				n++
			}
		}
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return n
}

// changes counts the events of a changed field.
func (o *world) changes(field string) (n int) {
	o.t.Helper()
	err := o.store.View(o.t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Events().After(o.t.Context(), 0, 1000)
		for _, e := range list {
			if len(e.Changes) > 0 && e.Changes[0].Field == field && e.EntryID != "" {
				n++
			}
		}
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return n
}

// Each method proves what is there twice, ten minutes apart, and is looked at again.
func TestProofs(t *testing.T) {
	for _, method := range []string{"dns", "file", "link"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			o := newWorld(t)
			c := o.claim(method, "office.example", "")
			if got := o.check(&c); got.State != catalog.ClaimPending || got.Reason == nil {
				t.Errorf("without a proof: %+v", got)
			}
			o.show(&c)
			if got := o.check(&c); got.State != catalog.ClaimPending || !strings.Contains(*got.Reason, "seen once") {
				t.Errorf("seen once: %+v", got)
			}
			o.later(catalog.ClaimPause)
			if got := o.check(&c); got.State != catalog.ClaimVerified || o.events(catalog.EventClaimVerified) != 1 {
				t.Errorf("seen twice: %+v", got)
			}
			o.hide()
			for n := range catalog.ClaimMisses {
				o.later(catalog.ClaimEvery)
				o.work(catalog.JobCheckClaim, c.Claim.ID)
				var got wire.Claim
				_ = json.Unmarshal([]byte(o.want(200, "GET", "/claims/"+c.Claim.ID, "", "")), &got)
				if want := map[bool]catalog.ClaimState{true: catalog.ClaimEnded, false: catalog.ClaimVerified}[n == catalog.ClaimMisses-1]; got.State != want {
					t.Errorf("after %d misses: %s", n+1, got.State)
				}
			}
			if o.events(catalog.EventClaimEnded) != 1 {
				t.Error("no event of the end")
			}
		})
	}
}

// show puts the proof of a claim where it is looked for.
func (o *world) show(c *wire.ClaimReceipt) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.txt[*c.Place] = *c.Proof
	proof := *c.Proof
	o.web = func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(proof, "<") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		} else {
			w.Header().Set("Content-Type", "text/plain")
		}
		fmt.Fprintln(w, proof)
	}
}

func (o *world) hide() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.txt)
	o.web = http.NotFound
}

var codeShape = regexp.MustCompile(`(?m)^    ([A-Z0-9]{20,})$`)

func TestProofByMail(t *testing.T) {
	o := newWorld(t)
	c := o.claim("mail", "office.example", `,"email":"opendata@office.example"`)
	o.work(catalog.JobMailClaim, c.Claim.ID)
	if len(o.sent) != 1 || o.sent[0].To != "opendata@office.example" {
		t.Fatalf("sent %+v", o.sent)
	}
	code := codeShape.FindStringSubmatch(o.sent[0].Text)[1]
	body := `{"code":"` + code + `"}`
	o.want(401, "POST", "/claims/"+c.Claim.ID+"/confirm", "", body)
	o.want(409, "POST", "/claims/"+c.Claim.ID+"/confirm", c.Secret, `{"code":"guess"}`)
	o.want(200, "POST", "/claims/"+c.Claim.ID+"/confirm", c.Secret, body)
	o.want(409, "POST", "/claims/"+c.Claim.ID+"/confirm", c.Secret, body)
	o.later(catalog.MailProofFor)
	o.work(catalog.JobCheckClaim, c.Claim.ID)
	if got := o.want(200, "GET", "/claims/"+c.Claim.ID, "", ""); !strings.Contains(got, "holds for a year") || strings.Contains(got, "opendata@") {
		t.Errorf("after a year: %s", got)
	}
}

// TestAttacks: each way to claim what is another's is refused, with its reason.
func TestAttacks(t *testing.T) {
	refused := func(status int, body, reason string) func(o *world) {
		return func(o *world) {
			if code, answer := o.ask("POST", "/claims", "", body); code != status || !strings.Contains(answer, reason) {
				o.t.Errorf("%d %s, want %d with %q", code, answer, status, reason)
			}
		}
	}
	begins := func(method, domain, extra, reason string) func(o *world) {
		return refused(422, fmt.Sprintf(`{"institution":"office","method":%q,"domain":%q%s}`, method, domain, extra), reason)
	}
	// seen begins a claim that is right, lets the attack be, and looks twice.
	seen := func(method, reason string, attack func(o *world, c *wire.ClaimReceipt)) func(o *world) {
		return func(o *world) {
			c := o.claim(method, "office.example", "")
			attack(o, &c)
			got := o.check(&c)
			o.later(catalog.ClaimPause)
			got = o.check(&c)
			if got.State == catalog.ClaimVerified || got.Reason == nil || !strings.Contains(*got.Reason, reason) {
				o.t.Errorf("%s %v, want %q", got.State, *got.Reason, reason)
			}
		}
	}
	page := func(kind, body string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		}
	}
	for name, attack := range map[string]func(*world){
		"a look-alike domain":               begins("dns", "office-example.example", "", "none of the official domains"),
		"letters of other scripts":          begins("dns", "оffice.example", "", "other than ASCII"),
		"the same in punycode":              begins("dns", "xn--ffice-uye.example", "", "none of the official domains"),
		"a part of the domain":              begins("file", "old-project.office.example", "", "given away and forgotten"),
		"the domain as a part":              begins("dns", "office.example.attacker.example", "", "none of the official domains"),
		"a public suffix":                   begins("dns", "gov.uk", "", "public suffix"),
		"shared hosting":                    begins("file", "office.github.io", "", "shared hosting"),
		"an address for a domain":           begins("dns", "office.example/path", "", "no bare host"),
		"mail elsewhere":                    begins("mail", "office.example", `,"email":"me@attacker.example"`, "not on office.example"),
		"a free mailer":                     begins("mail", "office.example", `,"email":"office@gmail.com"`, "to everybody"),
		"mail to a list":                    begins("mail", "office.example", `,"email":"announce@office.example"`, "read by many"),
		"mail to a tag":                     begins("mail", "office.example", `,"email":"info+me@office.example"`, "with a tag"),
		"a line in the address":             begins("mail", "office.example", `,"email":"a@office.example\r\nBcc: me@attacker.example"`, "office@example.org"),
		"an institution that is only named": refused(422, `{"institution":"named","method":"dns","domain":"named.example"}`, "only named by catalogues"),
		"the value of another claim": seen("dns", "not of this claim", func(o *world, c *wire.ClaimReceipt) {
			other := o.claim("dns", "office.example", "")
			o.txt[*c.Place] = *other.Proof
		}),
		"a name server that flaps": func(o *world) {
			c := o.claim("dns", "office.example", "")
			for range 4 {
				o.show(&c)
				o.check(&c)
				o.hide()
				o.later(catalog.ClaimPause)
				if got := o.check(&c); got.State != catalog.ClaimPending || !strings.Contains(*got.Reason, "no TXT record") {
					o.t.Errorf("%+v", got)
				}
			}
		},
		"a wildcard record": seen("dns", "wildcard", func(o *world, c *wire.ClaimReceipt) { o.txt["*"] = *c.Proof }),
		"a server that was given up": seen("file", "alias of office.hosting.example.net", func(o *world, c *wire.ClaimReceipt) {
			o.show(c)
			o.alias["office.example"] = "office.hosting.example.net"
		}),
		"a redirect off the domain": seen("file", "redirects to another host", func(o *world, c *wire.ClaimReceipt) {
			o.web = func(w http.ResponseWriter, r *http.Request) {
				if r.Host == "office.example" {
					http.Redirect(w, r, "https://attacker.example/.well-known/assay-claim.txt", http.StatusFound)
					return
				}
				page("text/plain", *c.Proof)(w, r)
			}
		}),
		"a redirect to plain http": seen("file", "redirects to another host", func(o *world, c *wire.ClaimReceipt) {
			o.web = func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://office.example/x", http.StatusFound)
			}
		}),
		"a page that says what it is asked": seen("file", "not text/plain", func(o *world, c *wire.ClaimReceipt) { o.web = page("text/html", *c.Proof) }),
		"an error page with the proof": seen("file", "answers 404", func(o *world, c *wire.ClaimReceipt) {
			o.web = func(w http.ResponseWriter, r *http.Request) { http.Error(w, *c.Proof, http.StatusNotFound) }
		}),
		"a file without end": seen("file", "longer than", func(o *world, c *wire.ClaimReceipt) {
			o.web = page("text/plain", *c.Proof+strings.Repeat("\nx", fileMax))
		}),
		"a link that a reader left": seen("link", "a reader's", func(o *world, c *wire.ClaimReceipt) {
			o.web = page("text/html", strings.ReplaceAll(*c.Proof, `rel="me"`, `rel="me ugc nofollow"`))
		}),
		"a link in a comment of the page": seen("link", "no link with rel=me", func(o *world, c *wire.ClaimReceipt) { o.web = page("text/html", "<!-- "+*c.Proof+" -->") }),
		"a link in a template of the page": seen("link", "no link with rel=me", func(o *world, c *wire.ClaimReceipt) {
			o.web = page("text/html", "<template><template></template>"+*c.Proof+"</template>")
		}),
		"a proof that came too late": func(o *world) {
			c := o.claim("dns", "office.example", "")
			o.later(catalog.ProveWithin)
			o.show(&c)
			if got := o.check(&c); got.State != catalog.ClaimEnded || !strings.Contains(*got.Reason, "within 7 days") {
				o.t.Errorf("%+v", got)
			}
			o.want(409, "POST", "/claims/"+c.Claim.ID+"/check", c.Secret, "")
		},
		"guessing the code": func(o *world) {
			c := o.claim("mail", "office.example", `,"email":"info@office.example"`)
			o.work(catalog.JobMailClaim, c.Claim.ID)
			for range catalog.CodeTries {
				o.want(409, "POST", "/claims/"+c.Claim.ID+"/confirm", c.Secret, `{"code":"AAAA"}`)
			}
			code := codeShape.FindStringSubmatch(o.sent[0].Text)[1]
			o.want(409, "POST", "/claims/"+c.Claim.ID+"/confirm", c.Secret, `{"code":"`+code+`"}`)
		},
		"the secret of another claim": func(o *world) {
			a, b := o.claim("dns", "office.example", ""), o.claim("dns", "office.example", "")
			o.want(401, "POST", "/claims/"+a.Claim.ID+"/check", b.Secret, "")
			o.want(401, "DELETE", "/claims/"+a.Claim.ID, "", "")
		},
		"more claims than anybody needs": func(o *world) {
			for range catalog.ClaimsMax {
				o.claim("dns", "office.example", "")
			}
			refused(429, `{"institution":"office","method":"dns","domain":"office.example"}`, "Very many claims")(o)
		},
		"claims that nobody proves, to keep the owner out": func(o *world) {
			owner := o.proved()
			first := o.claim("dns", "office.example", "")
			for range catalog.ClaimsMax - 2 {
				o.claim("dns", "office.example", "")
			}
			o.later(catalog.ClaimRoom)
			o.proved()
			for id, want := range map[string]string{owner.Claim.ID: "verified", first.Claim.ID: "ended"} {
				if got := o.want(200, "GET", "/claims/"+id, "", ""); !strings.Contains(got, `"`+want+`"`) {
					o.t.Errorf("want %s: %s", want, got)
				}
			}
		},
		"claim after claim of one client": func(o *world) {
			o.g.Begun = NewBegun(o.now)
			for range claimsOfOne {
				o.claim("dns", "office.example", "")
			}
			refused(429, `{"institution":"office","method":"dns","domain":"office.example"}`, "as many claims")(o)
			o.later(24 * time.Hour)
			o.claim("dns", "office.example", "")
		},
		"mail after mail to one address": func(o *world) {
			for range mailsADay {
				c := o.claim("mail", "office.example", `,"email":"info@office.example"`)
				o.want(200, "DELETE", "/claims/"+c.Claim.ID, c.Secret, "")
			}
			refused(409, `{"institution":"office","method":"mail","domain":"office.example","email":"INFO@office.example"}`, "within a day")(o)
		},
		"words before the proof": func(o *world) {
			c := o.claim("dns", "office.example", "")
			o.want(409, "POST", "/claims/"+c.Claim.ID+"/statements", c.Secret, `{"entry":"rain","kind":"confirm"}`)
		},
		"words on another's entry": func(o *world) {
			c := o.proved()
			o.want(422, "POST", "/claims/"+c.Claim.ID+"/statements", c.Secret, `{"entry":"snow","kind":"confirm"}`)
			o.want(422, "POST", "/claims/"+c.Claim.ID+"/probe", c.Secret, `{"entry":"snow"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			attack(newWorld(t))
		})
	}
}

func (o *world) proved() wire.ClaimReceipt {
	o.t.Helper()
	c := o.claim("dns", "office.example", "")
	o.show(&c)
	o.check(&c)
	o.later(catalog.ClaimPause)
	if got := o.check(&c); got.State != catalog.ClaimVerified {
		o.t.Fatalf("%+v", got)
	}
	return c
}

// What owners say is shown beside the entry and changes nothing of it; a moderator decides on
// what they dispute, and can revoke the claim.
func TestOwners(t *testing.T) {
	o := newWorld(t)
	c := o.proved()
	at := "/claims/" + c.Claim.ID
	say := func(status int, body string) string { return o.want(status, "POST", at+"/statements", c.Secret, body) }
	for _, bad := range []string{`{"entry":"rain","kind":"verdict","text":"up"}`, `{"entry":"rain","kind":"dispute"}`, `{"entry":"rain","kind":"probe_address","url":"ftp://x"}`,
		`{"entry":"rain","kind":"probe_address","url":"https://elsewhere.example/ok"}`, `{"entry":"rain","kind":"probe_address","url":"http://169.254.169.254/latest"}`, `{"entry":"rain","kind":"probe_address","url":"https://office.example.evil.example/"}`,
		`{"entry":"rain","kind":"maintenance","from":"2026-12-01T00:00:00Z","until":"2026-11-30T00:00:00Z"}`, `{"entry":"rain","kind":"sunset","from":"2020-01-01T00:00:00Z"}`, `{"entry":"rain","kind":"documentation"}`} {
		say(422, bad)
	}
	o.listed("rain", catalog.NewID("source", "office"))
	before := o.entryDoc("rain")
	for _, good := range []string{`{"entry":"rain","kind":"confirm","field":"name"}`, `{"entry":"rain","kind":"contact","text":"opendata@office.example"}`, `{"entry":"rain","kind":"documentation","url":"https://office.example/docs"}`,
		`{"entry":"rain","kind":"maintenance","from":"2026-12-01T00:00:00Z","until":"2026-12-01T06:00:00Z"}`, `{"entry":"rain","kind":"sunset","from":"2027-12-01T00:00:00Z"}`,
		`{"entry":"rain","kind":"probe_address","url":"https://office.example/health"}`} {
		say(201, good)
	}
	say(422, `{"entry":"rain","kind":"confirm","field":"nosuch"}`)
	var dispute wire.OwnerStatement
	_ = json.Unmarshal([]byte(say(201, `{"entry":"rain","kind":"dispute","field":"verification_state","text":"it answers"}`)), &dispute)
	o.want(202, "POST", at+"/probe", c.Secret, `{"entry":"rain"}`)
	o.want(409, "POST", at+"/probe", c.Secret, `{"entry":"rain"}`)
	var again wire.Recheck
	_ = json.Unmarshal([]byte(o.want(202, "POST", at+"/recheck", c.Secret, `{"entry":"rain"}`)), &again)
	if again.Probe != nil || again.Harvest == nil || !strings.HasSuffix(again.StatusURL, "/quality") {
		t.Errorf("got %+v", again)
	}
	o.want(409, "POST", at+"/recheck", c.Secret, `{"entry":"rain"}`)
	o.want(401, "POST", at+"/recheck", "", `{"entry":"rain"}`)
	var shown wire.OwnerStatements
	_ = json.Unmarshal([]byte(o.want(200, "GET", "/entries/rain/statements", "", "")), &shown)
	if len(shown.Items) != 7 || shown.Items[0].Kind != catalog.StateDispute || shown.Items[0].State != catalog.StatementOpen {
		t.Errorf("shown %+v", shown.Items)
	}
	revision := regexp.MustCompile(`"revision":\d+`)
	if after := o.entryDoc("rain"); revision.ReplaceAllString(after, "") != revision.ReplaceAllString(before, "") {
		t.Errorf("the entry changed: %s", after)
	}
	// Who follows the log writes the page anew.
	if n := o.changes(catalog.FieldStatements); n != 7 {
		t.Errorf("%d events of statements, want 7", n)
	}
	_ = json.Unmarshal([]byte(o.want(200, "GET", "/admin/statements", "", "")), &shown)
	if len(shown.Items) != 2 {
		t.Errorf("%d wait for a moderator", len(shown.Items))
	}
	o.want(422, "POST", "/admin/statements/"+dispute.ID+"/decide", "", `{"state":"accepted"}`)
	o.want(200, "POST", "/admin/statements/"+dispute.ID+"/decide", "", `{"state":"declined","reason":"three checks failed"}`)
	o.want(409, "POST", "/admin/statements/"+dispute.ID+"/decide", "", `{"state":"accepted","reason":"x"}`)
	o.want(200, "POST", "/admin/claims/"+c.Claim.ID+"/revoke", "", `{"reason":"the office said no"}`)
	say(409, `{"entry":"rain","kind":"confirm"}`)
	// One decision, and an end of each of the six that held.
	if n := o.changes(catalog.FieldStatements); n != 14 {
		t.Errorf("%d events of statements after the claim ended, want 14", n)
	}
	for _, path := range []string{"/entries/rain/statements", "/admin/statements"} {
		_ = json.Unmarshal([]byte(o.want(200, "GET", path, "", "")), &shown)
		for _, s := range shown.Items {
			if s.State != catalog.StatementEnded && s.State != catalog.StatementDeclined {
				t.Errorf("%s: after the claim ended %s is %s", path, s.Kind, s.State)
			}
		}
	}
	if got := o.want(200, "GET", "/admin/claims?limit=1", "", ""); !strings.Contains(got, "the office said no") || strings.Contains(got, "hash") || o.events(catalog.EventClaimEnded) != 1 {
		t.Errorf("claims %s", got)
	}
}

// An owner answers reports on the owner's own entries, in public; a moderator's word on a report
// stands.
func TestOwnersAnswerReports(t *testing.T) {
	o := newWorld(t)
	c := o.proved()
	at := "/claims/" + c.Claim.ID + "/reports"
	report := func(id, entry string, state catalog.ReportState) catalog.Report {
		return catalog.Report{ID: catalog.NewID("report", id), EntryID: catalog.NewID("entry", entry), Message: "it is slow", ContactEmail: "ann@mail.example", State: state, CreatedAt: begin}
	}
	open, decided, other := report("a", "rain", catalog.ReportOpen), report("b", "rain", catalog.ReportDismissed), report("c", "snow", catalog.ReportOpen)
	err := o.store.Update(t.Context(), func(tx catalog.Tx) error { return tx.Reports().Put(t.Context(), open, decided, other) })
	if err != nil {
		t.Fatal(err)
	}
	o.want(401, "GET", at+"?entry=rain", "wrong", "")
	o.want(422, "GET", at+"?entry=snow", c.Secret, "")
	if got := o.want(200, "GET", at+"?entry=rain", c.Secret, ""); !strings.Contains(got, open.ID) || strings.Contains(got, decided.ID) || strings.Contains(got, "ann@") {
		t.Errorf("reports %s", got)
	}
	o.want(422, "POST", at+"/"+open.ID+"/answer", c.Secret, `{"answer":" "}`)
	o.want(422, "POST", at+"/"+other.ID+"/answer", c.Secret, `{"answer":"x"}`)
	o.want(409, "POST", at+"/"+decided.ID+"/answer", c.Secret, `{"answer":"x"}`)
	o.want(404, "POST", at+"/nobody/answer", c.Secret, `{"answer":"x"}`)
	if got := o.want(200, "POST", at+"/"+open.ID+"/answer", c.Secret, `{"answer":"it is fast again"}`); !strings.Contains(got, `"public":true`) || !strings.Contains(got, c.Claim.ID) {
		t.Errorf("answer %s", got)
	}
}

func (o *world) entryDoc(slug string) string {
	o.t.Helper()
	var doc string
	err := o.store.View(o.t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Entries().Get(o.t.Context(), catalog.NewID("entry", slug))
		if err != nil {
			return err
		}
		b, err := json.Marshal(list[0])
		doc = string(b)
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return doc
}
