//go:build unix

package month

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// thinking is how long a moderator takes: a webhook may look at the log before
// the approval, which still comes within the second of the check.
const thinking = 400 * time.Millisecond

// people propose sources and approve them, and keep what they were told.
type people struct {
	portal *Portal
	random *rand.Rand
	hook   *receiver
	// acknowledged are the submissions that were answered 201, by id.
	acknowledged map[string]bool
	// tries counts what was proposed beside that.
	tries int
}

func newPeople(w *World) *people {
	return &people{portal: w.Calm(), random: rand.New(rand.NewPCG(*seed, 2)), acknowledged: map[string]bool{}}
}

// begin gives the people a token and a webhook.
func (p *people) begin(m *rehearsal) {
	m.c.token = strings.TrimSpace(m.r.run("admin", "token", "create", "--role", "admin"))
	p.hook = listen(m)
}

// act is what people do in a step: each day one proposes a table, and a moderator
// approves it.
func (p *people) act(m *rehearsal, step int) {
	if step%stepsPerDay != 1 {
		return
	}
	var it *Item
	if err := m.w.Do(step, func() { it = p.portal.add(p.random); it.Listed = false }); err != nil {
		m.t.Fatal(err)
	}
	id := p.submit(m, step, it)
	var shown struct{ Status string }
	m.until("the check of "+it.Key, func() error {
		code, err := m.c.ask("GET", "/api/v1/submissions/"+id, nil, &shown)
		if err == nil && (code != http.StatusOK || shown.Status != "QUARANTINED") {
			err = fmt.Errorf("status %d, %s", code, shown.Status)
		}
		return err
	})
	time.Sleep(thinking)
	code, err := m.c.ask("POST", m.r.bases[len(m.r.bases)-1]+"/api/v1/admin/submissions/"+id+"/approve", map[string]string{"reason": "the office confirmed it"}, nil)
	if err != nil || code != http.StatusOK {
		m.report.Differ(step, "the approval of %s: status %d, %v", it.Key, code, err)
		return
	}
	m.o.Approve(p.portal, it)
	m.report.Count("submissions approved", 1)
}

// submit proposes an item, and gives the id of the submission.
func (p *people) submit(m *rehearsal, step int, it *Item) string {
	id, code, err := p.send(m, it.Key, it.Title)
	if err != nil || code != http.StatusCreated {
		m.report.Differ(step, "the submission of %s: status %d, %v", it.Key, code, err)
	}
	p.acknowledged[id] = true
	return id
}

// send proposes a table once.
func (p *people) send(m *rehearsal, key, name string) (id string, code int, err error) {
	var receipt struct{ ID string }
	code, err = m.c.ask("POST", "/api/v1/submissions", map[string]string{"url": "http://" + p.portal.Host + "/data/" + key + ".csv", "name": name, "type": "DATASET", "country_code": "GB"}, &receipt)
	return receipt.ID, code, err
}

// look sees each day, and after each fault, that nothing that was acknowledged is
// lost.
func (p *people) look(m *rehearsal, step int) {
	if step%stepsPerDay != 0 && !m.faulty[step] {
		return
	}
	for id := range p.acknowledged {
		if code, err := m.c.ask("GET", "/api/v1/submissions/"+id, nil, nil); err != nil || code != http.StatusOK {
			m.report.Differ(step, "the acknowledged submission %s is lost: status %d, %v", id, code, err)
		}
	}
}

// end compares what the webhook got with the change feed.
func (p *people) end(m *rehearsal) {
	want := p.told(m)
	lacks := func() int { return len(p.lacking(want)) }
	// webhooks.md: what failed is tried again after minutes, then hours, and "after
	// ten failures in a row an endpoint gets one message at a time".
	for hour := 1; lacks() > 0 && hour <= 5; hour++ {
		m.r.setClock(at(m.o.step) + time.Duration(hour)*time.Hour)
		for end := time.Now().Add(5 * time.Second); lacks() > 0 && time.Now().Before(end); {
			time.Sleep(50 * time.Millisecond)
		}
	}
	if n := lacks(); n > 0 {
		m.report.Differ(-1, "the webhook lacks %d of %d events: %v", n, len(want), p.lacking(want))
	}
	got, bad := p.hook.seen()
	want = p.told(m)
	for id := range got {
		if !want[id] {
			m.report.Differ(-1, "the webhook got %s, which the feed does not tell", id)
		}
	}
	for _, what := range bad {
		m.report.Differ(-1, "the webhook: %s", what)
	}
	m.report.Count("events at the webhook", len(got))
	for _, e := range m.named(p.hook.cursor) {
		if got[e.ID] && foretold[e.Type] && !adrift[e.Type] {
			m.ledger.Note(dayOf(e.At), "webhook %s %s", e.Type, e.subject)
		}
	}
}

// lacking are the events that did not come.
func (p *people) lacking(want map[string]bool) (list []string) {
	got, _ := p.hook.seen()
	for id := range want {
		if !got[id] {
			list = append(list, id)
		}
	}
	return list
}

// told are the events that the change feed has told since the webhook was made.
func (p *people) told(m *rehearsal) map[string]bool {
	m.t.Helper()
	list, _, err := m.c.events(p.hook.cursor)
	if err != nil {
		m.t.Fatal(err)
	}
	all := map[string]bool{}
	for _, e := range list {
		all[e.ID] = true
	}
	return all
}
