package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var probeTests = map[string]func(*testing.T, catalog.Store){
	"ProbePlanKeepsTimes":     testProbePlan,
	"ProbeLeaseAndSettle":     testProbeLease,
	"ProbeLeaseReturns":       testProbeLeaseReturns,
	"ProbeAdvance":            testProbeAdvance,
	"ProbeHostHasOneWorker":   testProbeWorkers,
	"ProbeMovesToAnotherHost": testProbeMoves,
	"ProbeSettlesManyAtOnce":  testProbeMany,
	"ProbeRewind":             testProbeRewind,
}

func minute(n int) time.Time { return day.Add(time.Duration(n) * time.Minute) }

func plan(t *testing.T, s catalog.Store, list ...catalog.Probe) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Probes().Plan(ctx, list...) })
}

func leaseHosts(t *testing.T, s catalog.Store, r catalog.LeaseRequest) (list []catalog.HostLease) {
	t.Helper()
	if r.Until.IsZero() {
		r.Until = r.Now.Add(time.Minute)
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		list, err = tx.Probes().Lease(ctx, r)
		return err
	})
	return list
}

func settleHosts(t *testing.T, s catalog.Store, worker string, list ...catalog.HostSettled) {
	t.Helper()
	for i := range list {
		list[i].Worker = worker
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Probes().Settle(ctx, list...) })
}

func hold(t *testing.T, s catalog.Store, hosts ...string) (held map[string]string) {
	t.Helper()
	update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
		held, err = tx.Probes().Hold(ctx, hosts...)
		return err
	})
	return held
}

func timetable(t *testing.T, s catalog.Store) (list []catalog.Probe, hosts []catalog.ProbeHost) {
	t.Helper()
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		list, hosts = nil, nil
		if err := tx.Probes().Hosts(ctx, func(h *catalog.ProbeHost) error { hosts = append(hosts, *h); return nil }); err != nil {
			return err
		}
		return tx.Probes().Scan(ctx, catalog.Range{}, func(p *catalog.Probe) error { list = append(list, *p); return nil })
	})
	return list, hosts
}

func testProbePlan(t *testing.T, s catalog.Store) {
	a := catalog.Probe{EntryID: "a", Host: "h", DueAt: minute(1), FailedAt: minute(0)}
	b := catalog.Probe{EntryID: "b", Host: "h", DueAt: minute(2), SurveyAt: minute(50)}
	c := catalog.Probe{EntryID: "c", Host: "i", DueAt: minute(3)}
	plan(t, s, c, a, b)
	plan(t, s, catalog.Probe{EntryID: "a", Host: "h", DueAt: minute(9)})
	list, hosts := timetable(t, s)
	wantEqual(t, "probes", list, []catalog.Probe{a, b, c})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Probes().Due(ctx, minute(2))
		wantEqual(t, "due", n, 2)
		return err
	})
	wantEqual(t, "hosts", hosts, []catalog.ProbeHost{{Host: "h", Entries: 2}, {Host: "i", Entries: 1}})
	plan(t, s, catalog.Probe{EntryID: "b"}, catalog.Probe{EntryID: "c"}, catalog.Probe{EntryID: "nobody"})
	list, hosts = timetable(t, s)
	wantEqual(t, "probes left", list, []catalog.Probe{a})
	wantEqual(t, "hosts left", hosts, []catalog.ProbeHost{{Host: "h", Entries: 1}})
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Probes().Plan(ctx, catalog.Probe{Host: "h"}) })
	wantErr(t, "no entry", err, catalog.ErrInvalid)
}

func testProbeLease(t *testing.T, s catalog.Store) {
	plan(t, s, catalog.Probe{EntryID: "a", Host: "h", DueAt: minute(1)}, catalog.Probe{EntryID: "b", Host: "h", DueAt: minute(0)},
		catalog.Probe{EntryID: "c", Host: "h", DueAt: minute(1), FailedAt: minute(0)}, catalog.Probe{EntryID: "d", Host: "h", DueAt: minute(8)},
		catalog.Probe{EntryID: "e", Host: "i", DueAt: minute(0)}, catalog.Probe{EntryID: "f", Host: "j", DueAt: minute(2)})
	req := catalog.LeaseRequest{Worker: "w", Now: minute(1), Hosts: 5, Each: 2}
	list := leaseHosts(t, s, req)
	if len(list) != 2 || list[0].Host != "h" || list[1].Host != "i" || list[0].Entries != 4 || !list[0].Until.Equal(minute(2)) {
		t.Fatalf("leases %+v", list)
	}
	ids := func(l catalog.HostLease) (out string) {
		for _, p := range l.Due {
			out += p.EntryID
		}
		return out
	}
	// The confirmation comes first, and no more than two of a host.
	if ids(list[0]) != "cb" || ids(list[1]) != "e" || !list[0].Due[0].FailedAt.Equal(minute(0)) {
		t.Errorf("due %+v", list)
	}
	if again := leaseHosts(t, s, req); len(again) != 0 {
		t.Errorf("leased twice: %+v", again)
	}
	settleHosts(t, s, "w", catalog.HostSettled{Host: "h", Probes: []catalog.Probe{{EntryID: "c", DueAt: minute(7)}, {EntryID: "b", DueAt: minute(1), FailedAt: minute(1), SurveyAt: minute(70)}},
		DownSince: minute(1), FailingAt: minute(2), Release: true, FreeAt: minute(4)}, catalog.HostSettled{Host: "i", Probes: []catalog.Probe{{EntryID: "e", DueAt: minute(9)}}})
	req.Now, req.Until = minute(3), minute(6)
	if list = leaseHosts(t, s, req); len(list) != 1 || list[0].Host != "j" {
		t.Errorf("a resting host or a later probe is leased: %+v", list)
	}
	req.Now = minute(4)
	if list = leaseHosts(t, s, req); len(list) != 1 || ids(list[0]) != "ba" || !list[0].Due[0].SurveyAt.Equal(minute(70)) || !list[0].Due[1].SurveyAt.IsZero() || !list[0].DownSince.Equal(minute(1)) || !list[0].FailingAt.Equal(minute(2)) {
		t.Errorf("after the rest: %+v", list)
	}
	if list := leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: minute(99), Hosts: 5, Each: 9, Among: []string{"j", "none"}}); len(list) != 1 || list[0].Host != "j" {
		t.Errorf("among: %+v", list)
	}
	if list := leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: minute(99)}); len(list) != 0 {
		t.Errorf("no host was asked for: %+v", list)
	}
}

func testProbeLeaseReturns(t *testing.T, s catalog.Store) {
	plan(t, s, catalog.Probe{EntryID: "a", Host: "h", DueAt: minute(0)})
	leaseHosts(t, s, catalog.LeaseRequest{Worker: "dead", Now: minute(0), Until: minute(2), Hosts: 1, Each: 1})
	wantEqual(t, "held", hold(t, s, "h", "h", "x"), map[string]string{"h": "dead"})
	if list := leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: minute(1), Hosts: 1, Each: 1}); len(list) != 0 {
		t.Errorf("taken too early: %+v", list)
	}
	if list := leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: minute(2), Hosts: 1, Each: 1}); len(list) != 1 {
		t.Fatalf("the lease did not return: %+v", list)
	}
	wantEqual(t, "held by another", hold(t, s, "h"), map[string]string{"h": "w"})
	settleHosts(t, s, "dead", catalog.HostSettled{Host: "h", DownSince: minute(5), Release: true, FreeAt: minute(0)})
	if list := leaseHosts(t, s, catalog.LeaseRequest{Worker: "x", Now: minute(2), Hosts: 1, Each: 1}); len(list) != 0 {
		t.Errorf("a lost lease was given back: %+v", list)
	}
}

func testProbeAdvance(t *testing.T, s catalog.Store) {
	waiting := catalog.Probe{EntryID: "b", Host: "h", DueAt: minute(5), FailedAt: minute(4)}
	early := catalog.Probe{EntryID: "c", Host: "i", DueAt: minute(0)}
	plan(t, s, catalog.Probe{EntryID: "a", Host: "h", DueAt: minute(5)}, waiting, early, catalog.Probe{EntryID: "d", Host: "j", DueAt: minute(5)})
	advance := func(ids ...string) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Probes().Advance(ctx, minute(1), ids...) })
	}
	advance("a", "b", "c", "nobody")
	due := func() []string {
		var out []string
		for _, l := range leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: minute(1), Until: minute(1), Hosts: 9, Each: 9}) {
			for _, p := range l.Due {
				out = append(out, p.EntryID)
			}
		}
		return out
	}
	wantEqual(t, "due", due(), []string{"a", "c"})
	advance()
	wantEqual(t, "all", due(), []string{"a", "c", "d"})
	list, _ := timetable(t, s)
	wantEqual(t, "times", list[1:3], []catalog.Probe{waiting, early})
}

// testProbeWorkers lets workers lease beside each other: no host ever has two.
func testProbeWorkers(t *testing.T, s catalog.Store) {
	const hosts, rounds = 12, 15
	var all []catalog.Probe
	for n := range hosts {
		all = append(all, catalog.Probe{EntryID: fmt.Sprint(n), Host: fmt.Sprint("h", n), DueAt: minute(0)})
	}
	plan(t, s, all...)
	var mu sync.Mutex
	taken, count := map[string]string{}, map[string]int{}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			name := fmt.Sprint("w", w)
			for range rounds {
				list := leaseHosts(t, s, catalog.LeaseRequest{Worker: name, Now: minute(1), Until: minute(9), Hosts: 3, Each: 1})
				var done []catalog.HostSettled
				mu.Lock()
				for _, l := range list {
					if other := taken[l.Host]; other != "" {
						t.Errorf("host %s of %s was leased to %s", l.Host, other, name)
					}
					taken[l.Host] = name
					count[l.Host]++
					next := catalog.Probe{EntryID: l.Due[0].EntryID, DueAt: minute(0).Add(time.Duration(count[l.Host]) * time.Millisecond)}
					done = append(done, catalog.HostSettled{Host: l.Host, Probes: []catalog.Probe{next}, Release: true, FreeAt: minute(0)})
				}
				for _, d := range done {
					delete(taken, d.Host)
				}
				mu.Unlock()
				settleHosts(t, s, name, done...)
			}
		})
	}
	wg.Wait()
	if len(count) != hosts {
		t.Errorf("%d of %d hosts had their turn", len(count), hosts)
	}
}

func testProbeMoves(t *testing.T, s catalog.Store) {
	plan(t, s, catalog.Probe{EntryID: "a", Host: "h", DueAt: minute(0), SurveyAt: minute(9)})
	leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: minute(0), Hosts: 1, Each: 1})
	moved := catalog.Probe{EntryID: "a", Host: "i", DueAt: minute(3)}
	plan(t, s, moved)
	settleHosts(t, s, "w", catalog.HostSettled{Host: "h", Probes: []catalog.Probe{{EntryID: "a", DueAt: minute(7)}}, Release: true, FreeAt: minute(0)})
	list, hosts := timetable(t, s)
	wantEqual(t, "probes", list, []catalog.Probe{moved})
	wantEqual(t, "hosts", hosts, []catalog.ProbeHost{{Host: "i", Entries: 1}})
	if list := leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: minute(2), Hosts: 9, Each: 1}); len(list) != 0 {
		t.Errorf("an empty host is leased: %+v", list)
	}
}

func testProbeMany(t *testing.T, s catalog.Store) {
	const n = 250
	var all, next []catalog.Probe
	var done []catalog.HostSettled
	for i := range n {
		p := catalog.Probe{EntryID: fmt.Sprintf("%03d", i), Host: fmt.Sprintf("h%03d", i), DueAt: minute(0)}
		all = append(all, p)
		p.DueAt = minute(i + 1)
		next = append(next, p)
		done = append(done, catalog.HostSettled{Host: p.Host, Probes: []catalog.Probe{p}, Release: true, FreeAt: minute(i)})
	}
	plan(t, s, all...)
	if got := leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: minute(0), Hosts: n, Each: 1}); len(got) != n {
		t.Fatalf("leased %d", len(got))
	}
	slices.Reverse(done)
	settleHosts(t, s, "w", done...)
	list, _ := timetable(t, s)
	wantEqual(t, "probes", list, next)
}

// testProbeRewind: what a clock wrote that ran a year ahead strands nothing, and
// what is in order stays.
func testProbeRewind(t *testing.T, s catalog.Store) {
	ahead, latest, survey := day.AddDate(1, 0, 0), day.Add(25*time.Hour), day.AddDate(0, 0, 8)
	fine := catalog.Probe{EntryID: "fine", Host: "fine", DueAt: day.Add(24 * time.Hour), FailedAt: minute(-1), SurveyAt: day.AddDate(0, 0, 7)}
	plan(t, s, catalog.Probe{EntryID: "late", Host: "late", DueAt: ahead, SurveyAt: ahead}, catalog.Probe{EntryID: "failed", Host: "failed", DueAt: minute(9), FailedAt: ahead},
		fine, catalog.Probe{EntryID: "leased", Host: "leased", DueAt: minute(0)}, catalog.Probe{EntryID: "rests", Host: "rests", DueAt: minute(0)},
		catalog.Probe{EntryID: "held", Host: "held", DueAt: minute(0)})
	among := func(host string, until time.Time) {
		leaseHosts(t, s, catalog.LeaseRequest{Worker: "dead", Now: minute(0), Until: until, Hosts: 1, Each: 1, Among: []string{host}})
	}
	among("leased", ahead)
	among("rests", minute(1))
	settleHosts(t, s, "dead", catalog.HostSettled{Host: "rests", DownSince: ahead, FailingAt: ahead, Release: true, FreeAt: ahead})
	among("held", minute(3))
	rewind := func() (n int64) {
		update(t, s, func(ctx context.Context, tx catalog.Tx) (err error) {
			n, err = tx.Probes().Rewind(ctx, day, latest, survey)
			return err
		})
		return n
	}
	if rewind() == 0 || rewind() != 0 {
		t.Error("the first rewind changes what is to be changed, the second one nothing")
	}
	list, hosts := timetable(t, s)
	if !list[1].FailedAt.Equal(fine.FailedAt) || !list[1].DueAt.Equal(fine.DueAt) || !list[1].SurveyAt.Equal(fine.SurveyAt) {
		t.Errorf("what is in order was changed: %+v", list[1])
	}
	for _, p := range list {
		if p.DueAt.After(latest) || p.SurveyAt.After(survey) || p.FailedAt.After(latest) {
			t.Errorf("still in the future: %+v", p)
		}
	}
	for _, h := range hosts {
		if h.DownSince.After(latest) || h.FailingAt.After(latest) {
			t.Errorf("down in the future: %+v", h)
		}
	}
	var free []string
	for _, l := range leaseHosts(t, s, catalog.LeaseRequest{Worker: "w", Now: day, Hosts: 9, Each: 9}) {
		free = append(free, l.Host)
	}
	wantEqual(t, "hosts that can be leased", free, []string{"failed", "late", "leased", "rests"})
}
