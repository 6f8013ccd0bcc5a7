package mailer

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/render/catalog"
)

// hook stores a webhook that was verified.
func (r *register) hook(url, description string) string {
	r.t.Helper()
	now := time.Now().UTC()
	w := catalog.Webhook{ID: catalog.NewID("webhook", url), URL: url, Description: description, State: catalog.WebhookActive, VerifiedAt: now, CreatedAt: now, UpdatedAt: now,
		Secrets: []catalog.WebhookSecret{{Value: notify.NewSecret(), CreatedAt: now}}}
	err := r.store.Update(r.t.Context(), func(tx catalog.Tx) (err error) {
		if w.Cursor, err = tx.Events().Last(r.t.Context()); err != nil {
			return err
		}
		return tx.Webhooks().Put(r.t.Context(), w)
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return w.ID
}

// TestTheOperatorIsToldOfADisabledWebhook lets an endpoint say that it is gone,
// while another one works, and reads the mail that came through a real server.
func TestTheOperatorIsToldOfADisabledWebhook(t *testing.T) {
	onBoth(t, func(r *register) {
		gone := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }))
		defer gone.Close()
		well := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
		defer well.Close()
		id := r.hook(gone.URL+"/in?key=<x>", "Rain\r\nBcc: victim@readers.example")
		r.hook(well.URL, "")
		r.event(1, "Rain gauges", catalog.EventUpdated)
		r.event(1, "Rain gauges", catalog.EventFailing)
		m := r.mails(1)
		if m.subject != "Webhook disabled: Rain Bcc: victim@readers.example" || m.Get("Bcc") != "" || !strings.Contains(m.Get("To"), operator) || m.Get("List-Unsubscribe") != "" {
			t.Errorf("got %q to %s, %v", m.subject, m.Get("To"), m.Header)
		}
		link := r.link(m.text, "/admin/webhooks/")
		for _, part := range []string{gone.URL + "/in?key=<x>", "410 Gone", id} {
			if !strings.Contains(m.text, part) {
				t.Errorf("the mail lacks %s:\n%s", part, m.text)
			}
		}
		if !strings.Contains(m.html, `href="`+link+`"`) || strings.Contains(m.html, "<x>") {
			t.Errorf("got %s", m.html)
		}
		err := r.store.View(t.Context(), func(tx catalog.Tx) error {
			w, err := tx.Webhooks().Get(t.Context(), id)
			if err == nil && w.State != catalog.WebhookDisabled {
				t.Errorf("the webhook is %s", w.State)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		r.mails(1) // one mail, however many deliveries failed
	})
}
