package screens

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/templates"
)

// ask puts a request to the register's own interface in the name of the client
// and the caller whom the context of r knows. The path is a route, escaped.
func (c *Config) ask(r *http.Request, method, path string, query url.Values, body any) (*inside.Answer, error) {
	target := c.path(path)
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	return c.API.Ask(r.Context(), method, target, body)
}

// problem is why something was not done.
type problem = templates.Trouble

// problemOf tells what an error says, by field; nil for a success.
func problemOf(a *inside.Answer) *problem {
	said := a.Problem()
	if said == nil {
		return nil
	}
	p := &problem{Status: said.Status, Text: said.Detail, Fields: map[string]string{}}
	if p.Text == "" {
		p.Text = said.Title
	}
	for _, e := range said.Errors {
		field, ok := strings.CutPrefix(e.Location, "body.")
		if !ok {
			p.Text += " " + e.Message
			continue
		}
		p.Fields[field] = e.Message
	}
	return p
}
