package screens

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	view "github.com/assay-register/assay/render/pages"
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
		return c.show(w, r, http.StatusOK, view.Screen{ID: id, Data: filled(asked, nil)})
	}
}

// sheet is a form with what was written into it and what is wrong with it.
type sheet struct {
	Values  map[string]string
	Problem *problem
}

func filled(from url.Values, p *problem) sheet {
	s := sheet{Values: map[string]string{}, Problem: p}
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
		return c.show(w, r, refused.Problem.Status, view.Screen{ID: "login", Data: filled(url.Values{"to": f["to"]}, p)})
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
