package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var workerTests = map[string]func(*testing.T, catalog.Store){
	"WorkersNeverShareAJob":   testWorkers,
	"WorkersEnqueueOneUnique": testWorkersUnique,
	"WorkersMixWithWriters":   testWorkersWithWriters,
}

// together runs fn for each of n workers at the same time.
func together(n int, fn func(worker int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { fn(w) })
	}
	wg.Wait()
}

// testWorkers lets four workers empty the queue; every tenth job fails twice.
func testWorkers(t *testing.T, s catalog.Store) {
	const count = 120
	var list []catalog.Job
	for n := range count {
		list = append(list, newJob(n))
	}
	enqueue(t, s, list...)
	var mu sync.Mutex
	taken := map[string]int{}
	together(4, func(w int) {
		drain(t, s, fmt.Sprint("worker", w), func(j catalog.Job) {
			mu.Lock()
			defer mu.Unlock()
			taken[fmt.Sprint(j.ID, "/", j.Attempt)]++
		})
	})
	if want := count + 2*count/10; len(taken) != want {
		t.Errorf("%d attempts, want %d", len(taken), want)
	}
	for attempt, n := range taken {
		if n != 1 {
			t.Errorf("%s was taken %d times", attempt, n)
		}
	}
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		done, err := tx.Jobs().List(ctx, catalog.JobFilter{State: catalog.JobDone})
		if len(done) != count {
			t.Errorf("%d jobs done, want %d", len(done), count)
		}
		return err
	})
}

// drain leases and settles until nothing is due.
func drain(t *testing.T, s catalog.Store, worker string, seen func(catalog.Job)) {
	for {
		jobs := lease(t, s, worker, day, day.Add(time.Hour), 3)
		if len(jobs) == 0 {
			return
		}
		for _, j := range jobs {
			seen(j)
			var failure error
			if j.Attempt < 3 && j.ID[len(j.ID)-1] == '0' {
				failure = errors.New("once more")
			}
			if err := settle(t, s, j.ID, worker, day, failure, day); err != nil {
				t.Errorf("settle %s: %v", j.ID, err)
			}
		}
	}
}

func testWorkersUnique(t *testing.T, s catalog.Store) {
	var mu sync.Mutex
	stored := 0
	together(8, func(w int) {
		j := newJob(w)
		j.UniqueKey = "slot"
		ids := enqueue(t, s, j)
		mu.Lock()
		stored += len(ids)
		mu.Unlock()
	})
	if stored != 1 {
		t.Errorf("stored %d jobs of one key, want 1", stored)
	}
}

// testWorkersWithWriters crosses the order in which jobs and entries are
// touched, which may deadlock inside the database but not for the caller.
func testWorkersWithWriters(t *testing.T, s catalog.Store) {
	for n := range 8 {
		enqueue(t, s, newJob(n))
	}
	together(8, func(w int) {
		for round := range 4 {
			err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
				write := func() error { return tx.Entries().Put(ctx, newEntry(w*10+round)) }
				take := func() error {
					_, err := tx.Jobs().Lease(ctx, fmt.Sprint(w), []string{"probe"}, day.AddDate(0, 0, round), day, 2)
					return err
				}
				if w%2 == 0 {
					return errors.Join(write(), take())
				}
				return errors.Join(take(), write())
			})
			if err != nil {
				t.Errorf("worker %d round %d: %v", w, round, err)
			}
		}
	})
	if n := lastEvent(t, s); n != 32 {
		t.Errorf("last event %d, want 32", n)
	}
}
