package admin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// onBoth runs a test of the desk on both kinds of store.
func onBoth(t *testing.T, test func(o *bench)) {
	t.Helper()
	for name, open := range map[string]func(t *testing.T) (catalog.Store, error){
		"sqlite": func(t *testing.T) (catalog.Store, error) {
			return sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
		},
		"postgres": func(t *testing.T) (catalog.Store, error) { return postgres.Open(t.Context(), pgtest.NewStoreURL(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st, err := open(t)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { st.Close() })
			test(benchOn(t, st))
		})
	}
}

func bulk(action, reason string, extra string, ids ...string) string {
	var items []string
	for _, id := range ids {
		items = append(items, fmt.Sprintf(`{"id":%q}`, id))
	}
	return fmt.Sprintf(`{"action":%q,"reason":%q,"items":[%s]%s}`, action, reason, strings.Join(items, ","), extra)
}

// leaves are those that the log of verdicts gets of everything that has happened.
func (o *bench) leaves() (list []translog.Leaf) {
	o.t.Helper()
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		list = nil
		events, err := tx.Events().After(ctx, 0, 5000)
		if err != nil {
			return err
		}
		entries, err := catalog.EntriesOf(ctx, tx, events)
		if err != nil {
			return err
		}
		for i := range events {
			l, ok, err := translog.Of(&events[i], entries[events[i].EntryID], 0, "1")
			if err != nil {
				return err
			}
			if ok {
				list = append(list, *l)
			}
		}
		return nil
	})
	return list
}

func (o *bench) audit(subject string) (rows []catalog.AuditRow) {
	o.t.Helper()
	o.update(func(ctx context.Context, tx catalog.Tx) (err error) {
		rows, err = tx.Audits().Before(ctx, 0, subject, 1000)
		return err
	})
	return rows
}

// A hundred candidates are approved by one request, half of them with a submission: each has
// its audit row and its leaf in the log; what cannot be approved is refused by itself; the whole
// is taken back, with rows and leaves of its own.
func TestBulk(t *testing.T) {
	onBoth(t, func(o *bench) {
		var ids []string
		for n := range 100 {
			e := o.entry(fmt.Sprint("rain-", n), catalog.StatusPending)
			ids = append(ids, e.ID)
			if n%2 == 0 {
				o.submission(e.PrimarySourceURL, catalog.SubmissionQuarantined, e.ID)
			}
		}
		active := o.entry("open", catalog.StatusActive)
		before := len(o.leaves())
		got := decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", bulk("approve", "one office", "", append(ids, active.ID, "nobody", ids[0])...)))
		if got.Done != 100 || got.Refused != 3 || len(got.Items) != 103 {
			o.t.Fatalf("%d done, %d refused, %d rows", got.Done, got.Refused, len(got.Items))
		}
		if a, b, c := got.Items[100], got.Items[101], got.Items[102]; a.Status != 409 || b.Status != 404 || c.Status != 409 || !strings.Contains(*c.Detail, "approved by Ada") {
			o.t.Errorf("refusals %+v %+v %v", a, b, *c.Detail)
		}
		leaves := o.leaves()
		for _, id := range ids {
			if e := o.get(id); e.Status != catalog.StatusActive || e.PublishedAt.IsZero() {
				o.t.Fatalf("%s is %s", e.Slug, e.Status)
			}
			if rows := o.audit(id); len(rows) != 1 || rows[0].Action != "bulkSubmissions" || rows[0].Reason != "one office" {
				o.t.Fatalf("audit %+v", rows)
			}
			if !slices.ContainsFunc(leaves, func(l translog.Leaf) bool { return l.Entry == id && l.Type == "entry.created" }) {
				o.t.Fatal("no leaf of the entry")
			}
		}
		if n := len(leaves) - before; n != 200 {
			o.t.Errorf("%d leaves for 100 entries and 100 decisions", n)
		}
		o.edit(ids[7])
		undone := decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", `{"action":"reopen","reason":"another office","batch":"`+got.Batch+`"}`))
		if undone.Done != 99 || undone.Refused != 1 {
			o.t.Errorf("%d reopened, %d refused", undone.Done, undone.Refused)
		}
		for _, row := range undone.Items {
			if row.Status != 200 && (row.ID != ids[7] || row.Status != 409 || !strings.Contains(*row.Detail, "changed since")) {
				o.t.Errorf("refused %s: %s", row.ID, *row.Detail)
			}
		}
		e := o.get(ids[0])
		if e.Status != catalog.StatusPending || e.Admission != nil || !o.told(catalog.EventReopened, e.ID) || len(o.audit(e.ID)) != 2 {
			o.t.Errorf("reopened %+v", e)
		}
		after := o.leaves()
		for kind, want := range map[string]int{"entry.reopened": 99, "submission.reopened": 50, "candidate.decided": 50 + 49} {
			if n := len(slices.DeleteFunc(slices.Clone(after), func(l translog.Leaf) bool { return l.Type != kind })); n != want {
				o.t.Errorf("%d leaves %s, want %d", n, kind, want)
			}
		}
		again := decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", bulk("approve", "it was right", "", ids[0])))
		if f := o.get(ids[0]); again.Done != 1 || !f.PublishedAt.Equal(e.PublishedAt) || !f.RemovedAt.IsZero() {
			o.t.Errorf("approved again: %+v, published %s then %s", again, e.PublishedAt, f.PublishedAt)
		}
	})
}

func (o *bench) edit(id string) {
	o.t.Helper()
	o.want(200, "PATCH", "/entries/"+id, `{"set":{"name":"Another"},"reason":"typo"}`)
}

// The same request again has its effect once, also at the same time; another one under its key is refused.
func TestBulkIsIdempotent(t *testing.T) {
	onBoth(t, func(o *bench) {
		a, b := o.entry("rain", catalog.StatusPending), o.entry("snow", catalog.StatusPending)
		ask := func(key, body string) *httptest.ResponseRecorder {
			r := httptest.NewRequest("POST", "/submissions/bulk", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Idempotency-Key", key)
			w := httptest.NewRecorder()
			o.h.ServeHTTP(w, r)
			return w
		}
		body := bulk("approve", "ok", "", a.ID, b.ID)
		var wait sync.WaitGroup
		answers := make([]string, 4)
		for i := range answers {
			wait.Go(func() { answers[i] = ask("k1", body).Body.String() })
		}
		wait.Wait()
		for _, answer := range answers {
			if answer != answers[0] || !strings.Contains(answer, `"done":2`) {
				o.t.Errorf("answer %s", answer)
			}
		}
		if n := len(o.audit(a.ID)); n != 1 {
			o.t.Errorf("%d audit rows", n)
		}
		if w := ask("k1", bulk("reject", "no", "", a.ID)); w.Code != 422 {
			o.t.Errorf("another request under the key: %d", w.Code)
		}
	})
}

// A preview says what would be and leaves everything as it is.
// A batch that is undone counts as many items as it has.
func TestBatchesCountEachItem(t *testing.T) {
	onBoth(t, func(o *bench) {
		a, b, c := o.entry("a", catalog.StatusPending), o.entry("b", catalog.StatusPending), o.entry("c", catalog.StatusPending)
		done := decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", bulk("reject", "no office", "", a.ID, b.ID, c.ID)))
		o.want(200, "POST", "/submissions/bulk", fmt.Sprintf(`{"action":"reopen","reason":"undo","batch":%q}`, done.Batch))
		if o.spent != 4 {
			o.t.Errorf("%d further items were counted, want 4", o.spent)
		}
	})
}

func TestBulkPreview(t *testing.T) {
	onBoth(t, func(o *bench) {
		e := o.entry("rain", catalog.StatusPending)
		older := o.entry("old", catalog.StatusActive)
		last, _ := o.last()
		got := decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", bulk("approve", "ok", `,"preview":true`, e.ID, older.ID)))
		if !got.Preview || got.Done != 1 || got.Refused != 1 || *got.Items[0].From != "PENDING_REVIEW" || *got.Items[0].To != "ACTIVE" || got.Items[0].PublishedAt == nil {
			o.t.Errorf("preview %+v", got)
		}
		if event, _ := o.last(); event.Number != last.Number || o.get(e.ID).Status != catalog.StatusPending || len(o.audit("")) != 0 {
			o.t.Error("a preview changed something")
		}
	})
}

// Every kind of decision goes back to where it was.
func TestReopen(t *testing.T) {
	onBoth(t, func(o *bench) {
		older := o.entry("old", catalog.StatusActive)
		o.at = o.at.Add(time.Minute)
		for n, c := range []struct {
			action, extra string
			proposed      bool
			state         catalog.SubmissionState
		}{
			{"approve", "", true, catalog.SubmissionApproved}, {"reject", "", true, catalog.SubmissionRejected}, {"reject", "", false, ""},
			{"merge", `,"into":"` + older.ID + `"`, true, catalog.SubmissionDuplicate}, {"merge", `,"into":"` + older.ID + `"`, false, ""},
		} {
			e := o.newer(fmt.Sprint(c.action, n))
			var s catalog.Submission
			if c.proposed {
				s = o.submission(e.PrimarySourceURL, catalog.SubmissionQuarantined, e.ID)
			}
			got := decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", bulk(c.action, "because", c.extra, e.ID)))
			if got.Done != 1 {
				o.t.Errorf("%s: %+v %s", c.action, got, *got.Items[0].Detail)
				continue
			}
			if c.proposed && o.proposed(s.ID).State != c.state {
				o.t.Errorf("%s: the submission is %s", c.action, o.proposed(s.ID).State)
			}
			o.want(422, "POST", "/submissions/"+e.ID+"/reopen", `{}`)
			id := e.ID
			if c.proposed {
				id = s.ID
			}
			o.want(200, "POST", "/submissions/"+id+"/reopen", `{"reason":"no"}`)
			o.want(409, "POST", "/submissions/"+id+"/reopen", `{"reason":"no"}`)
			back := o.get(e.ID)
			if back.Status != catalog.StatusPending || back.MergedIntoID != "" || back.Admission != nil {
				o.t.Errorf("%s: reopened %+v", c.action, back)
			}
			if p := o.proposed(s.ID); c.proposed && (p.State != catalog.SubmissionQuarantined || p.EntryID != e.ID) {
				o.t.Errorf("%s: the submission is %s of %s", c.action, p.State, p.EntryID)
			}
			if page := decode[wire.QueuePage](o, o.want(200, "GET", "/queue?kind=candidates&q="+e.Slug, "")); len(page.Candidates) != 1 || (page.Candidates[0].Submission != nil) != c.proposed {
				o.t.Errorf("%s: the queue has %+v", c.action, page.Candidates)
			}
		}
		o.want(404, "POST", "/submissions/nobody/reopen", `{"reason":"no"}`)
		fresh := o.submission("https://data.example/unseen", catalog.SubmissionReceived, "")
		o.want(200, "POST", "/submissions/"+fresh.ID+"/reject", `{"reason":"spam"}`)
		o.want(200, "POST", "/submissions/"+fresh.ID+"/reopen", `{"reason":"no spam"}`)
		if got := o.proposed(fresh.ID); got.State != catalog.SubmissionReceived {
			o.t.Errorf("what was never checked is %s", got.State)
		}
	})
}

func (o *bench) newer(slug string) *catalog.Entry {
	o.t.Helper()
	e := o.entry(slug, catalog.StatusPending)
	return e
}

func (o *bench) proposed(id string) (s catalog.Submission) {
	o.t.Helper()
	if id == "" {
		return s
	}
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Submissions().Get(ctx, id)
		if err == nil {
			s = *got
		}
		return err
	})
	return s
}

// Two moderators decide on the same rows at the same time, each in its own way: of every row one
// decision holds, the other one is refused with who was first, and none is lost.
func TestTwoModerators(t *testing.T) {
	onBoth(t, func(o *bench) {
		var ids []string
		for n := range 60 {
			ids = append(ids, o.entry(fmt.Sprint("rain-", n), catalog.StatusPending).ID)
		}
		results := make([][]wire.BulkResult, 2)
		var wait sync.WaitGroup
		for i, action := range []string{"approve", "reject"} {
			wait.Go(func() {
				for part := range slices.Chunk(ids, 7) {
					w := o.ask("POST", "/submissions/bulk", bulk(action, action+" it", "", part...))
					var got wire.BulkResult
					if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
						o.t.Errorf("%d %s", w.Code, w.Body)
					}
					results[i] = append(results[i], got)
				}
			})
		}
		wait.Wait()
		took := map[string]string{}
		for i, action := range []string{"approve", "reject"} {
			for _, r := range results[i] {
				for _, row := range r.Items {
					switch {
					case row.Status == http.StatusOK && took[row.ID] != "":
						o.t.Errorf("%s was decided twice", row.ID)
					case row.Status == http.StatusOK:
						took[row.ID] = action
					case row.Status != http.StatusConflict || !strings.Contains(*row.Detail, "by Ada at"):
						o.t.Errorf("refused with %d: %s", row.Status, *row.Detail)
					}
				}
			}
		}
		for _, id := range ids {
			want := map[string]catalog.Status{"approve": catalog.StatusActive, "reject": catalog.StatusRemoved}[took[id]]
			if rows := o.audit(id); len(rows) != 1 || rows[0].Reason != took[id]+" it" || o.get(id).Status != want {
				o.t.Errorf("%s: %q holds, the entry is %s, audit %+v", id, took[id], o.get(id).Status, rows)
			}
		}
	})
}

// A decision on what has changed since it was looked at is refused.
func TestVersions(t *testing.T) {
	onBoth(t, func(o *bench) {
		e := o.entry("rain", catalog.StatusPending)
		seen := decode[wire.QueuePage](o, o.want(200, "GET", "/queue", "")).Candidates[0].Version
		o.edit(e.ID)
		item := fmt.Sprintf(`{"action":"approve","reason":"ok","items":[{"id":%q,"version":%d}]}`, e.ID, seen)
		if got := decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", item)); got.Items[0].Status != http.StatusPreconditionFailed {
			o.t.Errorf("%+v", got)
		}
		ask := func(version string) int {
			r := httptest.NewRequest("POST", "/submissions/"+e.ID+"/approve", strings.NewReader(`{"reason":"ok"}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("If-Match", version)
			w := httptest.NewRecorder()
			o.h.ServeHTTP(w, r)
			return w.Code
		}
		now := decode[wire.QueuePage](o, o.want(200, "GET", "/queue", "")).Candidates[0].Version
		for version, want := range map[string]int{fmt.Sprint(seen): 412, `"x"`: 422} {
			if got := ask(version); got != want {
				o.t.Errorf("If-Match %s: %d, want %d", version, got, want)
			}
		}
		if got := ask(fmt.Sprintf(`"%d"`, now)); got != 200 {
			o.t.Errorf("the present version: %d", got)
		}
	})
}

func TestAssignments(t *testing.T) {
	onBoth(t, func(o *bench) {
		e := o.entry("rain", catalog.StatusPending)
		o.entry("snow", catalog.StatusPending)
		o.update(func(ctx context.Context, tx catalog.Tx) error {
			return tx.Tokens().Put(ctx, catalog.Token{ID: "t2", Name: "Grace", Role: catalog.RoleModerator, Hash: "h2", CreatedAt: now})
		})
		one := func(extra string) wire.BulkRow {
			return decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", bulk("assign", "", extra, e.ID))).Items[0]
		}
		o.want(422, "POST", "/submissions/bulk", bulk("assign", "", `,"to":"Nobody"`, e.ID))
		if row := one(`,"to":"Grace"`); row.Status != 200 {
			o.t.Errorf("%s", *row.Detail)
		}
		if row := one(""); row.Status != 409 || !strings.Contains(*row.Detail, "Grace") {
			o.t.Errorf("taken from Grace: %+v", row)
		}
		for path, want := range map[string]int{"?assigned=Grace": 1, "?assigned=nobody": 1, "?assigned=me": 0} {
			if page := decode[wire.QueuePage](o, o.want(200, "GET", "/queue"+path, "")); page.Matching != want {
				o.t.Errorf("%s: %d, want %d", path, page.Matching, want)
			}
		}
		if row := one(`,"take":true`); row.Status != 200 {
			o.t.Errorf("%+v", row)
		}
		page := decode[wire.QueuePage](o, o.want(200, "GET", "/queue?assigned=me", ""))
		if len(page.Candidates) != 1 || page.Candidates[0].Assigned.To != "Ada" {
			o.t.Errorf("%+v", page.Candidates)
		}
		o.want(200, "POST", "/submissions/bulk", bulk("release", "", "", e.ID))
		if page := decode[wire.QueuePage](o, o.want(200, "GET", "/queue?assigned=nobody", "")); page.Matching != 2 {
			o.t.Errorf("released: %d", page.Matching)
		}
	})
}

func TestQueueOrders(t *testing.T) {
	o := newBench(t)
	o.update(func(ctx context.Context, tx catalog.Tx) error {
		return tx.Sources().Put(ctx, catalog.Source{ID: id("a"), Key: "a", Kind: "ckan", Title: "Portal A"}, catalog.Source{ID: id("b"), Key: "b", Kind: "ckan", Title: "Portal B"})
	})
	signal := func(kind catalog.SignalKind) catalog.Signal {
		return catalog.Signal{Kind: kind, Held: true, ObservedAt: now}
	}
	for n, c := range []struct {
		slug, source, publisher string
		signals                 []catalog.Signal
	}{
		{"delta", "a", "Office", []catalog.Signal{signal(catalog.SignalDomain)}}, {"alpha", "b", "Office", []catalog.Signal{signal(catalog.SignalPolicy)}},
		{"charlie", "a", "Bureau", []catalog.Signal{signal(catalog.SignalDomain), signal(catalog.SignalPolicy)}}, {"bravo", "a", "Office", nil},
	} {
		e := o.entry(c.slug, catalog.StatusPending)
		e.Name, e.SourceID, e.PublisherName, e.Signals, e.CreatedAt = c.slug, id(c.source), c.publisher, c.signals, now.Add(-time.Duration(n*24)*time.Hour)
		e.ID, e.Slug = catalog.NewID("entry", "x"+c.slug), "x"+c.slug
		o.update(func(ctx context.Context, tx catalog.Tx) error {
			return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: now}}})
		})
	}
	names := func(path string) string {
		var all []string
		for path != "" {
			page := decode[wire.QueuePage](o, o.want(200, "GET", path, ""))
			for _, c := range page.Candidates {
				if strings.HasPrefix(c.Name, "Name of") {
					continue
				}
				all = append(all, c.Name)
			}
			path = ""
			if page.NextCandidates != nil {
				path = strings.TrimPrefix(*page.NextCandidates, "/api/v1/admin")
			}
		}
		return strings.Join(all, " ")
	}
	for query, want := range map[string]string{
		"sort=oldest": "bravo charlie alpha delta", "sort=newest": "delta alpha charlie bravo", "sort=name": "alpha bravo charlie delta",
		"sort=officialness": "charlie delta alpha bravo", "sort=doubtful": "bravo alpha delta charlie", "sort=publisher": "charlie alpha bravo delta",
		"source=" + id("a"): "bravo charlie delta", "source=a": "bravo charlie delta", "source=nobody": "", "publisher=Bureau": "charlie", "signals=none": "bravo",
		"signals=domain_verification,policy_presence": "charlie", "officialness_min=40": "charlie delta", "waiting_days=2": "bravo charlie", "q=RAV": "bravo",
	} {
		if got := names("/queue?kind=candidates&limit=2&" + query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for by, want := range map[string]string{"source": "4  3 Portal A 1 Portal B", "publisher": "4  3 Office 1 Bureau",
		"signals": "5 none 1 domain_verification 1 domain_verification,policy_presence 1 policy_presence"} {
		var got []string
		for _, g := range decode[wire.QueuePage](o, o.want(200, "GET", "/queue?group="+by, "")).Groups {
			got = append(got, fmt.Sprint(g.Count, " ", g.Name))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", by, strings.Join(got, " "), want)
		}
	}
	o.want(422, "GET", "/queue?sort=random", "")
	o.want(400, "GET", "/queue?kind=candidates&cursor=!", "")
}

func TestSavedReasons(t *testing.T) {
	onBoth(t, func(o *bench) {
		o.want(422, "POST", "/reasons", `{"text":" "}`)
		o.want(422, "POST", "/reasons", `{"text":"x","kind":"guessed"}`)
		a := decode[wire.SavedReasonItem](o, o.want(201, "POST", "/reasons", `{"text":"Not a source","kind":"rejected"}`))
		o.want(201, "POST", "/reasons", `{"text":"Not a source"}`)
		if page := decode[wire.SavedReasonsPage](o, o.want(200, "GET", "/reasons", "")); len(page.Items) != 1 || page.Items[0].Text != "Not a source" {
			o.t.Errorf("%+v", page)
		}
		o.want(200, "DELETE", "/reasons/"+a.ID, "")
		o.want(404, "DELETE", "/reasons/"+a.ID, "")
	})
}

// A rule of trust approves what waits of one publisher from one source, after a preview that
// changes nothing, and leaves what was reopened.
func TestTrustRules(t *testing.T) {
	onBoth(t, func(o *bench) {
		o.update(func(ctx context.Context, tx catalog.Tx) error {
			return tx.Sources().Put(ctx, catalog.Source{ID: id("a"), Key: "portal-a", Kind: "ckan", Title: "Portal A"})
		})
		place := func(slug, source, publisher string) *catalog.Entry {
			e := o.entry(slug, catalog.StatusPending)
			e.SourceID, e.PublisherName = id(source), publisher
			o.update(func(ctx context.Context, tx catalog.Tx) error {
				return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: now}}})
			})
			return e
		}
		ours, other, theirs, back := place("ours", "a", "The  Office"), place("other", "b", "The Office"), place("theirs", "a", "A Bureau"), place("back", "a", "the office")
		o.want(200, "POST", "/submissions/"+back.ID+"/approve", `{"reason":"ok"}`)
		o.want(200, "POST", "/submissions/"+back.ID+"/reopen", `{"reason":"no"}`)
		body := `{"source":"portal-a","publisher_name":"The Office","reason":"the minister wrote","expires_at":"2027-01-01T00:00:00Z"`
		for _, bad := range []string{`{"source":"portal-a","reason":"x"}`, `{"source":"nobody","publisher_name":"x","reason":"x"}`, `{"source":"portal-a","publisher_name":"x","reason":"x","expires_at":"2028-01-01T00:00:00Z"}`,
			`{"source":"portal-a","publisher_name":"x","reason":"x","expires_at":"2020-01-01T00:00:00Z"}`, `{"source":"portal-a","institution":"nobody","reason":"x"}`} {
			o.want(422, "POST", "/trust-rules", bad)
		}
		seen := decode[wire.TrustRuleResult](o, o.want(200, "POST", "/trust-rules", body+`,"preview":true}`))
		if seen.Result.Done != 1 || *seen.Result.Items[0].Entry != ours.ID || o.get(ours.ID).Status != catalog.StatusPending {
			o.t.Errorf("preview %+v", seen)
		}
		if page := decode[wire.TrustRulesPage](o, o.want(200, "GET", "/trust-rules", "")); len(page.Items) != 0 {
			o.t.Error("a preview kept a rule")
		}
		made := decode[wire.TrustRuleResult](o, o.want(200, "POST", "/trust-rules", body+"}"))
		for e, want := range map[*catalog.Entry]catalog.Status{ours: catalog.StatusActive, other: catalog.StatusPending, theirs: catalog.StatusPending, back: catalog.StatusPending} {
			if got := o.get(e.ID).Status; got != want {
				o.t.Errorf("%s is %s, want %s", e.Slug, got, want)
			}
		}
		if reason := o.get(ours.ID).Admission.Reason; reason != "rule of trust of Ada until 2027-01-01: the minister wrote" {
			o.t.Errorf("reason %q", reason)
		}
		o.want(409, "POST", "/trust-rules", body+"}")
		o.want(200, "POST", "/trust-rules/"+made.Rule.ID+"/end", `{"reason":"over"}`)
		o.want(409, "POST", "/trust-rules/"+made.Rule.ID+"/end", `{"reason":"over"}`)
		if page := decode[wire.TrustRulesPage](o, o.want(200, "GET", "/trust-rules", "")); len(page.Items) != 1 || page.Items[0].InForce || *page.Items[0].Source != "Portal A" {
			o.t.Errorf("%+v", page)
		}
	})
}

func TestDecisionList(t *testing.T) {
	o := newBench(t)
	a, b := o.entry("rain", catalog.StatusPending), o.entry("snow", catalog.StatusPending)
	got := decode[wire.BulkResult](o, o.want(200, "POST", "/submissions/bulk", bulk("approve", "ok", "", a.ID)))
	o.want(200, "POST", "/submissions/"+b.ID+"/reject", `{"reason":"no"}`)
	page := decode[wire.DecisionsList](o, o.want(200, "GET", "/decisions?limit=1", ""))
	if len(page.Items) != 1 || page.Items[0].Kind != catalog.DecisionRejected || page.Items[0].Entry.Slug != "snow" || page.Next == nil {
		t.Fatalf("%+v", page)
	}
	page = decode[wire.DecisionsList](o, o.want(200, "GET", strings.TrimPrefix(*page.Next, "/api/v1/admin"), ""))
	if len(page.Items) != 1 || page.Items[0].Kind != catalog.DecisionApproved || page.Next != nil {
		t.Errorf("%+v", page)
	}
	if page := decode[wire.DecisionsList](o, o.want(200, "GET", "/decisions?batch="+got.Batch, "")); len(page.Items) != 1 {
		t.Errorf("%+v", page)
	}
	for _, bad := range []string{`{"action":"guess","reason":"x","items":[{"id":"a"}]}`, `{"action":"approve","items":[{"id":"a"}]}`, `{"action":"approve","reason":"x"}`,
		`{"action":"approve","reason":"x","batch":"a"}`, `{"action":"reopen","reason":"x","batch":"a"}`, `{"action":"reopen","reason":"x","batch":"a","items":[{"id":"a"}]}`} {
		o.want(422, "POST", "/submissions/bulk", bad)
	}
}

// A moderator changes other names and the parent of an institution; all else stays.
func TestAmendInstitution(t *testing.T) {
	o := newBench(t)
	body := func(name, domain string) string {
		return fmt.Sprintf(`{"name":%q,"type":%q,"official_domains":[%q],"reason":"known"}`, name, catalog.InstitutionTypes()[0], domain)
	}
	o.want(200, "PUT", "/institutions/office", body("Office", "office.example"))
	o.want(200, "PUT", "/institutions/ministry", body("Ministry", "ministry.example"))
	o.want(422, "PATCH", "/institutions/office", `{"reason":"x"}`)
	o.want(422, "PATCH", "/institutions/office", `{"aliases":["Bureau"]}`)
	o.want(422, "PATCH", "/institutions/office", `{"parent":"office","reason":"x"}`)
	o.want(404, "PATCH", "/institutions/nobody", `{"aliases":["Bureau"],"reason":"x"}`)
	got := decode[wire.AdminInstitution](o, o.want(200, "PATCH", "/institutions/office", `{"aliases":["Bureau"],"parent":"ministry","reason":"by law"}`))
	if got.ParentID == nil || !slices.Equal(got.Aliases, []string{"Bureau"}) || !slices.Equal(got.OfficialDomains, []string{"office.example"}) || got.Name != "Office" {
		t.Errorf("%+v", got)
	}
	got = decode[wire.AdminInstitution](o, o.want(200, "PATCH", "/institutions/office", `{"parent":"","reason":"reform"}`))
	if got.ParentID != nil || !slices.Equal(got.Aliases, []string{"Bureau"}) {
		t.Errorf("%+v", got)
	}
	if _, row := o.last(); row.Action != "amendInstitution" || row.Reason != "reform" {
		t.Errorf("audit %+v", row)
	}
}
