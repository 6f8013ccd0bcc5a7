package pages

import (
	"testing"

	"github.com/assay-register/assay/render/wire"
)

func TestTheFirstAnswerIsNotAnAnswerAgain(t *testing.T) {
	for from, want := range map[string]string{"UNVERIFIED": "entry.first_verified", "FAILING": "entry.verified", "STALE": "entry.verified"} {
		e := &wire.PastEvent{Type: "entry.verified", Changes: wire.Changes{{Field: "verification_state", FieldDelta: wire.FieldDelta{From: from, To: "VERIFIED"}}}}
		if got := happened(e); got != want {
			t.Errorf("from %s: %s", from, got)
		}
	}
}
