//go:build unix

package month

// mover is a portal that moves to another address, to which its former one leads
// from then on (308). What it lists stays what it is, with new addresses: the oracle
// expects no event.
type mover struct {
	portal *Portal
	to     string
	step   int
}

func newMover(w *World, steps int) *mover {
	p, to := w.Mover()
	return &mover{portal: p, to: to, step: steps / 3}
}

func (v *mover) begin(*rehearsal) {}

func (v *mover) act(m *rehearsal, step int) {
	if step != v.step {
		return
	}
	if err := m.w.Do(step, func() { v.portal.Former, v.portal.Host = v.portal.Host, v.to }); err != nil {
		m.t.Fatal(err)
	}
	m.report.Count("portals that moved", 1)
}

func (v *mover) look(*rehearsal, int) {}

// end sees that the portal was read by way of its former address, and its data
// where it is now.
func (v *mover) end(m *rehearsal) {
	seen := map[Purpose]bool{}
	log, _ := m.w.Log(0)
	for _, r := range log {
		if r.Portal == v.portal.Key && r.Step > v.step {
			seen[r.Purpose] = true
		}
	}
	for _, p := range []Purpose{ForMoved, ForList, ForData} {
		if !seen[p] {
			m.report.Differ(v.step, "since it moved %s was never asked for %s", v.portal.Key, p)
		}
	}
}
