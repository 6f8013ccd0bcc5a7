//go:build unix

package month

import "fmt"

// drift is a portal whose tables change their columns, one after the other. All other tables of
// the world are written in another order and with other values at each step, which is no change.
type drift struct{ portal *Portal }

func newDrift(w *World) *drift { return &drift{w.Drifting()} }

// A table changes at driftFirst and each driftEvery steps behind, so that it was looked at in
// between: each source is looked at once a day.
const driftFirst, driftEvery = 3, 2 * stepsPerDay

func (d *drift) begin(*rehearsal) {}

func (d *drift) act(m *rehearsal, step int) {
	n := (step - driftFirst) / driftEvery
	if step < driftFirst || (step-driftFirst)%driftEvery != 0 || n >= len(d.portal.Items) || step+stepsPerDay > m.steps {
		return
	}
	it := d.portal.Items[n]
	shape := n%(len(shapes)-1) + 1
	if err := m.w.Do(step, func() { it.Columns = shapes[shape].columns }); err != nil {
		m.t.Fatal(err)
	}
	m.o.tell("entry.schema_changed", it.Key)
	m.report.Count(fmt.Sprintf("changes of columns that are %s", shapes[shape].severity), 1)
}

func (d *drift) look(*rehearsal, int) {}

// end sees that each change was told as what it is.
func (d *drift) end(m *rehearsal) {
	keys, err := m.see.keys(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	list, _, err := m.c.events("")
	if err != nil {
		m.t.Fatal(err)
	}
	for _, e := range list {
		if e.Type != "entry.schema_changed" || e.Entry == nil {
			continue
		}
		severity := e.Changes["contract.severity"].To
		for n, it := range d.portal.Items {
			if want := shapes[n%(len(shapes)-1)+1].severity; it.Key == keys[e.Entry.ID] && severity != want {
				m.report.Differ(-1, "the change of %s is told as %v, it is %s", it.Key, severity, want)
			}
		}
	}
}
