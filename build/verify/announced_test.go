package verify

import (
	"net/http"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// TestAnnouncedIn reads what answers say of their end, as the standards and their
// drafts write it.
func TestAnnouncedIn(t *testing.T) {
	day := time.Date(2027, 6, 30, 23, 59, 59, 0, time.UTC)
	for _, c := range []struct {
		deprecation, sunset string
		want                announced
	}{
		{"@1814399999", "Wed, 30 Jun 2027 23:59:59 GMT", announced{day, day}}, {"Wed, 30 Jun 2027 23:59:59 GMT", "", announced{deprecation: day}}, {"true", "soon", announced{}},
		{"@x", "Wed, 30 Jun 1927 23:59:59 GMT", announced{}}, {"@99999999999999", "", announced{}}, {"", "", announced{}},
	} {
		h := http.Header{}
		h.Set("Deprecation", c.deprecation)
		h.Set("Sunset", c.sunset)
		if got := announcedIn(h); got != c.want {
			t.Errorf("%q %q: %v", c.deprecation, c.sunset, got)
		}
	}
}

// TestAnnounce: what is announced is noted, what is announced no more withdrawn, and
// what others state left alone.
func TestAnnounce(t *testing.T) {
	day, later := time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC), time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)
	e := catalog.Entry{}
	c := &Change{Entry: &e}
	for i, s := range []struct {
		said, want time.Time
		changes    int
	}{{day, day, 1}, {day, day, 1}, {later, later, 2}, {time.Time{}, time.Time{}, 3}, {time.Time{}, time.Time{}, 3}} {
		if c.announce(&e.SunsetAt, s.said, "sunset_at", "Sunset", "https://x.example/"); !e.SunsetAt.Equal(s.want) || len(c.Fields) != s.changes {
			t.Errorf("step %d: %v, %d changes", i, e.SunsetAt, len(c.Fields))
		}
	}
	stated := catalog.Entry{SunsetAt: later}
	c = &Change{Entry: &stated, rows: []catalog.FieldRow{row("sunset_at", catalog.BasisPublisher, "endDate")}}
	for _, said := range []time.Time{day, {}} {
		if c.announce(&stated.SunsetAt, said, "sunset_at", "Sunset", "https://x.example/"); !stated.SunsetAt.Equal(later) || len(c.Fields) != 0 {
			t.Errorf("%v replaced what the publisher states", said)
		}
	}
}
