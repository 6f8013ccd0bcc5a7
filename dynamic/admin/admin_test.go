package admin_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/dynamic/admin"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// bench is a store and the handlers of administration, asked by one caller.
type bench struct {
	// spent are the further items that requests counted.
	spent int
	t     *testing.T
	store catalog.Store
	h     http.Handler
	at    time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return benchOn(t, st)
}

func benchOn(t *testing.T, st catalog.Store) *bench {
	t.Helper()
	o := &bench{t: t, store: st, at: now}
	site := func() (snapshot.Site, string) {
		return snapshot.Site{BaseURL: "https://register.example"}, "20261121-000000000000"
	}
	var mu sync.Mutex
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		o.at = o.at.Add(time.Second)
		return o.at
	}
	a := admin.New(admin.Config{Store: st, Now: clock, Site: site, PublishWindow: 0, Kinds: []string{"ckan", "openapi"}, Unite: harvest.Unite,
		Spend: func(_ context.Context, items int) error { o.spent += items; return nil }})
	front := &web.Front{Now: clock, Site: site, Timeout: 30 * time.Second, BodyMax: 64 << 10, Log: slog.New(slog.DiscardHandler)}
	mux := http.NewServeMux()
	for path, methods := range map[string]map[string]web.Handler{
		"/queue": {"GET": a.Queue()}, "/submissions": {"GET": a.Submissions()}, "/submissions/{id}/approve": {"POST": a.Approve()},
		"/submissions/{id}/reject": {"POST": a.Reject()}, "/submissions/{id}/reopen": {"POST": a.Reopen()}, "/submissions/bulk": {"POST": a.Bulk()}, "/decisions": {"GET": a.Decisions()},
		"/reasons": {"GET": a.Reasons(), "POST": a.SaveReason()}, "/reasons/{id}": {"DELETE": a.ForgetReason()},
		"/trust-rules": {"GET": a.TrustRules(), "POST": a.AddTrustRule()}, "/trust-rules/{id}/end": {"POST": a.EndTrustRule()}, "/reports/{id}/decide": {"POST": a.DecideReport()},
		"/entries/{id}": {"GET": a.Entry(), "PATCH": a.Edit()}, "/entries/{id}/deprecate": {"POST": a.Deprecate()},
		"/entries/{id}/reactivate": {"POST": a.Reactivate()}, "/entries/{id}/remove": {"POST": a.Remove()}, "/entries/{id}/merge": {"POST": a.Merge()},
		"/duplicates": {"GET": a.Duplicates()}, "/entries/{id}/duplicate": {"POST": a.DecideDuplicate()}, "/entries/{id}/unmerge": {"POST": a.Unmerge()},
		"/entries/{id}/target": {"PUT": a.Target()}, "/institutions": {"GET": a.Institutions()}, "/institutions/{key}": {"PUT": a.PutInstitution(), "PATCH": a.AmendInstitution()},
		"/sources": {"GET": a.Sources()}, "/sources/{key}": {"PUT": a.PutSource()}, "/sources/{key}/publishers": {"GET": a.Publishers()}, "/tokens": {"GET": a.Tokens()}, "/tokens/{id}": {"DELETE": a.RevokeToken()},
		"/audit": {"GET": a.Audit()}, "/jobs": {"GET": a.Jobs()}, "/jobs/{id}": {"GET": a.Job(), "DELETE": a.CancelJob()},
		"/trigger/discovery": {"POST": a.Discovery()}, "/trigger/verification": {"POST": a.Verification()}, "/stats": {"GET": a.Stats()},
	} {
		mux.Handle(path, front.Adapt(web.Methods(methods)))
	}
	wrapped := front.Wrap(mux)
	o.h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrapped.ServeHTTP(w, r.WithContext(web.WithCaller(r.Context(), web.Caller{Token: "t1", Name: "Ada", Role: catalog.RoleAdmin})))
	})
	return o
}

func (o *bench) ask(method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	o.h.ServeHTTP(w, r)
	return w
}

// want asks and checks the status.
func (o *bench) want(status int, method, path, body string) *httptest.ResponseRecorder {
	o.t.Helper()
	w := o.ask(method, path, body)
	if w.Code != status {
		o.t.Errorf("%s %s %s: %d, want %d: %s", method, path, body, w.Code, status, w.Body)
	}
	return w
}

func decode[T any](o *bench, w *httptest.ResponseRecorder) (v T) {
	o.t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		o.t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return v
}

func (o *bench) update(fn func(context.Context, catalog.Tx) error) {
	o.t.Helper()
	if err := o.store.Update(o.t.Context(), func(tx catalog.Tx) error { return fn(o.t.Context(), tx) }); err != nil {
		o.t.Fatal(err)
	}
}

func (o *bench) entry(slug string, status catalog.Status) *catalog.Entry {
	o.t.Helper()
	url := "https://data.example/" + slug
	e := &catalog.Entry{ID: catalog.NewID("entry", slug), Slug: slug, Type: catalog.TypeDataset, Name: "Name of " + slug, PrimarySourceURL: url,
		IdentityKey: "k" + slug, MatchKey: catalog.MatchKey(catalog.TypeDataset, url, slug), FreeAccessClass: catalog.AccessUnknown,
		AuthType: catalog.AuthUnknown, Status: status, CreatedAt: now, UpdatedAt: now}
	if status != catalog.StatusPending {
		e.PublishedAt = now
	}
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		p := &catalog.Provenance{EntryID: e.ID, Rows: []catalog.FieldRow{{Field: "admission", Basis: catalog.BasisComputed, Transform: "quarantine"}}}
		return tx.Entries().Put(ctx, catalog.Write{Entry: e, Provenance: p, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: now}}})
	})
	return e
}

func (o *bench) get(id string) catalog.Entry {
	o.t.Helper()
	var e catalog.Entry
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Entries().Get(ctx, id)
		if len(list) == 1 {
			e = list[0]
		}
		return err
	})
	return e
}

func (o *bench) submission(url string, state catalog.SubmissionState, entry string) catalog.Submission {
	o.t.Helper()
	s := catalog.Submission{ID: catalog.NewID("submission", url), URL: url, Address: catalog.NormalURL(url), State: state, EntryID: entry,
		ContactEmail: "me@example.org", Steps: []catalog.SubmissionStep{{State: state, At: now}}, CreatedAt: now, UpdatedAt: now}
	o.update(func(ctx context.Context, tx catalog.Tx) error { return tx.Submissions().Put(ctx, s) })
	return s
}

// last gives the last event and the last audit row.
func (o *bench) last() (e catalog.Event, row catalog.AuditRow) {
	o.t.Helper()
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Events().Last(ctx)
		if err != nil {
			return err
		}
		events, err := tx.Events().After(ctx, n-1, 1)
		if err != nil {
			return err
		}
		rows, err := tx.Audits().Before(ctx, 0, "", 1)
		if len(events) == 1 {
			e = events[0]
		}
		if len(rows) == 1 {
			row = rows[0]
		}
		return err
	})
	return e, row
}

// told tells whether there is an event of a kind about an entry.
func (o *bench) told(kind catalog.EventKind, id string) bool {
	o.t.Helper()
	var found bool
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		events, err := tx.Events().After(ctx, 0, 1000)
		found = slices.ContainsFunc(events, func(e catalog.Event) bool { return e.Type == kind && e.EntryID == id })
		return err
	})
	return found
}

func TestApprove(t *testing.T) {
	o := newBench(t)
	e := o.entry("rain", catalog.StatusPending)
	s := o.submission("https://data.example/rain", catalog.SubmissionQuarantined, e.ID)
	o.want(422, "POST", "/submissions/"+s.ID+"/approve", `{}`)
	o.want(422, "POST", "/submissions/"+s.ID+"/approve", `{"reason":"ok","edits":{"status":"ACTIVE"}}`)
	o.want(422, "POST", "/submissions/"+s.ID+"/approve", `{"reason":"ok","edits":{"country_code":"gr"}}`)
	o.want(404, "POST", "/submissions/nobody/approve", `{"reason":"ok"}`)
	w := o.want(200, "POST", "/submissions/"+s.ID+"/approve", `{"reason":"the office confirmed it","edits":{"name":"Rain by district","tags":["b","a","a"]}}`)
	if got := decode[wire.EntryChange](o, w); got.Status != catalog.StatusActive || got.PublishedAt == nil || got.Href != "/api/v1/entries/rain" {
		t.Errorf("answer %+v", got)
	}
	got := o.get(e.ID)
	if got.Status != catalog.StatusActive || got.Admission == nil || got.Admission.Rule != catalog.AdmittedByModerator || got.Admission.Reason != "the office confirmed it" || got.PublishedAt.IsZero() {
		t.Errorf("entry %+v", got)
	}
	event, row := o.last()
	if event.Type != catalog.EventSubmissionApproved || row.Action != "approveSubmission" || row.By != "t1" || row.Subject != e.ID || row.Reason != "the office confirmed it" {
		t.Errorf("event %+v, audit %+v", event, row)
	}
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		p, err := tx.Provenances().Get(ctx, e.ID)
		if err != nil || len(p.Rows) != 1 || p.Rows[0].Basis != catalog.BasisCurator {
			t.Errorf("provenance %+v, %v", p, err)
		}
		var laid []catalog.Override
		err = tx.Overrides().Scan(ctx, catalog.Range{}, func(o *catalog.Override) error { laid = append(laid, *o); return nil })
		tags := slices.IndexFunc(laid, func(o catalog.Override) bool { return o.Field == "tags" && string(o.Value) == `["a","b"]` })
		if len(laid) != 2 || tags < 0 {
			t.Errorf("overrides %+v", laid)
		}
		return err
	})
	o.want(409, "POST", "/submissions/"+s.ID+"/approve", `{"reason":"again"}`)
	// A candidate that a harvest found has no submission.
	found := o.entry("snow", catalog.StatusPending)
	o.want(200, "POST", "/submissions/"+found.ID+"/approve", `{"reason":"public body"}`)
	if event, _ := o.last(); event.Type != catalog.EventCandidateDecided || !o.told(catalog.EventCreated, found.ID) {
		t.Errorf("event %+v", event)
	}
}

func TestReject(t *testing.T) {
	o := newBench(t)
	e := o.entry("rain", catalog.StatusPending)
	s := o.submission("https://data.example/rain", catalog.SubmissionQuarantined, e.ID)
	got := decode[wire.RejectionReceipt](o, o.want(200, "POST", "/submissions/"+s.ID+"/reject", `{"reason":"an advertisement"}`))
	if got.Entry == nil || *got.Entry != e.ID || o.get(e.ID).Status != catalog.StatusRemoved {
		t.Errorf("answer %+v", got)
	}
	if event, row := o.last(); event.Type != catalog.EventSubmissionRejected || row.Reason != "an advertisement" {
		t.Errorf("event %+v, audit %+v", event, row)
	}
	o.want(409, "POST", "/submissions/"+s.ID+"/reject", `{"reason":"again"}`)
	o.want(409, "POST", "/submissions/"+e.ID+"/reject", `{"reason":"again"}`)
	waiting := o.submission("https://data.example/snow", catalog.SubmissionReceived, "")
	o.want(200, "POST", "/submissions/"+waiting.ID+"/reject", `{"reason":"spam"}`)
	o.want(409, "POST", "/submissions/"+waiting.ID+"/approve", `{"reason":"ok"}`)
	public := o.entry("hail", catalog.StatusActive)
	o.want(409, "POST", "/submissions/"+public.ID+"/reject", `{"reason":"spam"}`)
}

func TestQueueShowsTheEvidence(t *testing.T) {
	o := newBench(t)
	for _, slug := range []string{"a", "b", "c"} {
		o.entry(slug, catalog.StatusPending)
	}
	e := o.entry("rain", catalog.StatusPending)
	o.submission("https://data.example/rain", catalog.SubmissionQuarantined, e.ID)
	public := o.entry("snow", catalog.StatusActive)
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		return tx.Reports().Put(ctx, catalog.Report{ID: catalog.NewID("report", "1"), EntryID: public.ID, Message: "<script>alert(1)</script>", State: catalog.ReportOpen, CreatedAt: now})
	})
	seen := map[string]bool{}
	path := "/queue?kind=candidates&limit=2"
	for path != "" {
		page := decode[wire.QueuePage](o, o.want(200, "GET", path, ""))
		if page.Total.Candidates != 4 || page.Total.Reports != 1 || len(page.Reports) != 0 {
			t.Errorf("page %+v", page)
		}
		for _, c := range page.Candidates {
			if seen[c.ID] = true; c.ID == e.ID && (c.Submission == nil || *c.Submission.ContactEmail != "me@example.org") {
				t.Errorf("candidate %+v", c)
			}
		}
		if path = ""; page.NextCandidates != nil {
			path = strings.TrimPrefix(*page.NextCandidates, "/api/v1/admin")
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d candidates, want 4", len(seen))
	}
	all := decode[wire.QueuePage](o, o.want(200, "GET", "/queue", ""))
	if len(all.Candidates) != 4 || len(all.Reports) != 1 || all.Reports[0].Entry.Slug != "snow" {
		t.Errorf("queue %+v", all)
	}
	report := all.Reports[0].ID
	o.want(422, "POST", "/reports/"+report+"/decide", `{"status":"OPEN","reason":"x"}`)
	o.want(200, "POST", "/reports/"+report+"/decide", `{"status":"ACCEPTED","reason":"it is so"}`)
	o.want(409, "POST", "/reports/"+report+"/decide", `{"status":"ACCEPTED","reason":"it is so"}`)
	o.want(200, "POST", "/reports/"+report+"/decide", `{"status":"ACCEPTED","reason":"it is so","answer":"we asked the office"}`)
	o.want(200, "POST", "/reports/"+report+"/decide", `{"status":"DISMISSED","reason":"it is right","hide":true}`)
	o.want(409, "POST", "/reports/"+report+"/decide", `{"status":"RESOLVED","reason":"x"}`)
	o.want(404, "POST", "/reports/nobody/decide", `{"status":"RESOLVED","reason":"x"}`)
	o.want(400, "GET", "/queue?cursor=YQ", "")
	o.want(422, "GET", "/queue?kind=all", "")
	if list := decode[wire.AdminSubmissionsPage](o, o.want(200, "GET", "/submissions", "")); len(list.Items) != 1 || list.Items[0].ContactEmail == nil {
		t.Errorf("submissions %+v", list)
	}
}

func TestEditAndRevoke(t *testing.T) {
	o := newBench(t)
	e := o.entry("rain", catalog.StatusActive)
	before := o.get(e.ID).Revision
	o.want(200, "PATCH", "/entries/rain", `{"set":{"name":"Rain <b>","description":"by district"},"reason":"the office says so"}`)
	event, row := o.last()
	if event.Type != catalog.EventUpdated || len(event.Changes) != 2 || event.Changes[1].Field != "name" || string(event.Changes[1].To) != `"Rain <b>"` || row.Action != "editEntry" {
		t.Errorf("event %+v, audit %+v", event, row)
	}
	if got := o.get(e.ID); got.Name != "Name of rain" || got.Revision <= before {
		t.Errorf("the harvested value was overwritten: %+v", got)
	}
	o.want(200, "PATCH", "/entries/rain", `{"revoke":["name"],"set":{"docs_url":"https://docs.example/"},"reason":"mistake"}`)
	if event, _ = o.last(); len(event.Changes) != 2 || string(event.Changes[1].To) != `"Name of rain"` {
		t.Errorf("event %+v", event)
	}
	shown := decode[wire.AdminEntry](o, o.want(200, "GET", "/entries/rain", ""))
	if len(shown.Overrides) != 3 || len(shown.Audit) != 2 {
		t.Errorf("entry %+v", shown)
	}
	for _, body := range []string{`{"reason":"x"}`, `{"set":{"name":"x"}}`, `{"set":{"name":7},"reason":"x"}`, `{"set":{"id":"x"},"reason":"x"}`, `{"set":{"name":""},"reason":"x"}`,
		`{"set":{"homepage_url":"javascript:alert(1)"},"reason":"x"}`, `{"set":{"institution_id":"` + catalog.NewID("institution", "none") + `"},"reason":"x"}`, `{"set":{"license_id":"none"},"reason":"x"}`} {
		o.want(422, "PATCH", "/entries/rain", body)
	}
	o.want(409, "PATCH", "/entries/rain", `{"revoke":["name"],"reason":"x"}`)
	o.want(404, "PATCH", "/entries/nobody", `{"set":{"name":"x"},"reason":"x"}`)
}

func TestLifeCycle(t *testing.T) {
	o := newBench(t)
	e, next := o.entry("rain", catalog.StatusActive), o.entry("snow", catalog.StatusActive)
	o.want(422, "POST", "/entries/rain/deprecate", `{"reason":"old","successor":"rain"}`)
	o.want(422, "POST", "/entries/rain/deprecate", `{"reason":"old","sunset_at":"2020-01-01T00:00:00Z"}`)
	o.want(200, "POST", "/entries/rain/deprecate", `{"reason":"old","successor":"snow","sunset_at":"2027-01-31T00:00:00+01:00"}`)
	if got := o.get(e.ID); got.SuccessorID != next.ID || got.SunsetAt.Hour() != 23 {
		t.Errorf("deprecated %+v", got)
	}
	o.want(409, "POST", "/entries/rain/deprecate", `{"reason":"again"}`)
	o.want(200, "POST", "/entries/rain/reactivate", `{"reason":"it is back"}`)
	if got := o.get(e.ID); got.Status != catalog.StatusActive || got.SuccessorID != "" || !got.SunsetAt.IsZero() {
		t.Errorf("reactivated %+v", got)
	}
	o.want(409, "POST", "/entries/rain/reactivate", `{"reason":"again"}`)
	o.want(200, "PUT", "/entries/rain/target", `{"availability":99.5,"window_days":30,"active":true,"reason":"the office promises it"}`)
	o.want(422, "PUT", "/entries/rain/target", `{"availability":101,"window_days":30,"active":true,"reason":"x"}`)
	o.want(422, "PUT", "/entries/rain/target", `{"availability":99,"window_days":0,"active":true,"reason":"x"}`)
	o.want(422, "POST", "/entries/snow/merge", `{"into":"nobody","reason":"same"}`)
	o.want(409, "POST", "/entries/snow/merge", `{"into":"snow","reason":"same"}`)
	o.want(200, "POST", "/entries/snow/merge", `{"into":"rain","reason":"same"}`)
	if _, row := o.last(); !o.told(catalog.EventMerged, catalog.NewID("entry", "snow")) || row.Action != "mergeEntry" {
		t.Errorf("audit %+v", row)
	}
	o.want(409, "POST", "/entries/snow/merge", `{"into":"rain","reason":"again"}`)
	o.want(200, "POST", "/entries/rain/remove", `{"reason":"asked by the office"}`)
	o.want(409, "POST", "/entries/rain/remove", `{"reason":"again"}`)
	o.want(409, "PATCH", "/entries/rain", `{"set":{"name":"x"},"reason":"x"}`)
	o.want(409, "POST", "/entries/rain/reactivate", `{"reason":"x"}`)
}

// TestInstitutionOfAHarvest: an administrator who corrects an institution that a
// catalogue stated makes no second one, and loses nothing that was found.
func TestInstitutionOfAHarvest(t *testing.T) {
	o := newBench(t)
	stated := catalog.Institution{ID: catalog.NewID("institution", "https://id.example/1"), Key: "gr-port", Name: "Λιμεναρχείο", Type: catalog.InstAgency,
		State: catalog.InstitutionStated, Names: catalog.Texts{"el": "Λιμεναρχείο"}, Aliases: []string{"Harbour"}, Identifiers: []string{"https://id.example/1"},
		CreatedAt: now, UpdatedAt: now}
	o.update(func(ctx context.Context, tx catalog.Tx) error { return tx.Institutions().Put(ctx, stated) })
	got := decode[wire.AdminInstitution](o, o.want(200, "PUT", "/institutions/gr-port", `{"name":"Harbour office","type":"AGENCY","reason":"its own name"}`))
	if got.ID != stated.ID {
		t.Errorf("a second institution: %+v", got)
	}
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		all, err := tx.Institutions().All(ctx)
		if err == nil && (len(all) != 1 || all[0].Name != "Harbour office" || all[0].State != stated.State || len(all[0].Identifiers) != 1 || len(all[0].Aliases) != 1) {
			t.Errorf("stored %+v", all)
		}
		return err
	})
}

// TestPortalStays: a source stays a portal until somebody says otherwise.
func TestPortalStays(t *testing.T) {
	o := newBench(t)
	for _, c := range []struct {
		member string
		want   bool
	}{{"", false}, {`"portal":true,`, true}, {"", true}, {`"portal":false,`, false}, {"", false}} {
		s := decode[wire.AdminSource](o, o.want(200, "PUT", "/sources/portal",
			`{`+c.member+`"kind":"ckan","title":"Portal","url":"https://portal.example/","reason":"new"}`))
		if s.Portal != c.want {
			t.Errorf("after %q a portal: %v", c.member, s.Portal)
		}
	}
}

// TestInstitutionTies: what an institution is called, is a part of, and turned out to
// be; what a request leaves out stays, and nothing leads in a circle.
func TestInstitutionTies(t *testing.T) {
	o := newBench(t)
	put := func(status int, key, members string) wire.AdminInstitution {
		t.Helper()
		w := o.want(status, "PUT", "/institutions/"+key, `{"name":"Office of `+key+`","type":"AGENCY","reason":"x"`+members+`}`)
		if status != 200 {
			return wire.AdminInstitution{}
		}
		return decode[wire.AdminInstitution](o, w)
	}
	ministry, office := put(200, "ministry", ""), put(200, "office", `,"aliases":["Bureau","Amt"],"parent":"ministry"`)
	if len(office.Aliases) != 2 || office.ParentID == nil || *office.ParentID != ministry.ID || office.State != catalog.InstitutionKnown {
		t.Errorf("%+v", office)
	}
	if kept := put(200, "office", ""); len(kept.Aliases) != 2 || kept.ParentID == nil {
		t.Errorf("what was left out is lost: %+v", kept)
	}
	put(422, "ministry", `,"parent":"office"`)
	put(422, "office", `,"parent":"office"`)
	put(422, "office", `,"merged_into":"nobody"`)
	put(422, "office", `,"aliases":[""]`)
	if old := put(200, "old-office", `,"merged_into":"`+office.ID+`"`); old.MergedIntoID == nil || *old.MergedIntoID != office.ID {
		t.Errorf("%+v", old)
	}
	put(422, "office", `,"merged_into":"old-office"`)
	if back := put(200, "old-office", `,"merged_into":"","parent":""`); back.MergedIntoID != nil {
		t.Errorf("the merge stays: %+v", back)
	}
	if bare := put(200, "office", `,"aliases":[],"parent":""`); len(bare.Aliases) != 0 || bare.ParentID != nil {
		t.Errorf("%+v", bare)
	}
}

func TestTables(t *testing.T) {
	o := newBench(t)
	const inst = `{"name":"Statistics Office","type":"STATISTICS_OFFICE","country_code":"GR","official_domains":["stat.example"],"reason":"new"}`
	got := decode[wire.AdminInstitution](o, o.want(200, "PUT", "/institutions/gr-stat", inst))
	if !got.Managed || got.ID != catalog.NewID("institution", "gr-stat") {
		t.Errorf("institution %+v", got)
	}
	for _, body := range []string{`{"name":"","type":"AGENCY","reason":"x"}`, `{"name":"x","type":"CAT","reason":"x"}`, `{"name":"x","type":"AGENCY"}`,
		`{"name":"x","type":"AGENCY","official_domains":["https://stat.example"],"reason":"x"}`, `{"name":"x","type":"AGENCY","official_domains":["com"],"reason":"x"}`,
		`{"name":"x","type":"AGENCY","github_orgs":["a/b"],"reason":"x"}`} {
		o.want(422, "PUT", "/institutions/x", body)
	}
	o.want(404, "PUT", "/institutions/A_B", inst)
	if page := decode[wire.AdminInstitutionsPage](o, o.want(200, "GET", "/institutions", "")); len(page.Items) != 1 {
		t.Errorf("institutions %+v", page)
	}
	const src = `{"kind":"ckan","title":"Portal","url":"https://portal.example/","enabled":true,"schedule":"36h","official":"the national portal","reason":"new"}`
	o.want(200, "PUT", "/sources/portal", src)
	for _, bad := range [][2]string{{`"ckan"`, `"nope"`}, {`"https://portal.example/"`, `"file:///etc/passwd"`}, {`"36h"`, `"1s"`}, {`"Portal"`, `""`}} {
		o.want(422, "PUT", "/sources/portal", strings.Replace(src, bad[0], bad[1], 1))
	}
	o.want(422, "PUT", "/sources/portal", strings.Replace(src, `"title"`, `"file":"/etc/passwd","title"`, 1))
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		s, err := tx.Sources().Get(ctx, catalog.NewID("source", "portal"))
		if err != nil {
			return err
		}
		s.Configured = true
		return tx.Sources().Put(ctx, *s)
	})
	o.want(409, "PUT", "/sources/portal", src)
	if page := decode[wire.AdminSourcesPage](o, o.want(200, "GET", "/sources", "")); len(page.Items) != 1 || page.Items[0].Official == nil {
		t.Errorf("sources %+v", page)
	}
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		return tx.Tokens().Put(ctx, catalog.Token{ID: "t2", Name: "Bo", Role: catalog.RoleModerator, Hash: "secret-hash", CreatedAt: now})
	})
	if w := o.want(200, "GET", "/tokens", ""); strings.Contains(w.Body.String(), "secret-hash") {
		t.Errorf("tokens %s", w.Body)
	}
	o.want(200, "DELETE", "/tokens/t2", "")
	o.want(409, "DELETE", "/tokens/t2", "")
	o.want(404, "DELETE", "/tokens/t3", "")
	first := decode[wire.AuditPage](o, o.want(200, "GET", "/audit?limit=2", ""))
	if len(first.Items) != 2 || first.Next == nil || first.Items[0].Action != "revokeToken" {
		t.Fatalf("audit %+v", first)
	}
	if rest := decode[wire.AuditPage](o, o.want(200, "GET", strings.TrimPrefix(*first.Next, "/api/v1/admin"), "")); len(rest.Items) != 1 || rest.Items[0].Action != "putInstitution" {
		t.Errorf("audit %+v", rest)
	}
}

func TestTriggersAndJobs(t *testing.T) {
	o := newBench(t)
	e := o.entry("rain", catalog.StatusActive)
	o.want(422, "POST", "/trigger/discovery", `{"sources":["nobody"]}`)
	got := decode[wire.JobReceipt](o, o.want(202, "POST", "/trigger/discovery", `{}`))
	o.want(409, "POST", "/trigger/discovery", `{}`)
	o.want(202, "POST", "/trigger/verification", `{"entries":["rain","`+e.ID+`"]}`)
	o.want(202, "POST", "/trigger/verification", `{"all":true}`)
	o.want(422, "POST", "/trigger/verification", `{"all":true,"entries":["rain"]}`)
	o.want(422, "POST", "/trigger/verification", `{"entries":["nobody"]}`)
	job := decode[wire.JobItem](o, o.want(200, "GET", "/jobs/"+got.Job, ""))
	if job.Kind != catalog.JobDiscovery || job.State != catalog.JobQueued || got.StatusURL != "https://register.example/api/v1/admin/jobs/"+job.ID {
		t.Errorf("job %+v, receipt %+v", job, got)
	}
	list := decode[wire.JobsPage](o, o.want(200, "GET", "/jobs?kind=verify&limit=1", ""))
	if len(list.Items) != 1 || list.Next == nil {
		t.Errorf("jobs %+v", list)
	}
	o.want(200, "DELETE", "/jobs/"+got.Job, "")
	o.want(409, "DELETE", "/jobs/"+got.Job, "")
	o.want(404, "DELETE", "/jobs/nobody", "")
	o.want(404, "GET", "/jobs/nobody", "")
	o.want(202, "POST", "/trigger/discovery", `{}`)
	stats := decode[wire.AdminStats](o, o.want(200, "GET", "/stats", ""))
	if stats.Entries[1].Count+stats.Entries[0].Count != 1 || stats.Jobs[0].Count != 3 {
		t.Errorf("stats %+v", stats)
	}
}

// A change whose audit row cannot be written does not happen.
func TestNoChangeWithoutItsAuditRow(t *testing.T) {
	o := newBench(t)
	e := o.entry("rain", catalog.StatusPending)
	events, _ := o.last()
	err := o.store.Update(t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Entries().Get(t.Context(), e.ID)
		if err != nil {
			return err
		}
		kind, err := list[0].Transition(catalog.Change{To: catalog.StatusActive, At: now})
		if err != nil {
			return err
		}
		if err := tx.Entries().Put(t.Context(), catalog.Write{Entry: &list[0], Events: []catalog.Event{{Type: kind, OccurredAt: now}}}); err != nil {
			return err
		}
		return tx.Audits().Append(t.Context(), catalog.AuditRow{At: now, Subject: "\x00"})
	})
	if !errors.Is(err, catalog.ErrInvalid) || o.get(e.ID).Status != catalog.StatusPending {
		t.Errorf("error %v, status %s", err, o.get(e.ID).Status)
	}
	if after, _ := o.last(); after.Number != events.Number {
		t.Error("an event stayed")
	}
}
