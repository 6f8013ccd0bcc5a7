package contract

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestPages: on 30 days a server cuts its collections into pages of another size, in another
// order. What is read whole is the same, and a page has no contract that something could be
// missing in.
func TestPages(t *testing.T) {
	t.Parallel()
	type link struct {
		Rel string `json:"rel"`
	}
	page := func(ids []int, links []link, matched int) []byte {
		doc := map[string]any{"links": links, "collections": []any{}}
		var list []any
		for _, n := range ids {
			list = append(list, map[string]any{"id": fmt.Sprintf("layer-%d", n), "itemType": "feature", "crs": []string{"http://www.opengis.net/def/crs/EPSG/0/4326"}})
		}
		doc["collections"] = list
		if matched > 0 {
			doc["numberMatched"] = matched
		}
		b, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const all = 40
	var first *Contract
	whole := 0
	for day := range 30 {
		r := rand.New(rand.NewPCG(uint64(day), 11))
		ids, size, counts := r.Perm(all), 1+r.IntN(2*all), r.IntN(2)*all
		links := []link{{"self"}}
		if size < all && counts == 0 {
			links = append(links, link{"next"})
		}
		c, err := FromCollections(page(ids[:min(size, all)], links, counts))
		if size < all {
			if err == nil {
				t.Errorf("day %d: %d of %d collections are a contract", day, size, all)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if whole++; first == nil {
			first = c
		}
		if d, err := Compare(first, c); err != nil || len(d.Changes) > 0 || c.Sum() != first.Sum() {
			t.Errorf("day %d: %v %+v", day, err, d)
		}
	}
	if whole < 5 || whole > 25 {
		t.Errorf("%d days were whole: the test says little", whole)
	}
}
