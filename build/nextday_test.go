package build_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/score"
)

// TestNextDay builds a register again a day later. What tells of an entry whose scores
// stayed stays to the byte, but for the documents that show an age in days.
func TestNextDay(t *testing.T) {
	t.Parallel()
	r := register(t, 40)
	path := filepath.Join(tempDir(t), "snapshots")
	o := options(path, r.Now)
	o.Record = true
	mustBuild(t, r.Store, o)
	before := parts(t, path)
	o.At = o.At.Add(24 * time.Hour)
	mustBuild(t, r.Store, o)
	after, calm := parts(t, path), 0
	for route, body := range after {
		id, ok := strings.CutSuffix(route, "/quality-history")
		if !ok || !bytes.Equal(before[route], body) {
			continue
		}
		calm++
		for _, part := range []string{"/provenance", "/preview", "/checks"} {
			if !bytes.Equal(before[id+part], after[id+part]) {
				t.Errorf("%s%s is another one", id, part)
			}
		}
	}
	if calm < 5 {
		t.Errorf("the scores of %d entries stayed, too few to tell", calm)
	}
}

// TestQuietDay builds on a day on which no entry reaches an age that counts: the snapshot is
// that of the day before, and nothing is written but the scores of the day.
func TestQuietDay(t *testing.T) {
	t.Parallel()
	r := register(t, 24)
	path := filepath.Join(tempDir(t), "snapshots")
	o := recorded(path, r.Now)
	o.At = quiet(t, r, r.Now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 8)) // points gained in a week are not shown any more
	first := mustBuild(t, r.Store, o)
	before := documents(t, path)
	o.At = o.At.Add(24 * time.Hour)
	if next := likeFromNothing(t, "a quiet day", r.Store, o); next.Snapshot != first.Snapshot || next.Written != 0 {
		t.Errorf("the day after %s brings %s, %d documents made anew: %s", first.Snapshot, next.Snapshot, next.Written, moved(before, documents(t, path)))
	}
	stored, today := 0, o.At.Format(time.DateOnly)
	err := r.Store.View(t.Context(), func(tx catalog.Tx) error {
		return tx.Scores().Scan(t.Context(), catalog.Range{}, func(d *catalog.ScoreDay) error {
			if d.Day == today {
				stored++
			}
			return nil
		})
	})
	if n := len(visible(t, r)); err != nil || stored < n {
		t.Errorf("the scores of %d of %d entries are stored on the day after, %v", stored, n, err)
	}
}

// documents are the hashes of all documents, by their route.
func documents(t *testing.T, path string) map[string][32]byte {
	t.Helper()
	x, _ := openPack(t, path)
	out := map[string][32]byte{}
	if err := x.Each(func(f *pack.Found) error { out[f.Document.Route] = f.Document.Sum; return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// moved are the routes of the documents that are others, or new.
func moved(before, after map[string][32]byte) []string {
	var out []string
	for route, sum := range after {
		if before[route] != sum {
			out = append(out, route)
		}
	}
	slices.Sort(out)
	return out
}

// quiet is the first day from one on after which no age of an entry reaches a step.
func quiet(t *testing.T, r *buildtest.Register, day time.Time) time.Time {
	t.Helper()
	all := visible(t, r)
	for ; ; day = day.AddDate(0, 0, 1) {
		moves := func(e catalog.Entry) bool {
			age := day.AddDate(0, 0, 1).Sub(e.SourceModifiedAt.UTC().Truncate(24*time.Hour)) / (24 * time.Hour)
			return !e.SourceModifiedAt.IsZero() && slices.Contains(score.AgeSteps(), int(age))
		}
		if !slices.ContainsFunc(all, moves) {
			return day
		}
	}
}

// parts are the JSON documents of entries.
func parts(t *testing.T, path string) map[string][]byte {
	t.Helper()
	x, _ := openPack(t, path)
	out := map[string][]byte{}
	err := x.Each(func(f *pack.Found) error {
		id, ok := strings.CutPrefix(f.Document.Route, "/api/v1/entries/")
		if id, _, _ := strings.Cut(id, "/"); !ok || !catalog.IsID(id) {
			return nil
		}
		var b bytes.Buffer
		err := x.Write(&b, f, 0, f.Document.Size)
		out[f.Document.Route] = b.Bytes()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNeighboursStay edits what no other page shows of an entry: what sets others beside
// it stays to the byte.
func TestNeighboursStay(t *testing.T) {
	t.Parallel()
	r := register(t, 28)
	path := filepath.Join(tempDir(t), "snapshots")
	o := options(path, r.Now)
	mustBuild(t, r.Store, o)
	before := parts(t, path)
	e, err := r.Pick(t.Context(), catalog.StatusActive)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range visible(t, r) { // an entry that others name, with a description to change
		if d.Description != "" && strings.Contains(string(before["/api/v1/entries/"+e.ID+"/related"]), d.ID) {
			e = &d
			break
		}
	}
	e.Description, e.UpdatedAt = strings.ToUpper(e.Description), r.Now.Add(time.Hour)
	err = r.Store.Update(t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(t.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: e.UpdatedAt}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	o.At = e.UpdatedAt
	mustBuild(t, r.Store, o)
	after, own := parts(t, path), 0
	for route, body := range after {
		if bytes.Equal(before[route], body) {
			continue
		}
		if own++; !strings.Contains(route, e.ID) {
			t.Errorf("%s is another one", route)
		}
	}
	if own == 0 {
		t.Error("the edit shows nowhere")
	}
}

// TestDaysPass builds on days on which nobody writes a row: what stays is taken from the build
// before, and what an age, a window of checks or a week of scores moves is made anew.
func TestDaysPass(t *testing.T) {
	t.Parallel()
	r := register(t, 20)
	o := recorded(filepath.Join(tempDir(t), "snapshots"), r.Now)
	first := likeFromNothing(t, "first", r.Store, o)
	kept := 0
	for _, days := range []int{1, 6, 24, 30} {
		o.At = o.At.AddDate(0, 0, days)
		report := likeFromNothing(t, o.At.Format(time.DateOnly), r.Store, o)
		if report.Written < first.Written/4 {
			kept++
		}
	}
	if kept < 2 {
		t.Errorf("few documents were made anew on %d days of 4", kept)
	}
}
