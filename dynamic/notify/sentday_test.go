package notify

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// TestOneDigestADay: whatever the clock does, nobody gets two digests on a UTC day, and no event
// is lost: an owner with a digest, and a reader with a daily watch.
func TestOneDigestADay(t *testing.T) {
	onBoth(t, func(t *testing.T, s catalog.Store) {
		c := &clock{at: time.Date(2026, 11, 20, 5, 0, 0, 0, time.UTC)}
		o, list := &outbox{}, &mendable{total: 1}
		m := NewMailer(MailConfig{Store: s, Sender: o, Keys: NewKeys(s, ""), Site: faultSite, Now: c.now, Mend: list.find})
		office := catalog.NewID("institution", "office")
		claim(t, s, c, office, catalog.FrequencyDaily)
		reader := catalog.Watch{ID: catalog.NewID("watch", "reader"), Email: "reader@readers.example", State: catalog.WatchActive, Frequency: catalog.FrequencyDaily, Lang: "en",
			Filter: catalog.EventFilter{Institutions: []string{office}}, CreatedAt: c.now(), UpdatedAt: c.now()}
		if err := s.Update(t.Context(), func(tx catalog.Tx) error { return tx.Watches().Put(t.Context(), reader) }); err != nil {
			t.Fatal(err)
		}
		if _, err := m.watch(t.Context()); err != nil { // from here on
			t.Fatal(err)
		}
		days, told, happened := map[string]int{}, map[string]int{}, 0
		// at works at a time of the clock: something happens, mail that is due is sent.
		at := func(day, hour, minute int, broken bool) {
			t.Helper()
			if c.at = time.Date(2026, 11, day, hour, minute, 0, 0, time.UTC); !broken {
				list.total++
			}
			happen(t, s, c, 1, office, catalog.EventFailing)
			happened++
			for more := true; more; {
				var err error
				if more, err = m.watch(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			o.fail = nil
			if broken {
				o.fail = func(int) error { return errors.New("turned away") }
			}
			before := len(o.mails())
			if err := s.Update(t.Context(), func(tx catalog.Tx) error { _, err := tx.Jobs().Rewind(t.Context(), c.now()); return err }); err != nil {
				t.Fatal(err)
			}
			work(t, s, m, c)
			for _, x := range o.mails()[before:] {
				if !broken {
					days[x.To+" "+c.now().Format(time.DateOnly)]++
					told[x.To] += strings.Count(x.Text, "  * Fails the checks, ")
				}
			}
		}
		at(20, 5, 0, false)
		at(21, 6, 1, false)  // the first mail
		at(23, 12, 0, false) // two days ahead by mistake
		at(21, 13, 0, false) // put right: what was put off is due, the day has its mail
		at(22, 6, 1, false)
		at(23, 6, 1, false) // the day had its mail when the clock ran ahead
		at(24, 6, 1, false)
		at(25, 6, 1, true) // the mail server is away for most of a day
		at(26, 5, 55, false)
		at(26, 6, 1, false)
		at(27, 6, 1, false)
		at(28, 6, 1, false)
		at(30, 6, 1, false)
		for what, n := range days {
			if n > 1 {
				t.Errorf("%d mails: %s", n, what)
			}
		}
		// A reader's mail about what happened last is due on the next day.
		for who, want := range map[string]int{"owner@office.example": happened, reader.Email: happened - 1} {
			if told[who] != want {
				t.Errorf("%s was told of %d events, want %d", who, told[who], want)
			}
		}
	})
}
