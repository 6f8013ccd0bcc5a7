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
)

// deskScreen is one page of those who look after the register.
type deskScreen struct {
	id, route string
	role      catalog.Role
	// load asks the interface for what the page shows.
	load func(c *Config, r *http.Request) (any, *problem, error)
}

// admin is where the operations of the desk begin.
const admin = "/api/v1/admin"

// desk lists the pages; each is in the navigation of the pieces, too.
var desk = []deskScreen{
	{"desk", "/admin", catalog.RoleModerator, loadStart},
	{"desk-queue", "/admin/queue", catalog.RoleModerator, loadQueue},
	{"desk-decisions", "/admin/decisions", catalog.RoleModerator, loadDecisions},
	{"desk-trust", "/admin/trust", catalog.RoleModerator, loadTrust},
	{"desk-submissions", "/admin/submissions", catalog.RoleModerator, load[wire.AdminSubmissionsPage](admin+"/submissions", "cursor", "status")},
	{"desk-duplicates", "/admin/duplicates", catalog.RoleModerator, load[wire.DuplicatesPage](admin + "/duplicates")},
	{"desk-entry", "/admin/entry", catalog.RoleAdmin, loadEntry},
	{"desk-sources", "/admin/sources", catalog.RoleAdmin, loadSources},
	{"desk-publishers", "/admin/publishers", catalog.RoleAdmin, loadPublishers},
	{"desk-institutions", "/admin/institutions", catalog.RoleAdmin, loadInstitutions},
	{"desk-webhooks", "/admin/webhooks", catalog.RoleAdmin, load[wire.WebhooksPage](wire.RouteWebhooks)},
	{"desk-webhook", "/admin/webhooks/{id}", catalog.RoleAdmin, loadWebhook},
	{"desk-jobs", "/admin/jobs", catalog.RoleAdmin, load[wire.JobsPage](admin+"/jobs", "cursor", "kind", "state")},
	{"desk-audit", "/admin/audit", catalog.RoleAdmin, load[wire.AuditPage](admin+"/audit", "cursor", "subject")},
	{"desk-tokens", "/admin/tokens", catalog.RoleAdmin, load[wire.TokensPage](admin + "/tokens")},
}

// deskPage is what every page of the desk shows.
type deskPage struct {
	// Who is logged in; CSRF is what the forms carry. Admin tells that it is an
	// administrator.
	Who, CSRF string
	Admin     bool
	// Here is the page's route, Done the key of what was just done, "" for
	// nothing; Problem is why the page shows nothing.
	Here, Done string
	Problem    *problem
	Asked      map[string]string
	// Pages are those of the desk that the caller may see, More the addresses
	// where the lists of this page go on.
	Pages []deskScreen
	More  map[string]string
	Data  any
}

// ID and Route are for the navigation.
func (s deskScreen) ID() string    { return s.id }
func (s deskScreen) Route() string { return s.route }

// screen shows a page of the desk to those who may see it.
func (c *Config) screen(s *deskScreen) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		login, err := c.session(r)
		if errors.Is(err, errNoSession) {
			return c.see(w, r, "/admin/login?"+url.Values{"to": {r.URL.RequestURI()}}.Encode())
		}
		if err != nil {
			return err
		}
		asked, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		page := deskPage{Here: s.route, Done: asked.Get("done"), Asked: filled(asked, nil).Values}
		page.of(login)
		if !login.caller.Role.May(s.role) {
			page.Problem = &problem{Status: http.StatusForbidden, Text: "This page is for administrators."}
			return c.show(w, r, http.StatusForbidden, view.Screen{ID: "desk-problem", Data: page})
		}
		r = r.WithContext(web.WithCaller(r.Context(), login.caller))
		page.Data, page.Problem, err = s.load(c, r)
		if err != nil {
			return err
		}
		if page.Problem != nil {
			return c.show(w, r, page.Problem.Status, view.Screen{ID: "desk-problem", Data: page})
		}
		page.More = c.more(s.route, page.Data)
		return c.show(w, r, http.StatusOK, view.Screen{ID: s.id, Data: page})
	}
}

// more are the addresses of the pages after this one, by list.
func (c *Config) more(route string, data any) map[string]string {
	next := map[string]*string{}
	switch d := data.(type) {
	case *queued:
		next["candidates"], next["reports"] = d.NextCandidates, d.NextReports
	case *wire.AdminSubmissionsPage:
		next["items"] = d.Next
	case *decisionsPage:
		next["items"] = d.Next
	case *bodies:
		next["items"] = d.Next
	case *decided:
		if d.Page != nil {
			next["items"] = d.Page.Next
		}
	case *wire.JobsPage:
		next["items"] = d.Next
	case *wire.AuditPage:
		next["items"] = d.Next
	}
	out := map[string]string{}
	for name, path := range next {
		if path != nil {
			_, query, _ := strings.Cut(*path, "?")
			out[name] = c.path(route) + "?" + query + keep(data)
		}
	}
	return out
}

func (p *deskPage) of(s *session) {
	p.Who, p.CSRF, p.Admin = s.caller.Name, s.csrf, s.caller.Role.May(catalog.RoleAdmin)
	for _, d := range desk {
		if s.caller.Role.May(d.role) && !strings.Contains(d.route, "{") {
			p.Pages = append(p.Pages, d)
		}
	}
}

// load asks one operation; the named parameters of the page go with it.
func load[T any](path string, params ...string) func(*Config, *http.Request) (any, *problem, error) {
	return func(c *Config, r *http.Request) (any, *problem, error) {
		query, asked := url.Values{}, r.URL.Query()
		for _, name := range params {
			if v := asked.Get(name); v != "" {
				query.Set(name, v)
			}
		}
		return get[T](c, r, path, query)
	}
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
func loadStart(c *Config, r *http.Request) (any, *problem, error) {
	queue, p, err := get[wire.QueuePage](c, r, admin+"/queue", url.Values{"limit": {"1"}})
	if p != nil || err != nil {
		return nil, p, err
	}
	out := struct {
		Queue *wire.QueuePage
		Stats *wire.AdminStats
	}{Queue: queue}
	if web.CallerOf(r.Context()).Role.May(catalog.RoleAdmin) {
		out.Stats, p, err = get[wire.AdminStats](c, r, admin+"/stats", nil)
	}
	return out, p, err
}

// edited is an entry with what may be changed about it.
type edited struct {
	*wire.AdminEntry
	Stored catalog.Entry
	Fields []editedField
	// Provenance are the origins of its fields, nil when it is not public.
	Provenance *wire.Provenance
}

type editedField struct{ Name, Value, Override string }

// loadEntry shows an entry as it is stored; without one, a field to name it.
func loadEntry(c *Config, r *http.Request) (any, *problem, error) {
	id := r.URL.Query().Get("id")
	if id == "" {
		return (*edited)(nil), nil, nil
	}
	e, p, err := get[wire.AdminEntry](c, r, admin+"/entries/"+url.PathEscape(id), nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	out := &edited{AdminEntry: e}
	if err := json.Unmarshal(e.Entry, &out.Stored); err != nil {
		return nil, nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(e.Entry, &raw); err != nil {
		return nil, nil, err
	}
	over := map[string]string{}
	for _, o := range e.Overrides {
		if o.RevokedAt == nil {
			over[o.Field] = plain(o.Value)
		}
	}
	for _, f := range catalog.OverridableFields() {
		out.Fields = append(out.Fields, editedField{f, plain(raw[f]), over[f]})
	}
	// An entry that is not public has no page of provenance.
	out.Provenance, _, err = get[wire.Provenance](c, r, "/api/v1/entries/"+out.Stored.ID+"/provenance", nil)
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

// hooked is a webhook with its deliveries.
type hooked struct {
	*wire.Webhook
	Deliveries *wire.DeliveriesPage
}

func loadWebhook(c *Config, r *http.Request) (any, *problem, error) {
	path := wire.RouteWebhooks + "/" + url.PathEscape(r.PathValue("id"))
	hook, p, err := get[wire.Webhook](c, r, path, nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	list, p, err := get[wire.DeliveriesPage](c, r, path+"/deliveries", nil)
	return &hooked{hook, list}, p, err
}
