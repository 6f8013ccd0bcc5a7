package harvest_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

func TestLiveRunIsLogged(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 5, 40)
	r, err := w.live(p, harvest.Options{Complete: true})
	if err != nil || r.In != 200 || r.State != catalog.RunComplete || r.Pages != 6 || r.Rejected == 0 || r.Repeated == 0 {
		t.Fatal(r.Summary(), err)
	}
	runs := w.runs(w.official.ID)
	if len(runs) != 1 {
		t.Fatalf("%d runs", len(runs))
	}
	run := runs[0]
	c := run.Counts
	if run.ID != r.Run || run.State != catalog.RunComplete || run.Owner != "" || run.Cursor != "" || run.Pages != 6 || !run.StartedAt.Equal(w.now) ||
		c.In != r.In || c.Created != r.Created || c.Repeated != r.Repeated || c.Rejected != r.Rejected || c.RejectedBy["invalid_field"] != r.Rejected ||
		len(run.Rejections) != r.Rejected || run.Rejections[0].Place != "page 1, line 6" {
		t.Errorf("run %+v", run)
	}
	f := run.Fields
	if f.Delivered == 0 || f.Omitted == 0 || len(f.By) == 0 {
		t.Errorf("fields %+v", f)
	}
	for _, n := range f.By {
		if n.Delivered+n.Omitted+n.Refused != r.In-r.Rejected {
			t.Errorf("field %+v of %d records", n, r.In-r.Rejected)
		}
	}
}

// TestUnchanged: a source that says so is left alone, for a week at most, and
// never while entries are missing.
func TestUnchanged(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 2, 30)
	version, asked := `"1"`, 0
	p.before = func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("ETag", version)
		if r.Header.Get("If-None-Match") != version {
			return false
		}
		asked++
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	run := func(after time.Duration, want catalog.RunState) harvest.Report {
		t.Helper()
		w.now = w.now.Add(after)
		n := len(w.events())
		r, err := w.live(p, harvest.Options{Complete: true})
		if err != nil || r.State != want {
			t.Fatal(r.State, r.Summary(), err)
		}
		if want == catalog.RunUnchanged && (len(w.events()) != n || r.In != 0 || r.Missing != 0) {
			t.Errorf("an unchanged source was touched: %s", r.Summary())
		}
		return r
	}
	run(0, catalog.RunComplete)
	run(0, catalog.RunUnchanged)
	run(0, catalog.RunUnchanged)
	p.drop(`"h:k:3"`)
	version = `"2"`
	run(0, catalog.RunComplete)
	run(0, catalog.RunComplete) // unchanged, but one is missing
	if r := run(0, catalog.RunComplete); r.Gone != 1 {
		t.Error(r.Summary())
	}
	run(0, catalog.RunUnchanged)
	run(7*24*time.Hour, catalog.RunComplete)
	run(0, catalog.RunUnchanged)
	if asked != 4 {
		t.Errorf("answered unchanged %d times", asked)
	}
	restart, err := w.live(p, harvest.Options{Complete: true, Restart: true})
	if err != nil || restart.State != catalog.RunComplete {
		t.Error(restart.State, err)
	}
}

// TestGoesOnAfterAFailure: the host fails at a page; the next run goes on
// there, and the two count as one complete run.
func TestGoesOnAfterAFailure(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 6, 30)
	down := true
	p.before = func(w http.ResponseWriter, r *http.Request) bool {
		if down && r.URL.Query().Get("page") == "4" {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		return false
	}
	r, err := w.live(p, harvest.Options{Complete: true})
	if err == nil || r.State != catalog.RunPartial || r.In != 90 || len(r.Errors) != 1 || r.Errors[0].Code != string(fetch.CodeStatus) || r.Errors[0].Status != 502 {
		t.Fatal(r.Summary(), err)
	}
	if run := w.runs(w.official.ID)[0]; run.Cursor != "4" || run.State != catalog.RunPartial || run.Counts.In != 90 {
		t.Errorf("run %+v", run)
	}
	down = false
	p.forget()
	r2, err := w.live(p, harvest.Options{Complete: true})
	if err != nil || r2.State != catalog.RunComplete || r2.In != 180 || r2.Run != r.Run || r2.Resumed != 1 || p.fetched[3] != 0 {
		t.Fatal(r2.Summary(), err, p.fetched)
	}
	// The same portal, undisturbed.
	other := newWorld(t)
	want, err := other.live(p, harvest.Options{Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	if r2.Created != want.Created || r2.Repeated != want.Repeated || r2.Rejected != want.Rejected || len(w.entries()) != len(other.entries()) {
		t.Errorf("resumed: %s\nundisturbed: %s", r2.Summary(), want.Summary())
	}
	if d := cmp.Diff(other.runs(w.official.ID)[0].Fields, w.runs(w.official.ID)[0].Fields); d != "" {
		t.Error(d)
	}
}

func TestBrokenOffForTooLong(t *testing.T) {
	for _, restart := range []bool{false, true} {
		w, p := newWorld(t), newPortal(t, 4, 10)
		down := true
		p.before = func(w http.ResponseWriter, r *http.Request) bool {
			if down && r.URL.Query().Get("page") == "3" {
				w.WriteHeader(http.StatusNotFound)
				return true
			}
			return false
		}
		if _, err := w.live(p, harvest.Options{}); err == nil {
			t.Fatal("no error")
		}
		down = false
		p.forget()
		if !restart {
			w.now = w.now.Add(24 * time.Hour)
		}
		r, err := w.live(p, harvest.Options{Restart: restart})
		if err != nil || r.Resumed != 0 || p.fetched[1] != 1 || len(w.runs(w.official.ID)) != 2 {
			t.Errorf("%s, %v, %v", r.Summary(), err, p.fetched)
		}
	}
}

// TestBusy: while a process harvests a source, another one is told so, asks the
// source for nothing and disturbs nobody; the same holds while no page was taken.
func TestBusy(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 4, 10)
	var told []error
	p.before = func(_ http.ResponseWriter, r *http.Request) bool {
		_, err := harvest.Run(w.ctx, w.st, paged{}, source.Input{Source: p.source(w)},
			harvest.Options{Now: w.now, Fetcher: fetch.New(fetch.Options{Client: p.Client(), Gap: time.Microsecond})})
		told = append(told, err)
		return false
	}
	r, err := w.live(p, harvest.Options{Worker: "host-7", Fetcher: fetch.New(fetch.Options{Client: p.Client(), Gap: time.Microsecond})})
	if err != nil || r.State != catalog.RunComplete || p.most() != 1 || len(told) == 0 {
		t.Errorf("%v, %s, fetched %v", err, r.Summary(), p.fetched)
	}
	for _, err := range told {
		var busy *harvest.BusyError
		if !errors.As(err, &busy) || busy.Worker != "host-7" || !busy.Until.Equal(w.now.Add(time.Minute)) {
			t.Fatalf("the second process: %v", err)
		}
	}
	if runs := w.runs(w.official.ID); len(runs) != 1 || runs[0].Resumed != 0 || runs[0].Owner != "" || !runs[0].LeaseUntil.IsZero() {
		t.Errorf("runs %+v", runs)
	}
}

// TestAfterAClockThatRanAhead: a run of three days from now comes before one of now,
// which asks for everything; what that finds is new now, and not in three days.
func TestAfterAClockThatRanAhead(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 2, 4)
	later := p.pages[1]
	p.pages = p.pages[:1]
	right := w.now
	w.now = right.Add(72 * time.Hour)
	if _, err := w.live(p, harvest.Options{}); err != nil {
		t.Fatal(err)
	}
	w.now, p.pages = right, append(p.pages, later)
	if _, err := w.live(p, harvest.Options{}); err != nil {
		t.Fatal(err)
	}
	runs, fresh := w.runs(w.official.ID), 0
	if len(runs) != 2 || !runs[0].Since.IsZero() || runs[0].State != catalog.RunComplete || runs[0].Counts.Created == 0 {
		t.Fatalf("runs %+v", runs)
	}
	w.update(func(tx catalog.Tx) error {
		return tx.Entries().Scan(w.ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.CreatedAt.Equal(w.now) && e.PublishedAt.Equal(w.now) {
				fresh++
			}
			return nil
		})
	})
	if fresh != runs[0].Counts.Created {
		t.Errorf("%d of %d new entries are of now", fresh, runs[0].Counts.Created)
	}
}

// TestTakenOver: of two processes at one run, of which the first was believed
// dead, only the later one writes.
func TestTakenOver(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 4, 10)
	second := make(chan error, 1)
	p.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("page") == "3" && p.fetched[3] == 1 {
			_, err := harvest.Run(w.ctx, w.st, paged{}, source.Input{Source: p.source(w)},
				harvest.Options{Now: w.now, Fetcher: fetch.New(fetch.Options{Client: p.Client(), Gap: time.Microsecond})})
			second <- err
		}
		return false
	}
	_, err := w.live(p, harvest.Options{Lease: runsOut, Fetcher: fetch.New(fetch.Options{Client: p.Client(), Gap: time.Microsecond})})
	if err == nil || !strings.Contains(err.Error(), harvest.ErrTakenOver.Error()) {
		t.Errorf("error %v", err)
	}
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	runs := w.runs(w.official.ID)
	if len(runs) != 1 || runs[0].State != catalog.RunComplete || runs[0].Counts.In != 40 || runs[0].Resumed != 1 {
		t.Errorf("runs %+v", runs)
	}
}

// TestHostileSources: whatever a server does, the run ends soon, keeps what it
// read before, and says what happened.
func TestHostileSources(t *testing.T) {
	flood := strings.Repeat("x", 64<<10)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(bytes.Repeat([]byte("\n"), 3<<20))
	z.Close()
	for _, c := range []struct {
		name, code string
		serve      http.HandlerFunc
	}{
		{"slow drip", string(fetch.CodeSlow), func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := io.WriteString(w, "x"); err != nil || http.NewResponseController(w).Flush() != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}},
		{"endless body", string(source.CodeInputTooLarge), func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := io.WriteString(w, flood[:60]+"\n"+flood[:40000]+"\n"); err != nil {
					return
				}
			}
		}},
		{"redirect loop", string(fetch.CodeRedirects), func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.String(), http.StatusTemporaryRedirect)
		}},
		{"gzip bomb", string(source.CodeDecompressionBomb), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		}},
		{"500", string(fetch.CodeStatus), func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) }},
		{"wrong content type", string(fetch.CodeContentType), func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<!DOCTYPE html><p>Sign in</p>") }},
		{"hangs", string(fetch.CodeTimeout), func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"invalid UTF-8", "", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("page") == "3" {
				fmt.Fprint(w, "{\"name\":\"\xff\xfe\"}\n{\"id\":\"h:k:u\",\"name\":\"Good\",\"url\":\""+tides+"/u\"}\n")
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, p := newWorld(t), newPortal(t, 2, 20)
			p.before = func(w http.ResponseWriter, r *http.Request) bool {
				if page := r.URL.Query().Get("page"); page == "1" || page == "2" {
					return false
				}
				c.serve(w, r)
				return true
			}
			opts := harvest.Options{Complete: true, Fetcher: patient(p.Client())}
			if c.code == string(fetch.CodeSlow) || c.code == string(fetch.CodeTimeout) {
				opts.Fetcher = impatient(p.Client())
			}
			r, err := w.live(p, opts)
			run := w.runs(w.official.ID)[0]
			if c.code == "" {
				if err != nil || r.State != catalog.RunComplete || r.RejectedBy[source.CodeInvalidUTF8] != 1 || w.named("Good").ID == "" {
					t.Errorf("%s, %v", r.Summary(), err)
				}
				return
			}
			if err == nil || r.State != catalog.RunPartial || run.State != catalog.RunPartial || r.In != 40 || len(w.entries()) == 0 || r.Missing != 0 {
				t.Errorf("%s, %v", r.Summary(), err)
			}
			if len(run.Errors) != 1 || run.Errors[0].Code != c.code || run.Errors[0].Text == "" {
				t.Errorf("errors %+v, want %s", run.Errors, c.code)
			}
		})
	}
}

func TestTLSFailure(t *testing.T) {
	w := newWorld(t)
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	src := w.official
	src.URL = s.URL
	r, err := harvest.Run(w.ctx, w.st, paged{}, source.Input{Source: src}, harvest.Options{Now: w.now,
		Fetcher: fetch.New(fetch.Options{Client: &http.Client{Transport: &http.Transport{}}, Gap: time.Microsecond})})
	if err == nil || r.State != catalog.RunFailed || len(r.Errors) != 1 || r.Errors[0].Code != string(fetch.CodeTLS) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLogIsPublic: no address of a person, no folder of the machine, no key of
// an address reaches the log.
func TestLogIsPublic(t *testing.T) {
	w := newWorld(t)
	name := "/home/someone/secret folder/list.json"
	x := source.Rejection{Place: name + ":7", Code: source.CodeInvalidField, UpstreamRef: "h:k:7", Remedy: "ask erika.mustermann@example.org",
		Reason: "https://user:pass@data.example/a?token=geheim is no URL of " + strings.Repeat("x", 900)}
	in := source.Input{Name: name, Source: w.official}
	if _, err := harvest.Run(w.ctx, w.st, failing{nil, &x}, in, harvest.Options{Now: w.now}); !errors.Is(err, harvest.ErrFruitless) {
		t.Fatal(err)
	}
	in.Source = w.plain
	if _, err := harvest.Run(w.ctx, w.st, failing{nil, nil}, in, harvest.Options{Now: w.now}); err == nil {
		t.Fatal("no error")
	}
	first, second := w.runs(w.official.ID)[0], w.runs(w.plain.ID)[0]
	doc, _ := json.Marshal([]any{first, second})
	for _, secret := range []string{"someone", "secret", "mustermann", "geheim", "pass@", "/home"} {
		if strings.Contains(string(doc), secret) {
			t.Errorf("%q is in the log: %s", secret, doc)
		}
	}
	got := first.Rejections[0]
	if got.Place != "list.json:7" || got.Record != "h:k:7" || !strings.HasPrefix(got.Reason, "https://data.example/a is no URL") || len(got.Reason) > 500 {
		t.Errorf("rejection %+v", got)
	}
	if second.State != catalog.RunFailed || second.Errors[0].Text != "the input makes no sense" {
		t.Errorf("run %+v", second)
	}
}
