package entry

import (
	"testing"
	"time"

	"github.com/assay-register/assay/templates"
)

// days writes days as the standard does.
type days struct{ templates.Locale }

func (days) Day(at time.Time) string { return at.Format(time.DateOnly) }

// A period of one day is that day, and one with an open end says so.
func TestPeriod(t *testing.T) {
	s := &templates.Site{Locale: days{}}
	first, last := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1900, 12, 31, 0, 0, 0, 0, time.UTC)
	for want, f := range map[string]*Figure{
		"1900-01-01": {From: first, To: first.Add(23 * time.Hour)}, "1900-01-01 – 1900-12-31": {From: first, To: last},
		"1900-01-01 – …": {From: first}, "… – 1900-12-31": {To: last},
	} {
		if got := f.period(s); got != want {
			t.Errorf("%v to %v is %q, want %q", f.From, f.To, got, want)
		}
	}
}

// A table of members has a column of formats where one is known.
func TestMembersHaveFormatsWhereStated(t *testing.T) {
	if stated([]Member{{Name: "a"}, {Name: "b"}}) || !stated([]Member{{Name: "a"}, {Name: "b", Formats: "CSV"}}) {
		t.Error("the column does not follow from what is known")
	}
}
