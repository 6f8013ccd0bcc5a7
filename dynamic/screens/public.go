package screens

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"time"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates/forms"
)

// done is what a reader sees after a form was taken.
func done(d forms.Done) view.Screen { return view.Screen{ID: "done", Main: &d} }

// submit suggests a source.
func (c *Config) submit(w http.ResponseWriter, r *http.Request) error {
	f, err := values(r)
	if err != nil {
		return err
	}
	body := wire.SubmissionRequest{URL: f.Get("url"), Name: f.Get("name"), Type: catalog.EntryType(f.Get("type")), CountryCode: f.Get("country_code"),
		Description: f.Get("description"), DocsURL: f.Get("docs_url"), Institution: f.Get("institution"), ContactEmail: f.Get("contact_email"), Notes: f.Get("notes")}
	a, err := c.ask(r, http.MethodPost, "/api/v1/submissions", nil, body)
	if err != nil {
		return err
	}
	if p := problemOf(a); p != nil {
		var known struct {
			Entry     *wire.EntryLink `json:"entry"`
			StatusURL *string         `json:"status_url"`
		}
		if a.Status == http.StatusConflict && json.Unmarshal(a.Body, &known) == nil && known.Entry != nil {
			return c.show(w, r, http.StatusConflict, done(forms.Done{Heading: "submit.known", Text: "submit.known.text", Link: c.local(r, "/entry/"+known.Entry.Slug), LinkText: known.Entry.Name}))
		}
		return c.again(w, r, a, "submit", f, p)
	}
	var receipt wire.SubmissionReceipt
	if err := json.Unmarshal(a.Body, &receipt); err != nil {
		return err
	}
	return c.see(w, r, wire.RouteSuggestion+path.Base(receipt.StatusURL))
}

// again shows a form once more, with what was wrong in it.
func (c *Config) again(w http.ResponseWriter, r *http.Request, a *inside.Answer, id string, f url.Values, p *problem) error {
	if after := a.Header.Get("Retry-After"); after != "" {
		w.Header().Set("Retry-After", after)
	}
	return c.show(w, r, a.Status, sheet(id, f, p))
}

// submission shows everybody where a submission stands.
func (c *Config) submission(w http.ResponseWriter, r *http.Request) error {
	return c.standing(w, r, wire.SubmissionPath(url.PathEscape(r.PathValue("id"))), false)
}

// ownSubmission shows it to the submitter. The page's address is a secret, so it
// is told to nobody.
func (c *Config) ownSubmission(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("X-Robots-Tag", "noindex")
	return c.standing(w, r, wire.RouteSubmissionStatus+url.PathEscape(r.PathValue("token")), true)
}

func (c *Config) standing(w http.ResponseWriter, r *http.Request, path string, own bool) error {
	a, err := c.ask(r, http.MethodGet, path, nil, nil)
	if err != nil {
		return err
	}
	if p := problemOf(a); p != nil {
		return &web.Error{Problem: wire.Problem{Status: a.Status, Detail: p.Text}}
	}
	var s wire.SubmissionStatus
	if err := json.Unmarshal(a.Body, &s); err != nil {
		return err
	}
	return c.show(w, r, http.StatusOK, view.Screen{ID: "submission", Main: c.shown(r, &s, own)})
}

// shown is a submission as its page has it; own tells that the page is the submitter's.
func (c *Config) shown(r *http.Request, s *wire.SubmissionStatus, own bool) *forms.Submission {
	x := &forms.Submission{ID: s.ID, Name: or(s.Name), URL: or(s.URL), Status: string(s.Status), Reason: or(s.Reason), Own: own,
		Waiting: s.Status == catalog.SubmissionReceived || s.Status == catalog.SubmissionChecking}
	if s.ReasonClass != nil {
		x.ReasonClass = string(*s.ReasonClass)
	}
	if s.Entry != nil {
		x.Entry, x.Address = s.Entry.Name, c.local(r, "/entry/"+s.Entry.Slug)
	}
	for _, step := range s.Steps {
		at, _ := time.Parse(time.RFC3339, step.At) // the interface's own
		x.Steps = append(x.Steps, forms.Step{Status: string(step.Status), Reason: or(step.Reason), At: at})
	}
	return x
}

// report tells that something about an entry is wrong.
func (c *Config) report(w http.ResponseWriter, r *http.Request) error {
	f, err := values(r)
	if err != nil {
		return err
	}
	if f.Get("entry") == "" {
		p := &problem{Status: http.StatusUnprocessableEntity, Text: "Say which entry it is about.", Fields: map[string]string{"entry": "give the entry's slug, the last part of its address"}}
		return c.show(w, r, p.Status, sheet("report", f, p))
	}
	a, err := c.ask(r, http.MethodPost, "/api/v1/entries/"+url.PathEscape(f.Get("entry"))+"/reports", nil,
		wire.ReportRequest{Category: catalog.ReportCategory(f.Get("category")), Field: f.Get("field"), Message: f.Get("message"), Evidence: f.Get("evidence"), ContactEmail: f.Get("contact_email")})
	if err != nil {
		return err
	}
	if p := problemOf(a); p != nil {
		return c.again(w, r, a, "report", f, p)
	}
	return c.show(w, r, http.StatusOK, done(forms.Done{Heading: "report.done", Text: "report.done.text", Link: c.local(r, "/entry/"+url.PathEscape(f.Get("entry"))), LinkText: f.Get("entry")}))
}

// watch asks for mail about an entry or about all that passes a filter.
func (c *Config) watch(w http.ResponseWriter, r *http.Request) error {
	f, err := values(r)
	if err != nil {
		return err
	}
	lang, _ := wire.RouteLang(r.URL.Path)
	body := wire.WatchRequest{Lang: lang, Email: f.Get("email"), Entry: f.Get("entry"), Frequency: catalog.Frequency(f.Get("frequency"))}
	if body.Entry == "" {
		body.Filter = &wire.WebhookFilter{Countries: list(f.Get("country_code")), Tags: list(f.Get("tags"))}
	}
	for _, e := range f["events"] {
		body.Events = append(body.Events, catalog.EventKind(e))
	}
	a, err := c.ask(r, http.MethodPost, wire.RouteWatches, nil, body)
	if err != nil {
		return err
	}
	if p := problemOf(a); p != nil {
		return c.again(w, r, a, "watch", f, p)
	}
	return c.show(w, r, http.StatusAccepted, done(forms.Done{Heading: "watch.done", Text: "watch.done.text"}))
}
