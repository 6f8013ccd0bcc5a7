//go:build unix

package month

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// receiver is the endpoint of a webhook.
type receiver struct {
	mu     sync.Mutex
	secret []byte
	away   bool
	events map[string]bool
	bad    []string
	// cursor is where the change feed stood when the webhook began to work.
	cursor string
}

// listen makes a webhook for all events and an endpoint that answers its
// challenge.
func listen(m *rehearsal) *receiver {
	m.t.Helper()
	h := &receiver{events: map[string]bool{}}
	server := httptest.NewServer(h)
	m.t.Cleanup(server.Close)
	// The challenge may come before the answer that has the secret.
	h.mu.Lock()
	var made struct{ ID, Secret string }
	code, err := m.c.ask("POST", "/api/v1/webhooks", map[string]string{"url": server.URL}, &made)
	if err == nil && code == http.StatusCreated {
		h.secret, err = base64.StdEncoding.DecodeString(strings.TrimPrefix(made.Secret, "whsec_"))
	}
	h.mu.Unlock()
	if err != nil || code != http.StatusCreated {
		m.t.Fatalf("the webhook: status %d, %v", code, err)
	}
	// webhooks.md: until the endpoint has answered the challenge "it gets nothing
	// else".
	m.until("the challenge", func() error {
		var now struct{ Active bool }
		_, err := m.c.ask("GET", "/api/v1/webhooks/"+made.ID, nil, &now)
		if err == nil && !now.Active {
			err = errors.New("the webhook is not active")
		}
		return err
	})
	if _, h.cursor, err = m.c.events(""); err != nil {
		m.t.Fatal(err)
	}
	return h
}

// ServeHTTP implements http.Handler, as webhooks.md says an endpoint answers.
func (h *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.away {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	id, at := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	mac := hmac.New(sha256.New, h.secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, at, text)
	if !strings.Contains(r.Header.Get("webhook-signature"), "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil))) {
		h.bad = append(h.bad, "a signature that does not fit: "+id)
	}
	var message struct {
		Type string
		Data struct{ ID, Challenge string }
	}
	if err := json.Unmarshal(text, &message); err != nil {
		h.bad = append(h.bad, err.Error())
	}
	if message.Type == "endpoint.verify" {
		_, _ = io.WriteString(w, message.Data.Challenge)
		return
	}
	h.events[message.Data.ID] = true
}

// setAway lets the endpoint fail, or work again.
func (h *receiver) setAway(away bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.away = away
}

// seen are the events that came, and what was wrong with them.
func (h *receiver) seen() (map[string]bool, []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	events := map[string]bool{}
	for id := range h.events {
		events[id] = true
	}
	return events, h.bad
}
