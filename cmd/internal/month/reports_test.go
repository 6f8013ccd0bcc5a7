//go:build unix

package month

import (
	"fmt"
	"net/http"
)

// readers tell what is wrong with entries, and a moderator decides on it a day
// later.
type readers struct {
	// open are the reports that were acknowledged and not decided, by id.
	open map[string]string
}

func (r *readers) begin(*rehearsal) { r.open = map[string]string{} }

// act reports a problem each day, from the second step on.
func (r *readers) act(m *rehearsal, step int) {
	switch step % stepsPerDay {
	case 2:
		list, err := m.c.entries("ACTIVE")
		if err != nil {
			m.t.Fatal(err)
		}
		key := fmt.Sprintf("k999x%02d", step/stepsPerDay%itemsEach)
		message := fmt.Sprintf("In step %d the table of %s had no header.", step, key)
		var receipt struct{ ID, Status string }
		code, err := m.c.ask("POST", "/api/v1/entries/"+list[key].Slug+"/reports", map[string]string{"field": "description", "message": message}, &receipt)
		if err != nil || code != http.StatusCreated || receipt.Status != "OPEN" {
			m.report.Differ(step, "the report on %s: status %d %s, %v", key, code, receipt.Status, err)
			return
		}
		r.open[receipt.ID] = message
		m.report.Count("reports of readers", 1)
	case 1:
		r.decide(m, step)
	}
}

// decide ends what is open.
func (r *readers) decide(m *rehearsal, step int) {
	for id := range r.open {
		code, err := m.c.ask("POST", "/api/v1/admin/reports/"+id+"/decide", map[string]string{"status": "RESOLVED", "reason": "the office mended it"}, nil)
		if err != nil || code != http.StatusOK {
			m.report.Differ(step, "the decision on a report: status %d, %v", code, err)
		}
		delete(r.open, id)
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
	shown := map[string]string{}
	for _, x := range queue.Reports {
		if shown[x.ID] = x.Message; r.open[x.ID] == "" {
			m.report.Differ(step, "the queue shows a report that was decided: %s", x.Message)
		}
	}
	for id, message := range r.open {
		if shown[id] != message {
			m.report.Differ(step, "the queue lacks the acknowledged report %q", message)
		}
	}
}

func (r *readers) end(*rehearsal) {}
