package screens

import (
	"crypto/hmac"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/inside"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	view "github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
	"github.com/assay-register/assay/templates/desk"
)

// action is one form of the desk: the operation that it asks for, and the page
// that follows.
type action struct {
	// route is that of the form; {id} and {delivery} in path are filled with
	// its wildcards.
	route, method, path string
	// body makes the request of the form, nil for none.
	body func(url.Values) (any, error)
	// back is the page that follows, done the key of what it says there.
	back, done string
	// then chooses, by the form and the answer, a screen with its data, or the page that
	// follows; nil for back.
	then func(*Config, *http.Request, url.Values, *inside.Answer) (id string, content desk.Content, to string, err error)
	// reveals tells that the answer is a webhook whose secret is shown once.
	reveals bool
}

const hookForm, hookPath = "/admin/webhooks/{id}", wire.RouteWebhooks + "/{id}"

// actions lists the forms.
var actions = []action{
	{route: "/admin/candidates/{id}/approve", method: "POST", path: admin + "/submissions/{id}/approve", body: decision, back: "/admin/queue", done: "approved"},
	{route: "/admin/candidates/{id}/reject", method: "POST", path: admin + "/submissions/{id}/reject", body: reason, back: "/admin/queue", done: "rejected"},
	{route: "/admin/queue/bulk", method: "POST", path: admin + "/submissions/bulk", body: bulk, then: afterBulk},
	{route: "/admin/decisions/{id}/reopen", method: "POST", path: admin + "/submissions/{id}/reopen", body: reason, back: "/admin/decisions", done: "reopened"},
	{route: "/admin/reasons", method: "POST", path: admin + "/reasons", body: savedReason, back: "/admin/decisions", done: "reason"},
	{route: "/admin/reasons/{id}/forget", method: "DELETE", path: admin + "/reasons/{id}", back: "/admin/decisions", done: "forgotten"},
	{route: "/admin/trust", method: "POST", path: admin + "/trust-rules", body: trustRule, then: afterTrust},
	{route: "/admin/trust/{id}/end", method: "POST", path: admin + "/trust-rules/{id}/end", body: reason, back: "/admin/trust", done: "ended"},
	{route: "/admin/submissions/{id}/redact", method: "POST", path: admin + "/submissions/{id}/redact", body: reason, back: "/admin/submissions", done: "redacted"},
	{route: "/admin/reports/{id}", method: "POST", path: admin + "/reports/{id}/decide", body: reportDecision, back: "/admin/queue?kind=reports", done: "decided"},
	{route: "/admin/statements/{id}", method: "POST", path: admin + "/statements/{id}/decide", body: statementDecision, back: "/admin/statements", done: "statement"},
	{route: "/admin/claims/{id}/revoke", method: "POST", path: admin + "/claims/{id}/revoke", body: reason, back: "/admin/statements", done: "claim"},
	{route: "/admin/entries/{id}/edit", method: "PATCH", path: admin + "/entries/{id}", body: edit, back: "/admin/entry?id={id}", done: "edited"},
	{route: "/admin/entries/{id}/revoke", method: "PATCH", path: admin + "/entries/{id}", body: revoke, back: "/admin/entry?id={id}", done: "revoked"},
	{route: "/admin/entries/{id}/deprecate", method: "POST", path: admin + "/entries/{id}/deprecate", body: deprecation, back: "/admin/entry?id={id}", done: "deprecated"},
	{route: "/admin/entries/{id}/reactivate", method: "POST", path: admin + "/entries/{id}/reactivate", body: reason, back: "/admin/entry?id={id}", done: "reactivated"},
	{route: "/admin/entries/{id}/remove", method: "POST", path: admin + "/entries/{id}/remove", body: removal, back: "/admin/entry?id={id}", done: "removed"},
	{route: "/admin/entries/{id}/merge", method: "POST", path: admin + "/entries/{id}/merge", body: merger, back: "/admin/entry?id={id}", done: "merged"},
	{route: "/admin/entries/{id}/unmerge", method: "POST", path: admin + "/entries/{id}/unmerge", body: reason, back: "/admin/duplicates", done: "unmerged"},
	{route: "/admin/entries/{id}/duplicate", method: "POST", path: admin + "/entries/{id}/duplicate", body: duplicate, back: "/admin/duplicates", done: "decided"},
	{route: "/admin/entries/{id}/target", method: "PUT", path: admin + "/entries/{id}/target", body: target, back: "/admin/entry?id={id}", done: "target"},
	{route: "/admin/sources", method: "PUT", path: admin + "/sources/{key}", body: source, back: "/admin/sources", done: "source"},
	{route: "/admin/institutions", method: "PUT", path: admin + "/institutions/{key}", body: institution, back: "/admin/institutions", done: "institution"},
	{route: "/admin/webhooks", method: "POST", path: wire.RouteWebhooks, body: newHook, reveals: true},
	{route: hookForm + "/active", method: "PATCH", path: hookPath, body: active, back: hookForm, done: "hook"},
	{route: hookForm + "/test", method: "POST", path: hookPath + "/test", back: hookForm, done: "tested"},
	{route: hookForm + "/rotate", method: "POST", path: hookPath + "/rotate-secret", body: none, reveals: true},
	{route: hookForm + "/delete", method: "DELETE", path: hookPath, back: "/admin/webhooks", done: "hook-deleted"},
	{route: hookForm + "/deliveries/{delivery}/retry", method: "POST", path: hookPath + "/deliveries/{delivery}/retry", back: hookForm, done: "retried"},
	{route: "/admin/jobs/{id}/cancel", method: "DELETE", path: admin + "/jobs/{id}", back: "/admin/jobs", done: "cancelled"},
	{route: "/admin/discovery", method: "POST", path: admin + "/trigger/discovery", body: discovery, back: "/admin/jobs", done: "queued"},
	{route: "/admin/verification", method: "POST", path: admin + "/trigger/verification", body: verification, back: "/admin/jobs", done: "queued"},
	{route: "/admin/tokens/{id}/revoke", method: "DELETE", path: admin + "/tokens/{id}", back: "/admin/tokens", done: "token"},
}

// act takes a form of the desk.
func (c *Config) act(a *action) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		login, err := c.session(r)
		if errors.Is(err, errNoSession) {
			return c.see(w, r, "/admin/login")
		}
		if err != nil {
			return err
		}
		f, err := values(r)
		if err != nil {
			return err
		}
		if !hmac.Equal([]byte(f.Get(csrfField)), []byte(login.csrf)) {
			return &web.Error{Problem: wire.Problem{Status: http.StatusForbidden, Detail: "The form is not one of this login. Open its page again."}}
		}
		page := framed(login, a.route)
		r = r.WithContext(web.WithCaller(r.Context(), login.caller))
		answer, p, err := c.perform(r, a, f)
		if err != nil {
			return err
		}
		if p != nil {
			page.Problem = p
			return c.show(w, r, p.Status, view.Screen{ID: "desk-problem", Main: page})
		}
		if a.reveals {
			hook := new(desk.Webhook)
			if err := json.Unmarshal(answer.Body, hook); err != nil {
				return err
			}
			page.Content = hook
			return c.show(w, r, http.StatusOK, view.Screen{ID: "desk-webhook", Main: page})
		}
		if a.then == nil {
			return c.see(w, r, after(a, r))
		}
		id, content, to, err := a.then(c, r, f, answer)
		if err != nil {
			return err
		}
		if id == "" {
			return c.see(w, r, to)
		}
		page.Content = content
		return c.show(w, r, http.StatusOK, view.Screen{ID: id, Main: page})
	}
}

// perform asks for what a form says.
func (c *Config) perform(r *http.Request, a *action, f url.Values) (*inside.Answer, *problem, error) {
	var body any
	if a.body != nil {
		var err error
		if body, err = a.body(f); err != nil {
			return nil, &problem{Status: http.StatusUnprocessableEntity, Text: err.Error()}, nil //nolint:nilerr // the problem tells it
		}
	}
	path := strings.ReplaceAll(a.path, "{key}", url.PathEscape(f.Get("key")))
	answer, err := c.ask(r, a.method, fill(path, r), nil, body)
	if err != nil {
		return nil, nil, err
	}
	return answer, problemOf(answer), nil
}

// fill puts the wildcards of a request into a path.
func fill(path string, r *http.Request) string {
	for _, name := range []string{"id", "delivery"} {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(r.PathValue(name)))
	}
	return path
}

func after(a *action, r *http.Request) string {
	to, sign := fill(a.back, r), "?"
	if strings.Contains(to, "?") {
		sign = "&"
	}
	return to + sign + "done=" + a.done
}

func none(url.Values) (any, error) { return struct{}{}, nil }

func reason(f url.Values) (any, error) { return wire.ReasonRequest{Reason: f.Get("reason")}, nil }

// decision approves, with the fields that the moderator filled in.
func decision(f url.Values) (any, error) {
	d := wire.DecisionRequest{Reason: f.Get("reason"), Edits: map[string]json.RawMessage{}}
	for _, field := range catalog.OverridableFields() {
		if text := f.Get("edit-" + field); text != "" {
			value, err := typed(field, text)
			if err != nil {
				return nil, err
			}
			d.Edits[field] = value
		}
	}
	return d, nil
}

func reportDecision(f url.Values) (any, error) {
	return wire.ReportDecision{Status: catalog.ReportState(f.Get("status")), Reason: f.Get("reason"), Answer: f.Get("answer"), Hide: f.Get("hide") != ""}, nil
}

func statementDecision(f url.Values) (any, error) {
	return wire.StatementDecision{State: catalog.StatementState(f.Get("state")), Reason: f.Get("reason")}, nil
}

func edit(f url.Values) (any, error) {
	field := f.Get("field")
	value, err := typed(field, f.Get("value"))
	if err != nil {
		return nil, err
	}
	return wire.EditRequest{Set: map[string]json.RawMessage{field: value}, Reason: f.Get("reason")}, nil
}

func revoke(f url.Values) (any, error) {
	return wire.EditRequest{Revoke: []string{f.Get("field")}, Reason: f.Get("reason")}, nil
}

func deprecation(f url.Values) (any, error) {
	sunset := f.Get("sunset_at")
	if len(sunset) == len("2006-01-02") {
		sunset += "T00:00:00Z"
	}
	return wire.DeprecateRequest{Reason: f.Get("reason"), Successor: f.Get("successor"), SunsetAt: sunset}, nil
}

func removal(f url.Values) (any, error) {
	return wire.RemoveRequest{Reason: f.Get("reason"), Successor: f.Get("successor")}, nil
}

func duplicate(f url.Values) (any, error) {
	return wire.DuplicateDecision{Of: f.Get("of"), Same: f.Get("same") == "1", Reason: f.Get("reason")}, nil
}

func merger(f url.Values) (any, error) {
	return wire.MergeRequest{Into: f.Get("into"), Reason: f.Get("reason")}, nil
}

func discovery(f url.Values) (any, error) {
	return wire.DiscoveryRequest{Sources: list(f.Get("sources"))}, nil
}

func verification(f url.Values) (any, error) {
	return wire.VerificationRequest{Entries: list(f.Get("entries")), All: f.Get("all") != ""}, nil
}
