//go:build unix

package month

import (
	"fmt"
	"net/http"
)

// Faults come round every so many steps.
const (
	deployEvery  = 7
	killEvery    = 5
	restartEvery = 11
	awayEvery    = 12
)

// fault is what happens to the machines of the register in a step, after its
// clock was moved and while it works on what is due.
func (m *rehearsal) fault(step int) {
	m.people.hook.setAway(step%awayEvery == 6)
	p := m.r.up[step%len(m.r.up)]
	switch {
	case m.r.stage.disk != nil && step == m.steps/2-2:
		m.underWay(step)
		m.fullDisk(step)
	case m.r.stage.restart != nil && step%restartEvery == 4:
		m.underWay(step)
		m.r.stage.restart([]string{"INT", "QUIT"}[step%2])
		m.report.Count("restarts of the database while it worked", 1)
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

// fullDisk takes all room of the register's disk and gives it back. operate.md:
// "Reads go on from the snapshot; writes … answer 503 with Retry-After. Nothing that
// was acknowledged is lost". What was taken before the disk is full counts.
func (m *rehearsal) fullDisk(step int) {
	m.t.Helper()
	it := m.people.portal.Items[0]
	try := func(want int) func() error {
		return func() error {
			id, code, err := m.people.send(m, it)
			if err == nil && code == http.StatusCreated {
				m.people.acknowledged[id] = true
			} else if err == nil && code != http.StatusServiceUnavailable {
				m.report.Differ(step, "a proposal on a full disk: status %d", code)
			}
			if err == nil && code != want {
				err = fmt.Errorf("status %d", code)
			}
			return err
		}
	}
	m.r.stage.disk.fill(m.t, true)
	m.until("a full disk", try(http.StatusServiceUnavailable))
	if list, err := m.c.entries("ACTIVE"); err != nil || len(list) == 0 {
		m.report.Differ(step, "lists on a full disk: %d entries, %v", len(list), err)
	}
	m.r.stage.disk.fill(m.t, false)
	m.until("a disk with room", try(http.StatusCreated))
	m.report.Count("full disks", 1)
}
