package submissions_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// What a submitter writes comes back as data: in JSON that no browser takes for
// a page, and never in another client's headers.
func TestStoredScriptsStayData(t *testing.T) {
	h := serve(openStore(t))
	for i, name := range []string{"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "{{7*7}}", "=cmd|' /C calc'!A0"} {
		body := fmt.Sprintf(`{"url":"https://data.example/%d?q=%%3Cscript%%3E","name":%q,"notes":%q}`, i, name, name)
		w := ask(h, "POST", "/api/v1/submissions", body)
		if w.Code != http.StatusCreated {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		got := ask(h, "GET", strings.TrimPrefix(decode[wire.SubmissionReceipt](t, w).StatusURL, "https://register.example/sub"), "")
		status := decode[wire.SubmissionStatus](t, got)
		if *status.Name != name || !strings.HasPrefix(got.Header().Get("Content-Type"), "application/json") || got.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %s, header %v", name, got.Body, got.Header())
		}
	}
}

// TestAKeyOfAnotherClientOpensNothing: who sends another's key and body does not get the
// status address that only the submitter has.
func TestAKeyOfAnotherClientOpensNothing(t *testing.T) {
	h := serve(openStore(t))
	post := func(client string) *httptest.ResponseRecorder {
		return ask(h, "POST", "/api/v1/submissions", `{"url":"https://a.example/x"}`, "Idempotency-Key", "same", "client", client)
	}
	first := post("192.0.2.1")
	token := decode[wire.SubmissionReceipt](t, first).StatusURL
	if w := post("192.0.2.1"); w.Code != 201 || w.Body.String() != first.Body.String() {
		t.Errorf("the submitter again: %d %s", w.Code, w.Body)
	}
	if w := post("192.0.2.2"); w.Code != 409 || strings.Contains(w.Body.String(), token) {
		t.Errorf("another client: %d %s", w.Code, w.Body)
	}
}

// TestOneClientDoesNotFillTheReportsOfAnEntry: others still report.
func TestOneClientDoesNotFillTheReportsOfAnEntry(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	e, other := putEntry(t, st, "https://data.example/rain", catalog.StatusActive), putEntry(t, st, "https://data.example/snow", catalog.StatusActive)
	post := func(client, entry string) *httptest.ResponseRecorder {
		return ask(h, "POST", "/api/v1/entries/"+entry+"/reports", `{"message":"x"}`, "client", client)
	}
	for i := range 5 {
		name := []string{e.ID, e.Slug}[i%2]
		if w := post("192.0.2.1", name); w.Code != map[bool]int{true: 201, false: 429}[i < 3] || w.Code == 429 && w.Header().Get("Retry-After") == "" {
			t.Errorf("report %d: %d %s", i, w.Code, w.Body)
		}
	}
	if a, b := post("192.0.2.2", e.ID), post("192.0.2.1", other.ID); a.Code != 201 || b.Code != 201 {
		t.Errorf("another client: %d, another entry: %d", a.Code, b.Code)
	}
	for i := range 200 {
		if w := post(fmt.Sprintf("198.51.100.%d", i), e.ID); w.Code != map[bool]int{true: 201, false: 429}[i < 196] {
			t.Errorf("client %d: %d %s", i, w.Code, w.Body)
		}
	}
}

// Many requests of a client have the same key at once: one submission, one answer.
func TestConcurrentReplays(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	answers := make([]string, 40)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			w := ask(h, "POST", "/api/v1/submissions", `{"url":"https://a.example/x"}`, "Idempotency-Key", "same")
			answers[i] = fmt.Sprint(w.Code, w.Body)
		})
	}
	all.Wait()
	for _, a := range answers {
		if a != answers[0] || !strings.HasPrefix(a, "201") {
			t.Errorf("answers differ: %s and %s", answers[0], a)
		}
	}
	view(t, st, func(ctx context.Context, tx catalog.Tx) error {
		events, err := tx.Events().After(ctx, 0, 10)
		jobs, err2 := tx.Jobs().List(ctx, catalog.JobFilter{})
		if len(events) != 1 || len(jobs) != 1 || err2 != nil {
			t.Errorf("%d events, %d jobs", len(events), len(jobs))
		}
		return err
	})
}

// Requests that share a transaction get their own answers, also when one of
// them cannot be stored.
func TestManyAtOnce(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	var created, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() {
			w := ask(h, "POST", "/api/v1/submissions", fmt.Sprintf(`{"url":"https://host-%d.example/x"}`, i/2))
			switch w.Code {
			case http.StatusCreated:
				created.Add(1)
			case http.StatusConflict:
				refused.Add(1)
			default:
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	all.Wait()
	if created.Load() != 150 || refused.Load() != 150 {
		t.Errorf("%d created, %d refused", created.Load(), refused.Load())
	}
}

// slowly gives a byte now and then, and never ends.
type slowly struct{ until <-chan struct{} }

// Read implements io.Reader.
func (s slowly) Read(p []byte) (int, error) {
	select {
	case <-s.until:
		return 0, io.ErrUnexpectedEOF
	case <-time.After(5 * time.Millisecond):
		p[0] = ' '
		return 1, nil
	}
}

// A body that never ends holds nobody else up and leaves nothing behind.
func TestSlowBodies(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	stop := make(chan struct{})
	var slow sync.WaitGroup
	for range 20 {
		slow.Go(func() {
			r := httptest.NewRequest("POST", "/api/v1/submissions", slowly{stop})
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code < 400 {
				t.Errorf("a body without an end: %d", w.Code)
			}
		})
	}
	if w := ask(h, "POST", "/api/v1/submissions", `{"url":"https://a.example/x"}`); w.Code != http.StatusCreated {
		t.Errorf("beside slow bodies: %d %s", w.Code, w.Body)
	}
	close(stop)
	slow.Wait()
}

// again is a store of which each transaction is done twice, as one of PostgreSQL that met another.
type again struct{ catalog.Store }

func (a again) Update(ctx context.Context, fn func(catalog.Tx) error) error {
	met := errors.New("the transaction met another one")
	err := a.Store.Update(ctx, func(tx catalog.Tx) error { return errors.Join(fn(tx), met) })
	if !errors.Is(err, met) {
		return err
	}
	return a.Store.Update(ctx, fn)
}

// TestAReportThatIsStoredTwiceCountsOnce for its client.
func TestAReportThatIsStoredTwiceCountsOnce(t *testing.T) {
	st := openStore(t)
	e := putEntry(t, st, "https://data.example/rain", catalog.StatusActive)
	h := serve(again{st})
	for i := range 4 {
		w := ask(h, "POST", "/api/v1/entries/"+e.ID+"/reports", `{"message":"x"}`, "client", "192.0.2.1")
		if w.Code != map[bool]int{true: 201, false: 429}[i < 3] {
			t.Errorf("report %d: %d %s", i, w.Code, w.Body)
		}
	}
}

// TestReportsFeed: readers follow the public reports, with their answers; what nobody accepted or
// answered is not in it.
func TestReportsFeed(t *testing.T) {
	st := openStore(t)
	e := putEntry(t, st, "https://data.example/rain", catalog.StatusActive)
	err := st.Update(t.Context(), func(tx catalog.Tx) error {
		for i, state := range []catalog.ReportState{catalog.ReportOpen, catalog.ReportAccepted} {
			r := catalog.Report{ID: catalog.NewID("report", fmt.Sprint(i)), EntryID: e.ID, Message: fmt.Sprintf("The file %d is empty.", i), State: catalog.ReportOpen, CreatedAt: now}
			if state == catalog.ReportAccepted {
				if err := errors.Join(r.Accept("seen", now), r.Answer("", "It was mended.", now)); err != nil {
					return err
				}
			}
			if err := tx.Reports().Put(t.Context(), r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w := ask(serve(st), "GET", "/api/v1/reports/feed", "")
	feed := decode[wire.ReportsFeed](t, w)
	if w.Code != 200 || len(feed.Items) != 1 || feed.Version != "https://jsonfeed.org/version/1.1" || feed.FeedURL != "https://register.example/sub/api/v1/reports/feed" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	x := feed.Items[0]
	if !strings.Contains(x.ContentText, "The file 1 is empty.") || !strings.Contains(x.ContentText, "moderator: It was mended.") || x.URL != "https://register.example/sub/entry/"+e.Slug || x.DatePublished == "" {
		t.Errorf("%+v", x)
	}
}
