package harvest_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/render/catalog"
)

func (w *world) enqueue(payload string) string {
	w.t.Helper()
	id := catalog.NewID("job", payload)
	w.update(func(tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(w.ctx, catalog.Job{ID: id, Kind: harvest.JobKind, Payload: json.RawMessage(payload), RunAt: w.now, CreatedAt: w.now, MaxAttempts: 2})
		return err
	})
	return id
}

func (w *world) job(id string) catalog.Job {
	w.t.Helper()
	var j catalog.Job
	w.update(func(tx catalog.Tx) error {
		got, err := tx.Jobs().Get(w.ctx, id)
		if err == nil {
			j = *got
		}
		return err
	})
	return j
}

func (w *world) work(b *harvest.Batch, want bool) {
	w.t.Helper()
	r := jobs.Runner{Store: w.st, Worker: "w", Tasks: []catalog.JobTask{b.Task(w.st)}, Clock: b.Clock, Log: slog.New(slog.DiscardHandler)}
	if n, err := r.Drain(w.ctx); err != nil || (n > 0) != want {
		w.t.Fatalf("%d jobs, %v", n, err)
	}
}

func TestJob(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 3, 20)
	w.configure(catalog.Source{Key: "one", Kind: "paged", URL: p.URL + "/1", Official: "by law"},
		catalog.Source{Key: "two", Kind: "paged", URL: p.URL + "/2", Official: "by law", Enabled: true})
	b := w.batch(p.Client())
	w.work(b, false)
	for _, x := range [][2]string{{`{"sources":["one"]}`, "one"}, {`{}`, "two"}, {"", ""}} {
		payload, want := x[0], x[1]
		id := w.enqueue(payload)
		w.work(b, true)
		j := w.job(id)
		var progress harvest.JobProgress
		if err := json.Unmarshal(j.Progress, &progress); err != nil {
			t.Fatal(err)
		}
		if j.State != catalog.JobDone || j.LastError != "" || (want == "") != (progress.Sources == 0) {
			t.Errorf("%s: %+v, %+v", payload, j, progress)
		}
		if want == "" {
			continue // everything that is due has been harvested
		}
		r := progress.Results[0]
		if progress.Sources != 1 || progress.Ended != 1 || progress.Records != 60 || r.Source != want || r.State != catalog.RunComplete || r.In != 60 || r.Error != "" ||
			w.runs(harvest.SourceID(want))[0].ID != r.Run {
			t.Errorf("%s: %+v", payload, progress)
		}
	}
	w.work(b, false)
}

func TestJobThatFails(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 5, 20)
	w.configure(catalog.Source{Key: "one", Kind: "paged", URL: p.URL + "/1", Official: "by law"})
	down := true
	p.before = func(w http.ResponseWriter, r *http.Request) bool {
		if down && r.URL.Query().Get("page") == "3" {
			w.WriteHeader(500)
			return true
		}
		return false
	}
	b := w.batch(p.Client())
	id := w.enqueue(`{"sources":["one"]}`)
	w.work(b, true)
	if j := w.job(id); j.State != catalog.JobQueued || !strings.Contains(j.LastError, "one") || !j.RunAt.Equal(w.now.Add(10*time.Minute)) ||
		!strings.Contains(string(j.Progress), "http_status") {
		t.Fatalf("%+v", j)
	}
	w.work(b, false) // not yet
	w.now, down = w.now.Add(10*time.Minute), false
	w.work(b, true)
	run := w.runs(harvest.SourceID("one"))[0]
	if j := w.job(id); j.State != catalog.JobDone || run.Resumed != 1 || run.Counts.In != 100 {
		t.Errorf("%+v, %+v", j, run)
	}
	// What no attempt can mend is not tried again.
	for _, payload := range []string{`{"sources":["nobody"]}`, `{"sources":7}`} {
		id := w.enqueue(payload)
		w.work(b, true)
		if j := w.job(id); j.State != catalog.JobFailed || j.LastError == "" {
			t.Errorf("%s: %+v", payload, j)
		}
	}
}

// underWay has another process harvest a source, with a sign of life until so long from now.
func (w *world) underWay(key string, lease time.Duration) {
	w.update(func(tx catalog.Tx) error {
		return tx.Runs().Put(w.ctx, catalog.HarvestRun{ID: catalog.NewRunID(harvest.SourceID(key), w.now, 0), SourceID: harvest.SourceID(key), State: catalog.RunRunning,
			StartedAt: w.now, UpdatedAt: w.now, Owner: "other-host-7 ABCDEFGHIJKLMNOPQRSTUVWXYZ", LeaseUntil: w.now.Add(lease)})
	})
}

// TestJobWaitsForWhatIsUnderWay: a source that another process is harvesting is not read twice at once; the job that
// names it says so, does not end before it has read it, and reads what it has read once.
func TestJobWaitsForWhatIsUnderWay(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 2, 5)
	w.configure(catalog.Source{Key: "one", Kind: "paged", URL: p.URL + "/1", Official: "by law", Enabled: true},
		catalog.Source{Key: "two", Kind: "paged", URL: p.URL + "/2", Official: "by law"})
	w.underWay("one", 30*time.Second)
	b := w.batch(p.Client())
	if due, err := harvest.Choose(w.ctx, w.st, nil, w.now); err != nil || len(due) != 0 {
		t.Errorf("due: %v, %v", due, err)
	}
	id := w.enqueue(`{"sources":["one","two"]}`)
	w.work(b, true)
	var progress harvest.JobProgress
	j := w.job(id)
	if err := json.Unmarshal(j.Progress, &progress); err != nil {
		t.Fatal(err)
	}
	if j.State != catalog.JobQueued || j.Attempt != 0 || j.LastError != "" || !j.RunAt.Equal(w.now.Add(10*time.Second)) || progress.Ended != 1 || len(progress.Results) != 2 ||
		!progress.Results[0].Waits || !strings.Contains(progress.Results[0].Error, "other-host-7 has been harvesting this source since") || progress.Results[1].Waits {
		t.Fatalf("%+v, %s", j, j.Progress)
	}
	read := len(w.runs(harvest.SourceID("two")))
	w.work(b, false) // not yet
	w.now = w.now.Add(31 * time.Second)
	if due, err := harvest.Choose(w.ctx, w.st, nil, w.now); err != nil || len(due) != 1 {
		t.Errorf("after its lease ran out: %v, %v", due, err)
	}
	w.work(b, true)
	run := w.runs(harvest.SourceID("one"))[0]
	if j = w.job(id); j.State != catalog.JobDone || strings.Contains(string(j.Progress), "waits") || run.State != catalog.RunComplete || run.Resumed != 1 || len(w.runs(harvest.SourceID("two"))) != read {
		t.Errorf("%+v, %s, %+v", j, j.Progress, run)
	}
}

// TestJobReadsAnew: what a run had read before the job was queued does not do for one that wants it read anew, as it
// does for one that only wants it read.
func TestJobReadsAnew(t *testing.T) {
	for payload, runs := range map[string]int{`{"sources":["one"]}`: 1, `{"sources":["one"],"anew":true}`: 2} {
		w, p := newWorld(t), newPortal(t, 2, 5)
		w.configure(catalog.Source{Key: "one", Kind: "paged", URL: p.URL + "/1", Official: "by law"})
		w.underWay("one", time.Second)
		w.now = w.now.Add(time.Minute)
		id := w.enqueue(payload)
		w.work(w.batch(p.Client()), true)
		list := w.runs(harvest.SourceID("one"))
		if j := w.job(id); j.State != catalog.JobDone || len(list) != runs || list[0].State != catalog.RunComplete || runs == 2 && (list[0].Resumed > 0 || list[0].StartedAt.Before(w.now)) {
			t.Errorf("%s: %+v, %s, %+v", payload, j, j.Progress, list)
		}
	}
}

// TestDeploymentsDoNotFailAHarvest stops the worker on each page of a listing,
// as often as the job has attempts and once more: every deployment goes on where
// the last one stopped, and no page that was taken is fetched again.
func TestDeploymentsDoNotFailAHarvest(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 6, 5)
	w.configure(catalog.Source{Key: "one", Kind: "paged", URL: p.URL + "/1", Official: "by law", Enabled: true})
	b := w.batch(p.Client())
	id := w.enqueue(`{}`) // of two attempts
	for page := 2; page <= 5; page++ {
		ctx, stop := context.WithCancel(w.ctx)
		p.look(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("page") == strconv.Itoa(page) {
				stop()
				<-r.Context().Done()
			}
			return false
		})
		r := jobs.Runner{Store: w.st, Worker: "w", Tasks: []catalog.JobTask{b.Task(w.st)}, Clock: b.Clock, Log: slog.New(slog.DiscardHandler)}
		if _, err := r.Drain(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if j := w.job(id); j.State != catalog.JobQueued || j.Attempt != 0 || j.RunAt.After(w.now) {
			t.Fatalf("page %d: %+v", page, j)
		}
	}
	p.look(nil)
	w.work(b, true)
	j, run := w.job(id), w.runs(harvest.SourceID("one"))[0]
	if j.State != catalog.JobDone || run.State != catalog.RunComplete || run.Resumed != 4 || run.Counts.In != 30 || p.most() > 2 || p.fetched[1] != 1 {
		t.Errorf("%+v, %+v, fetched %v", j, run, p.fetched)
	}
}
