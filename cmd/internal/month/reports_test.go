//go:build unix

package month

import (
	"fmt"
	"maps"
	"net/http"
)

// readers tell what is wrong with entries, and a moderator decides on it a day
// later.
type readers struct {
	// owned is the portal of an office, which gets time to answer.
	owned *Portal
	// open are the reports that were acknowledged and not decided, by id; later those on what is
	// the office's.
	open  map[string]string
	later map[string]owed
}

func (r *readers) begin(*rehearsal) { r.open, r.later = map[string]string{}, map[string]owed{} }

// act reports a problem each day, from the first on.
func (r *readers) act(m *rehearsal, step int) {
	switch step % stepsPerDay {
	case 2:
		key := fmt.Sprintf("k999x%02d", step/stepsPerDay%itemsEach)
		message := fmt.Sprintf("In step %d the table of %s had no header.", step, key)
		if id := r.send(m, step, key, message); id != "" {
			r.open[id] = message
		}
		r.report(m, step)
	case 3:
		r.settle(m, step)
	case 1:
		for id := range r.open {
			r.close(m, step, id)
			delete(r.open, id)
		}
	}
}

// send reports a problem and gives the id of what was acknowledged, "" for none.
func (r *readers) send(m *rehearsal, step int, key, message string) string {
	list, err := m.c.entries("ACTIVE")
	if err != nil {
		m.t.Fatal(err)
	}
	var receipt struct{ ID, Status string }
	code, err := m.c.ask("POST", "/api/v1/entries/"+list[key].Slug+"/reports", map[string]string{"field": "description", "message": message}, &receipt)
	if err != nil || code != http.StatusCreated || receipt.Status != "OPEN" {
		m.report.Differ(step, "the report on %s: status %d %s, %v", key, code, receipt.Status, err)
		return ""
	}
	m.report.Count("reports of readers", 1)
	return receipt.ID
}

// close is a moderator's decision.
func (r *readers) close(m *rehearsal, step int, id string) {
	code, err := m.c.ask("POST", "/api/v1/admin/reports/"+id+"/decide", map[string]string{"status": "RESOLVED", "reason": "the office mended it"}, nil)
	if err != nil || code != http.StatusOK {
		m.report.Differ(step, "the decision on a report: status %d, %v", code, err)
	}
}

// look sees that the queue shows what was acknowledged until it is decided, and
// nothing else.
func (r *readers) look(m *rehearsal, step int) {
	var queue struct {
		Reports []struct{ ID, Message string }
	}
	if code, err := m.c.ask("GET", "/api/v1/admin/queue?kind=reports", nil, &queue); err != nil || code != http.StatusOK {
		m.report.Differ(step, "the queue: status %d, %v", code, err)
		return
	}
	wait := maps.Clone(r.open)
	for id, x := range r.later {
		wait[id] = x.message
	}
	shown := map[string]string{}
	for _, x := range queue.Reports {
		if shown[x.ID] = x.Message; wait[x.ID] == "" {
			m.report.Differ(step, "the queue shows a report that was decided: %s", x.Message)
		}
	}
	for id, message := range wait {
		if shown[id] != message {
			m.report.Differ(step, "the queue lacks the acknowledged report %q", message)
		}
	}
}

func (r *readers) end(*rehearsal) {}
