package verify_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// TestClockThatRanAhead: what a run wrote whose clock was a year ahead, and died
// while it held a host, keeps no entry from being checked; nor does the clock
// going back under a run that goes on.
func TestClockThatRanAhead(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var ahead atomic.Int64
		clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		move := func(d time.Duration) { ahead.Store(int64(d)) }
		runner := func(worker string) *verify.Runner {
			r := b.runner(worker)
			r.Clock, r.Prober = clock, verify.NewProber(verify.ProberOptions{Client: b.w.client(), Gap: b.w.gap, Clock: clock})
			return r
		}
		entries := 0
		for _, name := range b.w.names {
			entries += len(b.w.hosts[name].entries)
		}
		move(365 * 24 * time.Hour)
		r := runner("early")
		if _, err := r.Run(b.Context(), verify.Selection{}); err != nil {
			t.Fatal(err)
		}
		held := b.w.names[healthy]
		err := b.st.Update(b.Context(), func(tx catalog.Tx) error {
			if err := tx.Probes().Advance(b.Context(), clock()); err != nil {
				return err
			}
			_, err := tx.Probes().Lease(b.Context(), catalog.LeaseRequest{Worker: "dead", Now: clock().Add(time.Hour), Until: clock().Add(2 * time.Hour), Hosts: 1, Each: 1, Among: []string{held}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		move(0)
		time.Sleep(b.w.gap) // when another process last asked, its clock told no one
		// The gates of the same process were closed in the future, too.
		for name, again := range map[string]*verify.Runner{"of the same process": r, "of another one": runner("late")} {
			sum, err := again.Run(b.Context(), verify.Selection{})
			if err != nil {
				t.Fatal(err)
			}
			if sum.Checked < entries || sum.Deferred > 0 {
				t.Errorf("a run %s checked %d of %d entries, deferred %d", name, sum.Checked, entries, sum.Deferred)
			}
			time.Sleep(cadence)
		}
	})
}

// TestClockGoesBackUnderASession: a host's next entry is asked while the outcome
// of the last one waits to be stored, with times of a clock that has gone back.
func TestClockGoesBackUnderASession(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var ahead atomic.Int64
		clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		ahead.Store(int64(72 * time.Hour))
		// Long enough for the timetable to be brought back between two requests.
		gap := 10 * time.Second
		b.r.Clock, b.r.Prober = clock, verify.NewProber(verify.ProberOptions{Client: b.w.client(), Gap: gap, Clock: clock})
		ctx, stop := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := b.r.Run(ctx, verify.Selection{Forever: true})
			ended <- err
		}()
		time.Sleep(3 * gap / 2)
		ahead.Store(0)
		back := time.Now()
		time.Sleep(5 * time.Minute)
		stop()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		record := readRecord(t, b.st)
		for _, id := range b.w.hosts[b.w.names[healthy]].entries {
			if !slices.ContainsFunc(record.checks[id], func(c catalog.Check) bool { return !c.At.Before(back) && c.At.Before(time.Now()) }) {
				t.Errorf("%s was not checked after the clock went back: %+v", id, record.checks[id])
			}
		}
	})
}

// TestNewEntryIsSoonProbed: a run that goes on probes what is approved meanwhile
// within seconds.
func TestNewEntryIsSoonProbed(t *testing.T) {
	inBubble(t, func(b *bubble) {
		ctx, stop := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := b.r.Run(ctx, verify.Selection{Forever: true})
			ended <- err
		}()
		time.Sleep(time.Hour)
		fresh := newEntry("fresh", "http://"+b.w.names[healthy]+"/fresh", time.Now())
		if err := b.st.Update(ctx, func(tx catalog.Tx) error { return tx.Entries().Put(ctx, fresh) }); err != nil {
			t.Fatal(err)
		}
		approved := time.Now()
		time.Sleep(20 * time.Second)
		stop()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		list := readRecord(t, b.st).checks["fresh"]
		if len(list) == 0 || list[0].At.Sub(approved) > 10*time.Second {
			t.Errorf("approved at %s, checks %+v", approved, list)
		}
	})
}

// TestAgeOfASuccessToCome: a success that a clock saw which was a year ahead keeps
// its entry from becoming STALE no longer than a success of today.
func TestAgeOfASuccessToCome(t *testing.T) {
	inBubble(t, func(b *bubble) {
		id, now := b.first(healthy), time.Now()
		ahead := now.AddDate(1, 0, 0)
		err := b.st.Update(b.Context(), func(tx catalog.Tx) error {
			if err := tx.Probes().Plan(b.Context(), catalog.Probe{EntryID: id, Host: "h", DueAt: now}); err != nil {
				return err
			}
			return tx.CheckStates().Set(b.Context(), []catalog.CheckState{{EntryID: id, ID: "s", State: catalog.StateVerified, SucceededAt: ahead, LastCheckedAt: ahead,
				CreatedAt: ahead, UpdatedAt: ahead}}, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			after time.Duration
			stale int
		}{{0, 0}, {verify.StaleAfter - time.Minute, 0}, {verify.StaleAfter, 1}} {
			if n, err := verify.MarkStale(b.Context(), b.st, now.Add(c.after)); err != nil || n != c.stale {
				t.Errorf("after %s: %d stale, %v, want %d", c.after, n, err, c.stale)
			}
			if s := readRecord(t, b.st).states[id]; s.SucceededAt.After(now.Add(time.Minute)) {
				t.Errorf("after %s the success is still at %s", c.after, s.SucceededAt)
			}
		}
	})
}

// TestComingBackIsNotStale: an entry that was away longer than a verdict lasts gets
// its first check before that counts.
func TestComingBackIsNotStale(t *testing.T) {
	inBubble(t, func(b *bubble) {
		id, now := b.first(healthy), time.Now()
		last := now.Add(-10 * 24 * time.Hour)
		err := b.st.Update(b.Context(), func(tx catalog.Tx) error {
			list, err := tx.Entries().Get(b.Context(), id)
			if err != nil {
				return err
			}
			e := list[0]
			e.UpdatedAt = now
			if err := tx.Entries().Put(b.Context(), catalog.Write{Entry: &e, Events: []catalog.Event{{Type: catalog.EventReactivated, OccurredAt: now}}}); err != nil {
				return err
			}
			if err := tx.Probes().Plan(b.Context(), catalog.Probe{EntryID: id, Host: "h", DueAt: last.AddDate(0, 0, -1)}); err != nil {
				return err
			}
			return tx.CheckStates().Set(b.Context(), []catalog.CheckState{{EntryID: id, ID: "s", State: catalog.StateVerified, SucceededAt: last, LastCheckedAt: last,
				CreatedAt: last, UpdatedAt: last}}, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			after time.Duration
			stale int
		}{{0, 0}, {verify.StaleAfter - time.Minute, 0}, {verify.StaleAfter, 1}} {
			if n, err := verify.MarkStale(b.Context(), b.st, now.Add(c.after)); err != nil || n != c.stale {
				t.Errorf("after %s: %d stale, %v, want %d", c.after, n, err, c.stale)
			}
		}
	})
}
