package screens

import (
	"net/http"
	"net/url"

	"github.com/assay-register/assay/templates/desk"
)

// loadPublishers shows which institution was taken for each publisher of a source.
func loadPublishers(c *Config, r *http.Request) (desk.Content, *problem, error) {
	sources, p, err := get[desk.Sources](c, r, admin+"/sources", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	out, key := &desk.Publishers{}, r.URL.Query().Get("source")
	for i := range sources.Items {
		s := &sources.Items[i]
		choice := desk.Choice{Name: s.ID, Title: s.Title}
		if s.Key != "" {
			choice.Name = s.Key
		}
		choice.Chosen = key != "" && (key == choice.Name || key == s.ID)
		out.Sources = append(out.Sources, choice)
	}
	if key != "" {
		out.Page, p, err = read[desk.Taken](c, r, admin+"/sources/"+url.PathEscape(key)+"/publishers", "cursor", "limit", "state", "portal", "q")
	}
	return out, p, err
}

// keep is what the address of a further page of a list says besides the parameters
// of its operation.
func keep(content desk.Content) string {
	if d, ok := content.(*desk.Publishers); ok && d.Page != nil {
		return "&source=" + url.QueryEscape(d.Page.Source)
	}
	return ""
}
