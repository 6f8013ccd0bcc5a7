//go:build unix

package month

import (
	"fmt"
	"net/http"
	"time"
)

// How far the clock jumps by mistake, before somebody puts it right.
const (
	jumpAhead = 3 * 24 * time.Hour
	jumpBack  = -2 * time.Hour
)

// jump lets the clock of all processes jump by mistake and come back. jobs.md,
// "Clocks": "Where a clock ran ahead and was set back, nothing is stuck". While it
// is wrong a register works by it.
func (m *rehearsal) jump(step int) {
	ahead, back := Jumps(m.steps)
	switch step {
	case ahead:
		m.faulty[step] = true
		m.r.setClock(at(step) + jumpAhead)
		m.restSince(step, start.Add(at(step)+jumpAhead-Cadence))
		m.r.setClock(at(step))
		m.o.Again()
		// All that was put off is due now, and what is harvested has a run of now.
		m.rest(step)
		// jobs.md: harvests are queued "every 10 minutes", once for each slot.
		m.r.setClock(at(step) + soon)
		m.harvestedSince(step)
		m.report.Count("jumps of the clock ahead", 1)
	case back:
		m.r.setClock(at(step) + jumpBack)
		m.decided(step)
		m.r.setClock(at(step))
		// What was checked while the clock was back bears times of then.
		m.restSince(step, start.Add(at(step)+jumpBack))
		m.report.Count("jumps of the clock back", 1)
	}
}

// harvestedSince waits until each portal was harvested again after the clock came
// back.
func (m *rehearsal) harvestedSince(step int) {
	m.t.Helper()
	now := start.Add(at(step))
	m.until("the harvests after the jump", func() error {
		list, err := m.see.harvestedBefore(m.t.Context(), now)
		if err == nil && len(list) > 0 {
			err = fmt.Errorf("not harvested since %s: %v", now, list)
		}
		return err
	})
}

// decided sees that what is proposed while the clock is back is checked then.
func (m *rehearsal) decided(step int) {
	m.t.Helper()
	key := fmt.Sprintf("%s-back-%d", m.people.portal.Items[0].Key, step)
	id, code, err := m.people.send(m, key, fmt.Sprintf("Proposed while the clock was back in step %d", step))
	if err != nil || code != http.StatusCreated {
		m.report.Differ(step, "a proposal while the clock is back: status %d, %v", code, err)
		return
	}
	m.people.acknowledged[id] = true
	m.until("the check of a proposal while the clock is back", func() error {
		var shown struct{ Status string }
		code, err := m.c.ask("GET", "/api/v1/submissions/"+id, nil, &shown)
		if err == nil && (code != http.StatusOK || shown.Status == "PENDING" || shown.Status == "PROCESSING") {
			err = fmt.Errorf("status %d, %s", code, shown.Status)
		}
		return err
	})
}
