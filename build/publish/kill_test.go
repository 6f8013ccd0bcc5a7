package publish

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/publish/bucket"
)

// TestKilledAnywhere kills a publish before and after each of its writes; the
// next one leaves what an undisturbed one leaves, and readers never meet an
// index that names a missing page.
func TestKilledAnywhere(t *testing.T) {
	roots := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	for i, root := range roots {
		makeSite(t, root, i+1, 9)
	}
	clean := newMemory()
	mustPublish(t, clean, roots[0], hour(1))
	mustPublish(t, clean, roots[1], hour(2))
	writes := clean.writes
	mustPublish(t, clean, roots[2], hour(3))
	for kill := 0; kill < writes; kill += stride() {
		for _, after := range []bool{false, true} {
			b := newMemory()
			b.watch = func() { whole(t, b, fmt.Sprintf("killed at %d, %t", kill, after)) }
			b.left, b.after = kill, after
			publishUntilKilled(t, b, roots)
			b.left = -1
			last := hour(3)
			if !after { // one step after the other, in the order of the plan
				last.Workers = 1
			}
			mustPublish(t, b, roots[1], hour(2))
			mustPublish(t, b, roots[2], last)
			same(t, b.pages(), clean.pages())
			if t.Failed() {
				t.Fatalf("killed at write %d of %d, after it: %t", kill, writes, after)
			}
		}
	}
}

// TestPowerFailsAnywhere: the machine stops at any write of a publish, and any
// of the writes since the last Sync are lost. Readers then meet no index that
// names a missing page, the next publish makes the site whole, and the one
// before can still be brought back.
func TestPowerFailsAnywhere(t *testing.T) {
	roots := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	for i, root := range roots {
		makeSite(t, root, i+1, 150)
	}
	clean, o := newMemory(), hour(2)
	mustPublish(t, clean, roots[0], hour(1))
	first := clean.pages()
	mustPublish(t, clean, roots[1], o)
	second, writes := clean.pages(), clean.writes
	rng := rand.New(rand.NewPCG(7, 3))
	var kills []int
	for kill := 0; kill < writes; kill += 1 + rng.IntN(8*stride()) {
		kills = append(kills, kill)
	}
	for i := range 90 { // the end, where books change hands, is looked at closely
		kills = append(kills, writes-i%5)
	}
	for _, kill := range kills {
		b := newMemory()
		b.left = kill
		publishUntilKilled(t, b, roots[:2])
		b.left = -1
		b.cutPower(func() bool { return rng.IntN(2) == 0 })
		whole(t, b, fmt.Sprintf("power cut at %d", kill))
		if _, published := b.objects[stateKey]; !published {
			mustPublish(t, b, roots[0], hour(1))
		}
		mustPublish(t, b, roots[1], o)
		same(t, b.pages(), second)
		if _, err := Rollback(t.Context(), b, bucket.ByRoute, snapshotOf(1), o); err != nil {
			t.Errorf("bring back: %v", err)
		}
		bodies(t, b.pages(), first)
		if t.Failed() {
			t.Fatalf("power cut at write %d of %d", kill, writes)
		}
	}
}

// bodies fails the test unless the pages that are wanted say what they should.
func bodies(t *testing.T, got, want map[string]stored) {
	t.Helper()
	for key, w := range want {
		if got[key].body != w.body {
			t.Errorf("%s is %q, want %q", key, cut(got[key].body), cut(w.body))
		}
	}
}

// stride is how many moments lie between two kills; the long run takes all.
func stride() int {
	switch {
	case os.Getenv("ASSAY_SOAK") == "1":
		return 1
	case testing.Short():
		return 13
	}
	return 5
}

func publishUntilKilled(t *testing.T, b *memory, roots []string) {
	for g, root := range roots {
		_, err := Publish(context.Background(), b, Site{Root: root}, hour(g+1))
		if errors.Is(err, errKilled) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// whole reads what leads to others and fails the test if a page is missing.
// The lock of the store is held.
func whole(t *testing.T, b *memory, when string) {
	for key, o := range b.objects {
		if key != "api/v1/entries" && !strings.HasPrefix(key, "s/") {
			continue
		}
		var x index
		if err := json.Unmarshal([]byte(o.body), &x); err != nil {
			t.Errorf("%s: %s: %v", when, key, err)
		}
		for _, route := range x.Routes {
			if _, ok := b.objects[route[1:]]; !ok {
				t.Errorf("%s: %s leads to %s, which is missing", when, key, route)
			}
		}
	}
}

// TestKilledAgainAndAgain kills many publishes of changing sites in a row, of
// which one reverts to an earlier state; what stands at the end is what one
// clean publish makes of it.
func TestKilledAgainAndAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	rounds := 20
	if os.Getenv("ASSAY_SOAK") == "1" {
		rounds = 2000
	}
	for round := range rounds {
		roots := []string{t.TempDir(), t.TempDir(), t.TempDir()}
		for i, root := range roots {
			makeSite(t, root, 1+i, 6)
		}
		b, o := newMemory(), hour(1)
		mustPublish(t, b, roots[0], o)
		for range 4 {
			b.left, b.after = rng.IntN(60), rng.IntN(2) == 0
			o.Now = o.Now.Add(time.Minute)
			_, err := Publish(t.Context(), b, Site{Root: roots[rng.IntN(3)]}, o)
			if err != nil && !errors.Is(err, errKilled) && !errors.Is(err, ErrGate) {
				t.Fatal(err)
			}
		}
		b.left = -1
		mustPublish(t, b, roots[2], o)
		clean := newMemory()
		mustPublish(t, clean, roots[2], o)
		got := b.pages()
		for key, want := range clean.pages() {
			if got[key].body != want.body {
				t.Fatalf("round %d: %s is %q, want %q", round, key, cut(got[key].body), cut(want.body))
			}
		}
	}
}
