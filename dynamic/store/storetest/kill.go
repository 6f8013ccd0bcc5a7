package storetest

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Kill lets a child process write and kills it (SIGKILL) at a random moment,
// again and again: whatever the child acknowledged must be there, whole, with
// provenance, event and job. ASSAY_SOAK=1 makes more rounds.
func Kill(t *testing.T, open Opener, target string) {
	rounds := 5
	if os.Getenv("ASSAY_SOAK") != "" {
		rounds = 100
	}
	const perRound = 1_000_000
	var acked []int
	for round := range rounds {
		p := startChild(t, target, round*perRound, perRound/childBatch)
		if _, err := p.out.Peek(1); err != nil {
			t.Fatalf("round %d: the child acknowledged nothing: %v %s", round, err, p.errors.String())
		}
		time.Sleep(rand.N(150 * time.Millisecond))
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		acked = append(acked, p.acknowledged(t)...)
		_ = p.cmd.Wait()
		checkAcknowledged(t, open, target, acked)
	}
	t.Logf("%d batches of %d entries acknowledged in %d rounds", len(acked), childBatch, rounds)
}

// checkAcknowledged opens the store anew and looks for each acknowledged
// entry, and for anything that is there in part.
func checkAcknowledged(t *testing.T, open Opener, target string, batches []int) {
	t.Helper()
	s, err := open(t.Context(), target)
	if err != nil {
		t.Fatalf("open after the kill: %v", err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		events, err := gaplessEvents(ctx, t, tx)
		if err != nil {
			return err
		}
		entries := map[string]bool{}
		err = tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			entries[e.ID] = true
			if events[e.Revision] != e.ID {
				t.Errorf("entry %s has revision %d, an event of %q", e.ID, e.Revision, events[e.Revision])
			}
			_, err := tx.Provenances().Get(ctx, e.ID)
			return err
		})
		if len(entries)%childBatch != 0 || len(events) != len(entries) {
			t.Errorf("%d entries and %d events: a batch is there in part", len(entries), len(events))
		}
		for _, first := range batches {
			checkBatch(ctx, t, tx, entries, first)
		}
		return err
	})
}

func checkBatch(ctx context.Context, t *testing.T, tx catalog.Tx, entries map[string]bool, first int) {
	t.Helper()
	for i := range childBatch {
		if id := newEntry(first + i).Entry.ID; !entries[id] {
			t.Errorf("acknowledged entry %d (%s) is lost", first+i, id)
		}
	}
	if _, err := tx.Jobs().Get(ctx, newJob(first).ID); err != nil {
		t.Errorf("acknowledged job: %v", err)
	}
}

// gaplessEvents returns number → entry id of all events.
func gaplessEvents(ctx context.Context, t *testing.T, tx catalog.Tx) (map[int64]string, error) {
	t.Helper()
	found := map[int64]string{}
	for {
		last := int64(len(found))
		list, err := tx.Events().After(ctx, last, 1000)
		if err != nil || len(list) == 0 {
			return found, err
		}
		for i, e := range list {
			if e.Number != last+int64(i)+1 {
				t.Fatalf("event %d follows %d", e.Number, last+int64(i))
			}
			found[e.Number] = e.EntryID
		}
	}
}

// Processes lets several processes and goroutines open the same new store at
// the same moment and write to it.
func Processes(t *testing.T, open Opener, target string) {
	const children, batches = 3, 5
	var started []*process
	for c := range children {
		started = append(started, startChild(t, target, c*1000, batches))
	}
	together(4, func(int) {
		s, err := open(t.Context(), target)
		if err != nil {
			t.Errorf("open: %v", err)
			return
		}
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	var acked []int
	for _, p := range started {
		acked = append(acked, p.acknowledged(t)...)
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("child: %v %s", err, p.errors.String())
		}
	}
	if len(acked) != children*batches {
		t.Errorf("%d batches acknowledged, want %d", len(acked), children*batches)
	}
	checkAcknowledged(t, open, target, acked)
}
