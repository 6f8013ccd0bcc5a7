package build_test

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/pages"
)

// round checks every active entry once, at its moment in the six hours from an instant; the
// source of the one entry is down.
func round(t *testing.T, r *buildtest.Register, from time.Time, down string) {
	t.Helper()
	ctx := t.Context()
	err := r.Store.Update(ctx, func(tx catalog.Tx) error {
		var checks []catalog.Check
		var states []catalog.CheckState
		var events []catalog.Event
		err := tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			if e.Status != catalog.StatusActive {
				return nil
			}
			c := catalog.Check{EntryID: e.ID, At: verify.NextSlot(e.ID, verify.DefaultCadence, from), Kind: "http", URL: "https://live.example/" + e.ID, Method: "GET",
				Up: e.ID != down, LatencyMS: 20 + from.Hour() + len(checks)%50, HTTPStatus: 200, ContentType: "application/json", Vantages: 1}
			if !c.Up {
				c.HTTPStatus, c.Class, c.Error = 503, catalog.ErrorHTTP, "HTTP 503"
			}
			checks = append(checks, c)
			return nil
		})
		if err != nil {
			return err
		}
		ids := make([]string, len(checks))
		for i := range checks {
			ids[i] = checks[i].EntryID
		}
		old, err := tx.CheckStates().Of(ctx, ids...)
		if err != nil {
			return err
		}
		for i := range checks {
			var last *catalog.CheckState
			if n := slices.IndexFunc(old, func(s catalog.CheckState) bool { return s.EntryID == checks[i].EntryID }); n >= 0 {
				last = &old[n]
			}
			next, event := verify.Next(last, &checks[i])
			states = append(states, next)
			if event != nil {
				events = append(events, *event)
			}
		}
		if err := tx.Checks().Append(ctx, checks...); err != nil {
			return err
		}
		return tx.CheckStates().Set(ctx, states, events)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// grouped are the hashes of the documents of each entry, alone and beside others, by id and
// route; html tells how many of them are web pages.
func grouped(t *testing.T, path string) (docs map[string]map[string][32]byte, html map[string]int) {
	t.Helper()
	x, _ := openPack(t, path)
	docs, html = map[string]map[string][32]byte{}, map[string]int{}
	err := x.Each(func(f *pack.Found) error {
		kind, id, _ := strings.Cut(f.Key(), " ")
		if kind != "entry" && kind != "linked" || !strings.HasPrefix(f.Document.Route, "/") {
			return nil
		}
		if docs[id] == nil {
			docs[id] = map[string][32]byte{}
		}
		docs[id][f.Document.Route] = f.Document.Sum
		if f.Document.Type == pages.HTML {
			html[id]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs, html
}

// TestLiveDay checks every entry four times a day and builds after each round. While the
// state and the scores of an entry stay, its JSON, its checks and its page in each language
// move, once a day, and nothing else; a new state is in the next build.
func TestLiveDay(t *testing.T) {
	t.Parallel()
	r := register(t, 24)
	path := filepath.Join(tempDir(t), "snapshots")
	o := options(path, r.Now)
	o.Record = true
	day := r.Now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	failing, err := r.Pick(t.Context(), catalog.StatusActive)
	if err != nil {
		t.Fatal(err)
	}
	// What the register was made with would leave the window day by day.
	err = r.Store.Update(t.Context(), func(tx catalog.Tx) error {
		_, err := tx.Checks().Prune(t.Context(), day)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var before map[string]map[string][32]byte
	moves, rounds := map[string]map[string]int{}, 0
	for ; rounds < 4*4; rounds++ {
		from := day.Add(time.Duration(rounds) * verify.DefaultCadence)
		down := ""
		if rounds >= 4*3 {
			down = failing.ID
		}
		round(t, r, from, down)
		if rounds < 4*2-1 { // until every entry has its rhythm
			continue
		}
		o.At = from.Add(verify.DefaultCadence)
		mustBuild(t, r.Store, o)
		after, html := grouped(t, path)
		for id, docs := range before {
			for _, route := range moved(docs, after[id]) {
				if moves[id] == nil {
					moves[id] = map[string]int{}
				}
				moves[id][route]++
			}
		}
		if before = after; rounds == 4*3-1 {
			calm(t, moves, html, after)
		}
	}
	if body := parts(t, path)["/api/v1/entries/"+failing.ID]; !bytes.Contains(body, []byte(`"verification_state":"FAILING"`)) {
		t.Error("a source that failed three times is not shown as failing")
	}
}

// calm judges what moved on a day.
func calm(t *testing.T, moves map[string]map[string]int, html map[string]int, all map[string]map[string][32]byte) {
	t.Helper()
	judged := 0
	for id := range all {
		moved, own := moves[id], "/api/v1/entries/"+id
		if len(moved) == 0 || moved[own+"/quality-history"] > 0 || moved[own+"/quality-score"] > 0 {
			continue
		}
		judged++
		if routes := slices.Sorted(maps.Keys(moved)); len(routes) > 2+html[id] {
			t.Errorf("%d documents of entry %s moved: %s", len(routes), id, routes)
		}
		for route, n := range moved {
			if n > 1 {
				t.Errorf("%s moved %d times on a day", route, n)
			}
		}
	}
	if judged < 20 {
		t.Errorf("the scores of %d entries stayed while their checks moved, too few to tell", judged)
	}
}
