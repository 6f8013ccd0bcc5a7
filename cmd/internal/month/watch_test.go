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
		{address: "daily@readers.example", frequency: "daily", events: append([]string{"entry.created", "entry.deprecated", "entry.reactivated"}, verdicts...)},
		{address: "weekly@readers.example", frequency: "weekly", events: verdicts},
		{address: "now@readers.example", frequency: "immediate", events: verdicts},
		{address: "one@readers.example", frequency: "immediate", events: verdicts, entry: "k000x00"},
	}
	return w
}

// begin lets them ask and confirm by the link that comes by mail.
func (w *watchers) begin(m *rehearsal) {
	m.t.Helper()
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
		link := ""
		m.until("the mail that confirms "+x.address, func() error {
			list, _ := w.post.letters(x.address)
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
}

var verifyLink = regexp.MustCompile(`http://\S+/api/v1/webhooks/watches/verify/\S+`)

func (w *watchers) act(_ *rehearsal, step int) { w.post.setAway(step%postAwayEvery == 5) }

func (w *watchers) look(*rehearsal, int) {}

// end compares the mails with the change feed: each event that was asked for came
// once, and nothing else. The last mails go out by the clock: those of a day at
// 06:00, those of a week on Mondays; what failed is tried again within hours.
func (w *watchers) end(m *rehearsal) {
	w.post.setAway(false)
	begin := at(m.steps - 1)
	for day := 1; day <= 8 && len(w.lacking(m)) > 0; day++ {
		m.r.setClock(begin + time.Duration(day)*24*time.Hour)
		for end := time.Now().Add(15 * time.Second); len(w.lacking(m)) > 0 && time.Now().Before(end); {
			time.Sleep(200 * time.Millisecond)
		}
	}
	for _, text := range w.lacking(m) {
		m.report.Differ(-1, "%s", text)
	}
	for _, x := range w.list {
		letters, twice := w.post.letters(x.address)
		m.report.Count("mails to those who watch", len(letters))
		m.report.Count("mails that came again under the same Message-ID", twice)
		for what, n := range x.got(letters) {
			m.ledger.Note(what.day, "mail %s %s %s %d", x.frequency, what.label, what.key, n)
		}
	}
}

// lacking are the differences between the mails and the change feed.
func (w *watchers) lacking(m *rehearsal) (list []string) {
	m.t.Helper()
	for _, x := range w.list {
		letters, _ := w.post.letters(x.address)
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
	}
	return list
}

// asked tells whether somebody watches an event.
func (x *watch) asked(e *named) bool {
	return strings.Contains(strings.Join(x.events, " "), e.Type) && (x.entry == "" || x.entry == e.subject)
}

// labels are the events in the words of a mail.
var labels = map[string]string{"entry.created": "Added to the register", "entry.deprecated": "Deprecated", "entry.reactivated": "No longer deprecated",
	"entry.verified": "Answers the checks again", "entry.failing": "Fails the checks", "entry.stale": "No successful check for three days"}

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
