//go:build unix

package month

import "fmt"

// Faults come round every so many steps.
const (
	deployEvery = 7
	killEvery   = 5
	awayEvery   = 12
)

// fault is what happens to the machines of the register in a step, after its
// clock was moved and while it works on what is due.
func (m *rehearsal) fault(step int) {
	m.people.hook.setAway(step%awayEvery == 6)
	p := m.r.up[step%len(m.r.up)]
	switch {
	case step%killEvery == 3:
		m.underWay(step)
		p.kill()
		p.start()
		m.report.Count("processes killed while they worked", 1)
	case step%deployEvery == 5:
		m.underWay(step)
		p.stop()
		p.start()
		m.report.Count("processes deployed anew while they worked", 1)
	default:
		return
	}
	m.faulty[step] = true
	m.serving()
}

// underWay waits until the portals are being asked.
func (m *rehearsal) underWay(step int) {
	m.t.Helper()
	m.until("the work of the step", func() error {
		log, _ := m.w.Log(0)
		if len(log) == 0 || log[len(log)-1].Step != step {
			return fmt.Errorf("nobody was asked in step %d", step)
		}
		return nil
	})
}
