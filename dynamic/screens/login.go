package screens

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/templates"
	"github.com/assay-register/assay/templates/forms"
)

// filledForm shows a form of the site, with what the address says filled in.
func (c *Config) filledForm(id string) web.Handler {
	form := c.form(id)
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "" {
			return c.Static(w, r)
		}
		return form(w, r)
	}
}

// form shows an empty form, filled with what the address says.
func (c *Config) form(id string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		asked, err := web.DecodeQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		current, entry := c.Current(), asked.Get("entry")
		if entry == "" || current == nil {
			return c.show(w, r, http.StatusOK, sheet(id, asked, nil))
		}
		status, err := c.API.Lacks(r.Context(), current.Site, entry)
		if err != nil {
			return err
		}
		if status == 0 {
			return c.show(w, r, http.StatusOK, sheet(id, asked, nil))
		}
		return c.show(w, r, status, sheet(id, asked, templates.NoEntry(status)))
	}
}

// sheets make the pages of the forms, by the ids of their screens.
var sheets = map[string]func(*forms.Sheet) view.Main{
	"submit": func(f *forms.Sheet) view.Main { return (*forms.Submit)(f) },
	"report": func(f *forms.Sheet) view.Main { return (*forms.Report)(f) },
	"watch":  func(f *forms.Sheet) view.Main { return (*forms.Watch)(f) },
	"login":  func(f *forms.Sheet) view.Main { return (*forms.Login)(f) },
}

// sheet is a form with what was written into it and what is wrong with it.
func sheet(id string, from url.Values, p *problem) view.Screen {
	return view.Screen{ID: id, Main: sheets[id](filled(from, p))}
}

func filled(from url.Values, p *problem) *forms.Sheet {
	s := &forms.Sheet{Values: map[string]string{}, Problem: p}
	for name := range from {
		s.Values[name] = from.Get(name)
	}
	return s
}

// login takes a token and begins a session.
func (c *Config) login(w http.ResponseWriter, r *http.Request) error {
	f, err := values(r)
	if err != nil {
		return err
	}
	asked := r.Clone(r.Context())
	asked.Header = http.Header{"Authorization": {"Bearer " + f.Get("token")}}
	caller, err := c.Identify(asked)
	var refused *web.Error
	if errors.As(err, &refused) {
		for name, list := range refused.Header {
			if name != "Www-Authenticate" {
				w.Header()[name] = list
			}
		}
		p := &problem{Status: refused.Problem.Status, Text: refused.Problem.Detail}
		return c.show(w, r, refused.Problem.Status, sheet("login", url.Values{"to": f["to"]}, p))
	}
	if err != nil {
		return err
	}
	cookie, err := c.begin(r.Context(), caller)
	if err != nil {
		return err
	}
	http.SetCookie(w, cookie)
	return c.see(w, r, within(f.Get("to")))
}

// logout ends a session.
func (c *Config) logout(w http.ResponseWriter, r *http.Request) error {
	if err := c.end(r); err != nil {
		return err
	}
	http.SetCookie(w, c.cookie("", -1))
	return c.see(w, r, "/admin/login")
}

// within is a route of the desk that a login leads to; an address from outside
// leads nowhere else.
func within(to string) string {
	if (to == "/admin" || strings.HasPrefix(to, "/admin/") || strings.HasPrefix(to, "/admin?")) && !strings.ContainsAny(to, "\\\r\n") {
		return to
	}
	return "/admin"
}
