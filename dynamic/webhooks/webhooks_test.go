package webhooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

var quiet = slog.New(slog.DiscardHandler)

// TestPublicLibrariesAcceptDeliveries lets the Go and the npm library of
// Standard Webhooks verify real deliveries: a challenge, events and a test.
func TestPublicLibrariesAcceptDeliveries(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		hook := b.create("")
		for n := range 5 {
			b.event(n, catalog.EventCreated)
		}
		b.ask("POST", "/webhooks/"+hook.ID+"/test", "", 202)
		b.until("all messages are there", func() bool { return b.peer.count() >= 7 })
		var lines bytes.Buffer
		for _, m := range b.peer.got {
			m.Secret = *hook.Secret
			verify(t, m)
			json.NewEncoder(&lines).Encode(m)
		}
		cmd := exec.Command("node", "../../.ci/node/verify-webhooks.mjs")
		cmd.Stdin = &lines
		out, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "7" {
			t.Errorf("the npm library: %v\n%s\nremedy: .ci/install.sh node", err, out)
		}
		created := b.peer.of("entry.created")
		event := read[struct {
			Data wire.FeedEvent `json:"data"`
		}](t, []byte(created[0].Body)).Data
		if !strings.HasPrefix(event.ID, "evt_") || event.Entry == nil || event.Entry.Href != "https://register.example/api/v1/entries/"+event.Entry.ID || len(created[0].Body) >= 20_000 {
			t.Errorf("got %s", created[0].Body)
		}
	})
}

func verify(t *testing.T, m message) {
	t.Helper()
	wh, err := standardwebhooks.NewWebhook(m.Secret)
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	for k, v := range m.Headers {
		h.Set(k, v)
	}
	if err := wh.Verify([]byte(m.Body), h); err != nil {
		t.Errorf("the Go library refuses %v %s: %v", m.Headers, m.Body, err)
	}
	if err := wh.Verify([]byte(m.Body+" "), h); err == nil {
		t.Error("a changed body was accepted")
	}
}

func TestAnEndpointGetsNothingBeforeItsEcho(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.peer.mute = true
		made := read[wire.Webhook](t, b.ask("POST", "/webhooks", `{"url":"`+b.serve.URL+`"}`, 201))
		b.event(1, catalog.EventCreated)
		b.until("the endpoint is given up", func() bool { return b.get(made.ID).State == catalog.WebhookDisabled })
		got := b.get(made.ID)
		if got.Active || got.DisabledReason == nil || !strings.Contains(*got.DisabledReason, "never verified") {
			t.Errorf("got %+v", got)
		}
		if n := len(b.peer.of(catalog.MessageVerify)); n != 4 || b.peer.count() != n {
			t.Errorf("%d challenges, %d messages in all", n, b.peer.count())
		}
		b.peer.mu.Lock()
		b.peer.mute = false
		b.peer.mu.Unlock()
		b.ask("PATCH", "/webhooks/"+made.ID, `{"active":true}`, 200)
		b.until("it is verified", func() bool { return b.get(made.ID).Active })
		b.event(2, catalog.EventCreated)
		b.until("an event arrives", func() bool { return len(b.peer.of("entry.created")) == 1 })
	})
}

func TestFilters(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.create(`,"events":["entry.failing","entry.created"],"filter":{"countries":["GR"]}`)
		b.event(1, catalog.EventCreated) // CY
		b.event(2, catalog.EventUpdated) // another kind
		b.event(4, catalog.EventFailing)
		b.until("the event arrives", func() bool { return len(b.peer.of("entry.failing")) == 1 })
		if b.peer.count() != 2 {
			t.Errorf("%d messages, want the challenge and one event", b.peer.count())
		}
	})
}

func TestRetriesKeepTheirID(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		hook := b.create("")
		tries := 0
		b.peer.set(func(message) (int, map[string]string) {
			if tries++; tries < 3 {
				return 500 + tries, nil
			}
			return 200, nil
		})
		b.event(1, catalog.EventCreated)
		b.until("it is delivered", func() bool { return len(b.deliveries(hook.ID, "?state=delivered").Items) == 2 })
		d := b.deliveries(hook.ID, "?limit=1").Items[0]
		if d.Attempt != 3 || len(d.Attempts) != 3 || *d.Attempts[0].StatusCode != 501 || *d.StatusCode != 200 || d.Attempts[1].Error == nil || d.NextAttemptAt != nil {
			t.Errorf("got %+v", d)
		}
		got := b.peer.of("entry.created")
		if got[0].Headers["webhook-id"] != d.ID || got[2].Headers["webhook-id"] != d.ID || got[0].Body != got[2].Body {
			t.Errorf("attempts differ: %v", got)
		}
		if b.get(hook.ID).FailureStreak != 0 {
			t.Error("the success did not end the streak")
		}
	})
}

func TestDeadDeliveriesAndRetryByHand(t *testing.T) {
	b := newBed(t, openSQLite(t))
	hook := b.create("")
	b.peer.set(func(message) (int, map[string]string) {
		return 302, map[string]string{"Location": b.serve.URL + "/elsewhere"}
	})
	b.event(1, catalog.EventCreated)
	b.until("no attempt is left", func() bool { return len(b.deliveries(hook.ID, "?state=failed").Items) == 1 })
	d := b.deliveries(hook.ID, "?state=failed").Items[0]
	if d.Error == nil || !strings.Contains(*d.Error, "redirects are not followed") || len(b.peer.of("entry.created")) != 4 {
		t.Errorf("got %+v after %d requests", d, b.peer.count())
	}
	b.peer.set(nil)
	b.ask("POST", "/webhooks/"+hook.ID+"/deliveries/"+d.ID+"/retry", "", 202)
	b.until("it is delivered", func() bool {
		return len(b.deliveries(hook.ID, "?state=failed").Items) == 0 && len(b.peer.of("entry.created")) == 5
	})
	b.ask("POST", "/webhooks/"+hook.ID+"/deliveries/msg_none/retry", "", 404)
}

func TestRetryAfterAnd410(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		hook := b.create("")
		b.peer.set(func(message) (int, map[string]string) { return 429, map[string]string{"Retry-After": "1"} })
		b.event(1, catalog.EventCreated)
		b.until("it was refused", func() bool { return len(b.peer.of("entry.created")) == 1 })
		b.peer.set(func(message) (int, map[string]string) { return 410, nil })
		b.event(2, catalog.EventCreated)
		b.until("the endpoint is disabled", func() bool { return b.get(hook.ID).State == catalog.WebhookDisabled })
		got := b.peer.of("entry.created")
		if wait := got[1].at.Sub(got[0].at); wait < 900*time.Millisecond {
			t.Errorf("the next request came after %s", wait)
		}
		if h := b.get(hook.ID); !strings.Contains(*h.DisabledReason, "410") || h.DisabledAt == nil {
			t.Errorf("got %+v", h)
		}
		n := b.peer.count()
		b.event(3, catalog.EventCreated)
		time.Sleep(150 * time.Millisecond)
		if b.peer.count() != n {
			t.Error("a disabled endpoint got a message")
		}
		if page := b.deliveries(hook.ID, "?state=pending"); len(page.Items) != 0 {
			t.Errorf("%d deliveries are pending", len(page.Items))
		}
		b.ask("POST", "/webhooks/"+hook.ID+"/test", "", 409)
		var rows []catalog.AuditRow
		err := b.store.View(t.Context(), func(tx catalog.Tx) (err error) {
			rows, err = tx.Audits().Before(t.Context(), 0, hook.ID, 10)
			return err
		})
		if err != nil || len(rows) != 2 || rows[0].Action != "disableWebhook" || rows[0].Reason == "" || rows[1].By != "t1" {
			t.Errorf("audit rows %+v, %v", rows, err)
		}
	})
}

// TestNothingAfterDisable disables and deletes endpoints while messages are
// under way; nothing may arrive once the answer is there.
func TestNothingAfterDisable(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		for round, end := range []func(id string){
			func(id string) { b.ask("PATCH", "/webhooks/"+id, `{"active":false}`, 200) },
			func(id string) { b.ask("DELETE", "/webhooks/"+id, "", 204) },
		} {
			hook := b.create("")
			b.peer.set(func(message) (int, map[string]string) { time.Sleep(30 * time.Millisecond); return 500, nil })
			before := b.peer.count()
			for n := range 30 {
				b.event(n+100*round, catalog.EventUpdated)
			}
			b.until("some are under way", func() bool { return b.peer.count() > before+10 })
			end(hook.ID)
			n := b.peer.count()
			time.Sleep(200 * time.Millisecond)
			if b.peer.count() != n {
				t.Errorf("round %d: %d messages after the answer", round, b.peer.count()-n)
			}
			b.peer.set(nil)
		}
		if all := read[wire.WebhooksPage](t, b.ask("GET", "/webhooks", "", 200)); all.Total != 1 {
			t.Errorf("%d webhooks are left", all.Total)
		}
	})
}

// unread is a store that writes but does not read.
type unread struct{ catalog.Store }

func (unread) View(context.Context, func(catalog.Tx) error) error { return errors.New("broken") }

// TestDeleteWaitsForTheStore: while nobody knows whether messages are under
// way, an endpoint is disabled but stays.
func TestDeleteWaitsForTheStore(t *testing.T) {
	b := newBed(t, openSQLite(t))
	hook := b.create("")
	b.group.Store = unread{b.store}
	b.ask("DELETE", "/webhooks/"+hook.ID, "", 500)
	b.group.Store = b.store
	if b.get(hook.ID).Active {
		t.Error("the endpoint still gets messages")
	}
	b.ask("DELETE", "/webhooks/"+hook.ID, "", 204)
}

func TestRotationOverlaps(t *testing.T) {
	b := newBed(t, openSQLite(t))
	hook := b.create("")
	turned := read[wire.Webhook](t, b.ask("POST", "/webhooks/"+hook.ID+"/rotate-secret", `{"overlap_hours":1}`, 200))
	if turned.Secret == nil || *turned.Secret == *hook.Secret || len(turned.SecretsExpire) != 1 {
		t.Fatalf("got %+v", turned)
	}
	b.event(1, catalog.EventCreated)
	b.until("the event arrives", func() bool { return len(b.peer.of("entry.created")) == 1 })
	for _, secret := range []string{*hook.Secret, *turned.Secret} {
		m := b.peer.of("entry.created")[0]
		m.Secret = secret
		verify(t, m)
	}
	b.ask("POST", "/webhooks/"+hook.ID+"/rotate-secret", `{"overlap_hours":0}`, 200)
	b.event(2, catalog.EventCreated)
	b.until("the event arrives", func() bool { return len(b.peer.of("entry.created")) == 2 })
	if s := b.peer.of("entry.created")[1].Headers["webhook-signature"]; strings.Count(s, "v1,") != 2 {
		t.Errorf("a secret without overlap still signs: %s", s)
	}
	if got := b.get(hook.ID); got.Secret != nil {
		t.Error("the secret is shown again")
	}
	b.ask("POST", "/webhooks/"+hook.ID+"/rotate-secret", `{"overlap_hours":1000}`, 422)
}

func TestReplay(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		hook := b.create("")
		for n := range 6 {
			b.event(n, catalog.EventCreated)
		}
		b.until("all arrive", func() bool { return len(b.peer.of("entry.created")) == 6 })
		b.ask("POST", "/webhooks/"+hook.ID+"/replay", `{"since":"`+wire.Cursor(2)+`"}`, 202)
		b.until("four come again", func() bool { return len(b.peer.of("entry.created")) == 10 })
		times := map[string]int{}
		for _, m := range b.peer.of("entry.created") {
			times[m.Headers["webhook-id"]]++
		}
		if len(times) != 6 {
			t.Errorf("%d different ids, want 6", len(times))
		}
		b.ask("POST", "/webhooks/"+hook.ID+"/replay", `{"since":"`+wire.Cursor(99)+`"}`, 422)
		b.ask("POST", "/webhooks/"+hook.ID+"/replay", `{"since":"x"}`, 422)
	})
}

func TestWritesRefuse(t *testing.T) {
	b := newBed(t, openSQLite(t))
	b.group.AllowPlain = false
	for body, want := range map[string]string{
		`{}`: "body.url", `{"url":"http://a.example/"}`: "https", `{"url":"ftp://a.example/"}`: "body.url", `{"url":"https://u:p@a.example/"}`: "credentials",
		`{"url":"https://a.example/#x"}`: "fragment", `{"url":"https://a.example/","events":["entry.exploded"]}`: "use one of",
		`{"url":"https://a.example/","filter":{"countries":["Greece"]}}`: "two capital letters", `{"url":"https://a.example/","secret":"x"}`: "body.secret",
		`{"url":"https://a.example/","filter":{"entries":["rain"]}}`: "UUID", "{\"url\":\"https://a.example/\\r\\nX: y\"}": "percent-encode",
	} {
		if got := string(b.ask("POST", "/webhooks", body, 422)); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %q", body, got, want)
		}
	}
	id := catalog.NewID("webhook", "none")
	for _, r := range [][2]string{{"GET", ""}, {"DELETE", ""}, {"GET", "/deliveries"}, {"POST", "/test"}} {
		b.ask(r[0], "/webhooks/"+id+r[1], "", 404)
	}
	b.ask("PATCH", "/webhooks/"+id, `{"active":true}`, 404)
	b.ask("GET", "/webhooks?page=1", "", 422)
	b.ask("GET", "/webhooks/"+id+"/deliveries?state=lost", "", 422)
	b.ask("GET", "/webhooks/"+id+"/deliveries?limit=0", "", 422)
}
