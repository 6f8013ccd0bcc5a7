package build_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// eventsOf reads all events of a kind.
func eventsOf(t *testing.T, st catalog.Store, kind catalog.EventKind) []catalog.Event {
	t.Helper()
	var out []catalog.Event
	err := st.View(context.Background(), func(tx catalog.Tx) error {
		list, err := tx.Events().After(context.Background(), 0, 1_000_000)
		for _, e := range list {
			if e.Type == kind {
				out = append(out, e)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mqaOf reads the score that the site shows.
func mqaOf(t *testing.T, dir, id string) float64 {
	t.Helper()
	body, err := buildtest.ReadRoute(dir, "/api/v1/entries/"+id+"/quality-score")
	if err != nil {
		t.Fatal(err)
	}
	var page struct {
		MQA float64 `json:"mqa_score"`
	}
	if err := json.Unmarshal(body, &page); err != nil {
		t.Fatal(err)
	}
	return page.MQA
}

// TestRecord gives every entry a score of the day before that lies exactly 1.0
// or 0.9 away, so that the rule is tried at all values that occur.
func TestRecord(t *testing.T) {
	ctx := context.Background()
	r := register(t, 28)
	dir := filepath.Join(tempDir(t), "site")
	mustBuild(t, r.Store, options(dir, r.Now))
	if n := len(eventsOf(t, r.Store, catalog.EventCatalogBuilt)); n != 0 {
		t.Fatalf("a build that records nothing wrote %d events", n)
	}
	moves := []float64{1, -1, 0.9, -0.9, 12.3}
	yesterday := r.Now.AddDate(0, 0, -1).Format(time.DateOnly)
	want := map[string][2]float64{}
	entries := visible(t, r)
	var days []catalog.ScoreDay
	for i, e := range entries {
		to := mqaOf(t, dir, e.ID)
		from := math.Round((to-moves[i%len(moves)])*10) / 10
		days = append(days, catalog.ScoreDay{EntryID: e.ID, Day: yesterday, MQA: from})
		if math.Abs(moves[i%len(moves)]) >= 1 {
			want[e.ID] = [2]float64{from, to}
		}
	}
	if err := r.Store.Update(ctx, func(tx catalog.Tx) error { return tx.Scores().Put(ctx, days...) }); err != nil {
		t.Fatal(err)
	}
	mustBuild(t, r.Store, options(dir, r.Now))
	before := readTree(t, dir)
	o := options(dir, r.Now)
	o.Record = true
	report := mustBuild(t, r.Store, o)
	if d := buildtest.Touched(before, readTree(t, dir)); len(d) > 0 {
		t.Errorf("recording wrote %q", d)
	}
	for _, e := range eventsOf(t, r.Store, catalog.EventScoreChanged) {
		w, ok := want[e.EntryID]
		from, _ := json.Marshal(w[0])
		to, _ := json.Marshal(w[1])
		if !ok || len(e.Changes) != 1 || e.Changes[0].Field != "mqa_score" || string(e.Changes[0].From) != string(from) || string(e.Changes[0].To) != string(to) {
			t.Errorf("event %+v, want %s to %s", e, from, to)
		}
		delete(want, e.EntryID)
	}
	for id, w := range want {
		t.Errorf("entry %s moved from %v to %v without an event", id, w[0], w[1])
	}
	stored := 0
	err := r.Store.View(ctx, func(tx catalog.Tx) error {
		return tx.Scores().Scan(ctx, catalog.Range{}, func(d *catalog.ScoreDay) error {
			if d.Day == r.Now.Format(time.DateOnly) {
				stored++
			}
			return nil
		})
	})
	if err != nil || stored != len(entries) {
		t.Errorf("%d scores of the day are stored for %d entries, %v", stored, len(entries), err)
	}
	built := eventsOf(t, r.Store, catalog.EventCatalogBuilt)
	if len(built) != 1 || !strings.Contains(string(built[0].Data), report.Snapshot) {
		t.Fatalf("events of the build: %+v", built)
	}
	// The same snapshot again, here and elsewhere, is nothing new.
	again := mustBuild(t, r.Store, o)
	elsewhere := o
	elsewhere.Out = filepath.Join(tempDir(t), "elsewhere")
	mustBuild(t, r.Store, elsewhere)
	if d := buildtest.Touched(before, readTree(t, dir)); len(d) > 0 || again.Written != 0 || again.Snapshot != report.Snapshot {
		t.Errorf("a build triggered by its own record wrote %q", d)
	}
	equal(t, "elsewhere", before.WithoutFeed(), readTree(t, elsewhere.Out).WithoutFeed())
	if built := eventsOf(t, r.Store, catalog.EventCatalogBuilt); len(built) != 1 {
		t.Errorf("the same snapshot was recorded %d times", len(built))
	}
	mustChange(t, r, buildtest.Edit)
	o.At = r.Now
	mustBuild(t, r.Store, o)
	if built := eventsOf(t, r.Store, catalog.EventCatalogBuilt); len(built) != 2 {
		t.Errorf("two snapshots were recorded %d times", len(built))
	}
}

// rawSQL changes a store behind its back.
func rawSQL(t *testing.T, path, statement string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	result, err := db.ExecContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		t.Fatalf("%d rows, %v", n, err)
	}
}

// TestGate lets no build pass by which an entry would vanish or its time of
// publication would move.
func TestGate(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, db string, r *buildtest.Register, e *catalog.Entry)
		want  string
	}{
		{"deleted", func(t *testing.T, db string, _ *buildtest.Register, e *catalog.Entry) {
			rawSQL(t, db, "DELETE FROM entries WHERE id = ?", e.ID)
		}, "would vanish without a tombstone"},
		{"published later", func(t *testing.T, db string, _ *buildtest.Register, e *catalog.Entry) {
			rawSQL(t, db, "UPDATE entries SET published_at = published_at + 60000000 WHERE id = ?", e.ID)
		}, "publication time"},
		{"hidden again", func(t *testing.T, db string, _ *buildtest.Register, e *catalog.Entry) {
			rawSQL(t, db, "UPDATE entries SET status = 'PENDING_REVIEW' WHERE id = ?", e.ID)
		}, "would vanish without a tombstone"},
		{"removed without a time", func(t *testing.T, db string, _ *buildtest.Register, e *catalog.Entry) {
			rawSQL(t, db, "UPDATE entries SET status = 'REMOVED' WHERE id = ?", e.ID)
		}, "would vanish without a tombstone"},
		{"removed after the instant", func(t *testing.T, _ string, r *buildtest.Register, e *catalog.Entry) {
			if _, err := e.Transition(catalog.Change{To: catalog.StatusRemoved, Reason: "gone", At: r.Now.Add(time.Hour)}); err != nil {
				t.Fatal(err)
			}
			err := r.Store.Update(ctx, func(tx catalog.Tx) error {
				return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventRemoved, OccurredAt: e.UpdatedAt}}})
			})
			if err != nil {
				t.Fatal(err)
			}
		}, "would vanish without a tombstone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := filepath.Join(tempDir(t), "a.db")
			r, err := buildtest.New(ctx, openStore(t, db), 12, 3)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(tempDir(t), "site")
			mustBuild(t, r.Store, options(dir, r.Now))
			before := readTree(t, dir)
			e, err := r.Pick(ctx, catalog.StatusActive)
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(t, db, r, e)
			for _, full := range []bool{false, true} {
				o := options(dir, r.Now)
				o.Full, o.Record = full, true
				_, err := build.Build(ctx, r.Store, o, time.Now)
				if !errors.Is(err, build.ErrGate) || !strings.Contains(err.Error(), e.ID) || !strings.Contains(err.Error(), e.Slug) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("full %v: error %v, want the gate to name entry %s", full, err, e.ID)
				}
				if d := buildtest.Touched(before, readTree(t, dir)); len(d) > 0 {
					t.Fatalf("full %v: a refused build wrote %q", full, d)
				}
			}
			if n := len(eventsOf(t, r.Store, catalog.EventCatalogBuilt)); n != 0 {
				t.Error("a refused build was recorded")
			}
			mustBuild(t, r.Store, options(filepath.Join(tempDir(t), "elsewhere"), r.Now))
		})
	}
}

// TestTombstones lets removed and merged entries go, with a tombstone each.
func TestTombstones(t *testing.T) {
	r := register(t, 24)
	dir, earlier := filepath.Join(tempDir(t), "site"), filepath.Join(tempDir(t), "earlier")
	mustBuild(t, r.Store, options(dir, r.Now))
	mustBuild(t, r.Store, options(earlier, r.Now))
	removed, merged, renamed := mustChange(t, r, buildtest.Remove), mustChange(t, r, buildtest.Merge), mustChange(t, r, buildtest.Rename)
	mustBuild(t, r.Store, options(dir, r.Now))
	noFaults(t, "against the earlier site", openSite(t, dir), openSite(t, earlier))
	tree := readTree(t, dir)
	found := map[string]string{}
	for line := range strings.Lines(tree["tombstones.ndjson"].Body) {
		var l struct {
			ID, Reason string
			Successor  *string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		found[l.ID] = l.Reason
		if l.Successor != nil {
			found[l.ID] += " " + *l.Successor
		}
	}
	e, err := r.Entry(context.Background(), merged)
	if err != nil {
		t.Fatal(err)
	}
	if found[removed] != "removed" || found[merged] != "merged "+e.MergedIntoID {
		t.Errorf("tombstones %q and %q", found[removed], found[merged])
	}
	for path := range tree {
		for _, id := range []string{removed, merged} {
			if strings.HasPrefix(path, "api/v1/entries/"+id) {
				t.Errorf("%s is still there", path)
			}
		}
	}
	if !strings.Contains(tree["api/v1/entries/"+e.MergedIntoID+"/relations/index.json"].Body, merged) {
		t.Error("the older entry does not say what was merged into it")
	}
	e, err = r.Entry(context.Background(), renamed)
	if err != nil {
		t.Fatal(err)
	}
	pages := readTree(t, dir)
	page := func(slug string) bool { return pages["api/v1/entries/"+slug+"/index.json"].Body != "" }
	if page(e.FormerSlugs[len(e.FormerSlugs)-1]) || !page(e.Slug) {
		t.Error("the renamed entry does not lie under its new slug alone")
	}
}

// TestSnapshotComesBack changes a thing and changes it back: the first
// snapshot's pages, which stayed, count as published anew.
func TestSnapshotComesBack(t *testing.T) {
	ctx := context.Background()
	r := register(t, 15)
	dir := filepath.Join(tempDir(t), "site")
	o := options(dir, r.Now)
	o.Keep, o.KeepFor = 1, time.Hour
	start := time.Now().Add(-12 * time.Hour)
	at := func(minutes int) string {
		t.Helper()
		o.Now = start.Add(time.Duration(minutes) * time.Minute)
		return mustBuild(t, r.Store, o).Snapshot
	}
	e, err := r.Pick(ctx, catalog.StatusActive)
	if err != nil {
		t.Fatal(err)
	}
	describe := func(text string) {
		t.Helper()
		e.Description = text
		err := r.Store.Update(ctx, func(tx catalog.Tx) error {
			return tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: e.UpdatedAt}}})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	text := e.Description
	a := at(0)
	describe("another text")
	b := at(10)
	describe(text)
	if back := at(20); back != a {
		t.Fatalf("the same catalog is snapshot %s, then %s", a, back)
	}
	noFaults(t, "came back", openSite(t, dir), nil)
	describe("a third text")
	c := at(75) // b was replaced 55 minutes ago, a just now
	want := []string{a, b, c}
	slices.Sort(want)
	if got := snapshots(t, dir); !slices.Equal(got, want) {
		t.Errorf("snapshots %q stay, want %q", got, want)
	}
	c2 := at(90) // b was replaced 70 minutes ago, a 15
	want = []string{a, c2}
	slices.Sort(want)
	if got := snapshots(t, dir); !slices.Equal(got, want) {
		t.Errorf("snapshots %q stay, want %q", got, want)
	}
}

// snapshots are those whose files lie in a folder, sorted.
func snapshots(t *testing.T, dir string) (ids []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		if id, ok := snapshot.IDOf(l.Name()); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func BenchmarkBuild(b *testing.B) {
	ctx := context.Background()
	st := openStore(b, filepath.Join(b.TempDir(), "a.db"))
	r, err := buildtest.New(ctx, st, 2000, 1)
	if err != nil {
		b.Fatal(err)
	}
	run := func(b *testing.B, dir string) {
		report := mustBuild(b, st, options(dir, r.Now))
		b.ReportMetric(float64(report.Written+report.Unchanged), "files/op")
	}
	b.Run("scratch", func(b *testing.B) {
		for b.Loop() {
			run(b, filepath.Join(b.TempDir(), "site"))
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		dir := filepath.Join(b.TempDir(), "site")
		run(b, dir)
		for b.Loop() {
			run(b, dir)
		}
	})
	b.Run("edited", func(b *testing.B) {
		dir := filepath.Join(b.TempDir(), "site")
		run(b, dir)
		for b.Loop() {
			if _, err := r.Change(ctx, buildtest.Edit); err != nil {
				b.Fatal(err)
			}
			run(b, dir)
		}
	})
}
