package harvest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
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
	worker := harvest.Worker{Name: "w", Batch: b}
	if ran, err := worker.RunJob(w.ctx, w.st); err != nil || ran != want {
		w.t.Fatalf("ran %v, %v", ran, err)
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

// TestJobIsHeld: while a harvest takes longer than the lease, no other worker
// gets the job; a worker that lost it stops.
func TestJobIsHeld(t *testing.T) {
	w, p := newWorld(t), newPortal(t, 6, 5)
	p.pause = 100 * time.Millisecond
	w.configure(catalog.Source{Key: "one", Kind: "paged", URL: p.URL + "/1", Official: "by law"})
	b := w.batch(p.Client())
	b.Clock = func() time.Time { return time.Now().UTC() }
	w.now = b.Clock()
	id := w.enqueue(`{"sources":["one"]}`)
	done := make(chan error, 1)
	first := harvest.Worker{Name: "first", Lease: 200 * time.Millisecond, Batch: b}
	go func() { _, err := first.RunJob(w.ctx, w.st); done <- err }()
	time.Sleep(450 * time.Millisecond)
	second := harvest.Worker{Name: "second", Batch: b}
	if ran, err := second.RunJob(w.ctx, w.st); ran || err != nil {
		t.Errorf("the second worker got the job: %v", err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if j := w.job(id); j.State != catalog.JobDone || j.Attempt != 1 {
		t.Errorf("%+v", j)
	}
	// Cancelled while it runs.
	p.forget()
	id = w.enqueue(`{"sources":["one"],"again":1}`)
	go func() { _, err := first.RunJob(w.ctx, w.st); done <- err }()
	time.Sleep(250 * time.Millisecond)
	w.update(func(tx catalog.Tx) error { return tx.Jobs().Cancel(w.ctx, id, b.Clock()) })
	if err := <-done; err == nil || !strings.Contains(err.Error(), catalog.ErrLeaseLost.Error()) {
		t.Errorf("error %v", err)
	}
	if j := w.job(id); j.State != catalog.JobCancelled || p.most() > 1 || len(p.fetched) == 7 {
		t.Errorf("%+v, %v", j, p.fetched)
	}
	if run := w.runs(harvest.SourceID("one"))[0]; run.State != catalog.RunPartial || run.Errors[0].Code != string(harvest.CodeInterrupted) {
		t.Errorf("%+v", run)
	}
}
