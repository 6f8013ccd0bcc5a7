package verify

import "github.com/assay-register/assay/render/catalog"

// Retraced is what the checks of an entry say about its verdicts.
type Retraced struct {
	// Changes counts the changes of the state; the first verdict is none.
	Changes int
	// Failing counts the verdicts of FAILING that a later check of the entry
	// followed, FalseFailing those that this check ended: the source was hardly
	// down.
	Failing, FalseFailing int
}

// Retrace applies the checks of an entry, oldest first, to the state machine
// again. state is the present verdict, nil for none. Where the checks begin
// later than the entry's history, what they found at first cannot be told from
// what was so before, and does not count.
func Retrace(checks []catalog.Check, state *catalog.CheckState) Retraced {
	var out Retraced
	if len(checks) == 0 {
		return out
	}
	whole := state != nil && !state.CreatedAt.Before(checks[0].At)
	var running *catalog.CheckState
	certain := false
	for i := range checks {
		c := &checks[i]
		if running != nil {
			aged, event := Age(running, c.At)
			if event != nil && certain {
				out.Changes++
			}
			running = &aged
		}
		next, event := Next(running, c)
		running = &next
		if event != nil && certain {
			out.Changes++
		}
		if event != nil && event.Type == catalog.EventFailing && (certain || whole) {
			out.failing(checks[i+1:])
		}
		certain = certain || c.Up || next.State == catalog.StateFailing
	}
	return out
}

func (r *Retraced) failing(later []catalog.Check) {
	for i := range later {
		if later[i].HostDown {
			continue
		}
		r.Failing++
		if later[i].Up {
			r.FalseFailing++
		}
		return
	}
}
