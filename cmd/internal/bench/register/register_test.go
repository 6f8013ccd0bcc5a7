package register_test

import (
	"testing"

	"github.com/assay-register/assay/cmd/internal/bench/register"
)

// TestNoTwoAreOne draws every entry twice, as a large register does with names by chance: an import
// takes entries of one match key, such as two of one name without an address, for the same source.
func TestNoTwoAreOne(t *testing.T) {
	g, err := register.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for range 2 {
		for i := range g.Real() {
			l, _ := g.Entry(i, 1)
			if other, ok := seen[l.Entry.MatchKey]; ok {
				t.Errorf("%q and %q are one source: %s", l.Entry.Name, other, l.Entry.MatchKey)
			}
			seen[l.Entry.MatchKey] = l.Entry.Name
		}
	}
	if len(seen) != 2*len(g.Real()) || len(seen) == 0 {
		t.Errorf("%d match keys for %d entries", len(seen), 2*len(g.Real()))
	}
}
