package pages

import (
	"testing"

	"github.com/assay-register/assay/render/wire"
)

// TestAccessOfAComparison holds that a comparison does not call the access unknown where the publisher says who has it.
func TestAccessOfAComparison(t *testing.T) {
	access := &wire.MatrixRow{Field: "free_access_class", Values: []any{"UNKNOWN", "UNKNOWN", "FREE_NO_AUTH"}}
	fields := map[string]*wire.MatrixRow{"free_access_class": access, "access_rights": {Field: "access_rights", Values: []any{"PUBLIC", nil, "PUBLIC"}}}
	knownAccess(fields)
	for i, want := range []string{"PUBLIC", "UNKNOWN", "FREE_NO_AUTH"} {
		if got := cellText(fields["free_access_class"].Values[i]); got != want {
			t.Errorf("entry %d: %s, want %s", i, got, want)
		}
	}
	if cellText(access.Values[0]) != "UNKNOWN" {
		t.Error("the matrix itself was changed")
	}
}
