package outbound

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/notify"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestWebhooksReachNoPrivateAddress lets the dispatcher deliver to endpoints in
// all kinds of special ranges by the client of the service: none is reached.
func TestWebhooksReachNoPrivateAddress(t *testing.T) {
	var reached atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	port := inside.URL[strings.LastIndexByte(inside.URL, ':'):]
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	urls := []string{"http://127.0.0.1" + port, "http://localhost" + port, "http://[::1]" + port, "http://[::ffff:127.0.0.1]" + port, "http://0.0.0.0" + port,
		"http://2130706433" + port, "http://0x7f.1" + port, "http://0177.0.0.1" + port, "http://127.1" + port, "http://[64:ff9b::7f00:1]" + port, "http://[2002:7f00:1::]" + port,
		"http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://168.63.129.16/", "http://[fd00:ec2::254]/", "http://192.168.0.1/", "http://100.64.0.1/"}
	now := time.Now().UTC()
	err = s.Update(t.Context(), func(tx catalog.Tx) error {
		for _, u := range urls {
			w := catalog.Webhook{ID: catalog.NewID("webhook", u), URL: u, State: catalog.WebhookUnverified, CreatedAt: now, UpdatedAt: now}
			w.Rotate(notify.NewSecret(), now, now)
			m, err := notify.Challenge(&w, now)
			if err != nil {
				return err
			}
			if err := tx.Webhooks().Put(t.Context(), w); err != nil {
				return err
			}
			if err := tx.Deliveries().Add(t.Context(), m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d := notify.New(notify.Config{Store: s, Client: Client(Options{Version: "test", Contact: "https://assay.example/"}), Concurrency: len(urls),
		Site: func() snapshot.Site { return snapshot.Site{} }, Poll: 10 * time.Millisecond, Timeout: 3 * time.Second, Schedule: []time.Duration{0}})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	defer func() { stop(); <-done }()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var open []string
		err := s.View(t.Context(), func(tx catalog.Tx) error {
			all, err := tx.Webhooks().All(t.Context())
			for i := range all {
				if all[i].State != catalog.WebhookDisabled {
					open = append(open, all[i].URL)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(open) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("not refused in time: %v", open)
		}
	}
	if reached.Load() != 0 {
		t.Errorf("a private address was reached %d times", reached.Load())
	}
}
