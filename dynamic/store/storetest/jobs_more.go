package storetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

func cancel(t *testing.T, s catalog.Store, id string) error {
	t.Helper()
	return tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Jobs().Cancel(ctx, id, day) })
}

func testJobCancel(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1), newJob(2), newJob(3))
	lease(t, s, "w", day, day.Add(time.Minute), 1)
	wantErr(t, "running", cancel(t, s, "job-0001"), nil)
	wantErr(t, "queued", cancel(t, s, "job-0002"), nil)
	wantErr(t, "cancelled", cancel(t, s, "job-0002"), catalog.ErrConflict)
	wantErr(t, "unknown", cancel(t, s, "nobody"), catalog.ErrNotFound)
	wantErr(t, "its worker settles", settle(t, s, "job-0001", "w", day, nil, time.Time{}), catalog.ErrLeaseLost)
	if j := job(t, s, "job-0001"); j.State != catalog.JobCancelled || !j.FinishedAt.Equal(day) {
		t.Errorf("job %+v, want cancelled", j)
	}
	if got := lease(t, s, "v", day.AddDate(1, 0, 0), day.AddDate(2, 0, 0), 9); len(got) != 1 || got[0].ID != "job-0003" {
		t.Errorf("leased %+v, want only the third", got)
	}
}

func testJobList(t *testing.T, s catalog.Store) {
	a, b, c, d := newJob(4), newJob(3), newJob(2), newJob(1)
	a.CreatedAt, b.CreatedAt, c.Kind = day, day, "mail"
	enqueue(t, s, a, b, c, d)
	wantErr(t, "cancel", cancel(t, s, d.ID), nil)
	for what, test := range map[string]struct {
		f    catalog.JobFilter
		want string
	}{
		"all":       {catalog.JobFilter{}, "job-0003 job-0004 job-0001 job-0002"},
		"kind":      {catalog.JobFilter{Kind: "mail"}, "job-0002"},
		"state":     {catalog.JobFilter{State: catalog.JobQueued, Kind: "probe"}, "job-0003 job-0004"},
		"page":      {catalog.JobFilter{Limit: 2}, "job-0003 job-0004"},
		"next page": {catalog.JobFilter{Limit: 2, After: "job-0004"}, "job-0001 job-0002"},
		"none":      {catalog.JobFilter{Kind: "nothing"}, ""},
	} {
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			list, err := tx.Jobs().List(ctx, test.f)
			var ids []string
			for _, j := range list {
				ids = append(ids, j.ID)
			}
			wantEqual(t, what, strings.Join(ids, " "), test.want)
			return err
		})
	}
}

func testJobRefuses(t *testing.T, s catalog.Store) {
	noID, noKind, badJSON, longKey := newJob(1), newJob(2), newJob(3), newJob(4)
	noID.ID, noKind.Kind, badJSON.Payload, longKey.UniqueKey = "", "", []byte("{"), strings.Repeat("k", 5000)
	for _, j := range []catalog.Job{noID, noKind, badJSON, longKey} {
		err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
			_, err := tx.Jobs().Enqueue(ctx, j)
			return err
		})
		wantErr(t, "enqueue", err, catalog.ErrInvalid)
	}
}

func testJobUnknown(t *testing.T, s catalog.Store) {
	err := s.View(t.Context(), func(tx catalog.Tx) error {
		_, err := tx.Jobs().Get(t.Context(), "nobody")
		return err
	})
	wantErr(t, "get", err, catalog.ErrNotFound)
	wantErr(t, "settle", settle(t, s, "nobody", "w", day, nil, time.Time{}), catalog.ErrLeaseLost)
}

func testJobMany(t *testing.T, s catalog.Store) {
	var list []catalog.Job
	for n := range 250 {
		list = append(list, newJob(n))
	}
	if ids := enqueue(t, s, append(list, list[:50]...)...); len(ids) != 250 || ids[249] != "job-0249" {
		t.Errorf("stored %d jobs, want 250 in order", len(ids))
	}
}

// testJobSettleWithWrite: what a worker wrote and that its job is done stand
// or fall together.
func testJobSettleWithWrite(t *testing.T, s catalog.Store) {
	enqueue(t, s, newJob(1))
	lease(t, s, "w", day, day.Add(time.Minute), 1)
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Entries().Put(ctx, newEntry(1)); err != nil {
			return err
		}
		return tx.Jobs().Settle(ctx, "job-0001", "another", day, nil, time.Time{})
	})
	wantErr(t, "settle", err, catalog.ErrLeaseLost)
	if n := len(allEntries(t, s, catalog.Range{})); n != 0 {
		t.Errorf("%d entries of a worker that had lost its job", n)
	}
}

func testJobDepth(t *testing.T, s catalog.Store) {
	depth := func(want ...catalog.JobCount) {
		t.Helper()
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			got, err := tx.Jobs().Depth(ctx)
			wantEqual(t, "depth", got, want)
			return err
		})
	}
	depth()
	mail := newJob(4)
	mail.Kind = "mail"
	enqueue(t, s, newJob(1), newJob(2), newJob(3), mail)
	lease(t, s, "w", day, day.Add(time.Minute), 1)
	wantErr(t, "cancel", cancel(t, s, "job-0002"), nil)
	depth(catalog.JobCount{Kind: "mail", State: catalog.JobQueued, Jobs: 1, Since: mail.RunAt},
		catalog.JobCount{Kind: "probe", State: catalog.JobCancelled, Jobs: 1, Since: newJob(2).RunAt},
		catalog.JobCount{Kind: "probe", State: catalog.JobQueued, Jobs: 1, Since: newJob(3).RunAt},
		catalog.JobCount{Kind: "probe", State: catalog.JobRunning, Jobs: 1, Since: day.Add(time.Minute)})
}
