package harvest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// TestRunsThatBringNothing: an input that was read to its end and brought
// nothing is a failure that says what helps, unless a person said so or the
// empty listing is in quarantine.
func TestRunsThatBringNothing(t *testing.T) {
	t.Parallel()
	refused := draft("h:k:9", "Elsewhere", "https://elsewhere.example/")
	refused.PublisherKey = ""
	other := refused
	other.Entry.UpstreamRef, other.Entry.PrimarySourceURL = "h:k:8", "https://elsewhere.example/2"
	for _, c := range []struct {
		name  string
		known bool
		opts  harvest.Options
		list  []source.Draft
		state catalog.RunState
		code  source.Code
		says  []string
	}{
		{"nothing", false, harvest.Options{Complete: true}, nil, catalog.RunFailed, harvest.CodeNothingFound, []string{"no record was found in list", "kind test", "--confirmed"}},
		{"nothing, and a person says so", false, harvest.Options{Complete: true, Confirmed: true}, nil, catalog.RunComplete, "", nil},
		{"nothing of what is known", true, harvest.Options{Complete: true}, nil, catalog.RunQuarantined, "", nil},
		{"nothing of what is known, and a person says so", true, harvest.Options{Complete: true, Confirmed: true}, nil, catalog.RunComplete, "", nil},
		{"nothing in a capture of a part", true, harvest.Options{}, nil, catalog.RunFailed, harvest.CodeNothingFound, []string{"no record was found"}},
		{"all rejected", false, harvest.Options{}, []source.Draft{refused, other}, catalog.RunFailed, harvest.CodeAllRejected,
			[]string{"all 2 records were rejected: not_official 2", "harvest it from a source marked official"}},
		{"one gets in", false, harvest.Options{}, []source.Draft{refused, draft("h:k:1", "Tides", tides)}, catalog.RunComplete, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.plain.Kind, w.official.Kind = "test", "test"
			s := w.plain
			if c.known {
				s = w.official
				w.run(s, harvest.Options{Complete: true}, services(3)...)
			}
			r, err := w.try(s, c.opts, drafts(c.list))
			if r.State != c.state || errors.Is(err, harvest.ErrFruitless) != (c.code != "") || c.code == "" && err != nil {
				t.Fatalf("state %s, %v", r.State, err)
			}
			stored := w.runs(s.ID)[0]
			if stored.State != c.state || (len(stored.Errors) > 0) != (c.code != "") {
				t.Fatalf("the log says %s, %+v", stored.State, stored.Errors)
			}
			if c.code == "" {
				return
			}
			if stored.Errors[0].Code != string(c.code) {
				t.Errorf("code %s", stored.Errors[0].Code)
			}
			for _, text := range c.says {
				if !strings.Contains(stored.Errors[0].Text, text) || !strings.Contains(err.Error(), text) {
					t.Errorf("%q does not say %q", err, text)
				}
			}
			due, err := harvest.DueAt(&catalog.Source{Schedule: "weekly"}, &stored, w.now)
			if err != nil || !due.Equal(stored.StartedAt.Add(7*24*time.Hour)) {
				t.Errorf("it is due at %s, %v: to ask soon again helps nobody", due, err)
			}
		})
	}
}

// TestNothingChanged: a run that asks for changes only may find none, or none
// that gets in.
func TestNothingChanged(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), newPortal(t, 2, 5)
	w.configure(catalog.Source{Key: "one", Kind: "paged", URL: p.URL + "/1", Official: "by law", Incremental: true, Enabled: true})
	b := w.batch(p.Client())
	one := func() harvest.Outcome {
		list, err := harvest.Choose(w.ctx, w.st, []string{"one"}, w.now)
		if err != nil {
			t.Fatal(err)
		}
		out := b.Run(w.ctx, w.st, list)[0]
		w.now = w.now.Add(2 * time.Hour)
		return out
	}
	if o := one(); o.Failed() {
		t.Fatalf("%v, %+v", o.Err, o.Report)
	}
	for name, page := range map[string][][]string{"none": nil, "a broken one": {{`{"id": broken}`}}} {
		p.mu.Lock()
		p.pages = page
		p.mu.Unlock()
		o := one()
		if run := w.runs(harvest.SourceID("one"))[0]; o.Failed() || run.Since.IsZero() || run.State != catalog.RunComplete {
			t.Errorf("%s: %s, since %s: %v", name, run.State, run.Since, o.Err)
		}
	}
}

// TestFruitlessJob is done: its next attempt would find nothing, too.
func TestFruitlessJob(t *testing.T) {
	t.Parallel()
	w, p := newWorld(t), newPortal(t, 0, 0)
	w.configure(catalog.Source{Key: "one", Kind: "paged", URL: p.URL + "/1", Official: "by law"})
	id := w.enqueue(`{"sources":["one"]}`)
	w.work(w.batch(p.Client()), true)
	j := w.job(id)
	var progress harvest.JobProgress
	if err := json.Unmarshal(j.Progress, &progress); err != nil {
		t.Fatal(err)
	}
	if j.State != catalog.JobDone || len(progress.Results) != 1 || progress.Results[0].State != catalog.RunFailed || !strings.Contains(progress.Results[0].Error, "no record was found") {
		t.Errorf("%+v, %s", j, j.Progress)
	}
}
