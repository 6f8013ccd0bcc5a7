package snapshot

import (
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// TestMonthsWithMaintenance: what failed in an outage within maintenance that was announced before is no
// check of the share, and the outage none of the month; one that was told of afterwards counts.
func TestMonthsWithMaintenance(t *testing.T) {
	t.Parallel()
	at := func(day, hour int) time.Time { return time.Date(2026, 10, day, hour, 0, 0, 0, time.UTC) }
	outage := catalog.Incident{EntryID: "e", From: at(5, 0), OpenedAt: at(5, 12), Until: at(6, 0), Failures: 4}
	said := func(made time.Time) []catalog.Said {
		return []catalog.Said{{Statement: catalog.Statement{Kind: catalog.StateMaintenance, State: catalog.StatementShown, CreatedAt: made, From: at(4, 20), Until: at(6, 6)}}}
	}
	for what, c := range map[string]struct {
		said []catalog.Said
		want string
	}{
		"announced before":   {said(at(1, 0)), "2026-10:96:96:0:0;"},
		"told of afterwards": {said(at(7, 0)), "2026-10:100:96:1:1440;"},
		"nothing is said":    {nil, "2026-10:100:96:1:1440;"},
	} {
		row := &catalog.Row{Entry: catalog.Entry{ID: "e"}, Days: []catalog.CheckDay{{EntryID: "e", Day: "2026-10-05", Checks: 100, Up: 96}}, Incidents: []catalog.Incident{outage}, Said: c.said}
		if got := monthsOf(row, time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}
