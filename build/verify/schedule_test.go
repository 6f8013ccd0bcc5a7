package verify

import (
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// TestNextSlot: every entry keeps its own moment, whenever it was checked, and
// the moments of all are spread over the cadence.
func TestNextSlot(t *testing.T) {
	const cadence = 6 * time.Hour
	var tenths [10]int
	for i := range 5000 {
		id := fmt.Sprint("entry ", i)
		slot := NextSlot(id, cadence, start)
		if d := slot.Sub(start); d <= 0 || d > cadence {
			t.Fatalf("%s: the next slot is %s away", id, d)
		}
		for _, after := range []time.Duration{0, time.Millisecond, time.Hour, cadence - time.Millisecond} {
			if next := NextSlot(id, cadence, slot.Add(after)); !next.Equal(slot.Add(cadence)) {
				t.Fatalf("%s: %s after the slot, the next one is %s later", id, after, next.Sub(slot))
			}
		}
		tenths[min(9, int(slot.Sub(start)*10/cadence))]++
	}
	for i, n := range tenths {
		if n < 400 || n > 600 {
			t.Errorf("%d of 5000 entries are due in tenth %d", n, i)
		}
	}
}

func TestRealCadence(t *testing.T) {
	for entries, want := range map[int]time.Duration{1: 6 * time.Hour, 21_600: 6 * time.Hour, 43_200: 12 * time.Hour} {
		if got := RealCadence(&catalog.ProbeHost{Entries: entries}, 6*time.Hour, time.Second); got != want {
			t.Errorf("%d entries: %s, want %s", entries, got, want)
		}
	}
}
