package wire

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// HonestyFigures say how well the register does its work. Shares are percent
// with one decimal; null is unknown.
type HonestyFigures struct {
	CadenceHours float64 `json:"cadence_hours"`
	// Checkable is how many listed entries have an address that can be asked.
	Checkable int `json:"checkable"`
	// WithinCadence is the share of them that were checked within the cadence
	// before as_of.
	WithinCadence *float64 `json:"checked_within_cadence_percent"`
	// MedianAge is the median age of the verdicts at as_of.
	MedianAge *float64 `json:"median_verdict_age_hours"`
	// ObservedDays is on how many of the last 30 days checks were made.
	ObservedDays int      `json:"observed_days"`
	ChangesADay  *float64 `json:"state_changes_per_day"`
	// Failing counts the verdicts of FAILING that a later check followed,
	// FalseFailing those that the very next check ended.
	Failing      int      `json:"failing_verdicts"`
	FalseFailing int      `json:"false_failing_verdicts"`
	FalseRate    *float64 `json:"false_failing_percent"`
	// Delivered counts the values of listed entries that publishers delivered.
	Delivered int      `json:"delivered_values"`
	Traced    *float64 `json:"fields_with_provenance_percent"`
}

// RegisterStatus is the answer of status.
type RegisterStatus struct {
	Snapshot string           `json:"snapshot"`
	AsOf     string           `json:"as_of"`
	Figures  HonestyFigures   `json:"figures"`
	States   []snapshot.Count `json:"verification_states"`
	Hosts    StatusHosts      `json:"hosts"`
}

// StatusHosts are the hosts of the checks: those that are down as a whole, and
// those whose queue is longer than the cadence, with the one that is real.
type StatusHosts struct {
	Total     int        `json:"total"`
	DownTotal int        `json:"down_total"`
	SlowTotal int        `json:"slow_total"`
	Down      []HostDown `json:"down"`
	Slow      []HostSlow `json:"slow"`
}

// HostDown is a host that does not answer.
type HostDown struct {
	Host    string  `json:"host"`
	Entries int     `json:"entries"`
	Since   *string `json:"since"`
}

// HostSlow is a host whose entries are checked less often than others.
type HostSlow struct {
	Host         string  `json:"host"`
	Entries      int     `json:"entries"`
	CadenceHours float64 `json:"cadence_hours"`
}

// StatusHostsMax is how many hosts of a kind an answer names, those with the
// most entries first.
const StatusHostsMax = 200

// NewStatus says how well the register does its work.
func NewStatus(c *snapshot.Catalog) RegisterStatus {
	s := RegisterStatus{Snapshot: c.ID, AsOf: c.AsOf.Format(time.RFC3339), Figures: NewHonestyFigures(c), States: c.Facets(c.Order).State,
		Hosts: StatusHosts{Total: len(c.Observed.Hosts), Down: []HostDown{}, Slow: []HostSlow{}}}
	hosts := slices.Clone(c.Observed.Hosts)
	slices.SortFunc(hosts, func(a, b snapshot.Host) int {
		return cmp.Or(cmp.Compare(b.Entries, a.Entries), cmp.Compare(a.Host, b.Host))
	})
	for i := range hosts {
		h := &hosts[i]
		if !h.FailingAt.IsZero() {
			if s.Hosts.DownTotal++; len(s.Hosts.Down) < StatusHostsMax {
				s.Hosts.Down = append(s.Hosts.Down, HostDown{h.Host, h.Entries, stamp(h.DownSince)})
			}
		}
		if h.Cadence > c.Observed.Cadence {
			if s.Hosts.SlowTotal++; len(s.Hosts.Slow) < StatusHostsMax {
				s.Hosts.Slow = append(s.Hosts.Slow, HostSlow{h.Host, h.Entries, hours(h.Cadence)})
			}
		}
	}
	return s
}

// NewHonestyFigures computes the figures from what the snapshot shows.
func NewHonestyFigures(c *snapshot.Catalog) HonestyFigures {
	o := &c.Observed
	f := HonestyFigures{CadenceHours: hours(o.Cadence), ObservedDays: o.Days, Failing: o.Failing, FalseFailing: o.FalseFailing, Delivered: o.Delivered,
		FalseRate: percent(o.FalseFailing, o.Failing), Traced: percent(o.Traced, o.Delivered)}
	var ages []int64
	within := 0
	for _, i := range c.Order {
		l := &c.Lines[i]
		if !l.Checkable {
			continue
		}
		f.Checkable++
		if l.Checked == 0 {
			continue
		}
		age := max(0, c.AsOf.Unix()-l.Checked)
		ages = append(ages, age)
		if time.Duration(age)*time.Second <= o.Cadence {
			within++
		}
	}
	f.WithinCadence = percent(within, f.Checkable)
	if len(ages) > 0 {
		slices.Sort(ages)
		median := hours(time.Duration(ages[(len(ages)-1)/2]) * time.Second)
		f.MedianAge = &median
	}
	if o.Days > 0 {
		rate := math.Round(10*float64(o.Changes)/float64(o.Days)) / 10
		f.ChangesADay = &rate
	}
	return f
}

func hours(d time.Duration) float64 { return math.Round(100*d.Hours()) / 100 }

// percent is part of whole, rounded half up to a tenth, nil of nothing.
func percent(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	p := float64((2000*part+whole)/(2*whole)) / 10
	return &p
}

// Traced counts, among the fields that publishers state, those that the entry
// has a value for and those of them whose source is recorded.
func Traced(s *snapshot.Scored, cells snapshot.Cells) (delivered, traced int) {
	known := map[string]bool{}
	for i := range s.Row.Provenance.Rows {
		if row := &s.Row.Provenance.Rows[i]; row.Basis != catalog.BasisNotDelivered {
			known[row.Field] = true
		}
	}
	for i, f := range fields {
		if f.basis != stated || cells.Empty>>i&1 == 1 {
			continue
		}
		delivered++
		if known[f.name] {
			traced++
		}
	}
	return delivered, traced
}
