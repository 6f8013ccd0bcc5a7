package score

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

func check(daysAgo int, up bool, ms int) catalog.Check {
	return catalog.Check{EntryID: "e", At: day.AddDate(0, 0, -daysAgo).Add(time.Duration(ms) * time.Second), Up: up, LatencyMS: ms}
}

func onDay(daysAgo, checks, up int) catalog.CheckDay {
	return catalog.CheckDay{EntryID: "e", Day: day.AddDate(0, 0, -daysAgo).Format(time.DateOnly), Checks: checks, Up: up}
}

// TestDays joins stored sums and single checks; of two sums of a day the one of
// more checks counts.
func TestDays(t *testing.T) {
	row := &catalog.Row{
		Days:   []catalog.CheckDay{onDay(40, 4, 3), onDay(2, 9, 9), onDay(1, 1, 0)},
		Checks: []catalog.Check{check(3, true, 10), check(3, true, 30), check(3, false, 40), check(2, true, 5), check(1, true, 7), check(1, false, 9), check(0, true, 1)},
	}
	three := onDay(3, 3, 2)
	three.P50MS, three.P95MS = 10, 30
	one := onDay(1, 2, 1)
	one.P50MS, one.P95MS = 7, 7
	zero := onDay(0, 1, 1)
	zero.P50MS, zero.P95MS = 1, 1
	if d := cmp.Diff([]catalog.CheckDay{onDay(40, 4, 3), three, onDay(2, 9, 9), one, zero}, Days(row)); d != "" {
		t.Error(d)
	}
	if len(row.Days) != 3 {
		t.Error("the row was changed")
	}
	if u, known := Uptime(Days(row), day.AddDate(0, 0, -3)); !known || u != 867 { // 13 of 15
		t.Errorf("uptime %s, known %t", u, known)
	}
	if _, known := Uptime(nil, day); known {
		t.Error("an uptime without checks")
	}
}

func TestBudget(t *testing.T) {
	for name, c := range map[string]struct {
		availability float64
		window       int
		days         []catalog.CheckDay
		checks       int
		measured     int
		spent        Tenths
		met          bool
	}{
		"no checks":             {99, 30, nil, 0, 0, 0, false},
		"none in the window":    {99, 30, []catalog.CheckDay{onDay(30, 10, 0)}, 0, 0, 0, false},
		"first day of it":       {99, 30, []catalog.CheckDay{onDay(29, 10, 10)}, 10, 10000, 0, true},
		"half the budget":       {99, 30, []catalog.CheckDay{onDay(5, 200, 199)}, 200, 9950, 500, true},
		"all of it":             {99.5, 30, []catalog.CheckDay{onDay(5, 200, 199)}, 200, 9950, 1000, true},
		"a third, rounded":      {98.5, 30, []catalog.CheckDay{onDay(5, 200, 199)}, 200, 9950, 333, true},
		"missed":                {99.9, 30, []catalog.CheckDay{onDay(5, 200, 199)}, 200, 9950, 5000, false},
		"nothing is allowed":    {100, 30, []catalog.CheckDay{onDay(5, 200, 199)}, 200, 9950, maxSpent, false},
		"nothing has happened":  {100, 30, []catalog.CheckDay{onDay(5, 200, 200)}, 200, 10000, 0, true},
		"never quite a hundred": {99, 30, []catalog.CheckDay{onDay(5, 100_000, 99_999)}, 100_000, 9999, 1, true},
		"a window of nothing":   {99, 0, []catalog.CheckDay{onDay(0, 1, 1), onDay(1, 1, 0)}, 1, 10000, 0, true},
	} {
		b := BudgetOf(&catalog.Target{Availability: c.availability, WindowDays: c.window}, c.days, day)
		if b.Checks != c.checks || b.Measured != c.measured || b.Spent != c.spent || b.Met != c.met {
			t.Errorf("%s: %+v", name, b)
		}
	}
	b := BudgetOf(&catalog.Target{Availability: 99.5, WindowDays: 30}, []catalog.CheckDay{onDay(5, 200, 199)}, day)
	if want := "99.5 % over 30 days; measured 99.50 % of 200 checks, 100.0 % of the error budget spent"; b.String() != want {
		t.Errorf("%s", b.String())
	}
	b = BudgetOf(&catalog.Target{Availability: 99.5, WindowDays: 30}, nil, day)
	if want := "99.5 % over 30 days; not measured yet"; b.String() != want {
		t.Errorf("%s", b.String())
	}
}
