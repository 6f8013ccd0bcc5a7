package build

import (
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestKnown: lines know the second of a publication, so what the feed says of an event within it, or of one by
// which the entry left, is left to the entry.
func TestKnown(t *testing.T) {
	published := time.Date(2026, 11, 1, 12, 0, 0, 500e6, time.UTC)
	r := &run{catalog: &snapshot.Catalog{Lines: []snapshot.Line{{ID: "a", Traits: &snapshot.Traits{Type: catalog.TypeMCPServer}, Published: published.Unix()}, {ID: "b", Traits: &snapshot.Traits{}}}}}
	for what, c := range map[string]struct {
		entry string
		kind  catalog.EventKind
		after time.Duration
		want  bool
	}{
		"published":                   {"a", catalog.EventVerified, 0, true},
		"later":                       {"a", catalog.EventVerified, time.Hour, true},
		"long before":                 {"a", catalog.EventVerified, -time.Hour, false},
		"in the second of doubt":      {"a", catalog.EventVerified, -1200 * time.Millisecond, false},
		"within the slack":            {"a", catalog.EventVerified, -700 * time.Millisecond, false},
		"left":                        {"a", catalog.EventRemoved, time.Hour, false},
		"merged":                      {"a", catalog.EventMerged, time.Hour, false},
		"opened again":                {"a", catalog.EventReopened, time.Hour, false},
		"never published":             {"b", catalog.EventVerified, time.Hour, false},
		"not there":                   {"c", catalog.EventVerified, time.Hour, false},
		"an event of no entry at all": {"", catalog.EventVerified, time.Hour, false},
	} {
		e := r.known(&catalog.Event{EntryID: c.entry, Type: c.kind, OccurredAt: published.Add(c.after)})
		if (e != nil) != c.want || e != nil && (e.ID != "a" || e.Type != catalog.TypeMCPServer) {
			t.Errorf("%s: %+v", what, e)
		}
	}
}
