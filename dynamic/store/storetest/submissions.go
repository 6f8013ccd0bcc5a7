package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var submissionTests = map[string]func(*testing.T, catalog.Store){
	"SubmissionFields":   testSubmissionFields,
	"SubmissionList":     testSubmissionList,
	"SubmissionAddress":  testSubmissionAddress,
	"SubmissionByEntry":  testSubmissionByEntry,
	"ReportQueue":        testReportQueue,
	"Replays":            testReplays,
	"CandidatesPending":  testCandidatesPending,
	"CandidatesByURL":    testCandidatesByURL,
	"SubmissionRollback": testSubmissionRollback,
}

func newSubmission(n int, state catalog.SubmissionState) catalog.Submission {
	at := day.Add(time.Duration(n) * time.Minute)
	url := fmt.Sprintf("https://host-%d.example/data", n)
	return catalog.Submission{ID: catalog.NewID("submission", url), URL: url, Address: catalog.NormalURL(url), State: state,
		Steps: []catalog.SubmissionStep{{State: state, At: at}}, CreatedAt: at, UpdatedAt: at}
}

func putSubmissions(t *testing.T, s catalog.Store, list ...catalog.Submission) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Submissions().Put(ctx, list...) })
}

func testSubmissionFields(t *testing.T, s catalog.Store) {
	want := filled[catalog.Submission](t, 1)
	putSubmissions(t, s, want)
	want.Notes = "changed"
	putSubmissions(t, s, want)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Submissions().Get(ctx, want.ID)
		if err == nil {
			wantEqual(t, "submission", *got, want)
		}
		_, missing := tx.Submissions().Get(ctx, "nobody")
		wantErr(t, "unknown submission", missing, catalog.ErrNotFound)
		return err
	})
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Submissions().Put(ctx, catalog.Submission{ID: "x"})
	})
	wantErr(t, "submission without a state", err, catalog.ErrInvalid)
}

func testSubmissionList(t *testing.T, s catalog.Store) {
	states := catalog.SubmissionStates()
	var all []catalog.Submission
	for n, state := range states {
		all = append(all, newSubmission(n, state))
	}
	// Two of the same instant are told apart by their ids.
	twin := newSubmission(99, catalog.SubmissionRejected)
	twin.CreatedAt = all[len(all)-1].CreatedAt
	all = append(all, twin)
	putSubmissions(t, s, all...)
	slices.SortFunc(all, func(a, b catalog.Submission) int {
		if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
			return c
		}
		if a.ID > b.ID {
			return -1
		}
		return 1
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		var paged []catalog.Submission
		for before := ""; ; {
			page, err := tx.Submissions().List(ctx, catalog.SubmissionFilter{Before: before, Limit: 2})
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			paged = append(paged, page...)
			before = page[len(page)-1].ID
		}
		wantEqual(t, "all pages, newest first", paged, all)
		open, err := tx.Submissions().List(ctx, catalog.SubmissionFilter{Open: true})
		if err != nil {
			return err
		}
		wantEqual(t, "open ones", len(open), 3)
		rejected, err := tx.Submissions().List(ctx, catalog.SubmissionFilter{State: catalog.SubmissionRejected})
		if err != nil {
			return err
		}
		wantEqual(t, "rejected ones", len(rejected), 2)
		counts, err := tx.Submissions().Count(ctx)
		wantEqual(t, "counts", counts, map[catalog.SubmissionState]int{catalog.SubmissionReceived: 1, catalog.SubmissionChecking: 1,
			catalog.SubmissionQuarantined: 1, catalog.SubmissionApproved: 1, catalog.SubmissionRejected: 2, catalog.SubmissionDuplicate: 1})
		return err
	})
}

func testSubmissionAddress(t *testing.T, s catalog.Store) {
	old, later, closed := newSubmission(1, catalog.SubmissionQuarantined), newSubmission(2, catalog.SubmissionReceived), newSubmission(3, catalog.SubmissionRejected)
	later.URL, later.Address = old.URL, old.Address
	putSubmissions(t, s, later, old, closed)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Submissions().OpenAt(ctx, closed.Address, old.Address, "nowhere.example")
		if err != nil {
			return err
		}
		wantEqual(t, "the oldest open one at each address", got, map[string]string{old.Address: old.ID})
		waiting, err := tx.Submissions().WaitingOn(ctx, "host-1.example", "host-3.example")
		wantEqual(t, "those whose checks have not ended", waiting, map[string]int{"host-1.example": 1})
		return err
	})
}

func testSubmissionByEntry(t *testing.T, s catalog.Store) {
	made, duplicate := newSubmission(1, catalog.SubmissionQuarantined), newSubmission(2, catalog.SubmissionDuplicate)
	made.EntryID, duplicate.EntryID = "entry", "entry"
	putSubmissions(t, s, duplicate, made, newSubmission(3, catalog.SubmissionReceived))
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Submissions().ByEntry(ctx, "entry")
		if err != nil {
			return err
		}
		wantEqual(t, "the submission that the entry was made of", got.ID, made.ID)
		_, err = tx.Submissions().ByEntry(ctx, "")
		wantErr(t, "no entry", err, catalog.ErrNotFound)
		return nil
	})
}

func testReportQueue(t *testing.T, s catalog.Store) {
	report := func(n int, entry string, state catalog.ReportState) catalog.Report {
		return catalog.Report{ID: fmt.Sprintf("report-%d", n), EntryID: entry, Message: "It is gone <b>&amp;", State: state, CreatedAt: day.Add(time.Duration(n) * time.Hour)}
	}
	full := filled[catalog.Report](t, 1)
	list := []catalog.Report{report(1, "a", catalog.ReportOpen), report(2, "b", catalog.ReportResolved), report(3, "a", catalog.ReportOpen), report(4, "b", catalog.ReportAccepted), report(5, "b", catalog.ReportResolved)}
	list[3].AcceptedAt, list[4].Answers = day, []catalog.ReportAnswer{{Text: "mended", At: day}}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Reports().Put(ctx, append(list, full)...) })
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Reports().Get(ctx, full.ID)
		if err != nil {
			return err
		}
		wantEqual(t, "report", *got, full)
		first, err := tx.Reports().Open(ctx, "", 2)
		if err != nil {
			return err
		}
		wantEqual(t, "open ones, oldest first", first, []catalog.Report{list[0], list[2]})
		rest, err := tx.Reports().Open(ctx, first[1].ID, 2)
		if err != nil {
			return err
		}
		wantEqual(t, "the next ones", rest, list[3:4])
		n, err := tx.Reports().OpenOn(ctx, "a")
		wantEqual(t, "open ones on an entry", n, 2)
		if err != nil {
			return err
		}
		n, err = tx.Reports().CountOpen(ctx)
		wantEqual(t, "open ones", n, 3)
		return publicReports(ctx, t, tx, list)
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		_, missing := tx.Reports().Get(ctx, "nobody")
		wantErr(t, "unknown report", missing, catalog.ErrNotFound)
		return nil
	})
}

func testReplays(t *testing.T, s catalog.Store) {
	replay := func(key, body string, n int) catalog.Replay {
		return catalog.Replay{Key: key, Request: "r", Status: 201, Body: body, At: day.Add(time.Duration(n) * time.Hour)}
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Replays().Put(ctx, replay("a", "first", 0), replay("b", "other", 5)); err != nil {
			return err
		}
		return tx.Replays().Put(ctx, replay("a", "second", 9))
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Replays().Get(ctx, "a", "c", "b")
		wantEqual(t, "answers, the first one kept", got, map[string]catalog.Replay{"a": replay("a", "first", 0), "b": replay("b", "other", 5)})
		return err
	})
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Replays().Prune(ctx, day.Add(5*time.Hour))
		wantEqual(t, "pruned", n, int64(1))
		if err != nil {
			return err
		}
		got, err := tx.Replays().Get(ctx, "a", "b")
		wantEqual(t, "left", len(got), 1)
		return err
	})
}

func testCandidatesPending(t *testing.T, s catalog.Store) {
	writes := newEntries(6)
	var want []string
	for i := range writes {
		if i%2 == 0 {
			writes[i].Entry.Status, writes[i].Entry.PublishedAt = catalog.StatusPending, time.Time{}
			want = append(want, writes[i].Entry.ID)
		}
	}
	slices.Sort(want)
	put(t, s, writes...)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		var got []string
		for after := ""; ; {
			page, err := tx.Candidates().Pending(ctx, after, 2)
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			for i := range page {
				got = append(got, page[i].ID)
				after = page[i].ID
			}
		}
		wantEqual(t, "pending entries by id", got, want)
		counts, err := tx.Candidates().Count(ctx)
		wantEqual(t, "counts", counts, map[catalog.Status]int{catalog.StatusPending: 3, catalog.StatusActive: 3})
		return err
	})
}

func testCandidatesByURL(t *testing.T, s catalog.Store) {
	writes := newEntries(14)
	urls := make([]string, len(writes))
	for i := range writes {
		urls[i] = fmt.Sprintf("https://WWW.host.example/data/%d/", i)
		writes[i].Entry.MatchKey = catalog.MatchKey(catalog.EntryTypes()[i%3], urls[i], "a name | with a bar")
	}
	// One that only begins with the same address.
	writes[13].Entry.MatchKey = catalog.MatchKey(catalog.TypeDataset, urls[0]+"more", "other")
	put(t, s, writes...)
	want := map[string][]string{}
	for i := range 13 {
		want[urls[i]] = []string{writes[i].Entry.ID}
	}
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Candidates().At(ctx, urls[:13]...)
		wantEqual(t, "entries by address", got, want)
		if err != nil {
			return err
		}
		got, err = tx.Candidates().At(ctx, "https://host.example/data", "https://elsewhere.example")
		wantEqual(t, "unknown addresses", len(got), 0)
		return err
	})
}

func testSubmissionRollback(t *testing.T, s catalog.Store) {
	sub := newSubmission(1, catalog.SubmissionReceived)
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Submissions().Put(ctx, sub); err != nil {
			return err
		}
		if _, err := tx.Jobs().Enqueue(ctx, catalog.Job{ID: "job", Kind: "check", RunAt: day, CreatedAt: day}); err != nil {
			return err
		}
		return catalog.ErrConflict
	})
	wantErr(t, "undone", err, catalog.ErrConflict)
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		_, noSubmission := tx.Submissions().Get(ctx, sub.ID)
		_, noJob := tx.Jobs().Get(ctx, "job")
		wantErr(t, "submission of an undone change", noSubmission, catalog.ErrNotFound)
		wantErr(t, "its job", noJob, catalog.ErrNotFound)
		return nil
	})
}

func testJobPrune(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1), newJob(2), newJob(3))
	list := lease(t, s, "w", day, day.Add(time.Minute), 2)
	for i, at := range []time.Time{day.Add(time.Hour), day.Add(2 * time.Hour)} {
		if err := settle(t, s, list[i].ID, "w", at, nil, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Jobs().Prune(ctx, day.Add(2*time.Hour))
		wantEqual(t, "pruned", n, int64(1))
		if err != nil {
			return err
		}
		left, err := tx.Jobs().List(ctx, catalog.JobFilter{})
		wantEqual(t, "left: what ended later and what is queued", len(left), 2)
		if err != nil {
			return err
		}
		counts, err := tx.Jobs().Count(ctx)
		wantEqual(t, "counts", counts, map[catalog.JobState]int{catalog.JobDone: 1, catalog.JobQueued: 1})
		return err
	})
}

// publicReports reads what readers see of the queue.
func publicReports(ctx context.Context, t *testing.T, tx catalog.Tx, list []catalog.Report) error {
	of, err := tx.Reports().Of(ctx, "b")
	if err != nil {
		return err
	}
	wantEqual(t, "all of an entry", of, []catalog.Report{list[1], list[3], list[4]})
	latest, err := tx.Reports().Published(ctx, "", 1)
	if err != nil {
		return err
	}
	wantEqual(t, "the latest public one", latest, []catalog.Report{list[4]})
	before, err := tx.Reports().Published(ctx, list[4].ID, 10)
	if err != nil {
		return err
	}
	wantEqual(t, "those before", before, []catalog.Report{list[3]})
	var scanned []catalog.Report
	err = tx.Reports().Scan(ctx, catalog.Range{After: "a", Through: "b"}, func(r *catalog.Report) error { scanned = append(scanned, *r); return nil })
	wantEqual(t, "public ones in a scan", scanned, []catalog.Report{list[3], list[4]})
	return err
}
