package verify

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// show notes the verdict as the one that pages show where its state is another one, or
// where a check is the first at or after the moment, which follows from the entry's id, of
// a UTC day later than the one of the verdict that they show (decisions-2 §F). So a page
// moves at most once a day while the state stays, and the pages of a register do not move
// together.
func show(s *catalog.CheckState, at time.Time) {
	if old := s.Shown; old != nil && old.State == s.State && shownUntil(old).After(at) {
		return
	}
	shown := *s
	shown.Shown = nil
	s.Shown = &shown
}

// shownUntil is the moment from which the next check is shown: on the day after, within the
// three quarters after which a check of the same day follows at the default cadence.
func shownUntil(s *catalog.CheckState) time.Time {
	next := day(s.LastCheckedAt).AddDate(0, 0, 1)
	return next.Add(NextSlot(s.EntryID, 24*time.Hour, next.Add(-1)).Sub(next) * 3 / 4)
}
