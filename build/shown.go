package build

import (
	"encoding/json"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// shownOf is a hash of what pages may show of a row, before edits are laid over it: all but the
// checks that they do not show yet, and the scores, which builds write.
func shownOf(row *catalog.Row) (uint64, error) {
	shown := *snapshot.Calm(row)
	shown.Scores, shown.Today = nil, nil
	b, err := json.Marshal(&shown)
	if err != nil {
		return 0, fmt.Errorf("rows of the entry: %w", err)
	}
	return xxhash.Sum64(b), nil
}

// stands tells whether what was made of an entry is what a build would make of its row, in which
// case the record takes over its latest checks.
func (r *record) stands(row *catalog.Row, frame *snapshot.Frame) bool {
	if row == nil || !row.Entry.Visible(frame.At) {
		return false
	}
	shown, err := shownOf(row)
	if err != nil || shown != r.Shown || !r.scored(row) {
		return false
	}
	r.Day, r.moved = dayNumber(frame.Day), true
	r.check(row, workOn(row, frame.Day))
	return true
}

// scored tells whether all scores that were stored since are the entry's.
func (r *record) scored(row *catalog.Row) bool {
	since := r.Scores.Day
	for i := range row.Scores {
		if d := &row.Scores[i]; d.Day >= since && !d.Same(&r.Scores) {
			return false
		}
	}
	return row.Today == nil || row.Today.Day < since || row.Today.Same(&r.Scores)
}

// check takes what is counted of the checks of a row.
func (c *claim) check(row *catalog.Row, w worked) {
	c.Days, c.Trace, c.Checked = w.days, w.trace, 0
	if row.State != nil && !row.State.LastCheckedAt.IsZero() {
		c.Checked = row.State.LastCheckedAt.Unix()
	}
}
