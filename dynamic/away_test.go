package dynamic

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
)

// writers send submissions, and read the last one again, until done, and keep
// the ids that were acknowledged.
type writers struct {
	service *Service
	done    chan struct{}
	acked   sync.Map
	count   atomic.Int64
	refused atomic.Int64
	t       *testing.T
}

func (w *writers) run(writer int) {
	for i := 0; ; i++ {
		select {
		case <-w.done:
			return
		default:
		}
		body := fmt.Sprintf(`{"url":"https://w%d-%d.example/data"}`, writer, i)
		answer := w.ask(http.MethodPost, "/api/v1/submissions", body)
		if answer.Code != http.StatusCreated {
			continue
		}
		var made struct{ ID string }
		if err := json.Unmarshal(answer.Body.Bytes(), &made); err != nil || made.ID == "" {
			w.t.Errorf("%v in %s", err, answer.Body)
			return
		}
		w.acked.Store(made.ID, true)
		w.count.Add(1)
		w.ask(http.MethodGet, "/api/v1/submissions/"+made.ID, "")
	}
}

// ask sends one request; what is no success must be a 503 with Retry-After.
func (w *writers) ask(method, target, body string) *httptest.ResponseRecorder {
	answer := sendJSON(w.service, method, target, body)
	switch {
	case answer.Code < 300:
	case answer.Code == http.StatusServiceUnavailable && answer.Header().Get("Retry-After") != "":
		w.refused.Add(1)
	default:
		w.t.Errorf("%s %s: %d %s", method, target, answer.Code, answer.Body)
	}
	return answer
}

func sendJSON(s *Service, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://register.example"+target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer := httptest.NewRecorder()
	s.Handler().ServeHTTP(answer, r)
	return answer
}

// reach waits until so many more submissions were acknowledged.
func (w *writers) reach(more int64) {
	for want := w.count.Load() + more; w.count.Load() < want && !w.t.Failed(); {
		w.ask(http.MethodGet, "/health", "")
	}
}

// TestTheStoreIsRestartedUnderWrites restarts PostgreSQL, in good order and by
// a fall, while clients write and read: no answer is a fault of the service, and
// what was acknowledged is there.
func TestTheStoreIsRestartedUnderWrites(t *testing.T) {
	t.Parallel()
	url, restart := pgtest.NewRestarting(t)
	st, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, err := New(Config{SiteDir: sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: 5}).Dir, Store: st})
	if err != nil {
		t.Fatal(err)
	}
	w := &writers{service: s, done: make(chan struct{}), t: t}
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() { w.run(n) })
	}
	for _, signal := range []string{"INT", "QUIT", "INT"} {
		w.reach(20)
		restart(signal)
	}
	w.reach(20)
	close(w.done)
	group.Wait()
	kept := 0
	w.acked.Range(func(id, _ any) bool {
		err := st.View(t.Context(), func(tx catalog.Tx) error { _, err := tx.Submissions().Get(t.Context(), id.(string)); return err })
		if err != nil {
			t.Errorf("submission %s was acknowledged: %v", id, err)
		}
		kept++
		return err == nil
	})
	t.Logf("%d submissions were acknowledged and are there; %d requests were answered 503", kept, w.refused.Load())
	if w.refused.Load() == 0 {
		t.Error("nobody noticed that the store was away")
	}
	if got := sendJSON(s, http.MethodGet, "/health/detailed", ""); !strings.Contains(got.Body.String(), "answers and takes writes") {
		t.Errorf("afterwards: %s", got.Body)
	}
}

// TestTheSiteIsGone: without its folder the service is not well, and what is not in the open
// file is away, not gone for good.
func TestTheSiteIsGone(t *testing.T) {
	t.Parallel()
	s, site := start(t, sitetest.Options{Entries: 5})
	if got := get(s, "GET", "/health"); got.Code != 200 {
		t.Fatalf("%d %s", got.Code, got.Body)
	}
	if err := os.Rename(site.Dir, site.Dir+".gone"); err != nil {
		t.Fatal(err)
	}
	for _, empty := range []bool{false, true} {
		if empty {
			// What is left of a disk that was unmounted.
			if err := os.Mkdir(site.Dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, target := range []string{"/health", "/health/detailed", "/nothing", "/api/v1/entries/nothing", "/s/20200101-0123456789ab/api/v1/entries/pages/1"} {
			if got := get(s, "GET", target); got.Code != 503 || got.Header().Get("Retry-After") == "" {
				t.Errorf("%s with an empty folder %t: %d %s", target, empty, got.Code, got.Body)
			}
		}
		if got := get(s, "GET", "/api/v1/entries/e3-record"); got.Code != 200 {
			t.Errorf("a document of the open file: %d %s", got.Code, got.Body)
		}
		if err := s.library.Refresh(time.Now()); err != nil {
			t.Error(err)
		}
	}
	if err := os.Remove(site.Dir); err == nil {
		err = os.Rename(site.Dir+".gone", site.Dir)
		if got := get(s, "GET", "/health"); err != nil || got.Code != 200 {
			t.Errorf("when it is back: %d, %v", got.Code, err)
		}
	}
}
