//go:build unix

package month

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// morning is what the digest of a day tells of beside events.
type morning struct {
	// waiting counts the reports of readers that nobody decided on.
	waiting int
	// list are the things to mend.
	list string
}

// mornings are those of an owner, by day.
type mornings []morning

// officeFixes is where the office reads what to mend.
const officeFixes = "/api/v1/institutions/" + officeID + "/fixes"

// note takes down what is so before the clock moves over 06:00.
func (s *mornings) note(m *rehearsal, step, waiting int) {
	var fixes struct {
		Items []struct {
			EntryID string `json:"entry_id"`
			Rule    string
		}
	}
	code, err := m.c.ask("GET", officeFixes, nil, &fixes)
	if err != nil || code != http.StatusOK {
		m.report.Differ(step, "what the office can mend: status %d, %v", code, err)
	}
	var list []string
	for _, x := range fixes.Items {
		list = append(list, x.EntryID+" "+x.Rule)
	}
	slices.Sort(list)
	*s = append(*s, morning{waiting, strings.Join(list, ", ")})
}

var waitingLine = regexp.MustCompile(`Reports\s+of\s+readers\s+that\s+wait\s+for\s+an\s+answer:\s+(\d+)`)

// compare holds the digests to claim-a-source.md: each tells how many reports wait, one comes where more wait than the
// morning before, and "Nothing is sent when nothing happened, the list to mend is as it was, and no further report waits."
// The days of a clock that ran ahead are left out: their digests are told of on another one.
func (s mornings) compare(m *rehearsal, letters []letter) {
	midnight := start.Truncate(24 * time.Hour)
	days := map[int][]letter{}
	for _, l := range letters[min(1, len(letters)):] {
		day := int(l.date.Sub(midnight) / (24 * time.Hour))
		days[day] = append(days[day], l)
	}
	ahead, _ := Jumps(m.steps)
	before := morning{}
	for day, now := range s {
		jumped := ahead >= 0 && day >= ahead/stepsPerDay && day <= ahead/stepsPerDay+3
		if now.waiting > before.waiting && len(days[day]) == 0 && !jumped {
			m.report.Differ(day*stepsPerDay+1, "no digest came, though %d reports wait after %d", now.waiting, before.waiting)
		}
		for _, l := range days[day] {
			if jumped {
				continue
			}
			m.report.Count("digests of which the number of reports was compared", 1)
			if got := waitingIn(l.text); got != now.waiting {
				m.report.Differ(day*stepsPerDay+1, "the digest says that %d reports wait, %d do", got, now.waiting)
			}
			if day > 0 && !mailLines.MatchString(l.text) && now.waiting <= before.waiting && now.list == before.list {
				m.report.Differ(day*stepsPerDay+1, "a digest came without a reason: %q", l.subject)
			}
		}
		before = now
	}
}

var mailLines = regexp.MustCompile(`(?m)` + mailLine.String())

// waitingIn is how many reports wait by a mail.
func waitingIn(text string) int {
	found := waitingLine.FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return -1
	}
	return n
}

// report tells the office on two days of five what is wrong, so that one report waits, and then two.
func (r *readers) report(m *rehearsal, step int) {
	day := step / stepsPerDay
	if day%5 > 1 {
		return
	}
	message := fmt.Sprintf("In step %d the office had no answer.", step)
	if id := r.send(m, step, r.owned.Items[5].Key, message); id != "" {
		r.later[id] = owed{message, step}
	}
}

// owed is a report that a moderator leaves to the office for two days.
type owed struct {
	message string
	step    int
}

// settle decides on what the office had two days for.
func (r *readers) settle(m *rehearsal, step int) {
	for id, x := range r.later {
		if step-x.step > 2*stepsPerDay {
			r.close(m, step, id)
			delete(r.later, id)
		}
	}
}
