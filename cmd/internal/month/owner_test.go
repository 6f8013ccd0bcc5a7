//go:build unix

package month

import (
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"time"
)

// owner is somebody who proves that a portal is theirs, announces maintenance, and says what
// they know. What they announce before changes what is told of an outage; what they say
// afterwards does not, nor does it change a verdict.
type owner struct {
	portal *Portal
	// id and secret are of the claim, said the statements that were acknowledged, by entry.
	id, secret string
	slugs      map[string]string
	said       map[string]map[string]bool
	post       *post
	// digest is the mail that the owner gets each morning on which there is something to tell.
	digest *watch
	// readers are those who report what is wrong, mornings what the digests tell of that.
	readers  *readers
	mornings mornings
}

// ownersEvents are events of entries of which a digest tells (claim-a-source.md).
var ownersEvents = []string{"entry.failing", "entry.stale", "entry.verified", "entry.created", "entry.deprecated", "entry.reactivated", "entry.schema_changed"}

// ownerMail is an address of the official domain.
const ownerMail = "data@office.example"

// The steps of the owner's outages: of two items at once, of which one was announced; the third was
// announced for a shorter time than it took.
const ownerFrom, ownerUntil = 2, 5

func newOwner(w *World, p *post, r *readers) *owner {
	r.owned = w.Owned()
	return &owner{portal: r.owned, readers: r, slugs: map[string]string{}, said: map[string]map[string]bool{}, post: p}
}

// officeID is the id of the office in the register.
const officeID = "0191e2a0-0000-5000-8000-00000000aaaa"

// officials writes what an administrator knows of the office, for an import.
func officials(m *rehearsal) {
	file := filepath.Join(m.r.dir, "office.ndjson")
	put(m.t, file, `{"kind":"institution","institution":{"id":"`+officeID+`","key":"gb-office","name":"Office of claims","country_code":"GB","official_domains":["office.example"],"state":"known"}}`+"\n")
	m.r.run("import", file)
}

var codeLine = regexp.MustCompile(`(?m)^    ([A-Z2-7]{20,})\r?$`)

// begin claims the portal by mail.
func (w *owner) begin(m *rehearsal) {
	m.t.Helper()
	var made struct {
		Claim  struct{ ID string }
		Secret string
	}
	code, err := m.c.ask("POST", "/api/v1/claims", map[string]string{"institution": "gb-office", "method": "mail", "domain": "office.example", "email": ownerMail}, &made)
	if err != nil || code != http.StatusCreated {
		m.t.Fatalf("the claim: status %d, %v", code, err)
	}
	w.id, w.secret = made.Claim.ID, made.Secret
	word := ""
	m.until("the mail with the code", func() error {
		list, _ := w.post.letters(ownerMail)
		for _, l := range list {
			if found := codeLine.FindStringSubmatch(l.text); found != nil {
				word = found[1]
			}
		}
		if word == "" {
			return fmt.Errorf("%d mails, none with a code", len(list))
		}
		return nil
	})
	if code, err := w.ask(m, "POST", "/confirm", map[string]string{"code": word}, nil); err != nil || code != http.StatusOK {
		m.t.Fatalf("the code %s: status %d, %v", word, code, err)
	}
	m.o.tell("claim.verified", w.id)
	w.digest = &watch{address: "morning@office.example", frequency: "daily", events: ownersEvents, portal: w.portal}
	if code, err := w.ask(m, "POST", "/digest", map[string]string{"email": w.digest.address, "frequency": "daily"}, nil); err != nil || code != http.StatusAccepted {
		m.t.Fatalf("the digest: status %d, %v", code, err)
	}
	w.digest.confirm(m, w.post)
	list, err := m.c.entries("ACTIVE")
	if err != nil {
		m.t.Fatal(err)
	}
	for _, it := range w.portal.Items {
		w.slugs[it.Key], w.said[it.Key] = list[it.Key].Slug, map[string]bool{}
	}
}

// ask asks with the secret of the owner.
func (w *owner) ask(m *rehearsal, method, path string, body, v any) (int, error) {
	c := &client{base: m.c.base, token: w.secret, http: m.c.http}
	return c.ask(method, "/api/v1/claims/"+w.id+path, body, v)
}

// say says something of an item.
func (w *owner) say(m *rehearsal, step int, it *Item, what map[string]string) {
	what["entry"] = w.slugs[it.Key]
	var made struct{ ID string }
	code, err := w.ask(m, "POST", "/statements", what, &made)
	if err != nil || code != http.StatusCreated {
		m.report.Differ(step, "what the owner says of %s: status %d, %v: %v", it.Key, code, err, what)
		return
	}
	w.said[it.Key][made.ID] = true
	m.report.Count("statements of an owner", 1)
}

// maintenance is announced from one step to the end of another.
func maintenance(from, until int) map[string]string {
	return map[string]string{"kind": "maintenance", "text": "We move.", "from": start.Add(time.Duration(from) * Cadence).Format(time.RFC3339),
		"until": start.Add(time.Duration(until+1) * Cadence).Format(time.RFC3339)}
}

func (w *owner) act(m *rehearsal, step int) {
	items := w.portal.Items
	switch step {
	case 1:
		w.say(m, step, items[0], maintenance(ownerFrom, ownerUntil))
		w.say(m, step, items[2], maintenance(ownerFrom, ownerFrom))
		w.say(m, step, items[3], map[string]string{"kind": "confirm", "field": "name"})
		w.say(m, step, items[3], map[string]string{"kind": "dispute", "field": "name", "text": "It has another name."})
	case ownerFrom, ownerUntil:
		answer := Good
		if step == ownerFrom {
			answer = Gone
		}
		if err := m.w.Do(step, func() { items[0].Answer, items[1].Answer, items[2].Answer = answer, answer, answer }); err != nil {
			m.t.Fatal(err)
		}
	}
	if step%stepsPerDay == 1 {
		w.mornings.note(m, step, len(w.readers.later))
	}
	if step%stepsPerDay == 2 && step > ownerUntil {
		w.say(m, step, items[4], map[string]string{"kind": "confirm", "field": "description"})
	}
}

// look sees that the claim holds.
func (w *owner) look(m *rehearsal, step int) {
	if step == ownerUntil {
		for _, x := range m.o.Outages {
			x.Planned = x.Planned || x.Subj == w.portal.Items[0].Key
		}
	}
	var now struct{ State string }
	if code, err := m.c.ask("GET", "/api/v1/claims/"+w.id, nil, &now); err != nil || code != http.StatusOK || now.State != "verified" {
		m.report.Differ(step, "the claim is %q: status %d, %v", now.State, code, err)
	}
}

// end sees that what was acknowledged is told once, and nothing else.
func (w *owner) end(m *rehearsal) {
	w.digest.compare(m, w.post)
	letters, _ := w.post.letters(w.digest.address)
	w.mornings.compare(m, letters)
	for key, said := range w.said {
		var page struct{ Items []struct{ ID string } }
		code, err := m.c.ask("GET", "/api/v1/entries/"+w.slugs[key]+"/statements", nil, &page)
		if err != nil || code != http.StatusOK || len(page.Items) != len(said) {
			m.report.Differ(-1, "%d statements of %s were acknowledged, %d are told: status %d, %v", len(said), key, len(page.Items), code, err)
		}
		for _, x := range page.Items {
			if !said[x.ID] {
				m.report.Differ(-1, "the statement %s of %s was never made", x.ID, key)
			}
		}
	}
}
