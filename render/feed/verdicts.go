package feed

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// failuresToFail is after how many failures in a row an entry is FAILING
// (decisions §5, "Verification").
const failuresToFail = 3

// verdicts tells the changes of the verification state that the row's checks of
// 30 days show: the first success of all, three failures in a row, the success
// that ends them; and that the entry is STALE now. What the state was before
// the first check of the window is not known, so nothing is told of it until a
// check succeeds.
func verdicts(s *snapshot.Scored) []event {
	st := s.Row.State
	if st == nil {
		return nil
	}
	var out []event
	tell := func(c *catalog.Check, kind, text string) {
		out = append(out, event{Kind: kind, At: c.At.UTC(), Text: text})
	}
	known, failing, failures := false, false, 0
	checks := score.Window(s.Row.Checks, s.Day)
	if len(checks) > 0 {
		known = !checks[0].At.After(st.CreatedAt)
	}
	verified := false
	for i := range checks {
		c := &checks[i]
		if !c.Up {
			if failures++; failures == failuresToFail && known && !failing {
				failing = true
				tell(c, "failing", "Failing: three checks in a row did not succeed")
			}
			continue
		}
		if known && (failing || !verified) {
			tell(c, "verified", "Verified: the source answers")
		}
		known, verified, failing, failures = true, true, false, 0
	}
	if st.State == catalog.StateStale {
		at := st.UpdatedAt
		if !st.Since.IsZero() {
			at = st.Since
		}
		out = append(out, event{Kind: "stale", At: at.UTC(), Text: "Stale: no check succeeded for three days"})
	}
	return out
}
