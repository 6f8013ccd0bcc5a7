package screens

import (
	"net/http"
	"net/url"

	"github.com/assay-register/assay/render/wire"
)

// decided are the sources, and the decisions on the publishers of the one that was
// asked for, nil for none.
type decided struct {
	Sources []sourceChoice
	Page    *wire.DecisionsPage
	Rows    []decidedRow
}

// sourceChoice is a source of the form, by its key or else its id.
type sourceChoice struct {
	Name, Title string
	Chosen      bool
}

// decidedRow is a decision with its institution, "" for none.
type decidedRow struct {
	wire.Decision
	Institution, Handle, Known string
}

func newDecidedRow(d *wire.Decision) decidedRow {
	out := decidedRow{Decision: *d}
	if d.InstitutionID != nil {
		out.Institution, out.Handle = *d.InstitutionID, *d.InstitutionID
	}
	if d.Key != nil {
		out.Handle = *d.Key
	}
	if d.State != nil {
		out.Known = string(*d.State)
	}
	return out
}

// loadPublishers shows which institution was taken for each publisher of a source.
func loadPublishers(c *Config, r *http.Request) (any, *problem, error) {
	sources, p, err := get[wire.AdminSourcesPage](c, r, admin+"/sources", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	out, key := &decided{}, r.URL.Query().Get("source")
	for i := range sources.Items {
		s := &sources.Items[i]
		choice := sourceChoice{Name: s.ID, Title: s.Title}
		if s.Key != nil {
			choice.Name = *s.Key
		}
		choice.Chosen = key != "" && (key == choice.Name || key == s.ID)
		out.Sources = append(out.Sources, choice)
	}
	if key != "" {
		page, p, err := load[wire.DecisionsPage](admin+"/sources/"+url.PathEscape(key)+"/publishers", "cursor", "limit", "state", "portal", "q")(c, r)
		if p != nil || err != nil {
			return nil, p, err
		}
		out.Page, _ = page.(*wire.DecisionsPage)
		for i := range out.Page.Items {
			out.Rows = append(out.Rows, newDecidedRow(&out.Page.Items[i]))
		}
	}
	return out, nil, nil
}

// keep is what the address of a further page of a list says besides the parameters
// of its operation.
func keep(data any) string {
	if d, ok := data.(*decided); ok && d.Page != nil {
		return "&source=" + url.QueryEscape(d.Page.Source)
	}
	return ""
}
