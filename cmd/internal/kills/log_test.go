package kills

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
)

// TestLog: however often what writes events and what appends them to the log of verdicts are
// killed, the log has each event once, in the order of commits, and one log continues the other.
func TestLog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("key", "create", b.path("key"), "--base-url", "https://register.example")
	site := b.path("site")
	build := []string{"build", "--site", site, "--signing-key", b.path("key")}
	b.must(build...)
	// The two take times of their own.
	within := []time.Duration{b.took(func() { b.must("import", b.lines(entriesChange)) }), b.took(func() { b.must(build...) })}
	var before *translog.Checkpoint
	for round := 0; b.more(); round++ {
		next := build
		if round%2 == 0 {
			next = []string{"import", b.lines(entriesChange)}
		}
		b.within = within[round%2]
		b.kill(b.command(next...), b.within)
		within[round%2] = b.within
		before = b.continues(site, before)
	}
	b.report("log")
	b.must("import", b.lines(entriesChange))
	b.must(build...)
	b.continues(site, before)
	b.eachOnce(site)
	b.whole("after a build that ended", present(site))
}

// continues reads the checkpoint of a log, which must continue an earlier one.
func (b *bench) continues(site string, before *translog.Checkpoint) *translog.Checkpoint {
	b.t.Helper()
	fetch := translog.Files(os.DirFS(filepath.Join(site, translog.Dir)))
	signed, err := fetch(translog.CheckpointFile)
	if err != nil {
		b.t.Fatal(err)
	}
	now, err := translog.Unsigned(signed)
	if err != nil {
		b.t.Fatal(err)
	}
	if before != nil {
		if err := translog.Consistent(fetch, before.Tree, now.Tree); err != nil {
			b.t.Fatalf("after kill %d: %v", b.tally.kills, err)
		}
	}
	return now
}

// eachOnce holds the log to the events of the store.
func (b *bench) eachOnce(site string) {
	b.t.Helper()
	st, err := sqlite.Open(b.t.Context(), b.path("assay.db"))
	if err != nil {
		b.t.Fatal(err)
	}
	defer st.Close()
	var want []int64
	err = st.View(b.t.Context(), func(tx catalog.Tx) error {
		events, err := tx.Events().After(b.t.Context(), 0, 1<<20)
		if err != nil {
			return err
		}
		entries, err := catalog.EntriesOf(b.t.Context(), tx, events)
		if err != nil {
			return err
		}
		for i := range events {
			_, ok, err := translog.Of(&events[i], entries[events[i].EntryID], 0, "")
			if err != nil {
				return err
			}
			if ok {
				want = append(want, events[i].Number)
			}
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	c := b.continues(site, nil)
	tree := translog.NewTree(translog.Files(os.DirFS(filepath.Join(site, translog.Dir))), c.N)
	var got []int64
	for n := range c.N {
		leaf, err := tree.Leaf(n)
		if err != nil {
			b.t.Fatal(err)
		}
		l, err := translog.DecodeLeaf(leaf)
		if err != nil {
			b.t.Fatal(err)
		}
		if l.Type != translog.KindHead && l.Type != translog.KindPublished && !strings.HasPrefix(l.Type, "log.") {
			got = append(got, l.Event)
		}
	}
	b.t.Logf("%d events in %d leaves", len(got), c.N)
	if len(want) < entriesFirst || !slices.Equal(got, want) {
		b.t.Errorf("the log has the events\n%v, want\n%v", got, want)
	}
}
