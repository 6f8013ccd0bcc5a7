package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var jobTests = map[string]func(*testing.T, catalog.Store){
	"JobKeepsEveryField":    testJobRoundTrip,
	"JobUniqueKey":          testJobUnique,
	"JobScheduleSlot":       testJobSlot,
	"JobRetryAndBackoff":    testJobRetry,
	"JobDueOrder":           testJobOrder,
	"JobExpiredLease":       testJobExpiry,
	"JobLastLeaseRunsOut":   testJobGiveUp,
	"JobCancel":             testJobCancel,
	"JobList":               testJobList,
	"JobDepth":              testJobDepth,
	"JobRefusesNonsense":    testJobRefuses,
	"JobFailureOfAnyText":   testJobFailureText,
	"JobExtendAndProgress":  testJobExtend,
	"JobUnknown":            testJobUnknown,
	"JobManyInOneCall":      testJobMany,
	"JobSettledInItsUpdate": testJobSettleWithWrite,
	"JobPrune":              testJobPrune,
	"JobGiveBack":           testJobGiveBack,
	"JobRewind":             testJobRewind,
}

func newJob(n int) catalog.Job {
	return catalog.Job{ID: fmt.Sprintf("job-%04d", n), Kind: "probe", RunAt: day, MaxAttempts: 3,
		CreatedAt: day.Add(time.Duration(n) * time.Second)}
}

func enqueue(t *testing.T, s catalog.Store, list ...catalog.Job) (ids []string) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		ids, err = tx.Jobs().Enqueue(ctx, list...)
		return err
	})
	return ids
}

func lease(t *testing.T, s catalog.Store, worker string, now, until time.Time, n int) (list []catalog.Job) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		list, err = tx.Jobs().Lease(ctx, worker, []string{"probe", "mail"}, now, until, n)
		return err
	})
	return list
}

func settle(t *testing.T, s catalog.Store, id, worker string, now time.Time, failure error, retryAt time.Time) error {
	t.Helper()
	return tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Jobs().Settle(ctx, id, worker, now, failure, retryAt)
	})
}

func job(t *testing.T, s catalog.Store, id string) (j catalog.Job) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		p, err := tx.Jobs().Get(ctx, id)
		if err == nil {
			j = *p
		}
		return err
	})
	return j
}

func testJobRoundTrip(t *testing.T, s catalog.Store) {
	j := filled[catalog.Job](t, 1)
	wantEqual(t, "stored", enqueue(t, s, j), []string{j.ID})
	// A job enters the queue untried, whatever the caller left in these.
	j.State, j.Attempt, j.Worker, j.LastError, j.FinishedAt = catalog.JobQueued, 0, "", "", time.Time{}
	wantEqual(t, "job", job(t, s, j.ID), j)
}

func testJobUnique(t *testing.T, s catalog.Store) {
	a, b, c := newJob(1), newJob(2), newJob(3)
	a.UniqueKey, b.UniqueKey, c.UniqueKey = "k", "k", "K"
	wantEqual(t, "first", enqueue(t, s, a, b, c), []string{a.ID, c.ID})
	wantEqual(t, "queued", enqueue(t, s, b), []string(nil))
	lease(t, s, "w", day, day.Add(time.Minute), 5)
	wantEqual(t, "running", enqueue(t, s, b), []string(nil))
	wantErr(t, "settle", settle(t, s, a.ID, "w", day, nil, time.Time{}), nil)
	wantEqual(t, "done", enqueue(t, s, b), []string{b.ID})
	wantEqual(t, "no key", enqueue(t, s, newJob(4), newJob(5)), []string{"job-0004", "job-0005"})
}

// testJobSlot: a job that names its slot in its id too is made once, even if
// the first one ended long ago.
func testJobSlot(t *testing.T, s catalog.Store) {
	slot := newJob(1)
	slot.ID, slot.UniqueKey = catalog.NewID("job", "build@2026-03-01"), "build@2026-03-01"
	wantEqual(t, "first", enqueue(t, s, slot), []string{slot.ID})
	lease(t, s, "w", day, day.Add(time.Minute), 1)
	wantErr(t, "settle", settle(t, s, slot.ID, "w", day, nil, time.Time{}), nil)
	wantEqual(t, "again", enqueue(t, s, slot), []string(nil))
	if j := job(t, s, slot.ID); j.State != catalog.JobDone {
		t.Errorf("state %s, want done", j.State)
	}
}

func testJobFailureText(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1))
	lease(t, s, "w", day, day.Add(time.Minute), 1)
	failure := errors.New("bad \x00 \xff\xfe 'quote' " + strings.Repeat("ä", 5000))
	wantErr(t, "settle", settle(t, s, "job-0001", "w", day, failure, time.Time{}), nil)
	j := job(t, s, "job-0001")
	if j.State != catalog.JobFailed || !strings.Contains(j.LastError, "'quote'") || len(j.LastError) > 2100 {
		t.Errorf("state %s, error of %d bytes", j.State, len(j.LastError))
	}
}

func testJobExtend(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1))
	lease(t, s, "w", day, day.Add(time.Minute), 1)
	for _, progress := range []string{`{"done":1}`, ""} {
		update(t, s, func(ctx context.Context, tx catalog.Tx) error {
			return tx.Jobs().Extend(ctx, "job-0001", "w", day.Add(time.Hour), json.RawMessage(progress))
		})
	}
	j := job(t, s, "job-0001")
	if string(j.Progress) != `{"done":1}` || !j.RunAt.Equal(day.Add(time.Hour)) {
		t.Errorf("progress %s until %s", j.Progress, j.RunAt)
	}
	if got := lease(t, s, "v", day.Add(59*time.Minute), day.AddDate(0, 0, 1), 1); len(got) > 0 {
		t.Errorf("leased an extended job: %+v", got)
	}
}
