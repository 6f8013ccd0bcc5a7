package wire

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

var asOf = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// worked is a catalog with lines of these ages in hours; a negative one was
// never checked, and those from uncheckable on cannot be.
func worked(observed snapshot.Observed, uncheckable int, ages ...int) *snapshot.Catalog {
	c := &snapshot.Catalog{ID: "20261121-000000000000", AsOf: asOf, Observed: observed}
	for i, age := range ages {
		l := snapshot.Line{Traits: &snapshot.Traits{State: catalog.StateVerified, Status: catalog.StatusActive, Checkable: i < uncheckable}}
		if age >= 0 {
			l.Checked = asOf.Add(-time.Duration(age) * time.Hour).Unix()
		}
		c.Lines = append(c.Lines, l)
		c.Order = append(c.Order, int32(i))
	}
	return c
}

func TestHonestyFigures(t *testing.T) {
	f64 := func(f float64) *float64 { return &f }
	for name, c := range map[string]struct {
		catalog *snapshot.Catalog
		want    HonestyFigures
	}{
		"nothing": {worked(snapshot.Observed{}, 0), HonestyFigures{}},
		"never checked": {worked(snapshot.Observed{Cadence: 6 * time.Hour}, 2, -1, -1, 1),
			HonestyFigures{CadenceHours: 6, Checkable: 2, WithinCadence: f64(0)}},
		"at work": {worked(snapshot.Observed{Cadence: 6 * time.Hour, Days: 30, Changes: 7, Failing: 3, FalseFailing: 1, Delivered: 8, Traced: 7}, 4, 1, 6, 7, -1, 3),
			HonestyFigures{CadenceHours: 6, Checkable: 4, WithinCadence: f64(50), MedianAge: f64(6), ObservedDays: 30, ChangesADay: f64(0.2),
				Failing: 3, FalseFailing: 1, FalseRate: f64(33.3), Delivered: 8, Traced: f64(87.5)}},
		"later than shown": {worked(snapshot.Observed{Cadence: time.Hour}, 1, 0), HonestyFigures{CadenceHours: 1, Checkable: 1, WithinCadence: f64(100), MedianAge: f64(0)}},
	} {
		if d := cmp.Diff(c.want, NewHonestyFigures(c.catalog)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestStatusNamesDeadAndSlowHosts(t *testing.T) {
	since := asOf.Add(-5 * time.Hour)
	host := func(name string, entries int, hours int, down bool) snapshot.Host {
		h := snapshot.Host{ProbeHost: catalog.ProbeHost{Host: name, Entries: entries}, Cadence: time.Duration(hours) * time.Hour}
		if down {
			h.DownSince, h.FailingAt = since, since.Add(time.Hour)
		}
		return h
	}
	observed := snapshot.Observed{Cadence: 6 * time.Hour, Hosts: []snapshot.Host{host("z", 2, 6, true), host("a", 90_000, 25, false), host("b", 50_000, 14, true), host("c", 1, 6, false)}}
	s := NewStatus(worked(observed, 0))
	want := StatusHosts{Total: 4, DownTotal: 2, SlowTotal: 2,
		Down: []HostDown{{"b", 50_000, stamp(since)}, {"z", 2, stamp(since)}}, Slow: []HostSlow{{"a", 90_000, 25}, {"b", 50_000, 14}}}
	if d := cmp.Diff(want, s.Hosts); d != "" {
		t.Error(d)
	}
	observed.Hosts = nil
	for range StatusHostsMax + 5 {
		observed.Hosts = append(observed.Hosts, host("h", 1, 9, true))
	}
	if s := NewStatus(worked(observed, 0)); len(s.Hosts.Down) != StatusHostsMax || s.Hosts.DownTotal != StatusHostsMax+5 || len(s.Hosts.Slow) != StatusHostsMax {
		t.Errorf("%d of %d hosts are named", len(s.Hosts.Down), s.Hosts.DownTotal)
	}
}

func TestTraced(t *testing.T) {
	rows := []catalog.FieldRow{{Field: "name", Basis: catalog.BasisPublisher}, {Field: "tags", Basis: catalog.BasisNotDelivered},
		{Field: "docs_url", Basis: catalog.BasisObserved}, {Field: "repo_url", Basis: catalog.BasisPublisher}}
	s := &snapshot.Scored{Row: &catalog.Row{Provenance: catalog.Provenance{Rows: rows}}}
	// All cells are empty but these; slug is no field that a publisher states.
	cells := snapshot.Cells{Empty: ^uint64(0)}
	for _, name := range []string{"name", "tags", "docs_url", "slug"} {
		cells.Empty &^= 1 << fieldBit[name]
	}
	if delivered, traced := Traced(s, cells); delivered != 3 || traced != 2 {
		t.Errorf("%d of %d values are traced", traced, delivered)
	}
}

func TestMethodologyIsWhole(t *testing.T) {
	m := NewMethodology()
	if len(m.Axes) != 5 || len(m.Rules) < 40 || len(m.Formulas) != 4 || len(m.Tiers) != 4 || len(m.States) != 4 || len(m.Ladder) != 7 || len(m.MachineFormats) < 40 {
		t.Errorf("%d axes, %d rules, %d formulas, %d tiers, %d states, %d rungs", len(m.Axes), len(m.Rules), len(m.Formulas), len(m.Tiers), len(m.States), len(m.Ladder))
	}
	if d := cmp.Diff(NewMethodology(), m); d != "" {
		t.Error(d)
	}
}

func TestReliability(t *testing.T) {
	day := asOf.Truncate(24 * time.Hour)
	frame := snapshot.NewFrame(snapshot.Site{}, asOf, nil, nil, nil)
	row := &catalog.Row{Entry: catalog.Entry{ID: "e"}, Days: []catalog.CheckDay{{Day: day.AddDate(0, 0, -40).Format(time.DateOnly), Checks: 400, Up: 398}},
		Targets: []catalog.Target{{ID: "t", Availability: 99, WindowDays: 60, Active: true, Reason: "contract", UpdatedAt: day}, {ID: "u", Availability: 99.9, WindowDays: 7, Active: true}, {ID: "v"}}}
	got := newReliability(frame.Score(row, "e"))
	measured, spent, met := 99.5, 50.0, true
	want := []Reliability{{ID: "t", Availability: 99, WindowDays: 60, Since: "2026-09-23", Checks: 400, Up: 398, Measured: &measured, Spent: &spent, Met: &met, Reason: "contract", SetAt: stamp(day)},
		{ID: "u", Availability: 99.9, WindowDays: 7, Since: "2026-11-15"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCheckDaysAreBounded(t *testing.T) {
	row := &catalog.Row{Entry: catalog.Entry{ID: "e"}}
	day := asOf.Truncate(24 * time.Hour)
	for i := 500; i > 0; i-- {
		row.Days = append(row.Days, catalog.CheckDay{EntryID: "e", Day: day.AddDate(0, 0, -i).Format(time.DateOnly), Checks: 3, Up: 2, P50MS: 80})
	}
	row.Checks = []catalog.Check{{EntryID: "e", At: asOf, Up: true, LatencyMS: 5, HostDown: false}}
	c := NewChecks(row, asOf.Truncate(24*time.Hour))
	if len(c.Days) != CheckDaysMax || c.Days[0].Day != "2026-11-21" || c.Days[0].Uptime != 100 || c.Days[1].Uptime != 66.7 || *c.Days[1].P50 != 80 || c.Days[1].P95 != nil {
		t.Errorf("%d days, %+v", len(c.Days), c.Days[:2])
	}
	if c.Uptime90 == nil || *c.Uptime90 != 66.8 { // 179 of 268
		t.Errorf("uptime of 90 days %v", *c.Uptime90)
	}
}
