package verify_test

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// cut ends the connection of who asks to the hosts of which it holds.
func (b *bubble) cut(of func(host string) bool) { b.w.cutOff.Store(&of) }

func everybody(string) bool { return true }

// mend brings the connection back.
func (b *bubble) mend() { b.w.cutOff.Store(nil) }

// rows counts the checks that are stored.
func rows(rec *record) (n int) {
	for _, list := range rec.checks {
		n += len(list)
	}
	return n
}

func states(rec *record) map[string]catalog.VerificationState {
	out := map[string]catalog.VerificationState{}
	for id, s := range rec.states {
		out[id] = s.State
	}
	return out
}

// TestACutOffRegisterAccusesNobody: while the machine of the register reaches nobody, in one process or in one after the
// other, nothing is recorded, and all is as it was afterwards.
func TestACutOffRegisterAccusesNobody(t *testing.T) {
	t.Run("two tries", func(t *testing.T) { inBubble(t, accusesNobody) })
	t.Run("one try", func(t *testing.T) {
		inBubble(t, func(b *bubble) {
			b.confirm = -1
			b.r = b.runner("w")
			accusesNobody(b)
		})
	})
}

func accusesNobody(b *bubble) {
	first := b.run(verify.Selection{})
	before := readRecord(b.T, b.st)
	b.cut(everybody)
	for range 4 {
		time.Sleep(cadence)
		sum := b.run(verify.Selection{})
		if sum.Checked != 0 || sum.Withheld == 0 || len(sum.Dead) > 0 {
			b.Errorf("cut off: %+v", sum)
		}
		b.r = b.runner("another process")
	}
	if after := readRecord(b.T, b.st); rows(after) != rows(before) || !maps.Equal(states(after), states(before)) || len(after.hosts) != len(before.hosts) {
		b.Errorf("%d rows, before %d; %v, before %v", rows(after), rows(before), states(after), states(before))
	}
	b.mend()
	time.Sleep(cadence)
	if sum := b.run(verify.Selection{}); sum.Up != first.Up || sum.Withheld != 0 {
		b.Errorf("reached again: %+v, at first %+v", sum, first)
	}
	if after := readRecord(b.T, b.st); !maps.Equal(states(after), states(before)) {
		b.Errorf("%v, before %v", states(after), states(before))
	}
}

// TestARunGoesOnAfterACut: a run that goes on for ever asks again soon after the connection is back.
func TestARunGoesOnAfterACut(t *testing.T) {
	inBubble(t, func(b *bubble) {
		ctx, stop := context.WithCancel(b.Context())
		done := make(chan error)
		go func() {
			_, err := b.r.Run(ctx, verify.Selection{Forever: true})
			done <- err
		}()
		time.Sleep(cadence)
		before := readRecord(t, b.st)
		cutAt := time.Now().Add(confirm) // what was under way is let go
		b.cut(everybody)
		time.Sleep(3 * cadence)
		b.mend()
		back := time.Now()
		time.Sleep(20 * time.Minute)
		stop()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		after := readRecord(t, b.st)
		if len(after.hosts) > 0 {
			t.Errorf("hosts %v", after.hosts)
		}
		for id, s := range after.states {
			if before.states[id].State == catalog.StateVerified && (s.State != catalog.StateVerified || s.LastCheckedAt.Before(back)) {
				t.Errorf("%s is %s by a check at %s, and hosts answer since %s", id, s.State, s.LastCheckedAt, back)
			}
			for _, c := range after.checks[id] {
				if c.At.After(cutAt) && c.At.Before(back) {
					t.Errorf("a check of %s while cut off: %+v", id, c)
				}
			}
		}
	})
}

// TestWhoKnowsFewHostsBelievesThem: the failures of a register that never heard from more than a few hosts count.
func TestWhoKnowsFewHostsBelievesThem(t *testing.T) {
	inBubble(t, func(b *bubble) {
		few := map[string]bool{b.w.names[healthy]: true, b.w.names[redirects]: true}
		b.cut(func(host string) bool { return !few[host] })
		if sum := b.run(verify.Selection{}); sum.Up == 0 || sum.Down == 0 || sum.Withheld > 0 {
			t.Errorf("at first: %+v", sum)
		}
		b.cut(everybody)
		time.Sleep(cadence)
		if sum := b.run(verify.Selection{}); sum.Up > 0 || sum.Down == 0 || sum.Withheld > 0 {
			t.Errorf("then: %+v", sum)
		}
	})
}

// TestWhoNeverReachedAnybodyAccusesNobody: the first run of a register on a machine that is cut off records no failure.
func TestWhoNeverReachedAnybodyAccusesNobody(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.cut(everybody)
		if sum := b.run(verify.Selection{}); sum.Up > 0 || sum.Withheld == 0 || sum.Checked > 0 {
			t.Errorf("got %+v", sum)
		}
	})
}

// TestManySilentHostsAreDownWhereOneAnswers: the failures of many hosts count where a host that answered last answers.
func TestManySilentHostsAreDownWhereOneAnswers(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.run(verify.Selection{})
		alive := b.w.names[healthy]
		b.cut(func(host string) bool { return host != alive })
		var down, withheld int
		for range 3 {
			time.Sleep(cadence)
			sum := b.run(verify.Selection{})
			down, withheld = down+sum.Down+sum.HostDown, withheld+sum.Withheld
		}
		if down == 0 || withheld > 0 {
			t.Errorf("%d down, %d withheld", down, withheld)
		}
		rec := readRecord(t, b.st)
		for _, behaviour := range []int{credentials, slowly, redirects} {
			if s := rec.states[b.first(behaviour)]; s.State == catalog.StateVerified && s.ConsecutiveFailures == 0 {
				t.Errorf("%s is %+v", b.w.names[behaviour], s)
			}
		}
	})
}
