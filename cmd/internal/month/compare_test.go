//go:build unix

package month

import (
	"fmt"
	"strings"
	"time"
)

// unlike are what the lists show otherwise than the oracle says.
func (m *rehearsal) unlike() []string {
	active, err := m.c.entries("ACTIVE")
	if err != nil {
		return []string{err.Error()}
	}
	left, err := m.c.entries("DEPRECATED")
	if err != nil {
		return []string{err.Error()}
	}
	var wrong []string
	for _, k := range m.o.Entries() {
		list, other := active, left
		if !k.Active {
			list, other = left, active
		}
		e, there := list[k.Key]
		_, elsewhere := other[k.Key]
		switch {
		case !there || elsewhere:
			wrong = append(wrong, fmt.Sprintf("%s: active is %t, the lists show otherwise", k.Key, k.Active))
		case e.Name != k.Title:
			wrong = append(wrong, fmt.Sprintf("%s is called %q, the lists say %q", k.Key, k.Title, e.Name))
		case k.Active && e.State != k.State && e.State != k.Either:
			wrong = append(wrong, fmt.Sprintf("%s is %s, the lists say %s", k.Key, k.State, e.State))
		}
	}
	if n := len(active) + len(left); n != len(m.o.entries) {
		wrong = append(wrong, fmt.Sprintf("%d entries, the lists have %d", len(m.o.entries), n))
	}
	return wrong
}

// end builds once more and compares the lists, the events of the month, and what
// came to those who follow them.
func (m *rehearsal) end() {
	if err := m.r.nightly(); err != nil {
		m.report.Differ(-1, "the last run of the nightly unit failed: %v", err)
	}
	wrong := m.unlike()
	for end := time.Now().Add(time.Minute); len(wrong) > 0 && time.Now().Before(end); wrong = m.unlike() {
		time.Sleep(200 * time.Millisecond) // until the services serve the last snapshot
	}
	for _, text := range wrong {
		m.report.Differ(-1, "%s", text)
	}
	for _, k := range m.o.Entries() {
		m.ledger.Note(m.steps/stepsPerDay+1, "entry %s %q active %t %s", k.Key, k.Title, k.Active, k.State)
	}
	m.compareEvents()
	m.polite()
	for _, a := range m.actors {
		a.end(m)
	}
}

// foretold are the kinds of events that the oracle knows.
var foretold = map[string]bool{"entry.created": true, "entry.verified": true, "entry.failing": true, "entry.stale": true, "entry.deprecated": true,
	"entry.reactivated": true, "host.failing": true, "host.recovered": true, "entry.schema_changed": true, "claim.verified": true, "claim.ended": true}

// adrift are those of them whose day follows from how fast something answered, or whose subject has
// an id by chance: no ledger has them.
var adrift = map[string]bool{"entry.schema_changed": true, "claim.verified": true}

// dayOf is the simulated day of an instant, from 1.
func dayOf(at time.Time) int { return int(at.Sub(start)/(24*time.Hour)) + 1 }

// named are events of the change feed with what they are about: the key of an
// entry, or a host.
func (m *rehearsal) named(cursor string) []named {
	m.t.Helper()
	list, _, err := m.c.events(cursor)
	if err != nil {
		m.t.Fatal(err)
	}
	keys, err := m.see.keys(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	out := make([]named, len(list))
	for i, e := range list {
		out[i] = named{e, strings.Trim(string(e.Subject), `"`)}
		if e.Entry != nil {
			out[i].subject = keys[e.Entry.ID]
		}
	}
	return out
}

// named is an event with what it is about.
type named struct {
	told
	subject string
}

// compareEvents compares the change feed with what the oracle foretold. Of what
// people proposed only the verdicts are.
func (m *rehearsal) compareEvents() {
	got, want := map[string]int{}, map[string]int{}
	for _, e := range m.named("") {
		m.report.Count("events "+e.Type, 1)
		if !foretold[e.Type] {
			continue
		}
		if !adrift[e.Type] {
			m.ledger.Note(dayOf(e.At), "%s %s", e.Type, e.subject)
		}
		if k := m.o.entries[e.subject]; k == nil || !k.Submitted || e.Type == "entry.verified" {
			got[e.Type+" "+e.subject]++
		}
	}
	for _, e := range m.o.Events {
		want[e.Type+" "+e.Subj]++
	}
	for key, n := range want {
		if got[key] != n {
			m.report.Differ(-1, "%d events %s, the register told %d", n, key, got[key])
		}
	}
	for key, n := range got {
		if want[key] == 0 {
			m.report.Differ(-1, "no event %s, the register told %d", key, n)
		}
	}
}

// trace is what happened to the world and what its portals were asked.
func (m *rehearsal) trace() string {
	var b strings.Builder
	for _, c := range m.script {
		fmt.Fprintf(&b, "step %d %s\n", c.Step, c.What)
	}
	log, _ := m.w.Log(0)
	for _, r := range log {
		fmt.Fprintf(&b, "%s step %d %s %s %s %s %s %d\n", r.At.Format("15:04:05.000"), r.Step, r.Portal, r.Purpose, r.Item, r.Method, r.URI, r.Status)
	}
	return b.String()
}

// gap is the least time between two requests of a harvest to one portal.
const gap = 10 * time.Millisecond

// polite sees that no portal was asked twice for one page of its list within the
// gap, nor in one step that was not disturbed. A map service is asked for the same
// page by harvests and probes, and is left out.
func (m *rehearsal) polite() {
	last := map[string]Request{}
	log, _ := m.w.Log(0)
	for _, r := range log {
		if r.Purpose != ForList || r.Item != "" {
			continue
		}
		page := r.Portal + " " + r.URI
		before, asked := last[page]
		last[page] = r
		switch {
		case asked && r.At.Sub(before.At) < gap:
			m.report.Differ(r.Step, "%s was asked for twice within %s", page, r.At.Sub(before.At))
		case asked && r.Step == before.Step && !m.faulty[r.Step]:
			m.report.Differ(r.Step, "%s was asked for twice", page)
		}
	}
}
