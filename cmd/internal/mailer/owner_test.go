package mailer

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestAnOwnersDigest is asked for by the owner of a proved claim alone, confirmed by the link of
// a mail, told in the owner's language, and ended by one click.
func TestAnOwnersDigest(t *testing.T) {
	onBoth(t, func(r *register) {
		office := catalog.Institution{ID: catalog.NewID("institution", "office"), Name: "Rain Office", State: catalog.InstitutionKnown}
		const secret = "assay_owner_X"
		now := time.Now().UTC()
		c := catalog.Claim{ID: catalog.NewID("claim", "rain"), SubjectID: office.ID, Method: catalog.ClaimDNS, Domain: "rain.example", Value: "v", SecretHash: web.Digest(secret), State: catalog.ClaimPending, CreatedAt: now}
		keep := func() {
			t.Helper()
			if err := r.store.Update(t.Context(), func(tx catalog.Tx) error {
				if err := tx.Institutions().Put(t.Context(), office); err != nil {
					return err
				}
				return tx.Claims().Put(t.Context(), c)
			}); err != nil {
				t.Fatal(err)
			}
		}
		keep()
		at, owner := "/api/v1/claims/"+c.ID+"/digest", []string{"Content-Type", "application/json", "Authorization", "Bearer " + secret, "Accept-Language", "fr"}
		ask := `{"email":"owner@rain.example"}`
		r.ask("POST", at, ask, 401, "Content-Type", "application/json")
		r.ask("POST", at, ask, 409, owner...) // not proved yet
		c.State, c.VerifiedAt = catalog.ClaimVerified, now
		keep()
		for _, bad := range []string{`{}`, `{"email":"x"}`, `{"email":"owner@rain.example","frequency":"immediate"}`, `{"email":"owner@rain.example","lang":"xx"}`} {
			r.ask("POST", at, bad, 422, owner...)
		}
		r.ask("POST", at, ask, 202, owner...)
		m := r.mails(1)
		if !strings.HasPrefix(m.subject, "Confirmez") || !strings.Contains(m.text, "les entrées de Rain Office") {
			t.Errorf("got %q\n%s", m.subject, m.text)
		}
		body, _ := r.ask("POST", r.link(m.text, "/api/v1/webhooks/watches/verify/"), "", 200, "Accept", "application/json")
		if !strings.Contains(body, `"claims":["`+c.ID+`"]`) {
			t.Errorf("got %s", body)
		}
		// Who confirms the digest of the same claim again still has one.
		r.ask("POST", at, ask, 202, owner...)
		r.ask("POST", r.link(r.mails(2).text, "/api/v1/webhooks/watches/verify/"), "", 200, "Accept", "application/json")
		if list := r.of("owner@rain.example"); len(list) != 1 {
			t.Fatalf("%d digests of one address", len(list))
		}
		r.institution = office.ID
		r.event(7, "Pluie", catalog.EventCreated, catalog.EventFailing)
		r.taken()
		tomorrow := func() time.Time { return time.Now().Add(24 * time.Hour) }
		mailer := notify.NewMailer(notify.MailConfig{Store: r.store, Sender: r.sender, Keys: notify.NewKeys(r.store, ""), Now: tomorrow,
			Site: func() snapshot.Site { return snapshot.Site{Name: "Register", BaseURL: r.base} }, Mend: func(context.Context, *catalog.Digest) (*catalog.Mending, error) {
				return &catalog.Mending{Total: 2, Entries: 1, Sum: "a", Best: []catalog.Mend{{Rule: "missing.description", Slug: "rain-7", Name: "Pluie", Points: 4}}}, nil
			}})
		run := jobs.Runner{Store: r.store, Worker: "tomorrow", Tasks: []catalog.JobTask{mailer.Task()}, Clock: tomorrow, Log: slog.New(slog.DiscardHandler)}
		if _, err := run.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		m = r.mails(3)
		if m.subject != "2 changements : les entrées de Rain Office" || !strings.Contains(m.text, "Points à améliorer : 2") || !strings.Contains(m.html, "/fr/entry/rain-7") || !strings.Contains(m.text, "/fr/institution/"+office.ID+"/fixes") {
			t.Errorf("got %q\n%s", m.subject, m.text)
		}
		if _, err := run.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		manage := r.link(m.text, "/api/v1/webhooks/watches/manage/")
		if page, _ := r.ask("GET", manage, "", 200, "Accept", browser); strings.Contains(page, "immediate") || !strings.Contains(page, "weekly") {
			t.Errorf("got %s", page)
		}
		r.ask("POST", manage, "frequency=immediate", 422, "Accept", browser, "Content-Type", "application/x-www-form-urlencoded")
		unsubscribe := strings.Trim(m.Get("List-Unsubscribe"), "<>")
		if m.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
			t.Errorf("got %v", m.Header)
		}
		r.ask("POST", unsubscribe, "List-Unsubscribe=One-Click", 200, "Content-Type", "application/x-www-form-urlencoded")
		if list := r.of("owner@rain.example"); len(list) != 0 {
			t.Errorf("kept %+v", list)
		}
		r.mails(3) // one a day
	})
}
