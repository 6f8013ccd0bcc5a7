package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

func testJobRetry(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1))
	now := day
	for attempt := 1; attempt <= 3; attempt++ {
		got := lease(t, s, "w", now, now.Add(time.Minute), 10)
		if len(got) != 1 || got[0].Attempt != attempt || got[0].State != catalog.JobRunning || got[0].Worker != "w" {
			t.Fatalf("attempt %d: leased %+v", attempt, got)
		}
		retry := now.Add(time.Duration(attempt) * time.Hour)
		wantErr(t, "settle", settle(t, s, got[0].ID, "w", now, fmt.Errorf("try %d", attempt), retry), nil)
		if early := lease(t, s, "w", retry.Add(-time.Microsecond), retry.Add(time.Minute), 10); len(early) > 0 {
			t.Fatalf("leased before its time: %+v", early)
		}
		now = retry
	}
	j := job(t, s, "job-0001")
	if j.State != catalog.JobFailed || j.LastError != "try 3" || j.Attempt != 3 || j.FinishedAt.IsZero() {
		t.Errorf("job %+v, want failed after 3 attempts", j)
	}
	if got := lease(t, s, "w", now.AddDate(1, 0, 0), now.AddDate(2, 0, 0), 10); len(got) > 0 {
		t.Errorf("leased a failed job: %+v", got)
	}
}

func testJobOrder(t *testing.T, s catalog.Store) {
	late, early, foreign, future := newJob(1), newJob(2), newJob(3), newJob(4)
	early.RunAt, foreign.Kind, future.RunAt = day.Add(-time.Hour), "other", day.Add(time.Hour)
	enqueue(t, s, late, early, foreign, future)
	if got := lease(t, s, "w", day, day.Add(time.Minute), 1); len(got) != 1 || got[0].ID != early.ID {
		t.Errorf("leased %+v, want the one due first", got)
	}
	if got := lease(t, s, "w", day, day.Add(time.Minute), 9); len(got) != 1 || got[0].ID != late.ID {
		t.Errorf("leased %+v, want only the other due one of the kinds", got)
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Jobs().Lease(ctx, "w", nil, day.AddDate(1, 0, 0), day.AddDate(1, 0, 1), 9)
		wantEqual(t, "no kinds", got, []catalog.Job(nil))
		return err
	})
}

func testJobExpiry(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1))
	lease(t, s, "old", day, day.Add(time.Minute), 1)
	if got := lease(t, s, "new", day.Add(59*time.Second), day.Add(time.Hour), 1); len(got) > 0 {
		t.Fatalf("leased a held job: %+v", got)
	}
	got := lease(t, s, "new", day.Add(time.Minute), day.Add(time.Hour), 1)
	if len(got) != 1 || got[0].Worker != "new" || got[0].Attempt != 2 {
		t.Fatalf("leased %+v, want the expired one", got)
	}
	wantErr(t, "old settles", settle(t, s, "job-0001", "old", day, nil, time.Time{}), catalog.ErrLeaseLost)
	wantErr(t, "old fails", settle(t, s, "job-0001", "old", day, errors.New("x"), day), catalog.ErrLeaseLost)
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Jobs().Extend(ctx, "job-0001", "old", day.Add(time.Hour), nil)
	})
	wantErr(t, "old extends", err, catalog.ErrLeaseLost)
	wantErr(t, "new settles", settle(t, s, "job-0001", "new", day, nil, time.Time{}), nil)
	wantErr(t, "new settles again", settle(t, s, "job-0001", "new", day, nil, time.Time{}), catalog.ErrLeaseLost)
}

// testJobGiveUp: a job that kills every worker does not go round for ever.
func testJobGiveUp(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1))
	now := day
	for range 3 {
		if got := lease(t, s, "w", now, now.Add(time.Minute), 1); len(got) != 1 {
			t.Fatalf("leased %+v, want the job", got)
		}
		now = now.Add(time.Minute)
	}
	if got := lease(t, s, "w", now, now.Add(time.Minute), 1); len(got) != 0 {
		t.Errorf("leased %+v after its last attempt", got)
	}
	if j := job(t, s, "job-0001"); j.State != catalog.JobFailed || j.LastError == "" || j.FinishedAt.IsZero() {
		t.Errorf("job %+v, want failed with a reason", j)
	}
}

// testJobGiveBack: a job that was given back is as it was before its lease, but
// for its progress, and due at once; only who holds it gives it back.
func testJobGiveBack(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1))
	back := func(worker string, at time.Time) error {
		return tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Jobs().GiveBack(ctx, "job-0001", worker, at) })
	}
	now := day
	for range 5 { // more often than it has attempts
		if got := lease(t, s, "w", now, now.Add(time.Hour), 1); len(got) != 1 || got[0].Attempt != 1 {
			t.Fatalf("leased %+v, want the job in its first attempt", got)
		}
		wantErr(t, "another gives back", back("v", now), catalog.ErrLeaseLost)
		now = now.Add(time.Second)
		wantErr(t, "give back", back("w", now), nil)
		wantErr(t, "give back twice", back("w", now), catalog.ErrLeaseLost)
		if j := job(t, s, "job-0001"); j.State != catalog.JobQueued || j.Attempt != 0 || j.Worker != "" || !j.RunAt.Equal(now) {
			t.Fatalf("given back: %+v", j)
		}
	}
}

// testJobRewind: what a clock that ran ahead put off is due again; what may
// wait for good reasons waits.
func testJobRewind(t *testing.T, s catalog.Store) {
	ahead := day.AddDate(1, 0, 0)
	due, soon, weekly, retried, queued, planned := newJob(1), newJob(2), newJob(3), newJob(4), newJob(5), newJob(6)
	planned.Kind, planned.RunAt = catalog.JobAnnounce, ahead // a time that somebody chose
	soon.RunAt, weekly.RunAt = day.Add(time.Hour), day.AddDate(0, 0, 7)
	retried.RunAt = ahead
	queued.RunAt, queued.CreatedAt = day.Add(90*time.Minute), day.Add(90*time.Minute)
	enqueue(t, s, due, soon, weekly, retried, queued, planned)
	lease(t, s, "w", day, ahead, 1) // by a clock that ran ahead
	rewind := func(want int64) {
		t.Helper()
		update(t, s, func(ctx context.Context, tx catalog.Tx) error {
			n, err := tx.Jobs().Rewind(ctx, day)
			wantEqual(t, "rewound", n, want)
			return err
		})
	}
	rewind(3)
	rewind(0)
	var ids []string
	for _, j := range lease(t, s, "v", day, day.Add(time.Minute), 9) {
		ids = append(ids, j.ID)
	}
	slices.Sort(ids)
	wantEqual(t, "due", ids, []string{due.ID, retried.ID, queued.ID})
}
