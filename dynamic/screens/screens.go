package screens

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/fixes"
	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Config is what the screens need.
type Config struct {
	// Views renders the pages.
	Views *view.Pages
	// Current is the present snapshot, nil when there is none.
	Current func() *snapshot.Catalog
	// Static answers with the page of the snapshot.
	Static web.Handler
	// API is the register's own interface.
	API *inside.API
	// Identify finds the holder of a request's bearer token.
	Identify func(*http.Request) (*web.Caller, error)
	Store    catalog.Store
	Now      func() time.Time
	// Owners finds the entries of a claim.
	Owners *fixes.Owners
}

// Route is one screen or one form.
type Route struct {
	Method, Pattern string
	Handler         web.Handler
}

// Routes lists the screens and the forms on them, each in every language.
func (c *Config) Routes() []Route {
	get, post := http.MethodGet, http.MethodPost
	routes := []Route{
		{get, "/submit", c.filledForm("submit")},
		{post, "/submit", c.own(c.submit)},
		{get, "/submission/{id}", c.submission},
		{get, wire.RouteSuggestion + "{token}", c.ownSubmission},
		{get, "/report", c.filledForm("report")},
		{post, "/report", c.own(c.report)},
		{get, "/watch", c.filledForm("watch")},
		{post, "/watch", c.own(c.watch)},
		{get, "/admin/login", c.form("login")},
		{post, "/admin/login", c.own(c.login)},
		{post, "/admin/logout", c.own(c.logout)},
	}
	routes = append(routes, c.claimRoutes()...)
	for i := range deskScreens {
		routes = append(routes, Route{get, deskScreens[i].route, c.screen(&deskScreens[i])})
	}
	for i := range actions {
		routes = append(routes, Route{post, actions[i].route, c.own(c.act(&actions[i]))})
	}
	var all []Route
	for _, lang := range view.Languages() {
		for _, r := range routes {
			all = append(all, Route{r.Method, view.Local(lang, r.Pattern), r.Handler})
		}
	}
	return all
}

// own lets only forms of the register's own pages pass: a page elsewhere must
// not write in the name of a reader.
func (c *Config) own(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := c.crossOrigin().Check(r); err != nil {
			return &web.Error{Problem: wire.Problem{Status: http.StatusForbidden,
				Detail: "This form was sent from another site. Open the page here and send it again."}, Cause: err}
		}
		return next(w, r)
	}
}

func (c *Config) crossOrigin() *http.CrossOriginProtection {
	p := http.NewCrossOriginProtection()
	if current := c.Current(); current != nil {
		if u, err := url.Parse(current.Site.BaseURL); err == nil {
			// A proxy may change the Host header; a wrong base URL is no origin.
			_ = p.AddTrustedOrigin(u.Scheme + "://" + u.Host)
		}
	}
	return p
}

// show answers with a screen.
func (c *Config) show(w http.ResponseWriter, r *http.Request, status int, s view.Screen) error {
	current := c.Current()
	if current == nil {
		return &web.Error{Problem: wire.Problem{Status: http.StatusServiceUnavailable, Detail: "The register has no snapshot yet."}}
	}
	var here string
	s.Lang, here = wire.RouteLang(r.URL.Path)
	s.Route = routeOf(r, here)
	body, err := c.Views.Screen(current, s)
	if err != nil {
		return err
	}
	web.ReplyPage(w, r, status, body)
	return nil
}

// routeOf is where a screen is in other languages: the page itself with what it was asked, after a
// form of the desk the desk.
func routeOf(r *http.Request, here string) string {
	switch {
	case r.Method == http.MethodPost && strings.HasPrefix(here, "/admin/") && here != "/admin/login":
		return "/admin"
	case r.Method == http.MethodPost || r.URL.RawQuery == "":
		return here
	}
	return here + "?" + r.URL.RawQuery
}

// local is the address of a page in the language of a request.
func (c *Config) local(r *http.Request, route string) string {
	lang, _ := wire.RouteLang(r.URL.Path)
	return c.path(wire.LocalRoute(lang, route))
}

// path is the address of a route of the register.
func (c *Config) path(route string) string {
	if current := c.Current(); current != nil {
		return wire.Path(current.Site, route)
	}
	return route
}

// see sends the browser to another page of its language by GET.
func (c *Config) see(w http.ResponseWriter, r *http.Request, route string) error {
	h := w.Header()
	h.Set("Cache-Control", web.CacheNever)
	http.Redirect(w, r, c.local(r, route), http.StatusSeeOther)
	return nil
}

// values reads a form; a body that is none is malformed.
func values(r *http.Request) (url.Values, error) {
	if err := r.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, err
		}
		return nil, web.Malformed("The form cannot be read.")
	}
	for name, list := range r.PostForm {
		for i := range list {
			r.PostForm[name][i] = strings.TrimSpace(list[i])
		}
	}
	return r.PostForm, nil
}
