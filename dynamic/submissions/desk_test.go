package submissions_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/submissions"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var discard = slog.New(slog.DiscardHandler)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func openStore(tb testing.TB) catalog.Store {
	tb.Helper()
	st, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "a.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { st.Close() })
	return st
}

// serve puts the handlers behind the front of the service, without its limits.
func serve(st catalog.Store) http.Handler {
	site := func() (snapshot.Site, string) { return snapshot.Site{BaseURL: "https://register.example/sub"}, "" }
	front := &web.Front{Now: func() time.Time { return now }, Site: site, Timeout: 30 * time.Second, BodyMax: 64 << 10, Log: discard}
	d := submissions.New(st, func() time.Time { return now }, site)
	mux := http.NewServeMux()
	mux.Handle("/api/v1/submissions", front.Adapt(web.Methods(map[string]web.Handler{"POST": d.Create(), "GET": d.List()})))
	mux.Handle("/api/v1/submissions/{id}", front.Adapt(web.Methods(map[string]web.Handler{"GET": d.Status()})))
	mux.Handle("/api/v1/submissions/status/{token}", front.Adapt(web.Methods(map[string]web.Handler{"GET": d.Own()})))
	mux.Handle("/api/v1/entries/{idOrSlug}/reports", front.Adapt(web.Methods(map[string]web.Handler{"POST": d.Report(), "GET": d.Reports()})))
	mux.Handle("/api/v1/reports", front.Adapt(web.Methods(map[string]web.Handler{"GET": d.Published()})))
	mux.Handle("/api/v1/reports/feed", front.Adapt(web.Methods(map[string]web.Handler{"GET": d.Feed()})))
	return front.Wrap(mux)
}

func ask(h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "client" {
			r.RemoteAddr = header[i+1] + ":1"
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func decode[T any](tb testing.TB, w *httptest.ResponseRecorder) (v T) {
	tb.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		tb.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return v
}

func view(tb testing.TB, st catalog.Store, fn func(context.Context, catalog.Tx) error) {
	tb.Helper()
	if err := st.View(tb.Context(), func(tx catalog.Tx) error { return fn(tb.Context(), tx) }); err != nil {
		tb.Fatal(err)
	}
}

func putEntry(tb testing.TB, st catalog.Store, url string, status catalog.Status) *catalog.Entry {
	tb.Helper()
	e := &catalog.Entry{ID: catalog.NewID("entry", url+string(status)), Slug: "rain-" + strings.ToLower(string(status[:1])) + catalog.NewID("s", url)[:6], Type: catalog.TypeDataset,
		Name: "Rain", PrimarySourceURL: url, IdentityKey: "x", MatchKey: catalog.MatchKey(catalog.TypeDataset, url, "rain"),
		FreeAccessClass: catalog.AccessUnknown, AuthType: catalog.AuthUnknown, Status: status, CreatedAt: now, UpdatedAt: now}
	if status != catalog.StatusPending {
		e.PublishedAt = now
	}
	err := st.Update(tb.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(tb.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now}}})
	})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func TestCreateStoresSubmissionEventAndJob(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	w := ask(h, "POST", "/api/v1/submissions", `{"url":"https://data.example/rain","name":" Rain ","country_code":"gr","contact_email":"me@example.org","notes":"secret"}`)
	if w.Code != http.StatusCreated {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	got := decode[wire.SubmissionReceipt](t, w)
	if got.Status != catalog.SubmissionReceived || !strings.HasPrefix(got.StatusURL, "https://register.example/sub/api/v1/submissions/status/"+got.ID+".") || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("got %+v, header %v", got, w.Header())
	}
	view(t, st, func(ctx context.Context, tx catalog.Tx) error {
		s, err := tx.Submissions().Get(ctx, got.ID)
		if err != nil {
			return err
		}
		if s.Name != "Rain" || s.CountryCode != "GR" || s.ContactEmail != "me@example.org" || s.Address != "data.example/rain" || len(s.Steps) != 1 {
			t.Errorf("stored %+v", s)
		}
		events, err := tx.Events().After(ctx, 0, 10)
		if err != nil {
			return err
		}
		if len(events) != 1 || events[0].Type != catalog.EventSubmissionReceived || string(events[0].Data) != `{"submission":"`+got.ID+`"}` {
			t.Errorf("events %+v", events)
		}
		jobs, err := tx.Jobs().List(ctx, catalog.JobFilter{Kind: catalog.JobCheckSubmission})
		if len(jobs) != 1 || jobs[0].State != catalog.JobQueued || !strings.Contains(string(jobs[0].Payload), got.ID) {
			t.Errorf("jobs %+v", jobs)
		}
		return err
	})
	own := ask(h, "GET", strings.TrimPrefix(got.StatusURL, "https://register.example/sub"), "")
	if strings.Contains(own.Body.String(), "me@example.org") || strings.Contains(own.Body.String(), "secret") || own.Header().Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("%d %s", own.Code, own.Body)
	}
	if s := decode[wire.SubmissionStatus](t, own); own.Code != 200 || *s.URL != "https://data.example/rain" || *s.Name != "Rain" || len(s.Steps) != 1 || s.Entry != nil {
		t.Errorf("the submitter's status %+v", s)
	}
	view(t, st, func(ctx context.Context, tx catalog.Tx) error {
		s, err := tx.Submissions().Get(ctx, got.ID)
		if err == nil && strings.Contains(got.StatusURL, s.StatusHash) {
			t.Error("the store holds the token")
		}
		return err
	})
}

// TestWhatIsProposedIsTheSubmittersUntilApproved: nobody else learns name,
// address or words of a reason, in whatever state, and with whatever token.
func TestWhatIsProposedIsTheSubmittersUntilApproved(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	got := decode[wire.SubmissionReceipt](t, ask(h, "POST", "/api/v1/submissions", `{"url":"https://data.example/buy-pills","name":"BUY PILLS","type":"API","notes":"hidden"}`))
	e := putEntry(t, st, "https://data.example/other", catalog.StatusActive)
	soon := putEntry(t, st, "https://data.example/soon", catalog.StatusPending)
	token := got.StatusURL[strings.LastIndex(got.StatusURL, "/")+1:]
	for _, step := range []struct {
		state  catalog.SubmissionState
		entry  string
		public bool
	}{
		{catalog.SubmissionReceived, "", false}, {catalog.SubmissionChecking, "", false}, {catalog.SubmissionQuarantined, soon.ID, false}, {catalog.SubmissionRejected, soon.ID, false},
		{catalog.SubmissionDuplicate, e.ID, false}, {catalog.SubmissionApproved, soon.ID, false}, {catalog.SubmissionApproved, e.ID, true},
	} {
		err := st.Update(t.Context(), func(tx catalog.Tx) error {
			s, err := tx.Submissions().Get(t.Context(), got.ID)
			if err != nil {
				return err
			}
			s.State, s.EntryID = step.state, step.entry
			s.Steps = []catalog.SubmissionStep{{State: step.state, Class: catalog.ReasonProofs, Reason: "PILLS are no dataset", At: now}}
			return tx.Submissions().Put(t.Context(), *s)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/api/v1/submissions/" + got.ID, "/api/v1/submissions", "/api/v1/submissions?status=" + string(step.state)} {
			w := ask(h, "GET", path, "")
			body := strings.ToLower(w.Body.String())
			if shown := strings.Contains(body, "pills"); w.Code != 200 || shown != step.public || strings.Contains(body, "hidden") || !strings.Contains(body, `"reason_class":"proofs"`) || !strings.Contains(body, got.ID) {
				t.Errorf("%s, %s: %d %s", step.state, path, w.Code, body)
			}
		}
		if w := ask(h, "GET", "/api/v1/submissions/status/"+token, ""); w.Code != 200 || !strings.Contains(w.Body.String(), "PILLS are no dataset") {
			t.Errorf("%s: the submitter gets %d %s", step.state, w.Code, w.Body)
		}
	}
	for _, bad := range []string{got.ID, got.ID + ".", got.ID + ".AAAA", token + "A", token[:len(token)-1], e.ID + strings.TrimPrefix(token, got.ID)} {
		if w := ask(h, "GET", "/api/v1/submissions/status/"+bad, ""); w.Code != 404 {
			t.Errorf("token %q: %d %s", bad, w.Code, w.Body)
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	h := serve(openStore(t))
	for name, c := range map[string]struct {
		body, location string
		status         int
	}{
		"no address":      {`{}`, "body.url", 422},
		"another scheme":  {`{"url":"javascript:alert(1)"}`, "body.url", 422},
		"a file":          {`{"url":"file:///etc/passwd"}`, "body.url", 422},
		"credentials":     {`{"url":"https://user:pw@data.example/"}`, "body.url", 422},
		"no host":         {`{"url":"https:///x"}`, "body.url", 422},
		"control":         {`{"url":"https://data.example/","name":"a\u0000b"}`, "body.name", 422},
		"override":        {`{"url":"https://data.example/","name":"\u202etxt.exe"}`, "body.name", 422},
		"isolate":         {`{"url":"https://data.example/","notes":"\u2067txt.exe"}`, "body.notes", 422},
		"two lines":       {`{"url":"https://data.example/","name":"a\nb"}`, "body.name", 422},
		"long name":       {`{"url":"https://data.example/","name":"` + strings.Repeat("a", 301) + `"}`, "body.name", 422},
		"unknown type":    {`{"url":"https://data.example/","type":"CAT"}`, "body.type", 422},
		"country":         {`{"url":"https://data.example/","country_code":"GRC"}`, "body.country_code", 422},
		"mail injection":  {`{"url":"https://data.example/","contact_email":"a@b.example\r\nBcc: c@d.example"}`, "body.contact_email", 422},
		"docs":            {`{"url":"https://data.example/","docs_url":"data:text/html,x"}`, "body.docs_url", 422},
		"unknown member":  {`{"url":"https://data.example/","state":"APPROVED"}`, "body.state", 422},
		"wrong type":      {`{"url":7}`, "body.url", 422},
		"no JSON":         {`url=x`, "", 400},
		"two values":      {`{"url":"https://data.example/"}{}`, "", 400},
		"an empty body":   {` `, "", 400},
		"far too large":   {`{"url":"https://data.example/","notes":"` + strings.Repeat("a", 70<<10) + `"}`, "", 413},
		"deeply nested":   {strings.Repeat("[", 20000), "", 400},
		"private entries": {`{"url":"https://data.example/","entry_id":"x"}`, "body.entry_id", 422},
	} {
		t.Run(name, func(t *testing.T) {
			w := ask(h, "POST", "/api/v1/submissions", c.body)
			p := decode[wire.Problem](t, w)
			if w.Code != c.status || c.location != "" && (len(p.Errors) != 1 || p.Errors[0].Location != c.location) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	if w := ask(h, "POST", "/api/v1/submissions", `{"url":"https://data.example/"}`, "Content-Type", "text/plain"); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("text/plain: %d", w.Code)
	}
}

func TestKnownAddresses(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	public := putEntry(t, st, "https://data.example/rain", catalog.StatusActive)
	putEntry(t, st, "https://data.example/snow", catalog.StatusPending)
	putEntry(t, st, "https://data.example/hail", catalog.StatusRemoved)
	w := ask(h, "POST", "/api/v1/submissions", `{"url":"HTTP://www.DATA.example/rain/#top"}`)
	if p := decode[wire.Problem](t, w); w.Code != http.StatusConflict || p.Entry == nil || p.Entry.ID != public.ID || p.Entry.Href != "/sub/api/v1/entries/"+public.Slug {
		t.Errorf("known: %d %s", w.Code, w.Body)
	}
	w = ask(h, "POST", "/api/v1/submissions", `{"url":"https://data.example/snow"}`)
	if p := decode[wire.Problem](t, w); w.Code != http.StatusConflict || p.Entry != nil {
		t.Errorf("what waits for a moderator must not be named: %d %s", w.Code, w.Body)
	}
	waiting := w.Body.String()
	for _, body := range []string{`{"url":"https://data.example/hail"}`, `{"url":"https://data.example/rain","type":"DATASET","name":"Rain of the islands"}`} {
		if w = ask(h, "POST", "/api/v1/submissions", body); w.Code != http.StatusCreated {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	// Whoever asks must not learn that somebody else proposed it: not which submission it is, nor whether it was one.
	twice := ask(h, "POST", "/api/v1/submissions", `{"url":"https://data.example/hail/"}`)
	if twice.Code != http.StatusConflict || twice.Body.String() != waiting {
		t.Errorf("proposed twice: %d %s, one that was harvested %s", twice.Code, twice.Body, waiting)
	}
}

func TestIdempotencyKey(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	post := func(key, body string) *httptest.ResponseRecorder {
		return ask(h, "POST", "/api/v1/submissions", body, "Idempotency-Key", key)
	}
	first := post("k 1", `{"url":"https://a.example/x"}`)
	again := post("k 1", "{ \"url\": \"https://a.example/x\" }")
	if first.Code != 201 || again.Code != 201 || first.Body.String() != again.Body.String() {
		t.Fatalf("%d %s, again %d %s", first.Code, first.Body, again.Code, again.Body)
	}
	if w := post("k 1", `{"url":"https://b.example/x"}`); w.Code != 422 {
		t.Errorf("key with another body: %d %s", w.Code, w.Body)
	}
	if w := post("k 2", `{"url":"https://a.example/x"}`); w.Code != 409 {
		t.Errorf("another key, same source: %d %s", w.Code, w.Body)
	}
	for _, key := range []string{"", strings.Repeat("k", 256), "k\u00e9"} {
		if w := post(key, `{"url":"https://c.example/x"}`); w.Code != 422 {
			t.Errorf("key %q: %d", key, w.Code)
		}
	}
	view(t, st, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Submissions().Count(ctx)
		if n[catalog.SubmissionReceived] != 1 {
			t.Errorf("%v submissions, want 1", n)
		}
		return err
	})
}

func TestWaitingSubmissionsOfAHostAreBounded(t *testing.T) {
	h := serve(openStore(t))
	for i := range 51 {
		w := ask(h, "POST", "/api/v1/submissions", `{"url":"https://busy.example/`+strings.Repeat("x", i+1)+`"}`)
		if want := map[bool]int{true: 201, false: 429}[i < 50]; w.Code != want || w.Code == 429 && w.Header().Get("Retry-After") == "" {
			t.Fatalf("submission %d: %d %s", i, w.Code, w.Body)
		}
	}
	if w := ask(h, "POST", "/api/v1/submissions", `{"url":"https://other.example/"}`); w.Code != 201 {
		t.Errorf("another host: %d", w.Code)
	}
}

func TestListPages(t *testing.T) {
	h := serve(openStore(t))
	want := map[string]bool{}
	for i := range 7 {
		w := ask(h, "POST", "/api/v1/submissions", `{"url":"https://h`+string(rune('a'+i))+`.example/"}`)
		want[decode[wire.SubmissionReceipt](t, w).ID] = true
	}
	path := "/api/v1/submissions?limit=3&status=RECEIVED"
	for pages := 0; path != ""; pages++ {
		page := decode[wire.SubmissionsPage](t, ask(h, "GET", strings.TrimPrefix(path, "/sub"), ""))
		for _, item := range page.Items {
			if !want[item.ID] {
				t.Errorf("%s comes twice or is unknown", item.ID)
			}
			delete(want, item.ID)
		}
		if path = ""; page.Next != nil {
			path = *page.Next
		}
		if pages > 3 {
			t.Fatal("too many pages")
		}
	}
	if len(want) > 0 {
		t.Errorf("%d submissions are on no page", len(want))
	}
	for path, status := range map[string]int{"?limit=0": 422, "?limit=101": 422, "?status=OPEN": 422, "?cursor=%2B": 400, "?cursor=AAAA": 400, "?x=1": 422, "/nobody": 404} {
		if w := ask(h, "GET", "/api/v1/submissions"+path, ""); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
}

func TestReport(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	e := putEntry(t, st, "https://data.example/rain", catalog.StatusActive)
	pending := putEntry(t, st, "https://data.example/snow", catalog.StatusPending)
	gone := putEntry(t, st, "https://data.example/hail", catalog.StatusRemoved)
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{e.Slug, `{"field":"name","message":"It is <script>alert(1)</script> wrong"}`, 201},
		{e.ID, `{"message":"gone","contact_email":"a@b.example"}`, 201},
		{e.ID, `{"message":"x","category":"rude"}`, 422}, {e.ID, `{"message":"x","evidence":"` + strings.Repeat("x", catalog.ReportEvidenceMax+1) + `"}`, 422},
		{e.ID, `{"message":"  "}`, 422}, {e.ID, `{}`, 422}, {e.ID, `{"message":"x","contact_email":"a@b"}`, 422},
		{"nobody", `{"message":"x"}`, 404}, {pending.ID, `{"message":"x"}`, 404}, {gone.ID, `{"message":"x"}`, 410},
	} {
		if w := ask(h, "POST", "/api/v1/entries/"+c.name+"/reports", c.body); w.Code != c.status {
			t.Errorf("%s %s: %d %s", c.name, c.body, w.Code, w.Body)
		}
	}
	first := ask(h, "POST", "/api/v1/entries/"+e.ID+"/reports", `{"message":"y"}`, "Idempotency-Key", "k")
	again := ask(h, "POST", "/api/v1/entries/"+e.ID+"/reports", `{"message":"y"}`, "Idempotency-Key", "k")
	if first.Code != 201 || first.Body.String() != again.Body.String() {
		t.Errorf("%d %s, again %d %s", first.Code, first.Body, again.Code, again.Body)
	}
	view(t, st, func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Reports().Open(ctx, "", 10)
		if len(list) != 3 || list[0].EntryID != e.ID {
			t.Errorf("open reports %+v", list)
		}
		return err
	})
}

// A report is nobody's to read until it was accepted or answered; then it says nothing personal.
func TestReadersSeeWhatWasAccepted(t *testing.T) {
	st := openStore(t)
	h := serve(st)
	e := putEntry(t, st, "https://data.example/rain", catalog.StatusActive)
	path := "/api/v1/entries/" + e.Slug + "/reports"
	for _, body := range []string{
		`{"category":"broken","message":"Write to ann@mail.example or +32 2 123 45 67.","evidence":"https://data.example/rain gives 500","contact_email":"ann@mail.example"}`,
		`{"category":"personal_data","message":"Row 7 names Ann Example"}`, `{"message":"spam"}`,
	} {
		if w := ask(h, "POST", path, body); w.Code != 201 {
			t.Fatalf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	read := func(path string) (string, int) {
		w := ask(h, "GET", path, "")
		var page struct{ Items []wire.PublicReport }
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return w.Body.String(), len(page.Items)
	}
	for _, at := range []string{path, "/api/v1/reports"} {
		if text, n := read(at); n != 0 {
			t.Errorf("%s shows what nobody accepted: %s", at, text)
		}
	}
	err := st.Update(t.Context(), func(tx catalog.Tx) error {
		ctx := t.Context()
		list, err := tx.Reports().Of(ctx, e.ID)
		for i := range list {
			if list[i].Message != "spam" {
				err = errors.Join(err, list[i].Accept("it is so", now), list[i].Answer("", "We told the office.", now), tx.Reports().Put(ctx, list[i]))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{path, "/api/v1/reports", "/api/v1/reports?limit=1"} {
		text, n := read(at)
		if want := 2 - strings.Count(at, "limit"); n != want {
			t.Errorf("%s: %d reports", at, n)
		}
		for _, secret := range []string{"ann@", "123 45", "Ann Example", "spam"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %q: %s", at, secret, text)
			}
		}
		if !strings.Contains(text, "We told the office.") {
			t.Errorf("%s has no answer: %s", at, text)
		}
	}
	if text, n := read("/api/v1/reports?category=broken&status=ACCEPTED"); n != 1 || !strings.Contains(text, "gives 500") {
		t.Errorf("filtered: %s", text)
	}
}
