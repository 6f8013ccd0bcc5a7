package verify

import (
	"fmt"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// TestShown: of the checks of a day one is shown, at a moment that follows from the id, and
// each change of state at once.
func TestShown(t *testing.T) {
	hours := map[int]bool{}
	for e := range 40 {
		var s *catalog.CheckState
		moves := map[string]int{}
		for n := range 40 {
			at := start.Add(time.Duration(n) * 6 * time.Hour).Add(time.Duration(e) * 9 * time.Minute)
			down := n >= 20 && n < 24
			var before time.Time
			if s != nil {
				before = s.Shown.LastCheckedAt
			}
			next, event := Next(s, &catalog.Check{EntryID: fmt.Sprint("entry ", e), At: at, Up: !down, Vantages: 1})
			s = &next
			shown := s.Shown
			switch {
			case shown.Shown != nil || shown.State != s.State || shown.LastCheckedAt.After(at):
				t.Fatalf("entry %d, check %d: shown is %+v", e, n, shown)
			case event != nil:
				if !shown.LastCheckedAt.Equal(at) || !s.Since.Equal(at) || !shown.Since.Equal(at) {
					t.Errorf("entry %d: the state of %s is shown as of %s, since %s", e, at, shown.LastCheckedAt, s.Since)
				}
			case !shown.LastCheckedAt.Equal(before):
				moves[at.Format(time.DateOnly)]++
				hours[at.Hour()] = true
				if at.Format(time.DateOnly) == before.Format(time.DateOnly) {
					t.Errorf("entry %d: %s is shown on the day of %s", e, at, before)
				}
			}
		}
		if len(moves) < 7 {
			t.Errorf("entry %d: a check is shown on %d of 10 days", e, len(moves))
		}
		for day, n := range moves {
			if n > 1 {
				t.Errorf("entry %d moves %d times on %s", e, n, day)
			}
		}
	}
	if len(hours) < 12 {
		t.Errorf("all entries move in %d hours of the day", len(hours))
	}
}

// TestShownAges: a verdict that becomes STALE is shown so, and a clock that ran ahead keeps
// nothing from being shown.
func TestShownAges(t *testing.T) {
	s, _ := Next(nil, &catalog.Check{EntryID: "e", At: start, Up: true})
	s, _ = Next(&s, &catalog.Check{EntryID: "e", At: start.Add(time.Hour)})
	if !s.Shown.LastCheckedAt.Equal(start) {
		t.Errorf("the second check of a day is shown: %s", s.Shown.LastCheckedAt)
	}
	s, event := Age(&s, start.Add(80*time.Hour))
	if event == nil || s.Shown.State != catalog.StateStale || !s.Shown.Since.Equal(start.Add(StaleAfter)) {
		t.Errorf("stale, and shown is %+v", s.Shown)
	}
	ahead, _ := Next(nil, &catalog.Check{EntryID: "e", At: start.AddDate(1, 0, 0), Up: true})
	ahead, _ = Age(&ahead, start)
	if !ahead.Shown.LastCheckedAt.Equal(start) || !ahead.Since.Equal(start) {
		t.Errorf("of a clock that ran ahead %s stays shown", ahead.Shown.LastCheckedAt)
	}
}
