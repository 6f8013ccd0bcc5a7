//go:build unix

package month

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// watchers are people who get mail about entries, at several paces.
type watchers struct {
	post *post
	list []*watch
}

// watch is what one of them asked for.
type watch struct {
	address, frequency, entry string
	events                    []string
	// portal is the one whose entries a digest of its owner is about, nil for a reader's mail.
	portal *Portal
	// cursor is where the change feed stood when it was confirmed.
	cursor string
}

// postAwayEvery is how many steps lie between two in which the mail server turns
// all away.
const postAwayEvery = 9

func newWatchers(t *testing.T, s *stage) *watchers {
	t.Helper()
	w := &watchers{post: openPost(t)}
	s.settings["smtp"], s.settings["smtp_tls"], s.settings["mail_from"] = w.post.addr, "none", "register@register.example"
	verdicts := []string{"entry.failing", "entry.stale", "entry.verified"}
	w.list = []*watch{
		{address: "now@readers.example", frequency: "immediate", events: verdicts},
		{address: "one@readers.example", frequency: "immediate", events: verdicts, entry: "k000x00"},
		{address: "daily@readers.example", frequency: "daily", events: append([]string{"entry.created", "entry.deprecated", "entry.reactivated"}, verdicts...)},
		{address: "fields@readers.example", frequency: "immediate", events: []string{"entry.schema_changed"}},
		{address: "weekly@readers.example", frequency: "weekly", events: verdicts},
	}
	return w
}

// begin lets them ask and confirm by the link that comes by mail.
func (w *watchers) begin(m *rehearsal) {
	m.t.Helper()
	w.post.offset = m.r.offset
	for _, x := range w.list {
		body := map[string]any{"email": x.address, "frequency": x.frequency, "events": x.events}
		if x.entry == "" {
			body["filter"] = map[string]any{"countries": []string{"GB"}}
		} else {
			list, err := m.c.entries("ACTIVE")
			if err != nil {
				m.t.Fatal(err)
			}
			body["entry"] = list[x.entry].Slug
		}
		if code, err := m.c.ask("POST", "/api/v1/webhooks/watches", body, nil); err != nil || code != http.StatusAccepted {
			m.t.Fatalf("the watch of %s: status %d, %v", x.address, code, err)
		}
		x.confirm(m, w.post)
	}
}

// confirm follows the link that came by mail.
func (x *watch) confirm(m *rehearsal, p *post) {
	m.t.Helper()
	link := ""
	m.until("the mail that confirms "+x.address, func() error {
		list, _ := p.letters(x.address)
		if len(list) == 0 {
			return fmt.Errorf("no mail")
		}
		link = verifyLink.FindString(list[0].text)
		return nil
	})
	if code, err := m.c.ask("POST", link, nil, nil); err != nil || code != http.StatusOK {
		m.t.Fatalf("confirm %s by %q: status %d, %v", x.address, link, code, err)
	}
	var err error
	if _, x.cursor, err = m.c.events(""); err != nil {
		m.t.Fatal(err)
	}
}

var verifyLink = regexp.MustCompile(`http://\S+/api/v1/webhooks/watches/verify/\S+`)

func (w *watchers) act(_ *rehearsal, step int) { w.post.setAway(step%postAwayEvery == 5) }

func (w *watchers) look(*rehearsal, int) {}

// end compares the mails with the change feed: each event that was asked for came
// once, and nothing else. The last mails go out by the clock; what happened while one
// was tried again has one of its own, when the next is due.
func (w *watchers) end(m *rehearsal) {
	w.post.setAway(false)
	for _, x := range w.list {
		x.compare(m, w.post)
	}
}

// compare compares the mails to somebody with the change feed.
func (x *watch) compare(m *rehearsal, p *post) {
	lacking := x.lacking(m, p)
	for _, later := range x.due(at(m.steps - 1)) {
		if len(lacking) == 0 {
			break
		}
		m.r.forward(later)
		lacking = x.await(m, p)
	}
	for _, text := range lacking {
		m.report.Differ(-1, "%s", text)
	}
	letters, twice := p.letters(x.address)
	kind := "mails to those who watch"
	if x.portal != nil {
		kind = "digests to an owner"
	}
	m.report.Count(kind, len(letters))
	m.report.Count("mails that came again under the same Message-ID", twice)
	x.paced(m, letters)
	for what, n := range x.got(letters) {
		if what.day <= m.steps/stepsPerDay && what.label != schemaLabel {
			m.ledger.Note(what.day, "mail %s to %s %s %s %d", x.frequency, x.address, what.label, what.key, n)
		}
	}
}

// paced sees that nobody gets more than one digest on a UTC day (watches.md), whatever the clock
// does, after the mail that asks for confirmation. What comes by the hour is none.
func (x *watch) paced(m *rehearsal, letters []letter) {
	days := map[string]int{}
	for _, l := range letters[min(1, len(letters)):] {
		days[l.date.UTC().Format(time.DateOnly)]++
	}
	for day, n := range days {
		if n > 1 && x.frequency != "immediate" {
			m.report.Differ(-1, "%s got %d digests on %s", x.address, n, day)
		}
	}
}

// await waits until the mails of somebody lack nothing, and tells what they lack.
func (x *watch) await(m *rehearsal, p *post) []string {
	m.t.Helper()
	lacking := x.lacking(m, p)
	for end := time.Now().Add(mailPatience); len(lacking) > 0 && time.Now().Before(end); lacking = x.lacking(m, p) {
		time.Sleep(100 * time.Millisecond)
	}
	return lacking
}

// mailPatience is how long a mail that is due may take, in time of the machine.
const mailPatience = 30 * time.Second

// due are the instants after the end at which the last mails go out, and as many
// again for those that failed then: each hour, at 06:00, on Mondays at 06:00
// (watches.md).
func (x *watch) due(end time.Duration) []time.Duration {
	const day = 24 * time.Hour
	morning := 4 * time.Hour // a rehearsal begins on a Monday, at 03:17
	switch x.frequency {
	case "daily":
		next := (end - morning).Truncate(day) + day + morning
		return []time.Duration{next, next + day, next + 2*day}
	case "weekly":
		// Behind the last instant of those who get mail each day.
		next := (end + 3*day - morning).Truncate(7*day) + 7*day + morning
		return []time.Duration{next, next + 7*day, next + 14*day}
	}
	return []time.Duration{end + time.Hour, end + 2*time.Hour, end + 3*time.Hour}
}

// lacking are the differences between the mails and the change feed.
func (x *watch) lacking(m *rehearsal, p *post) (list []string) {
	m.t.Helper()
	letters, _ := p.letters(x.address)
	got, want := x.got(letters), map[line]int{}
	for _, e := range m.named(x.cursor) {
		if x.asked(&e) && dayOf(e.At) <= m.steps/stepsPerDay {
			want[line{dayOf(e.At), labels[e.Type], e.subject}]++
		}
	}
	for what, n := range want {
		if got[what] != n {
			list = append(list, fmt.Sprintf("%s was to get %d of %+v, and got %d", x.address, n, what, got[what]))
		}
	}
	for what, n := range got {
		if want[what] == 0 && what.day <= m.steps/stepsPerDay {
			list = append(list, fmt.Sprintf("%s was to get none of %+v, and got %d", x.address, what, n))
		}
	}
	return list
}

// asked tells whether somebody watches an event.
func (x *watch) asked(e *named) bool {
	return strings.Contains(strings.Join(x.events, " "), e.Type) && (x.entry == "" || x.entry == e.subject) && (x.portal == nil || x.portal.item(e.subject) != nil)
}

// labels are the events in the words of a mail.
var labels = map[string]string{"entry.created": "Added to the register", "entry.deprecated": "Deprecated", "entry.reactivated": "No longer deprecated",
	"entry.verified": "Answers the checks again", "entry.failing": "Fails the checks", "entry.stale": "No successful check for three days", "entry.schema_changed": schemaLabel}

const schemaLabel = "Schema changed"

// line is a line of a mail: what happened to an entry on a day.
type line struct {
	day        int
	label, key string
}

var mailLine = regexp.MustCompile(`^  \* (.+), (\d+ \w+ \d{4}, \d\d:\d\d) UTC`)

// got are the lines of all mails after the one that asks for confirmation.
func (x *watch) got(letters []letter) map[line]int {
	all := map[line]int{}
	for _, l := range letters {
		key := ""
		for text := range strings.Lines(l.text) {
			if found := keyOf.FindString(text); found != "" {
				key = found
			}
			if found := mailLine.FindStringSubmatch(text); found != nil {
				when, err := time.Parse("2 January 2006, 15:04", found[2])
				if err != nil {
					key = err.Error()
				}
				all[line{dayOf(when), found[1], key}]++
			}
		}
	}
	return all
}
