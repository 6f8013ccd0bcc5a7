package snapshot

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCounterCountsAsTheCatalogDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t, 30)
		var names []string
		for i := range dimensions {
			names = append(names, dimensions[i].Name)
		}
		k := c.Counter(names...)
		for range 2 {
			from := rapid.IntRange(0, len(c.Order)).Draw(t, "from")
			if d := gocmp.Diff(c.Facets(c.Order[from:]), k.Facets(c.Order[from:])); d != "" {
				t.Fatalf("facets (-catalog +counter):\n%s", d)
			}
		}
	})
}
