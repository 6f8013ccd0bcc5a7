package build

import (
	"fmt"
	"strings"
	"time"
)

// gate refuses a build by which an entry would vanish without a tombstone or
// its time of publication would move. known maps the entries that the store
// still answers for to their time of publication, zero for a removed one.
func (r *run) gate(known map[string]time.Time) error {
	var broken []string
	err := r.file.former(func(id, slug string, published int64) {
		at, ok := known[id]
		switch {
		case !ok:
			broken = append(broken, fmt.Sprintf("entry %s (%s) would vanish without a tombstone", id, slug))
		case !at.IsZero() && at.Unix() != published:
			broken = append(broken, fmt.Sprintf("the publication time of entry %s (%s) would move from %s to %s", id, slug,
				time.Unix(published, 0).UTC().Format(time.RFC3339), at.UTC().Format(time.RFC3339)))
		}
	})
	if err != nil {
		r.problem("the published snapshot could not be read for comparison: %v", err)
	}
	if len(broken) == 0 {
		return nil
	}
	n := len(broken)
	return fmt.Errorf("%w: %d broken promises: %s; the store is not the one that the site was built from, or an earlier state of it: put the right one back "+
		"(after a restore that lost entries: assay log resume; without a log of verdicts, go on in another folder)",
		ErrGate, n, strings.Join(broken[:min(n, 5)], "; "))
}
