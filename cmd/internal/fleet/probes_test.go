package fleet

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// publisher notes which of its addresses is asked by two at once.
type publisher struct {
	mu    sync.Mutex
	under map[string]int
	// asked counts the requests of each address, twice those that came while
	// another one was being answered.
	asked, twice map[string]int
}

// ServeHTTP implements http.Handler.
func (p *publisher) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	key := r.Host + r.URL.Path
	p.mu.Lock()
	p.asked[key]++
	if p.under[key]++; p.under[key] > 1 {
		p.twice[key]++
	}
	p.mu.Unlock()
	time.Sleep(10 * time.Millisecond) // a server that takes its time
	p.mu.Lock()
	p.under[key]--
	p.mu.Unlock()
}

// TestTwoServicesShareTheProbes runs two services as they are shipped on one
// PostgreSQL: together they ask every entry once, none twice at once, and both
// end well.
func TestTwoServicesShareTheProbes(t *testing.T) {
	f := newFleet(t)
	p := &publisher{under: map[string]int{}, asked: map[string]int{}, twice: map[string]int{}}
	const hosts, each = 6, 10
	for range hosts {
		srv := httptest.NewServer(p)
		t.Cleanup(srv.Close)
		for n := range each {
			f.active(fmt.Sprintf("%s/%d", srv.URL, n))
		}
	}
	if out, err := f.command("build", "--site", filepath.Join(f.dir, "out")).CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	for range 2 {
		f.serve("--worker=true", "--allow-private", "--rate-per-host", "100", "--confirm-after", "0", "--survey-every", "0")
	}
	f.until("every entry has its check", func() bool {
		checked := map[string]int{}
		err := f.store.View(t.Context(), func(tx catalog.Tx) error {
			return tx.Checks().Scan(t.Context(), catalog.Range{}, time.Time{}, func(c *catalog.Check) error { checked[c.EntryID]++; return nil })
		})
		for id, n := range checked {
			if n > 1 {
				t.Fatalf("entry %s was checked %d times", id, n)
			}
		}
		return err == nil && len(checked) == hosts*each
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, n := range p.asked {
		if n != 1 || p.twice[key] > 0 {
			t.Errorf("%s was asked %d times, %d times while it was being asked", key, n, p.twice[key])
		}
	}
}

// active puts a source that is to be probed into the store.
func (f *fleet) active(url string) {
	f.t.Helper()
	now := time.Now().UTC().Truncate(time.Microsecond)
	e := &catalog.Entry{ID: catalog.NewID("entry", url), Slug: catalog.NewID("slug", url), Type: catalog.TypeAPI, Name: url, PrimarySourceURL: url,
		IdentityKey: url, MatchKey: url, Status: catalog.StatusActive, CreatedAt: now, UpdatedAt: now, PublishedAt: now, API: &catalog.APIDetails{PingURL: url}}
	err := f.store.Update(f.t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(f.t.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now}}})
	})
	if err != nil {
		f.t.Fatal(err)
	}
}
