package submission_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/build/submission"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

var began = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// world is a store, a small internet and a checker with a clock of its own.
type world struct {
	store   catalog.Store
	now     time.Time
	checker *submission.Checker
	inst    catalog.Institution
}

// site answers for the hosts of the test; a key is host and path.
type site map[string]func(w http.ResponseWriter, r *http.Request)

func text(media, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		fmt.Fprint(w, body)
	}
}

func newWorld(t *testing.T, pages site) *world {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := pages[r.Host+r.URL.Path]; h != nil {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}, DisableKeepAlives: true}}
	w := &world{store: st, now: began}
	clock := func() time.Time { return w.now }
	w.inst = catalog.Institution{ID: harvest.InstitutionID("xx-stat"), Key: "xx-stat", Name: "Statistics Office of Xanadu", CountryCode: "XX",
		Type: catalog.InstStatistics, HomepageURL: "http://www.stat.example/", OfficialDomains: []string{"stat.example"}, CreatedAt: began, UpdatedAt: began}
	portal := catalog.Source{ID: harvest.SourceID("portal"), Key: "portal", Kind: "ckan", Title: "National portal", URL: "http://portal.example/",
		Official: "the national catalogue", CreatedAt: began, UpdatedAt: began}
	w.update(t, func(ctx context.Context, tx catalog.Tx) error {
		return errors.Join(tx.Institutions().Put(ctx, w.inst), tx.Sources().Put(ctx, portal))
	})
	w.checker = &submission.Checker{Store: st, Clock: clock, Options: harvest.Options{Blocklist: []string{"spam.example"}},
		Fetcher: fetch.New(fetch.Options{Client: client, Gap: time.Microsecond, Attempts: 1, Backoff: time.Millisecond}),
		Prober:  verify.NewProber(verify.ProberOptions{Client: client, Gap: time.Microsecond, Timeout: 2 * time.Second})}
	return w
}

// another is the checker of another process.
func (w *world) another() *submission.Checker {
	c := w.checker
	return &submission.Checker{Store: c.Store, Clock: c.Clock, Options: c.Options, Fetcher: c.Fetcher, Prober: c.Prober}
}

func (w *world) update(t *testing.T, fn func(context.Context, catalog.Tx) error) {
	t.Helper()
	if err := w.store.Update(t.Context(), func(tx catalog.Tx) error { return fn(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}

// propose stores a submission as the service does.
func (w *world) propose(t *testing.T, s catalog.Submission) string {
	t.Helper()
	s.ID, s.Address, s.State = catalog.NewID("submission", s.URL+s.Name), catalog.NormalURL(s.URL), catalog.SubmissionReceived
	s.CreatedAt, s.UpdatedAt, s.Steps = w.now, w.now, []catalog.SubmissionStep{{State: s.State, At: w.now}}
	w.update(t, func(ctx context.Context, tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(ctx, catalog.NewCheckJob(s.ID, w.now))
		return errors.Join(err, tx.Submissions().Put(ctx, s))
	})
	return s.ID
}

// runner is a process that carries out the jobs of a checker.
func runner(name string, c *submission.Checker) *jobs.Runner {
	return &jobs.Runner{Store: c.Store, Worker: name, Tasks: c.Tasks(1), Clock: c.Clock, Log: slog.New(slog.DiscardHandler)}
}

// run carries out what is due and tells the submission and its entry.
func (w *world) run(t *testing.T, id string) (s catalog.Submission, e *catalog.Entry) {
	t.Helper()
	if _, err := runner("w1", w.checker).Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.update(t, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Submissions().Get(ctx, id)
		if err != nil {
			return err
		}
		s = *got
		list, err := tx.Entries().Get(ctx, s.EntryID)
		if len(list) > 0 {
			e = &list[0]
		}
		return err
	})
	return s, e
}

func (w *world) events(t *testing.T) (kinds []catalog.EventKind) {
	t.Helper()
	w.update(t, func(ctx context.Context, tx catalog.Tx) error {
		kinds = nil
		list, err := tx.Events().After(ctx, 0, 100)
		for _, e := range list {
			kinds = append(kinds, e.Type)
		}
		return err
	})
	return kinds
}

const openapi = `{"openapi":"3.0.3","info":{"title":"Rain API","description":"<b>Rain</b> by hour<script>alert(1)</script>","version":"1.0",
 "license":{"name":"CC-BY-4.0","url":"https://creativecommons.org/licenses/by/4.0/"}},
 "servers":[{"url":"http://api.stat.example/v1"}],"paths":{"/rain":{"get":{"summary":"All rain","responses":{"200":{"description":"ok"}}}}}}`

const home = `<!doctype html><html lang="en"><head><title>Statistics Office</title></head><body>
 <a href="http://api.stat.example/v1">Rain API</a> <a href="/terms">Terms of use</a> <a href="/privacy">Privacy policy</a></body></html>`

func TestProvenSourceIsApproved(t *testing.T) {
	w := newWorld(t, site{
		"api.stat.example/v1/openapi.json": text("application/json", openapi),
		"www.stat.example/":                text("text/html", home),
		"www.stat.example/terms":           text("text/html", home),
		"www.stat.example/privacy":         text("text/html", home),
		"portal.example/dataset/rain":      text("text/html", `<html><a href="http://api.stat.example/v1">Rain</a></html>`),
	})
	id := w.propose(t, catalog.Submission{URL: "http://api.stat.example/v1/openapi.json", DocsURL: "http://portal.example/dataset/rain", Name: "Ignored"})
	s, e := w.run(t, id)
	if s.State != catalog.SubmissionApproved || e == nil {
		t.Fatalf("%s: %s, officialness %d, signals %+v, findings %v", s.State, s.Reason(), s.Officialness, s.Signals, s.Findings)
	}
	if e.Name != "Rain API" || e.Type != catalog.TypeAPI || e.Status != catalog.StatusActive || e.InstitutionID != w.inst.ID ||
		e.Admission == nil || e.Admission.Rule != catalog.AdmittedByRule || strings.Contains(e.Description, "<") || e.LicenseRaw == "" {
		t.Errorf("entry %+v", e)
	}
	if s.Officialness < catalog.DefaultThresholds().Approve || len(s.Steps) != 3 {
		t.Errorf("officialness %d, steps %+v", s.Officialness, s.Steps)
	}
	if got := fmt.Sprint(w.events(t)); got != "[entry.created submission.approved]" {
		t.Errorf("events %s", got)
	}
	again := w.propose(t, catalog.Submission{URL: "http://api.stat.example/v1/openapi.json", Name: "Again"})
	if s, dup := w.run(t, again); s.State != catalog.SubmissionDuplicate || dup == nil || dup.ID != e.ID {
		t.Errorf("proposed again: %s %s", s.State, s.Reason())
	}
}

const datasetPage = `<!DOCTYPE html><html lang="en"><head><title>x</title><link rel="license" href="https://creativecommons.org/publicdomain/zero/1.0/">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dataset","name":"Rain <img src=x onerror=alert(1)>","description":"By district",
"distribution":[{"@type":"DataDownload","contentUrl":"/rain.csv","encodingFormat":"text/csv"},{"@type":"DataDownload","contentUrl":"javascript:alert(1)"}]}</script></head></html>`

func TestHalfProvenSourceWaitsForAModerator(t *testing.T) {
	w := newWorld(t, site{"data.stat.example/rain": text("text/html; charset=utf-8", datasetPage)})
	s, e := w.run(t, w.propose(t, catalog.Submission{URL: "http://data.stat.example/rain", CountryCode: "XX", ContactEmail: "me@example.org"}))
	if s.State != catalog.SubmissionQuarantined || e == nil || e.Status != catalog.StatusPending || !e.PublishedAt.IsZero() {
		t.Fatalf("%s: %s, entry %+v, findings %v", s.State, s.Reason(), e, s.Findings)
	}
	if e.Type != catalog.TypeDataset || e.Dataset == nil || len(e.Dataset.Distributions) != 1 || e.Dataset.Distributions[0].DownloadURL != "http://data.stat.example/rain.csv" {
		t.Errorf("dataset %+v", e.Dataset)
	}
	if strings.ContainsAny(e.Name, "<>") || e.LicenseRaw == "" || e.Contact != nil {
		t.Errorf("name %q, licence %q, contact %v", e.Name, e.LicenseRaw, e.Contact)
	}
	var p *catalog.Provenance
	w.update(t, func(ctx context.Context, tx catalog.Tx) (err error) {
		p, err = tx.Provenances().Get(ctx, e.ID)
		return err
	})
	if p.Rows[0].Field != "admission" || p.Rows[0].Transform != "quarantine" {
		t.Errorf("first row %+v", p.Rows[0])
	}
}

func TestUnprovenAndUnfitSourcesAreRejected(t *testing.T) {
	catalogue := `{"conformsTo":"https://project-open-data.cio.gov/v1.1/schema","dataset":[
	 {"title":"A","description":"a","identifier":"a","accessLevel":"public","modified":"2026-01-01","publisher":{"name":"x"},"keyword":["a"],"distribution":[{"downloadURL":"http://data.stat.example/a.csv"}]},
	 {"title":"B","description":"b","identifier":"b","accessLevel":"public","modified":"2026-01-01","publisher":{"name":"x"},"keyword":["b"],"distribution":[{"downloadURL":"http://data.stat.example/b.csv"}]}]}`
	w := newWorld(t, site{
		"anyone.example/a.csv":        text("text/csv", "a,b\n1,2\n"),
		"spam.example/x":              text("text/csv", "a,b\n1,2\n"),
		"data.stat.example/data.json": text("application/json", catalogue),
		"evil.example/openapi.json":   text("application/json", strings.ReplaceAll(openapi, "api.stat.example", "evil.example")),
	})
	for _, c := range []struct{ name, url, reason string }{
		{"nobody's", "http://anyone.example/a.csv", "officialness 0 of 100"},
		{"in an office's name", "http://evil.example/openapi.json", "officialness"},
		{"blocked", "http://spam.example/x", "blocklist"},
		{"a catalogue", "http://data.stat.example/data.json", "several sources"},
		{"nothing there", "http://data.stat.example/none", "status 404"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, e := w.run(t, w.propose(t, catalog.Submission{URL: c.url, Institution: w.inst.Name, Name: "<script>alert(1)</script>"}))
			if s.State != catalog.SubmissionRejected || !strings.Contains(s.Reason(), c.reason) || e != nil {
				t.Errorf("%s: %s (%v), entry %v", s.State, s.Reason(), s.Findings, e)
			}
		})
	}
}

func TestClosedDoorIsAnAPI(t *testing.T) {
	w := newWorld(t, site{"api.stat.example/closed": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }})
	s, e := w.run(t, w.propose(t, catalog.Submission{URL: "http://api.stat.example/closed", Name: "Closed API", Description: "a <b>bold</b> claim"}))
	if s.State != catalog.SubmissionQuarantined || e == nil || e.Type != catalog.TypeAPI || e.Name != "Closed API" || e.Description != "a bold claim" {
		t.Errorf("%s %s: %+v", s.State, s.Reason(), e)
	}
}

func TestFailuresAreTriedAgain(t *testing.T) {
	up := false
	w := newWorld(t, site{"data.stat.example/rain.csv": func(w http.ResponseWriter, _ *http.Request) {
		if !up {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		text("text/csv", "a,b\n1,2\n")(w, nil)
	}})
	id := w.propose(t, catalog.Submission{URL: "http://data.stat.example/rain.csv", Name: "Rain"})
	if s, _ := w.run(t, id); s.State != catalog.SubmissionChecking {
		t.Fatalf("after the first attempt: %s %s", s.State, s.Reason())
	}
	up = true
	w.now = w.now.Add(time.Hour)
	if s, e := w.run(t, id); s.State != catalog.SubmissionQuarantined || e.Dataset == nil || len(e.Dataset.Distributions) != 1 {
		t.Errorf("after the second one: %s %s", s.State, s.Reason())
	}
	up = false
	id = w.propose(t, catalog.Submission{URL: "http://data.stat.example/rain.csv?2", Name: "Rain"})
	for range 4 {
		w.run(t, id)
		w.now = w.now.Add(time.Hour)
	}
	if s, _ := w.run(t, id); s.State != catalog.SubmissionRejected || s.Reason() != "the address does not answer: status 502" {
		t.Errorf("after the last one: %s %s", s.State, s.Reason())
	}
}

func TestNothingIsLostWhenAWorkerDies(t *testing.T) {
	dying, die := context.WithCancel(t.Context())
	w := newWorld(t, site{"data.stat.example/rain": func(rw http.ResponseWriter, r *http.Request) {
		die()
		text("text/html", datasetPage)(rw, r)
	}})
	id := w.propose(t, catalog.Submission{URL: "http://data.stat.example/rain"})
	// The store is out of reach when the worker dies: nothing is given back.
	dead := w.another()
	dead.Store = mute{w.store, dying}
	if _, err := runner("dead", dead).Drain(dying); err == nil {
		t.Fatal("the dying worker ended its job")
	}
	if s, _ := w.run(t, id); s.State != catalog.SubmissionChecking {
		t.Fatalf("while the lease holds: %s", s.State)
	}
	w.now = w.now.Add(3 * time.Minute)
	if s, e := w.run(t, id); s.State != catalog.SubmissionQuarantined || e == nil {
		t.Fatalf("after the lease: %s %s", s.State, s.Reason())
	}
	if got := fmt.Sprint(w.events(t)); got != "[entry.updated]" {
		t.Errorf("events %s", got)
	}
}

// mute is a store that refuses to write once its context has ended.
type mute struct {
	catalog.Store
	until context.Context
}

// Update implements catalog.Store.
func (m mute) Update(ctx context.Context, fn func(catalog.Tx) error) error {
	if m.until.Err() != nil {
		return errors.New("the process is dead")
	}
	return m.Store.Update(ctx, fn)
}

// sweepsOf carries out the sweeps that are due, and counts them.
func sweepsOf(t *testing.T, c *submission.Checker) int {
	t.Helper()
	r := runner("sweeper", c)
	r.Tasks = r.Tasks[1:]
	n, err := r.Drain(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSweep(t *testing.T) {
	w := newWorld(t, site{"data.stat.example/rain": text("text/html", datasetPage)})
	id := w.propose(t, catalog.Submission{URL: "http://data.stat.example/rain"})
	w.update(t, func(ctx context.Context, tx catalog.Tx) error { // its job is lost
		jobs, err := tx.Jobs().List(ctx, catalog.JobFilter{})
		return errors.Join(err, tx.Jobs().Cancel(ctx, jobs[0].ID, w.now))
	})
	w.now = w.now.Add(2 * time.Hour)
	second := w.another()
	for _, c := range []*submission.Checker{w.checker, second} {
		if err := c.Schedule(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	swept := 0
	for _, c := range []*submission.Checker{w.checker, second} {
		swept += sweepsOf(t, c)
	}
	if s, _ := w.run(t, id); swept != 1 || s.State != catalog.SubmissionQuarantined {
		t.Errorf("swept %d times, then %s", swept, s.State)
	}
}

// A candidate may leave the queue by another way than a decision on its
// submission.
func TestSweepFollowsTheCandidate(t *testing.T) {
	w := newWorld(t, site{"data.stat.example/rain": text("text/html", datasetPage)})
	id := w.propose(t, catalog.Submission{URL: "http://data.stat.example/rain"})
	_, e := w.run(t, id)
	sweep := func() {
		t.Helper()
		w.now = w.now.Add(time.Hour)
		if err := w.checker.Schedule(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := sweepsOf(t, w.checker); n != 1 {
			t.Fatalf("%d sweeps", n)
		}
	}
	sweep()
	if s, _ := w.run(t, id); s.State != catalog.SubmissionQuarantined {
		t.Fatalf("while it waits: %s", s.State)
	}
	w.update(t, func(ctx context.Context, tx catalog.Tx) error {
		kind, err := e.Transition(catalog.Change{To: catalog.StatusActive, At: w.now})
		e.PublishedAt = w.now
		return errors.Join(err, tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: kind, OccurredAt: w.now}}}))
	})
	sweep()
	if s, _ := w.run(t, id); s.State != catalog.SubmissionApproved {
		t.Errorf("after a harvest proved it: %s", s.State)
	}
	if kinds := w.events(t); kinds[len(kinds)-1] != catalog.EventSubmissionApproved {
		t.Errorf("events %v", kinds)
	}
}
