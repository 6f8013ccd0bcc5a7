package screens

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// claims are the pages of owners.
type claims struct{ *Config }

// claimRoutes lists the pages on which owners claim what is theirs and speak of it.
func (c *Config) claimRoutes() []Route {
	p := claims{c}
	get, post := http.MethodGet, http.MethodPost
	routes := []Route{
		{get, "/claim", p.start},
		{post, "/claim", c.own(p.begin)},
		{get, "/claim/{id}", p.claim},
		{post, "/claim/{id}/leave", c.own(p.leave)},
		{get, "/claim/{id}/entry/{slug}", p.entry},
	}
	for i := range ownerActions {
		routes = append(routes, Route{post, ownerActions[i].route, c.own(p.act(&ownerActions[i]))})
	}
	return routes
}

// reply answers with a page of one reader, whose title is a string before the name of what it is
// about.
func (p claims) reply(w http.ResponseWriter, r *http.Request, status int, title, name, route string, main view.Main) error {
	current := p.Current()
	if current == nil {
		return &web.Error{Problem: wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The register has no snapshot yet."}}
	}
	lang, _ := wire.RouteLang(r.URL.Path)
	body, err := p.Views.Screen(current, view.Screen{ID: "claim", Lang: lang, Route: route, Title: strings.TrimSpace(view.Say(lang, title) + " " + name), Main: main})
	if err != nil {
		return err
	}
	web.ReplyPage(w, r, status, body)
	return nil
}

// start is the page on which a claim begins; without a name in its address it is the one of
// the snapshot.
func (p claims) start(w http.ResponseWriter, r *http.Request) error {
	asked, err := web.DecodeQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	if len(asked) == 0 {
		return p.Static(w, r)
	}
	return p.form(w, r, http.StatusOK, asked, nil)
}

// form shows what can be claimed of what is named.
func (p claims) form(w http.ResponseWriter, r *http.Request, status int, asked url.Values, t *templates.Trouble) error {
	page := &templates.ClaimStart{Entry: slugOf(asked.Get("entry")), Domain: asked.Get("domain"), Email: asked.Get("email"), Method: asked.Get("method"), Trouble: t}
	query := url.Values{}
	for _, name := range []string{"institution", "source"} {
		if v := asked.Get(name); v != "" {
			query.Set(name, v)
		}
	}
	if page.Entry != "" {
		query.Set("entry", page.Entry)
	}
	if len(query) > 0 {
		page.Named = true
		options, refused, err := get[wire.ClaimOptions](p.Config, r, wire.RouteClaims+"/options", query)
		if err != nil {
			return err
		}
		if refused != nil {
			status, page.Trouble = refused.Status, refused
		} else {
			offer(page, options)
		}
	}
	return p.reply(w, r, status, "claim.title", "", "/claim", page)
}

// offer puts what can be claimed on the page.
func offer(page *templates.ClaimStart, options *wire.ClaimOptions) {
	for _, m := range options.Methods {
		page.Methods = append(page.Methods, string(m))
	}
	for i := range options.Items {
		o := &options.Items[i]
		x := templates.ClaimOption{Field: "institution", ID: or(o.Institution), Name: o.Name, Domains: o.Domains}
		if o.Source != nil {
			x.Field, x.ID = "source", *o.Source
		}
		page.Options = append(page.Options, x)
	}
}

// slugOf is the slug of an entry whose address may have been pasted.
func slugOf(text string) string {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		text = u.Path
	}
	text = strings.TrimSuffix(text, "/")
	return text[strings.LastIndexByte(text, '/')+1:]
}

// begin makes a claim, or opens one whose secret is sent.
func (p claims) begin(w http.ResponseWriter, r *http.Request) error {
	f, err := values(r)
	if err != nil {
		return err
	}
	if f.Has("secret") {
		return p.open(w, r, f)
	}
	ask := wire.ClaimRequest{Institution: f.Get("institution"), Source: f.Get("source"), Method: catalog.ClaimMethod(f.Get("method")), Domain: f.Get("domain"), Lang: langOf(r)}
	if ask.Method == catalog.ClaimMail {
		ask.Email = f.Get("email")
	}
	a, err := p.ask(r, http.MethodPost, wire.RouteClaims, nil, ask)
	if err != nil {
		return err
	}
	if bad := problemOf(a); bad != nil {
		return p.form(w, r, a.Status, f, bad)
	}
	var receipt wire.ClaimReceipt
	if err := json.Unmarshal(a.Body, &receipt); err != nil {
		return err
	}
	http.SetCookie(w, p.claimCookie(receipt.Claim.ID, receipt.Secret, ownerFor))
	return p.see(w, r, "/claim/"+receipt.Claim.ID)
}

// ownerFor is how long a browser remembers the secret of a claim.
const ownerFor = 12 * time.Hour

// ownerCookie is the name of the cookie with the secret of a claim.
func (c *Config) ownerCookie(claim string) string { return c.cookieName() + "-claim-" + claim }

func (c *Config) claimCookie(claim, secret string, age time.Duration) *http.Cookie {
	seconds := int(age / time.Second)
	if age == 0 {
		seconds = -1
	}
	return &http.Cookie{Name: c.ownerCookie(claim), Value: secret, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: c.secure(), SameSite: http.SameSiteStrictMode}
}

// secret is what the browser remembers of a claim, "" for nothing.
func (c *Config) secret(r *http.Request) string {
	id := r.PathValue("id")
	if !catalog.IsID(id) {
		return ""
	}
	cookie, err := r.Cookie(c.ownerCookie(id))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// mark is what the forms of an owner's pages carry.
func mark(secret string) string {
	sum := sha256.Sum256([]byte("claim\n" + secret))
	return hex.EncodeToString(sum[:])
}

// open remembers the secret of a claim.
func (p claims) open(w http.ResponseWriter, r *http.Request, f url.Values) error {
	id, secret := slugOf(f.Get("id")), f.Get("secret")
	if !catalog.IsID(id) {
		return p.form(w, r, http.StatusUnprocessableEntity, url.Values{}, &templates.Trouble{Text: view.Say(langOf(r), "claim.open.id"), Own: true})
	}
	a, err := p.with(r, secret, http.MethodGet, wire.RouteClaims+"/"+id+"/owner", nil)
	if err != nil {
		return err
	}
	if bad := problemOf(a); bad != nil {
		if a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden || a.Status == http.StatusNotFound {
			bad.Text, bad.Own = view.Say(langOf(r), "claim.open.refused"), true
		}
		return p.form(w, r, a.Status, url.Values{}, bad)
	}
	http.SetCookie(w, p.claimCookie(id, secret, ownerFor))
	return p.see(w, r, "/claim/"+id)
}

// leave forgets the secret of a claim.
func (p claims) leave(w http.ResponseWriter, r *http.Request) error {
	http.SetCookie(w, p.claimCookie(r.PathValue("id"), "", 0))
	return p.see(w, r, "/claim/"+url.PathEscape(r.PathValue("id")))
}

// with puts a request to the interface in the name of an owner.
func (c *Config) with(r *http.Request, secret, method, path string, body any) (*inside.Answer, error) {
	return c.ask(r.WithContext(inside.WithBearer(r.Context(), secret)), method, path, nil, body)
}

// sent checks that a form is one of the owner's own pages, and gives it with the secret.
func (c *Config) sent(r *http.Request) (url.Values, string, error) {
	f, err := values(r)
	if err != nil {
		return nil, "", err
	}
	secret := c.secret(r)
	if secret == "" || !hmac.Equal([]byte(f.Get(csrfField)), []byte(mark(secret))) {
		return nil, "", &web.Error{Problem: wire.Problem{Status: http.StatusForbidden, Detail: "The form is not one of this claim. Open its page again."}}
	}
	return f, secret, nil
}
