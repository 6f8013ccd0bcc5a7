package harvest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest/childtest"
)

// Environment of the child that is killed: the store, the portal, the round.
const (
	envDB, envPortal, envRound = "ASSAY_TEST_HARVEST_DB", "ASSAY_TEST_HARVEST_PORTAL", "ASSAY_TEST_HARVEST_ROUND"
)

// runsOut is a lease that does not hold: the clock of the test stands still.
const runsOut = time.Nanosecond

// TestHarvestChild is the process that TestKilledAndResumed kills.
func TestHarvestChild(t *testing.T) {
	if os.Getenv(envDB) == "" {
		t.Skip("only a child of TestKilledAndResumed")
	}
	var round int
	fmt.Sscan(os.Getenv(envRound), &round)
	if err := harvestRound(os.Getenv(envDB), os.Getenv(envPortal), round); err != nil {
		t.Fatal(err)
	}
}

// harvestRound harvests the portal on the day of the round.
func harvestRound(db, url string, round int) error {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, db)
	if err != nil {
		return err
	}
	defer st.Close()
	src := catalog.Source{ID: harvest.SourceID("killed"), Kind: "test", Title: "Portal", URL: url, Official: "by law",
		CreatedAt: sourcetest.Now, UpdatedAt: sourcetest.Now}
	_, err = harvest.Run(ctx, st, paged{}, source.Input{Source: src}, harvest.Options{Now: sourcetest.Now.AddDate(0, 0, round), Complete: true, Lease: runsOut,
		Fetcher: fetch.New(fetch.Options{Client: http.DefaultClient, Gap: time.Microsecond})})
	return err
}

// TestKilledAndResumed kills a harvest at a random moment, five times in a
// store of its own each, and lets the next process finish it: the register
// ends as if nothing had happened, no page is fetched a third time, and what
// was missing counts once. ASSAY_SOAK=1 makes it fifty.
func TestKilledAndResumed(t *testing.T) {
	kills := 5
	if os.Getenv("ASSAY_SOAK") != "" {
		kills = 50
	}
	const pages, size = 20, 40
	want := make([]string, 2)
	before, after := newPortal(t, pages, size), newPortal(t, pages, size)
	after.drop(`Service 3`) // and 30 to 39, 300 to 399: in all less than a fifth
	dir := t.TempDir()
	for round, p := range []*portal{before, after} {
		if err := harvestRound(filepath.Join(dir, "calm.db"), p.URL+"/api", round); err != nil {
			t.Fatal(err)
		}
		want[round] = exported(t, filepath.Join(dir, "calm.db"))
	}
	if !strings.Contains(want[1], `"missing":`) || strings.Contains(want[1], `"state":"quarantined"`) {
		t.Fatal("the second listing does not lack what it should")
	}
	before.pause, after.pause = 5*time.Millisecond, 5*time.Millisecond
	killed := 0
	for n := range kills {
		db := filepath.Join(dir, fmt.Sprintf("%d.db", n))
		round := n % 2
		if round == 1 {
			if err := harvestRound(db, before.URL+"/api", 0); err != nil {
				t.Fatal(err)
			}
		}
		p := []*portal{before, after}[round]
		p.forget()
		if killDuring(t, p, db, round, 1+rand.IntN(pages+1)) && !ended(t, db, round) {
			killed++
			if err := harvestRound(db, p.URL+"/api", round); err != nil {
				t.Fatal(err)
			}
		}
		if p.most() > 2 {
			t.Errorf("kill %d: a page was fetched %d times", n, p.most())
		}
		if d := cmp.Diff(want[round], exported(t, db)); d != "" {
			t.Errorf("kill %d of round %d: the register differs: %.2000s", n, round, d)
		}
	}
	t.Logf("%d of %d were killed before their end", killed, kills)
	if killed == 0 {
		t.Error("every child ended before it was killed")
	}
}

// killDuring starts a child, kills it within some milliseconds of its n-th
// request, and tells whether it had not ended.
func killDuring(t *testing.T, p *portal, db string, round, n int) bool {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestHarvestChild$")
	child.Env = append(os.Environ(), envDB+"="+db, envPortal+"="+p.URL+"/api", fmt.Sprintf("%s=%d", envRound, round))
	var out bytes.Buffer
	child.Stdout, child.Stderr = &out, &out
	var requests atomic.Int64
	started := make(chan struct{})
	p.look(func(http.ResponseWriter, *http.Request) bool {
		if requests.Add(1) == int64(n) {
			time.AfterFunc(rand.N(20*time.Millisecond), func() {
				<-started
				_ = child.Process.Kill()
			})
		}
		return false
	})
	defer p.look(nil)
	if err := childtest.Tie(child); err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	close(started)
	err := child.Wait()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Fatalf("child: %v: %s", err, out.Bytes())
	}
	return err != nil
}

// ended tells whether the harvest of the round was complete when its process
// was killed.
func ended(t *testing.T, db string, round int) (done bool) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.View(t.Context(), func(tx catalog.Tx) error {
		list, err := tx.Runs().Latest(t.Context(), harvest.SourceID("killed"), 1)
		done = len(list) == 1 && !list[0].Resumable() && list[0].StartedAt.Equal(sourcetest.Now.AddDate(0, 0, round))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// exported is the whole register but for how often its runs were resumed, and
// the counts that wait for further harvests.
func exported(t *testing.T, db string) string {
	t.Helper()
	ctx := context.Background()
	st, err := sqlite.Open(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var out bytes.Buffer
	if err := transfer.Export(ctx, st, &out); err != nil {
		t.Fatal(err)
	}
	err = st.View(ctx, func(tx catalog.Tx) error {
		waiting, err := tx.Meta().Get(ctx, "harvest.missing."+harvest.SourceID("killed"))
		if err != nil {
			return err
		}
		fmt.Fprintln(&out, waiting)
		return tx.Runs().Scan(ctx, func(r *catalog.HarvestRun) error {
			r.Resumed, r.Kind = 0, "test"
			b, err := json.Marshal(r)
			fmt.Fprintf(&out, "%s\n", b)
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, `{"kind":"harvest_run"`) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
