package screens

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// ownerAction is a form of an owner's pages: the operation that it asks for, below the claim,
// and what is said when it was done.
type ownerAction struct {
	route, method, path string
	body                func(r *http.Request, f url.Values) any
	done                string
}

var ownerActions = []ownerAction{
	{"/claim/{id}/check", http.MethodPost, "/check", nil, "checked"},
	{"/claim/{id}/confirm", http.MethodPost, "/confirm", func(_ *http.Request, f url.Values) any { return wire.ClaimCode{Code: f.Get("code")} }, "checked"},
	{"/claim/{id}/end", http.MethodDelete, "", nil, "ended"},
	{"/claim/{id}/digest", http.MethodPost, "/digest", digest, "digest"},
	{"/claim/{id}/entry/{slug}/probe", http.MethodPost, "/probe", func(r *http.Request, _ url.Values) any { return wire.OwnerProbe{Entry: r.PathValue("slug")} }, "probe"},
	{"/claim/{id}/entry/{slug}/recheck", http.MethodPost, "/recheck", func(r *http.Request, _ url.Values) any { return wire.OwnerProbe{Entry: r.PathValue("slug")} }, "recheck"},
	{"/claim/{id}/entry/{slug}/say", http.MethodPost, "/statements", statement, "said"},
	{"/claim/{id}/entry/{slug}/answer", http.MethodPost, "/reports/{report}/answer", func(_ *http.Request, f url.Values) any { return wire.ReportAnswerRequest{Answer: f.Get("answer")} }, "answered"},
	{"/claim/{id}/entry/{slug}/withdraw", http.MethodDelete, "/statements/{statement}", nil, "withdrawn"},
}

// digest asks for mail in the language of the page.
func digest(r *http.Request, f url.Values) any {
	return wire.DigestRequest{Email: f.Get("email"), Frequency: catalog.Frequency(f.Get("frequency")), Lang: langOf(r)}
}

// langOf is the language of the page of a request.
func langOf(r *http.Request) string {
	lang, _ := wire.RouteLang(r.URL.Path)
	return cmp.Or(lang, view.Languages()[0])
}

// statement makes what an owner says of a form.
func statement(r *http.Request, f url.Values) any {
	return wire.StatementRequest{Entry: r.PathValue("slug"), Kind: catalog.StatementKind(f.Get("kind")), Field: f.Get("field"), Text: f.Get("text"), URL: f.Get("url"), From: instant(f.Get("from")), Until: instant(f.Get("until"))}
}

// instant makes an instant of what a field of date and time sends, which has no zone: UTC.
func instant(text string) string {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format(time.RFC3339)
		}
	}
	return text
}

// act takes a form of an owner.
func (p claims) act(a *ownerAction) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		f, secret, err := p.sent(r)
		if err != nil {
			return err
		}
		var body any
		if a.body != nil {
			body = a.body(r, f)
		}
		path := wire.RouteClaims + "/" + r.PathValue("id") + strings.NewReplacer("{statement}", url.PathEscape(f.Get("statement")), "{report}", url.PathEscape(f.Get("report"))).Replace(a.path)
		answer, err := p.with(r, secret, a.method, path, body)
		if err != nil {
			return err
		}
		if bad := problemOf(answer); bad != nil {
			return p.again(w, r, answer, bad)
		}
		back := "/claim/" + r.PathValue("id")
		if slug := r.PathValue("slug"); slug != "" {
			back += "/entry/" + url.PathEscape(slug)
		}
		return p.see(w, r, back+"?done="+a.done)
	}
}

// again shows the page of a form that was not taken.
func (p claims) again(w http.ResponseWriter, r *http.Request, a *inside.Answer, t *templates.Trouble) error {
	if after := a.Header.Get("Retry-After"); after != "" {
		w.Header().Set("Retry-After", after)
	}
	if r.PathValue("slug") != "" {
		return p.entryPage(w, r, a.Status, t)
	}
	return p.claimPage(w, r, a.Status, t)
}

// claim shows where a claim stands, and to its owner what to do.
func (p claims) claim(w http.ResponseWriter, r *http.Request) error {
	return p.claimPage(w, r, http.StatusOK, nil)
}

func (p claims) claimPage(w http.ResponseWriter, r *http.Request, status int, t *templates.Trouble) error {
	id := r.PathValue("id")
	public, bad, err := get[wire.Claim](p.Config, r, wire.RouteClaims+"/"+url.PathEscape(id), nil)
	if err != nil {
		return err
	}
	if bad != nil {
		return &web.Error{Problem: wire.Problem{Status: bad.Status, Detail: bad.Text}}
	}
	page := &templates.Claim{ID: public.ID, Domain: public.Domain, Method: string(public.Method), State: string(public.State), Reason: or(public.Reason), Institution: or(public.Institution), Done: taken(r), Trouble: t}
	if secret := p.secret(r); secret != "" {
		if err := p.fill(r, page, secret); err != nil {
			return err
		}
	}
	return p.reply(w, r, status, "claim.of", page.Name, "/claim/"+public.ID, page)
}

// fill puts on the page of a claim what its owner sees.
func (p claims) fill(r *http.Request, page *templates.Claim, secret string) error {
	a, err := p.with(r, secret, http.MethodGet, wire.RouteClaims+"/"+page.ID+"/owner", nil)
	if err != nil || a.Problem() != nil {
		return err // a secret that is good no more makes a reader of an owner
	}
	var own wire.OwnedClaim
	if err := json.Unmarshal(a.Body, &own); err != nil {
		return err
	}
	page.Owner, page.Name, page.Place, page.Proof, page.Secret, page.CSRF = true, own.Name, or(own.Place), or(own.Proof), secret, mark(secret)
	if page.State != string(catalog.ClaimVerified) {
		return nil
	}
	page.Find = strings.TrimSpace(r.URL.Query().Get("q"))
	if current := p.Current(); current != nil {
		page.Entries, page.Total, err = p.entriesOf(r.Context(), current, &own.Claim, page.Find)
	}
	return err
}

// entriesShown is how many entries an owner's page lists; others are found by their names.
const entriesShown = 200

// entriesOf are the entries of a claim whose names have a text in them, best first.
func (c *Config) entriesOf(ctx context.Context, current *snapshot.Catalog, claim *wire.Claim, find string) (list []templates.Pair, total int, err error) {
	of := &catalog.Digest{}
	of.Take(&catalog.Claim{ID: claim.ID, SubjectID: or(claim.Institution) + or(claim.Source), Source: claim.Source != nil})
	ordinals, err := c.Owners.Of(ctx, current, of)
	if err != nil {
		return nil, 0, err
	}
	mine := make(map[int32]bool, len(ordinals))
	for _, o := range ordinals {
		mine[o] = true
	}
	find = strings.ToLower(find)
	for _, o := range current.Order {
		l := &current.Lines[o]
		if !mine[int32(o)] || !strings.Contains(strings.ToLower(l.Name), find) {
			continue
		}
		if total++; total <= entriesShown {
			list = append(list, templates.Pair{Name: l.Slug, Text: l.Name})
		}
	}
	return list, total, nil
}

// taken is what is said of a form that was just taken.
func taken(r *http.Request) string {
	lang, _ := wire.RouteLang(r.URL.Path)
	key := r.URL.Query().Get("done")
	for _, a := range ownerActions {
		if a.done == key {
			return view.Say(lang, "owner.done."+key)
		}
	}
	return ""
}

// disputable are what of an entry can be confirmed or disputed by name.
var disputable = []string{"name", "description", "institution_id", "license_id", "free_access_class", "formats", "verification_state", "status"}

func (p claims) entry(w http.ResponseWriter, r *http.Request) error {
	if p.secret(r) == "" {
		return p.see(w, r, "/claim/"+url.PathEscape(r.PathValue("id")))
	}
	return p.entryPage(w, r, http.StatusOK, nil)
}

func (p claims) entryPage(w http.ResponseWriter, r *http.Request, status int, t *templates.Trouble) error {
	slug, secret := r.PathValue("slug"), p.secret(r)
	said, bad, err := get[wire.OwnerStatements](p.Config, r, "/api/v1/entries/"+url.PathEscape(slug)+"/statements", nil)
	if err == nil && bad != nil {
		err = &web.Error{Problem: wire.Problem{Status: bad.Status, Detail: bad.Text}}
	}
	if err != nil {
		return err
	}
	name, err := p.nameOf(r.Context(), slug)
	if err != nil {
		return err
	}
	page := &templates.Owned{Claim: r.PathValue("id"), Slug: slug, Name: name, CSRF: mark(secret), Fields: disputable, Done: taken(r), Trouble: t}
	for i := range said.Items {
		page.Said = append(page.Said, saidOf(&said.Items[i], page.Claim))
	}
	if page.Reports, err = p.reports(r, secret, page); err != nil {
		return err
	}
	if err := p.asked(r, secret, page); err != nil {
		return err
	}
	return p.reply(w, r, status, "claim.yours", "", "/claim/"+page.Claim+"/entry/"+slug, page)
}

// reports are what readers report of an entry, which its owner may answer.
func (p claims) reports(r *http.Request, secret string, page *templates.Owned) ([]templates.Reported, error) {
	asked := url.Values{"entry": {page.Slug}}.Encode()
	a, err := p.with(r, secret, http.MethodGet, wire.RouteClaims+"/"+url.PathEscape(page.Claim)+"/reports?"+asked, nil)
	if err != nil || a.Problem() != nil {
		return nil, err // of an entry of somebody else's nothing is told
	}
	var found wire.OwnerReports
	if err := json.Unmarshal(a.Body, &found); err != nil {
		return nil, err
	}
	var list []templates.Reported
	for i := range found.Items {
		x := &found.Items[i]
		one := templates.Reported{ID: x.ID, Category: string(x.Category), Text: or(x.Message), Evidence: or(x.Evidence), Status: string(x.Status)}
		if one.At, err = time.Parse(time.RFC3339, x.CreatedAt); err != nil {
			return nil, err
		}
		for _, said := range x.Answers {
			one.Answers = append(one.Answers, templates.Pair{Name: said.By, Text: said.Text})
		}
		list = append(list, one)
	}
	return list, nil
}

// nameOf is the name of an entry as it is now, which may be newer than the snapshot.
func (c *Config) nameOf(ctx context.Context, slug string) (name string, err error) {
	err = c.Store.View(ctx, func(tx catalog.Tx) error {
		owners, err := tx.Entries().BySlug(ctx, slug)
		if err != nil {
			return err
		}
		list, err := tx.Entries().Get(ctx, owners[slug])
		if name = slug; len(list) == 1 {
			name = list[0].Name
		}
		return err
	})
	return name, err
}

func saidOf(s *wire.OwnerStatement, claim string) templates.Said {
	x := templates.Said{ID: s.ID, Kind: string(s.Kind), Field: or(s.Field), Text: or(s.Text), URL: or(s.URL), State: string(s.State), Reason: or(s.Reason),
		Own: s.ClaimID == claim && s.State.Holds() && s.State != catalog.StatementEnded}
	for _, t := range []struct {
		text *string
		at   *time.Time
	}{{s.From, &x.From}, {s.Until, &x.Until}} {
		if at, err := time.Parse(time.RFC3339, or(t.text)); err == nil {
			*t.at = at
		}
	}
	return x
}
