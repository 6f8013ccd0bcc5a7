package verify_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

const (
	cadence = 6 * time.Hour
	confirm = 30 * time.Second
	// slack is what a check may be late: the pause before the confirmation,
	// the longest probe, and how often a run looks for what is due.
	slack = 5 * time.Minute
)

// simulate lets a runner check the world for some days of simulated time, with
// the hourly job beside it, and hands over what is in the store afterwards.
func simulate(t *testing.T, hosts, days int, lossy, outages bool, judge func(*world, *record, time.Time)) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		w := newWorld(t, hosts, begin, days, lossy, outages)
		st := w.register(begin)
		r := &verify.Runner{Store: st, Worker: "w", Concurrency: 5000, Idle: time.Minute, Cadence: cadence, Confirm: confirm,
			Prober: verify.NewProber(verify.ProberOptions{Client: w.client(), Gap: w.gap})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := r.Run(ctx, verify.Selection{Forever: true})
			ended <- err
		}()
		for range days * 24 {
			time.Sleep(time.Hour)
			if _, err := verify.MarkStale(ctx, st, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		judge(w, readTimes(t, st), begin)
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
		_ = w.srv.Close()
		time.Sleep(time.Minute) // the servers end what is under way
	})
}

// record is what the store holds in the end.
type record struct {
	states map[string]catalog.CheckState
	checks map[string][]catalog.Check
	events map[string][]catalog.Event
	hosts  map[string][]catalog.Event
	// incidents are those of entries by id, and those of hosts by name.
	incidents map[string][]catalog.Incident
}

func readRecord(t *testing.T, st catalog.Store) *record {
	t.Helper()
	return readChecks(t, st, func(c *catalog.Check) catalog.Check { return *c })
}

// readTimes is readRecord with no more of the checks than their times: a full
// simulation makes millions of them.
func readTimes(t *testing.T, st catalog.Store) *record {
	t.Helper()
	return readChecks(t, st, func(c *catalog.Check) catalog.Check { return catalog.Check{At: c.At} })
}

func readChecks(t *testing.T, st catalog.Store, part func(*catalog.Check) catalog.Check) *record {
	t.Helper()
	ctx := context.Background()
	rec := &record{map[string]catalog.CheckState{}, map[string][]catalog.Check{}, map[string][]catalog.Event{}, map[string][]catalog.Event{}, map[string][]catalog.Incident{}}
	err := st.View(ctx, func(tx catalog.Tx) error {
		for after := int64(0); ; {
			list, err := tx.Events().After(ctx, after, 1000)
			if err != nil {
				return err
			}
			for _, e := range list {
				after = e.Number
				var h verify.HostEvent
				switch {
				case strings.HasPrefix(string(e.Type), "host."):
					if err := json.Unmarshal(e.Data, &h); err != nil {
						return err
					}
					rec.hosts[h.Host] = append(rec.hosts[h.Host], e)
				case e.Type != catalog.EventCreated:
					rec.events[e.EntryID] = append(rec.events[e.EntryID], e)
				}
			}
			if len(list) == 0 {
				break
			}
		}
		err := tx.CheckStates().Scan(ctx, catalog.Range{}, func(s *catalog.CheckState) error { rec.states[s.EntryID] = *s; return nil })
		if err != nil {
			return err
		}
		keep := func(i *catalog.Incident) error {
			subject := cmp.Or(i.EntryID, i.Host)
			rec.incidents[subject] = append(rec.incidents[subject], *i)
			return nil
		}
		if err := errors.Join(tx.Incidents().Scan(ctx, catalog.Range{}, keep), tx.Incidents().OfHosts(ctx, keep)); err != nil {
			return err
		}
		return tx.Checks().Scan(ctx, catalog.Range{}, time.Time{}, func(c *catalog.Check) error {
			rec.checks[c.EntryID] = append(rec.checks[c.EntryID], part(c))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// size is how large a simulation is: small in every run of the tests, the full
// 10,000 hosts and 30 days with ASSAY_SOAK=1, something between with, say,
// ASSAY_SOAK=1000x30.
func size(hosts, days int) (int, int) {
	soak := os.Getenv("ASSAY_SOAK")
	if _, err := fmt.Sscanf(soak, "%dx%d", &hosts, &days); err == nil || soak == "" {
		return hosts, days
	}
	return 10_000, 30
}

// TestVerdictsAreThoseOfTheOracle: with outages of all kinds and lost packets,
// state, counter and events of every entry are what the oracle makes of the
// probes that the servers saw; outages are found in time, and no check is late.
func TestVerdictsAreThoseOfTheOracle(t *testing.T) {
	t.Parallel()
	hosts, days := size(180, 4)
	simulate(t, hosts, days, true, true, func(w *world, rec *record, begin time.Time) {
		found, failing := 0, 0
		for _, name := range w.names {
			h := w.hosts[name]
			for _, id := range h.entries {
				want := oracle(h, id, begin, days)
				got := rec.states[id]
				if string(got.State) != want.state || got.ConsecutiveFailures != want.failures {
					t.Errorf("%s (behaviour %d, %d entries): %s after %d failures, want %s after %d", id, h.behaviour, len(h.entries), got.State, got.ConsecutiveFailures, want.state, want.failures)
				}
				var events []string
				for _, e := range rec.events[id] {
					events = append(events, strings.TrimPrefix(string(e.Type), "entry."))
				}
				if strings.Join(events, " ") != strings.Join(want.events, " ") {
					t.Errorf("%s (behaviour %d): events %v, want %v", id, h.behaviour, events, want.events)
				}
				if got.State == catalog.StateFailing {
					failing++
				}
				oneIncidentEach(t, id, rec.events[id], rec.incidents[id], catalog.EventFailing, catalog.EventVerified)
				punctual(t, h, rec.checks[id], begin.AddDate(0, 0, days))
			}
			oneIncidentEach(t, name, rec.hosts[name], unreachable(rec.incidents[name]), catalog.EventHostFailing, catalog.EventHostRecovered)
			found += outagesFound(t, h, rec, begin.AddDate(0, 0, days))
		}
		t.Logf("%d hosts, %d days: %d outages found in time, %d entries FAILING in the end", hosts, days, found, failing)
		if found == 0 {
			t.Error("there was no outage to be found")
		}
	})
}

// oneIncidentEach asserts that each time that a source or a host failed is one incident, which opens and
// ends with the checks of the two events, and rests on failures before an answer.
func oneIncidentEach(t *testing.T, subject string, events []catalog.Event, incidents []catalog.Incident, failing, again catalog.EventKind) {
	t.Helper()
	var want []catalog.Incident
	for _, e := range events {
		switch n := len(want); {
		case e.Type == failing:
			want = append(want, catalog.Incident{OpenedAt: e.OccurredAt})
		case e.Type == again && n > 0 && want[n-1].Open():
			want[n-1].Until = e.OccurredAt
		}
	}
	if len(incidents) != len(want) {
		t.Errorf("%s: %d incidents of %d failures", subject, len(incidents), len(want))
		return
	}
	for k := range want {
		i, at := &incidents[k], &want[k]
		last := len(i.Evidence) - 1
		if !i.OpenedAt.Equal(at.OpenedAt) || !i.Until.Equal(at.Until) || i.From.After(i.OpenedAt) || last < 0 || i.Evidence[0].Up || i.Evidence[last].Up != (!i.Open() && !i.Unresolved) && i.EntryID != "" {
			t.Errorf("%s: incident %+v of %+v", subject, i, at)
		}
	}
}

func unreachable(list []catalog.Incident) []catalog.Incident {
	return slices.DeleteFunc(slices.Clone(list), func(i catalog.Incident) bool { return i.Cause == catalog.CauseSeveral })
}

// punctual asserts that there is a check in every cadence, but for the time for
// which the host asked to be left alone.
func punctual(t *testing.T, h *host, list []catalog.Check, end time.Time) {
	t.Helper()
	for i := range list {
		next, late := end, slack
		if i+1 < len(list) {
			next = list[i+1].At
		}
		for _, a := range h.asked {
			if a.to.After(list[i].At) && a.from.Before(next) {
				late += a.to.Sub(a.from) + time.Minute // when the runner looks again
			}
		}
		if d := next.Sub(list[i].At); d > cadence+late {
			t.Errorf("an entry of %s (behaviour %d): %s without a check", h.name, h.behaviour, d)
		}
	}
	if len(list) == 0 {
		t.Errorf("an entry of %s was never checked", h.name)
	}
}

// outagesFound asserts that each outage was found: a host of one entry by
// entry.failing within three cadences, a host of several by one host event
// within two, and never by events of its entries.
func outagesFound(t *testing.T, h *host, rec *record, end time.Time) (n int) {
	t.Helper()
	whole := len(h.entries) > 1 && (h.behaviour == refuses || h.behaviour == vanishes)
	for _, o := range h.planned {
		limit, list, kind := o.from.Add(3*cadence+slack), rec.events[h.entries[0]], catalog.EventFailing
		if whole {
			limit, list, kind = o.from.Add(2*cadence+slack), rec.hosts[h.name], catalog.EventHostFailing
		}
		if limit.After(end) {
			continue
		}
		events := 0
		for _, e := range list {
			if e.Type == kind && !e.OccurredAt.Before(o.from) && !e.OccurredAt.After(limit) {
				events++
			}
		}
		if events == 0 {
			t.Errorf("%s (behaviour %d): the outage of %s was not found by %s", h.name, h.behaviour, o.from, limit)
		}
		if whole && events > 1 {
			t.Errorf("%s: %d events of one outage", h.name, events)
		}
		n++
	}
	if whole {
		blamed(t, h, rec)
	}
	return n
}

// blamed asserts that no entry of a host of several became FAILING by outages of
// the host alone: lost packets must have begun it.
func blamed(t *testing.T, h *host, rec *record) {
	t.Helper()
	for _, id := range h.entries {
		for _, e := range rec.events[id] {
			if e.Type == catalog.EventFailing && within(h.planned, firstFailure(h, id, e.OccurredAt)) {
				t.Errorf("%s: an outage of the host made an event of its entry %s at %s", h.name, id, e.OccurredAt)
			}
		}
	}
}

// firstFailure is when an entry was first found down since it was last up before
// an instant.
func firstFailure(h *host, id string, before time.Time) (first time.Time) {
	for _, s := range h.seen {
		switch {
		case s.entry != id || s.onward || s.at.After(before):
		case s.up:
			first = time.Time{}
		case first.IsZero():
			first = s.at
		}
	}
	return first
}

// TestLossChangesNoState: 5 % of lost packets in bursts, no outage: less than
// 0.5 % of the entries change their state in a day.
func TestLossChangesNoState(t *testing.T) {
	t.Parallel()
	hosts, days := size(120, 3)
	simulate(t, hosts, days, true, false, func(w *world, rec *record, begin time.Time) {
		entries, changes, failed, all := 0, 0, 0, 0
		for _, name := range w.names {
			h := w.hosts[name]
			for _, s := range h.seen {
				all++
				if !s.reached {
					failed++
				}
			}
			for _, id := range h.entries {
				entries++
				for _, e := range rec.events[id] {
					// The first verdict of an entry is no change of one, and a
					// source that is broken for good becomes FAILING once.
					if e.OccurredAt.Sub(begin) > 4*cadence {
						changes++
					}
				}
			}
		}
		share := float64(changes) / float64(entries) / float64(days)
		t.Logf("%.1f %% of %d requests lost; %d changes of %d entries in %d days: %.3f %% a day", 100*float64(failed)/float64(all), all, changes, entries, days, 100*share)
		if share >= 0.005 {
			t.Errorf("%.2f %% of the entries change state in a day", 100*share)
		}
		if failed*100 < all*3 {
			t.Errorf("only %d of %d requests were lost", failed, all)
		}
	})
}
