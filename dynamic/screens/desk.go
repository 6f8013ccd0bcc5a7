package screens

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates/desk"
)

// deskScreen is one page of those who look after the register.
type deskScreen struct {
	id, route string
	role      catalog.Role
	// load asks the interface for what the page shows.
	load func(c *Config, r *http.Request) (desk.Content, *problem, error)
}

// admin is where the operations of the desk begin.
const admin = "/api/v1/admin"

// desk lists the pages; each is in the navigation of the pieces, too.
var deskScreens = []deskScreen{
	{"desk", "/admin", catalog.RoleModerator, loadStart},
	{"desk-queue", "/admin/queue", catalog.RoleModerator, loadQueue},
	{"desk-decisions", "/admin/decisions", catalog.RoleModerator, loadDecisions},
	{"desk-trust", "/admin/trust", catalog.RoleModerator, loadTrust},
	{"desk-submissions", "/admin/submissions", catalog.RoleModerator, load[desk.Submissions](admin+"/submissions", "cursor", "status")},
	{"desk-statements", "/admin/statements", catalog.RoleModerator, loadStatements},
	{"desk-duplicates", "/admin/duplicates", catalog.RoleModerator, load[desk.Duplicates](admin + "/duplicates")},
	{"desk-entry", "/admin/entry", catalog.RoleAdmin, loadEntry},
	{"desk-sources", "/admin/sources", catalog.RoleAdmin, loadSources},
	{"desk-publishers", "/admin/publishers", catalog.RoleAdmin, loadPublishers},
	{"desk-institutions", "/admin/institutions", catalog.RoleAdmin, loadInstitutions},
	{"desk-webhooks", "/admin/webhooks", catalog.RoleAdmin, load[desk.Webhooks](wire.RouteWebhooks)},
	{"desk-webhook", "/admin/webhooks/{id}", catalog.RoleAdmin, loadWebhook},
	{"desk-jobs", "/admin/jobs", catalog.RoleAdmin, load[desk.Jobs](admin+"/jobs", "cursor", "kind", "state")},
	{"desk-audit", "/admin/audit", catalog.RoleAdmin, load[desk.Audit](admin+"/audit", "cursor", "subject")},
	{"desk-tokens", "/admin/tokens", catalog.RoleAdmin, load[desk.Tokens](admin + "/tokens")},
}

// screen shows a page of the desk to those who may see it.
func (c *Config) screen(s *deskScreen) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		login, err := c.session(r)
		if errors.Is(err, errNoSession) {
			_, here := wire.RouteLang(r.URL.RequestURI())
			return c.see(w, r, "/admin/login?"+url.Values{"to": {here}}.Encode())
		}
		if err != nil {
			return err
		}
		asked, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		page := framed(login, s.route)
		page.Done, page.Asked = asked.Get("done"), filled(asked, nil).Values
		if !login.caller.Role.May(s.role) {
			page.Problem = &problem{Status: http.StatusForbidden, Text: "This page is for administrators."}
			return c.show(w, r, http.StatusForbidden, view.Screen{ID: "desk-problem", Main: page})
		}
		r = r.WithContext(web.WithCaller(r.Context(), login.caller))
		content, p, err := s.load(c, r)
		if err != nil {
			return err
		}
		if p != nil {
			page.Problem = p
			return c.show(w, r, p.Status, view.Screen{ID: "desk-problem", Main: page})
		}
		page.Content, page.More = content, c.more(r, s.route, content)
		return c.show(w, r, http.StatusOK, view.Screen{ID: s.id, Main: page})
	}
}

// more are the addresses of the pages after this one, by list.
func (c *Config) more(r *http.Request, route string, content desk.Content) map[string]string {
	list, ok := content.(desk.Further)
	if !ok {
		return nil
	}
	out := map[string]string{}
	for name, path := range list.Next() {
		if path != "" {
			_, query, _ := strings.Cut(path, "?")
			out[name] = c.local(r, route) + "?" + query + keep(content)
		}
	}
	return out
}

// framed is a page of the desk for who is logged in.
func framed(s *session, here string) *desk.Page {
	p := &desk.Page{Frame: desk.Frame{Who: s.caller.Name, CSRF: s.csrf, Admin: s.caller.Role.May(catalog.RoleAdmin), Here: here}}
	for i := range deskScreens {
		if d := &deskScreens[i]; s.caller.Role.May(d.role) && !strings.Contains(d.route, "{") {
			p.Pages = append(p.Pages, desk.Link{ID: d.id, Route: d.route})
		}
	}
	return p
}

// load asks one operation; the named parameters of the page go with it.
func load[T any, P interface {
	*T
	desk.Content
}](path string, params ...string) func(*Config, *http.Request) (desk.Content, *problem, error) {
	return func(c *Config, r *http.Request) (desk.Content, *problem, error) {
		v, p, err := read[T](c, r, path, params...)
		return P(v), p, err
	}
}

// read asks one operation with the named parameters of a page.
func read[T any](c *Config, r *http.Request, path string, params ...string) (*T, *problem, error) {
	query, asked := url.Values{}, r.URL.Query()
	for _, name := range params {
		if v := asked.Get(name); v != "" {
			query.Set(name, v)
		}
	}
	return get[T](c, r, path, query)
}

func get[T any](c *Config, r *http.Request, path string, query url.Values) (*T, *problem, error) {
	a, err := c.ask(r, http.MethodGet, path, query, nil)
	if err != nil {
		return nil, nil, err
	}
	if p := problemOf(a); p != nil {
		return nil, p, nil
	}
	v := new(T)
	return v, nil, json.Unmarshal(a.Body, v)
}

// loadStart shows what waits; the numbers of the register only to
// administrators.
func loadStart(c *Config, r *http.Request) (desk.Content, *problem, error) {
	queue, p, err := get[desk.Queue](c, r, admin+"/queue", url.Values{"limit": {"1"}})
	if p != nil || err != nil {
		return nil, p, err
	}
	out := &desk.Start{Total: queue.Total}
	if web.CallerOf(r.Context()).Role.May(catalog.RoleAdmin) {
		out.Stats, p, err = get[desk.Stats](c, r, admin+"/stats", nil)
	}
	return out, p, err
}

// loadEntry shows an entry as it is stored; without one, a field to name it.
func loadEntry(c *Config, r *http.Request) (desk.Content, *problem, error) {
	id := r.URL.Query().Get("id")
	if id == "" {
		return &desk.Entry{}, nil, nil
	}
	stored, p, err := get[json.RawMessage](c, r, admin+"/entries/"+url.PathEscape(id), nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	out := new(desk.Entry)
	var raw struct {
		Entry map[string]json.RawMessage `json:"entry"`
	}
	if err := errors.Join(json.Unmarshal(*stored, out), json.Unmarshal(*stored, &raw)); err != nil {
		return nil, nil, err
	}
	over := map[string]string{}
	for _, o := range out.Overrides {
		if o.RevokedAt == "" {
			over[o.Field] = plain(o.Value)
		}
	}
	for _, f := range catalog.OverridableFields() {
		out.Fields = append(out.Fields, desk.EntryField{Name: f, Value: plain(raw.Entry[f]), Override: over[f]})
	}
	// An entry that is not public has no page of provenance.
	known, _, err := get[desk.Provenance](c, r, "/api/v1/entries/"+out.Stored.ID+"/provenance", nil)
	if known != nil {
		out.Origins = known.Fields
	}
	return out, nil, err
}

// plain is a JSON value as it is typed into a field.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var words []string
	if json.Unmarshal(raw, &words) == nil {
		return joined(words)
	}
	return string(raw)
}

func loadWebhook(c *Config, r *http.Request) (desk.Content, *problem, error) {
	path := wire.RouteWebhooks + "/" + url.PathEscape(r.PathValue("id"))
	hook, p, err := get[desk.Webhook](c, r, path, nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	hook.Deliveries, p, err = get[desk.Deliveries](c, r, path+"/deliveries", nil)
	return hook, p, err
}

// loadStatements shows what owners say, what waits for a decision unless asked otherwise.
func loadStatements(c *Config, r *http.Request) (desk.Content, *problem, error) {
	list, p, err := read[desk.Statements](c, r, admin+"/statements", "cursor", "state")
	if list != nil {
		if list.State = r.URL.Query().Get("state"); list.State == "" {
			list.State = string(catalog.StatementOpen)
		}
	}
	return list, p, err
}
