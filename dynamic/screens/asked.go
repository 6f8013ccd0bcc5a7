package screens

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates"
)

// asked puts on the page how far the checks are that the owner asked for.
func (p claims) asked(r *http.Request, secret string, page *templates.Owned) error {
	a, err := p.with(r, secret, http.MethodGet, wire.RouteClaims+"/"+url.PathEscape(page.Claim)+"/checks?"+url.Values{"entry": {page.Slug}}.Encode(), nil)
	if err != nil || a.Problem() != nil {
		return err // of an entry of somebody else's nothing is told
	}
	var told wire.AskedChecks
	if err := json.Unmarshal(a.Body, &told); err != nil {
		return err
	}
	if x := told.Probe; x != nil {
		page.Probe = askedOf(&x.AskedJob)
		for _, f := range x.Found {
			page.Probe.Found = append(page.Probe.Found, templates.Found{At: instantOf(&f.At), AgainAt: instantOf(f.AgainAt), Up: f.Up, Error: or(f.Error)})
		}
	}
	if x := told.Harvest; x != nil {
		page.Harvest = askedOf(&x.AskedJob)
		page.Harvest.Waits, page.Harvest.Records = x.Waits, x.Records
	}
	return nil
}

func askedOf(j *wire.AskedJob) *templates.Asked {
	return &templates.Asked{At: instantOf(&j.AskedAt), Ended: instantOf(j.FinishedAt), State: string(j.State), Error: or(j.Error)}
}

// instantOf is an instant of an answer, zero for none.
func instantOf(text *string) time.Time {
	at, _ := time.Parse(time.RFC3339, or(text))
	return at
}
