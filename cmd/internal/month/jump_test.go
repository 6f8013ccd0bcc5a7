//go:build unix

package month

import (
	"fmt"
	"net/http"
	"time"
)

// How far the clock jumps by mistake, before somebody puts it right.
const (
	// Less than the 72 hours after which what was not checked is stale.
	jumpAhead = 2 * 24 * time.Hour
	jumpBack  = -2 * time.Hour
)

// slot is how long harvests that are due may have to wait. jobs.md: they are queued
// "every 10 minutes", once for each slot.
const slot = 10 * time.Minute

// jump lets the clock of all processes jump by mistake and come back. jobs.md,
// "Clocks": "Where a clock ran ahead and was set back, nothing is stuck". While it
// is wrong a register works by it. It comes back a slot before the last move of the
// step: each entry has a moment of its own in the cadence, and one that was checked
// later than that move would not be due again by that of the next step.
func (m *rehearsal) jump(step int) {
	ahead, back := Jumps(m.steps)
	if step != ahead && step != back {
		return
	}
	now := at(step) - slot
	m.r.setClock(now)
	m.restSince(step, start.Add(at(step-1))) // an entry need not have been due yet
	if step == back {
		m.r.setClock(now + jumpBack)
		m.decided(step)
		m.r.setClock(now)
		m.report.Count("jumps of the clock back", 1)
		return
	}
	m.faulty[step] = true
	m.r.setClock(now + jumpAhead)
	m.restSince(step, start.Add(now+jumpAhead-Cadence))
	m.r.setClock(now)
	m.o.Again()
	// All that was put off is due now, and what is harvested has a run of now.
	m.rest(step)
	m.r.setClock(at(step))
	m.harvestedSince(start.Add(now))
	m.report.Count("jumps of the clock ahead", 1)
}

// harvestedSince waits until each portal was harvested after an instant.
func (m *rehearsal) harvestedSince(now time.Time) {
	m.t.Helper()
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
