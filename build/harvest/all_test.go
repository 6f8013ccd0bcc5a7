package harvest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// lines is a connector for a file of JSON lines.
type lines struct{}

func (lines) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, _ func(source.Rejection) error) error {
	r, err := in.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	dec := json.NewDecoder(r)
	for dec.More() {
		var l listing
		if err := dec.Decode(&l); err != nil {
			return err
		}
		if err := emit(draft(l.ID, l.Name, l.URL)); err != nil {
			return err
		}
	}
	return nil
}

// batch harvests sources of the kinds paged and lines on the world's clock.
func (w *world) batch(client *http.Client) *harvest.Batch {
	return &harvest.Batch{Connectors: map[string]source.Connector{"paged": paged{}, "lines": lines{}}, Clock: func() time.Time { return w.now },
		Fetcher: impatient(client), AllowPrivate: true}
}

func (w *world) configure(list ...catalog.Source) {
	w.t.Helper()
	for i := range list {
		list[i].ID, list[i].Title = harvest.SourceID(list[i].Key), list[i].Key
	}
	if err := harvest.Configure(w.ctx, w.st, list, w.now); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) choose(names ...string) []string {
	w.t.Helper()
	list, err := harvest.Choose(w.ctx, w.st, names, w.now)
	if err != nil {
		w.t.Fatal(err)
	}
	keys := []string{}
	for _, s := range list {
		keys = append(keys, s.Key)
	}
	return keys
}

func TestAllSources(t *testing.T) {
	w := newWorld(t)
	good, bad := newPortal(t, 3, 20), newPortal(t, 1, 1)
	bad.before = func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(500); return true }
	file := filepath.Join(t.TempDir(), "list.ndjson")
	if err := os.WriteFile(file, []byte(`{"id":"h:k:f","name":"From a file","url":"`+tides+`/f"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	w.configure(
		catalog.Source{Key: "good", Kind: "paged", URL: good.URL + "/api", Enabled: true, Official: "by law"},
		catalog.Source{Key: "bad", Kind: "paged", URL: bad.URL + "/api", Enabled: true, Official: "by law"},
		catalog.Source{Key: "file", Kind: "lines", File: file, Enabled: true, Official: "by law"},
		catalog.Source{Key: "lost", Kind: "lines", File: file + ".gone", Enabled: true},
		catalog.Source{Key: "odd", Kind: "nonsense", URL: "https://odd.example/", Enabled: true},
		catalog.Source{Key: "off", Kind: "paged", URL: good.URL + "/off"},
	)
	list, err := harvest.Choose(w.ctx, w.st, nil, w.now)
	if err != nil || len(list) != 5 {
		t.Fatalf("%d sources, %v", len(list), err)
	}
	ended := map[string]int{}
	b := w.batch(good.Client())
	b.Progress = func(s *catalog.Source, p harvest.Progress, end bool) {
		if end {
			ended[s.Key] = p.Records
		}
	}
	want := map[string]string{"good": "", "bad": "http_status", "file": "", "lost": "no such file", "odd": `"nonsense"`}
	for _, o := range b.Run(w.ctx, w.st, list) {
		text := want[o.Source.Key]
		if o.Failed() != (text != "") || text != "" && !strings.Contains(o.Err.Error(), text) || o.Report.Started.IsZero() || o.Report.Finished.IsZero() {
			t.Errorf("%s: %s, %v", o.Source.Key, o.Report.State, o.Err)
		}
	}
	if len(ended) != 5 || ended["good"] != 60 || ended["file"] != 1 {
		t.Errorf("ended %v", ended)
	}
}

// TestOneAtATimePerHost: two sources of a host wait for each other, those of
// other hosts do not.
func TestOneAtATimePerHost(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	now, most := map[string]int{}, map[string]int{}
	var both bool
	count := func(host string, step int) {
		mu.Lock()
		defer mu.Unlock()
		now[host] += step
		most[host] = max(most[host], now[host])
		both = both || now["a"] > 0 && now["b"] > 0
	}
	portalOf := func(host string) *portal {
		p := newPortal(t, 3, 2)
		p.before = func(http.ResponseWriter, *http.Request) bool {
			count(host, 1)
			time.Sleep(20 * time.Millisecond)
			count(host, -1)
			return false
		}
		return p
	}
	a, b := portalOf("a"), portalOf("b")
	// The second host needs another name: the port is no part of one.
	elsewhere := strings.Replace(b.URL, "127.0.0.1", "localhost", 1)
	w.configure(catalog.Source{Key: "a1", Kind: "paged", URL: a.URL + "/1"}, catalog.Source{Key: "a2", Kind: "paged", URL: a.URL + "/2"},
		catalog.Source{Key: "b1", Kind: "paged", URL: elsewhere + "/1"})
	list, err := harvest.Choose(w.ctx, w.st, []string{"a1", "a2", "b1"}, w.now)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range w.batch(http.DefaultClient).Run(w.ctx, w.st, list) {
		if o.Err != nil {
			t.Error(o.Err)
		}
	}
	if most["a"] != 1 || !both {
		t.Errorf("at once: %v, both %v", most, both)
	}
}

// TestNotTwiceForBeingDue: while a process harvests the first of the sources that
// were due, another one harvests the second, which then is left alone unless it
// is asked for by name.
func TestNotTwiceForBeingDue(t *testing.T) {
	w, first, second := newWorld(t), newPortal(t, 1, 5), newPortal(t, 1, 5)
	w.configure(catalog.Source{Key: "a", Kind: "paged", URL: first.URL + "/1", Enabled: true, Official: "by law"},
		catalog.Source{Key: "b", Kind: "paged", URL: second.URL + "/2", Enabled: true, Official: "by law"})
	run := func(names ...string) []harvest.Outcome {
		list, err := harvest.Choose(w.ctx, w.st, names, w.now)
		if err != nil {
			t.Fatal(err)
		}
		b := w.batch(first.Client())
		b.Options.Due = len(names) == 0
		return b.Run(w.ctx, w.st, list)
	}
	var other []harvest.Outcome
	first.before = func(http.ResponseWriter, *http.Request) bool {
		if other == nil {
			other = run()
		}
		return false
	}
	mine := run()
	if len(other) != 1 || other[0].Source.Key != "b" || other[0].Err != nil {
		t.Fatalf("the other process: %+v", other)
	}
	if len(mine) != 2 || mine[0].Err != nil || !errors.Is(mine[1].Err, harvest.ErrHarvested) || !mine[1].Busy() || mine[1].Failed() || second.fetched[1] != 1 {
		t.Errorf("fetched %v, %v", second.fetched, mine[1].Err)
	}
	if again := run("b"); again[0].Err != nil || second.fetched[1] != 2 {
		t.Errorf("by name: fetched %v, %v", second.fetched, again[0].Err)
	}
}

func TestChoose(t *testing.T) {
	w := newWorld(t)
	w.configure(catalog.Source{Key: "gb-one", Kind: "test", Enabled: true}, catalog.Source{Key: "gb-two", Kind: "test"},
		catalog.Source{Key: "fr-three", Kind: "test", Enabled: true, Schedule: "weekly"})
	if got := fmt.Sprint(w.choose()); got != "[fr-three gb-one]" {
		t.Errorf("due %s", got)
	}
	if got := fmt.Sprint(w.choose("gb-two", harvest.SourceID("gb-one"), "gb-two")); got != "[gb-two gb-one]" {
		t.Errorf("named %s", got)
	}
	_, err := harvest.Choose(w.ctx, w.st, []string{"gb-six"}, w.now)
	if !errors.Is(err, harvest.ErrUnknownSource) || !strings.Contains(err.Error(), "gb-one, gb-two") {
		t.Errorf("error %v", err)
	}
	w.run(catalog.Source{ID: harvest.SourceID("gb-one"), Kind: "test"}, harvest.Options{Confirmed: true})
	if _, err := w.try(catalog.Source{ID: harvest.SourceID("fr-three"), Kind: "test"}, harvest.Options{}, failing{nil, nil}); err == nil {
		t.Fatal("no error")
	}
	for _, c := range []struct {
		after time.Duration
		want  string
	}{{time.Minute, "[]"}, {time.Hour, "[fr-three]"}, {25 * time.Hour, "[fr-three gb-one]"}} {
		at := w.now
		w.now = w.now.Add(c.after)
		if got := fmt.Sprint(w.choose()); got != c.want {
			t.Errorf("due after %v: %s, want %s", c.after, got, c.want)
		}
		w.now = at
	}
}

// TestRunsOfTheFuture: what was harvested while a clock ran ahead does not decide,
// when that time comes, that a source was harvested just then, and asks no one for
// what changed since.
func TestRunsOfTheFuture(t *testing.T) {
	w := newWorld(t)
	p := newPortal(t, 1, 2)
	w.configure(catalog.Source{Key: "good", Kind: "paged", URL: p.URL + "/api", Enabled: true, Official: "by law"})
	begin := w.now
	for _, day := range []int{3, 3, 0, 1} {
		w.now = begin.AddDate(0, 0, day)
		if keys := w.choose(); len(keys) != 1 && day != 3 {
			t.Errorf("day %d: %d sources are due", day, len(keys))
		}
		list, err := harvest.Choose(w.ctx, w.st, []string{"good"}, w.now)
		if err != nil {
			t.Fatal(err)
		}
		if o := w.batch(p.Client()).Run(w.ctx, w.st, list)[0]; o.Err != nil {
			t.Fatal(o.Err)
		}
	}
	var runs []catalog.HarvestRun
	w.update(func(tx catalog.Tx) (err error) {
		runs, err = tx.Runs().Latest(w.ctx, harvest.SourceID("good"), 9)
		return err
	})
	if len(runs) != 4 {
		t.Fatalf("%d runs", len(runs))
	}
	for i := range runs {
		if r := &runs[i]; r.StartedAt.After(w.now) || r.FinishedAt.After(w.now) || i > 0 && !r.StartedAt.Before(runs[i-1].StartedAt) {
			t.Errorf("run %d began at %s and ended at %s, now is %s", i, r.StartedAt, r.FinishedAt, w.now)
		}
	}
	if !runs[1].StartedAt.Equal(begin) {
		t.Errorf("the first run of a right clock began at %s", runs[1].StartedAt)
	}
	w.now = begin.AddDate(0, 0, 3)
	if keys := w.choose(); len(keys) != 1 {
		t.Error("a source is not due when the time comes to which a clock had jumped")
	}
}

func TestDueAt(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		schedule string
		state    catalog.RunState
		want     time.Duration
	}{
		{"", catalog.RunComplete, 24 * time.Hour}, {"hourly", catalog.RunUnchanged, time.Hour}, {"weekly", catalog.RunQuarantined, 168 * time.Hour},
		{"36h", catalog.RunComplete, 36 * time.Hour}, {"monthly", catalog.RunComplete, 720 * time.Hour},
		{"weekly", catalog.RunFailed, time.Hour + time.Minute}, {"10m", catalog.RunPartial, 11 * time.Minute}, {"1m", catalog.RunComplete, time.Minute},
	} {
		got, err := harvest.DueAt(&catalog.Source{Schedule: c.schedule}, &catalog.HarvestRun{State: c.state, StartedAt: at, FinishedAt: at.Add(time.Minute)}, at)
		if err != nil || !got.Equal(at.Add(c.want)) {
			t.Errorf("%s, %s: %v, %v", c.schedule, c.state, got.Sub(at), err)
		}
	}
	for _, last := range []*catalog.HarvestRun{nil, {State: catalog.RunRunning, StartedAt: at}} {
		if got, err := harvest.DueAt(&catalog.Source{}, last, at); err != nil || !got.IsZero() {
			t.Errorf("%v, %v", got, err)
		}
	}
	for _, bad := range []string{"sometimes", "1s", "-1h", "1"} {
		if _, err := harvest.DueAt(&catalog.Source{Key: "x", Schedule: bad}, nil, at); err == nil || !strings.Contains(err.Error(), "source x") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestConfigure(t *testing.T) {
	w := newWorld(t)
	if err := harvest.LoadReference(w.ctx, w.st, w.now); err != nil {
		t.Fatal(err)
	}
	read := func(key string) catalog.Source {
		t.Helper()
		var s catalog.Source
		w.update(func(tx catalog.Tx) error {
			got, err := tx.Sources().Get(w.ctx, harvest.SourceID(key))
			if err == nil {
				s = *got
			}
			return err
		})
		return s
	}
	shippedRow := read("lv-data-gov")
	mine := shippedRow
	mine.URL, mine.Enabled = "https://mirror.example.lv/dati", true
	w.now = w.now.Add(time.Hour)
	w.configure(mine, catalog.Source{Key: "own", Kind: "ckan", URL: "https://own.example/", Enabled: true})
	first := read("lv-data-gov")
	if first.URL != mine.URL || !first.Enabled || !first.Configured || !first.CreatedAt.Equal(shippedRow.CreatedAt) || !first.UpdatedAt.Equal(w.now) {
		t.Errorf("%+v", first)
	}
	// Neither the shipped table nor the same file again touches the row.
	w.now = w.now.Add(time.Hour)
	if err := harvest.LoadReference(w.ctx, w.st, w.now); err != nil {
		t.Fatal(err)
	}
	w.configure(mine, catalog.Source{Key: "own", Kind: "ckan", URL: "https://own.example/", Enabled: true})
	if got := read("lv-data-gov"); got.URL != mine.URL || !got.UpdatedAt.Equal(first.UpdatedAt) {
		t.Errorf("%+v", got)
	}
	// A row that left the file stays, and is not due; the shipped one is the
	// table's again.
	w.configure()
	if err := harvest.LoadReference(w.ctx, w.st, w.now); err != nil {
		t.Fatal(err)
	}
	if got := read("own"); got.Enabled || got.Configured {
		t.Errorf("%+v", got)
	}
	if got := read("lv-data-gov"); got.Enabled || got.Configured || got.URL != shippedRow.URL {
		t.Errorf("%+v", got)
	}
}
