package verify

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Summary says what a run did.
type Summary struct {
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	// Selected is how many entries were to be checked, by this run or by
	// another worker; 0 for a run that goes on for ever.
	Selected int `json:"selected"`
	// Probes counts the probes, confirmations too; Checked the checks, which
	// is the sum of Up, Down and HostDown.
	Probes  int `json:"probes"`
	Checked int `json:"checked"`
	Up      int `json:"up"`
	Down    int `json:"down"`
	// HostDown counts the entries whose whole host was down.
	HostDown int `json:"host_down"`
	// RequiresAuth counts those that are up behind credentials.
	RequiresAuth int `json:"requires_auth"`
	// Refuted counts the failures that the second probe did not confirm.
	Refuted int `json:"refuted"`
	// Deferred counts the probes that led to a host that rests.
	Deferred int `json:"deferred"`
	// Withheld counts the failures that are no checks, because nobody could be reached from here.
	Withheld int `json:"withheld"`
	// Lost counts the checks that were not stored, because the lease had run
	// out and another worker has the host.
	Lost int `json:"lost"`
	// Classes counts the failures by class, Changes the events by kind.
	Classes map[catalog.ErrorClass]int `json:"error_classes"`
	Changes map[catalog.EventKind]int  `json:"changes"`
	// Surveys counts the closer looks by their result.
	Surveys map[string]int `json:"surveys"`
	// Hosts is how many hosts are in the timetable, Down those that are down.
	Hosts int        `json:"hosts"`
	Dead  []DeadHost `json:"hosts_down,omitempty"`
	// Slow are the hosts whose queue is longer than the cadence, with the one
	// that is real, slowest first.
	Slow []SlowHost `json:"slow_hosts,omitempty"`
}

// DeadHost is a host that is down as a whole.
type DeadHost struct {
	Host    string    `json:"host"`
	Entries int       `json:"entries"`
	Since   time.Time `json:"since"`
}

// SlowHost is a host whose entries cannot be checked as often as others.
type SlowHost struct {
	Host    string `json:"host"`
	Entries int    `json:"entries"`
	// CadenceSeconds is how often each of them can be checked.
	CadenceSeconds int64 `json:"cadence_seconds"`
}

func newSummary(now time.Time) *Summary {
	return &Summary{Started: now, Classes: map[catalog.ErrorClass]int{}, Changes: map[catalog.EventKind]int{}, Surveys: map[string]int{}}
}

func (s *Summary) count(p *page) {
	s.Lost += p.lost
	for i := range p.events {
		s.Changes[p.events[i].Type]++
	}
	for _, n := range p.kept {
		if n.outcome != nil {
			s.Probes++
			switch o := n.outcome; {
			case o.Withheld:
				s.Withheld++
			case !o.Deferred.IsZero():
				s.Deferred++
			}
		}
		if n.surveyed != "" {
			s.Surveys[n.surveyed]++
		}
		c := n.check
		if c == nil {
			continue
		}
		s.Checked++
		switch {
		case c.Up:
			s.Up++
			if n.confirming {
				s.Refuted++
			}
			if c.RequiresAuth {
				s.RequiresAuth++
			}
		case c.HostDown:
			s.HostDown++
		default:
			s.Down++
		}
		if !c.Up {
			s.Classes[c.Class]++
		}
	}
}

// addHosts names the hosts that are down and those that are slow.
func (s *Summary) addHosts(ctx context.Context, r *Runner) error {
	return r.Store.View(ctx, func(tx catalog.Tx) error {
		s.Hosts, s.Dead, s.Slow = 0, nil, nil
		err := tx.Probes().Hosts(ctx, func(h *catalog.ProbeHost) error {
			s.Hosts++
			if !h.FailingAt.IsZero() {
				s.Dead = append(s.Dead, DeadHost{Host: h.Host, Entries: h.Entries, Since: h.DownSince})
			}
			if real := RealCadence(h, r.cadence(), r.Prober.Gap()); real > r.cadence() {
				s.Slow = append(s.Slow, SlowHost{Host: h.Host, Entries: h.Entries, CadenceSeconds: int64(real / time.Second)})
			}
			return nil
		})
		slices.SortFunc(s.Slow, func(a, b SlowHost) int {
			return cmp.Or(cmp.Compare(b.Entries, a.Entries), cmp.Compare(a.Host, b.Host))
		})
		return err
	})
}
