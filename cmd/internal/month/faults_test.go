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

// slack is the room of a full disk before the register has used it up.
const slack = 1 << 20

// fullDisk takes the room of the register's disk and gives it back. operate.md:
// "Reads go on from the snapshot; writes … answer 503 with Retry-After. Nothing that
// was acknowledged is lost". A service that has just begun has no old log of the
// store into which it could write on.
func (m *rehearsal) fullDisk(step int) {
	m.t.Helper()
	p := m.r.up[0]
	p.stop()
	m.r.stage.disk.leave(m.t, slack)
	p.start()
	m.serving()
	m.until("a full disk", func() error { return m.proposeUntil(step, http.StatusServiceUnavailable) })
	if list, err := m.c.entries("ACTIVE"); err != nil || len(list) == 0 {
		m.report.Differ(step, "lists on a full disk: %d entries, %v", len(list), err)
	}
	m.r.stage.disk.leave(m.t, -1)
	m.until("a disk with room", func() error { return m.proposeUntil(step, http.StatusCreated) })
	m.report.Count("full disks", 1)
}

// proposeUntil proposes something new, and is content with one answer. Every one
// that is acknowledged counts.
func (m *rehearsal) proposeUntil(step, want int) error {
	m.people.tries++
	key := fmt.Sprintf("%s-%d", m.people.portal.Items[0].Key, m.people.tries)
	id, code, err := m.people.send(m, key, fmt.Sprintf("Proposed beside a full disk, number %d", m.people.tries))
	switch {
	case err != nil:
		return err
	case code == http.StatusCreated:
		m.people.acknowledged[id] = true
	case code != http.StatusServiceUnavailable:
		m.report.Differ(step, "a proposal on a full disk: status %d", code)
	}
	if code != want {
		return fmt.Errorf("status %d", code)
	}
	return nil
}
