//go:build unix

package month

import (
	"strings"
)

// mover is a portal that moves to another address, which its former one tells for
// good; later the operator writes the new one into the configuration, and in the
// end the former one is gone. What it lists stays what it is: the oracle expects no
// event.
type mover struct {
	portal *Portal
	to     string
	// moves, told and gone are the steps of all that.
	moves, told, gone int
}

func newMover(w *World, steps int) *mover {
	p, to := w.Mover()
	third := max(steps/3/stepsPerDay, 1) * stepsPerDay
	return &mover{portal: p, to: to, moves: third - 2, told: 2*third - 4, gone: 2*third - 2}
}

func (v *mover) begin(*rehearsal) {}

func (v *mover) act(m *rehearsal, step int) {
	var change func()
	former := v.portal.Former
	switch step {
	case v.moves:
		change = func() { v.portal.Former, v.portal.Host = v.portal.Host, v.to }
	case v.told:
		m.r.edit(func(text string) string { return strings.ReplaceAll(text, "http://"+former+"/", v.portal.Address()) })
		for _, p := range m.r.up {
			p.stop()
			p.start()
		}
		m.serving()
		m.report.Count("portals that moved", 1)
	case v.gone:
		change = func() { v.portal.Former = "" }
	}
	if change == nil {
		return
	}
	if err := m.w.Do(step, change); err != nil {
		m.t.Fatal(err)
	}
}

func (v *mover) look(*rehearsal, int) {}

// end sees that the former address led on, and was left in peace once it was not
// in the configuration.
func (v *mover) end(m *rehearsal) {
	n := 0
	log, _ := m.w.Log(0)
	for _, r := range log {
		if r.Portal == v.portal.Key && r.Purpose == ForMoved {
			if n++; r.Step > v.gone {
				m.report.Differ(r.Step, "the former address was asked for %s", r.URI)
			}
		}
	}
	if n == 0 {
		m.report.Differ(v.moves, "the former address was never asked")
	}
}
