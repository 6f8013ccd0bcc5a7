package build

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// TestWorkIsObserved: entries that can be asked are counted by host; a host of
// the timetable that is down is named with its time, and one with more entries
// than its gap allows has its own cadence.
func TestWorkIsObserved(t *testing.T) {
	ctx, at := context.Background(), time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	probes := []catalog.Probe{{EntryID: "a", Host: "dead.example", DueAt: at}, {EntryID: "b", Host: "late.example", DueAt: at}}
	err = st.Update(ctx, func(tx catalog.Tx) error {
		if err := tx.Probes().Plan(ctx, probes...); err != nil {
			return err
		}
		list, err := tx.Probes().Lease(ctx, catalog.LeaseRequest{Worker: "w", Now: at, Until: at.Add(time.Minute), Hosts: 9, Each: 9})
		if err != nil || len(list) != 2 {
			t.Fatalf("%d leases, %v", len(list), err)
		}
		return tx.Probes().Settle(ctx, catalog.HostSettled{Worker: "w", Host: "dead.example", DownSince: at.Add(-2 * time.Hour), FailingAt: at.Add(-time.Hour), Release: true, FreeAt: at},
			catalog.HostSettled{Worker: "w", Host: "late.example", DownSince: at, FailingAt: at.Add(time.Hour), Release: true, FreeAt: at})
	})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{opts: Options{At: at}}
	if err := st.View(ctx, func(tx catalog.Tx) error { return r.readPace(ctx, tx) }); err != nil {
		t.Fatal(err)
	}
	if r.watch.pace != (verify.Pace{Cadence: verify.DefaultCadence, Gap: verify.DefaultGap}) {
		t.Errorf("pace %+v", r.watch.pace)
	}
	r.watch.pace = verify.Pace{Cadence: time.Minute, Gap: 20 * time.Second}
	day := at.Truncate(24 * time.Hour)
	for i, url := range []string{"https://dead.example/1", "https://dead.example/2", "https://dead.example/3", "https://dead.example/4", "https://late.example/", ""} {
		row := &catalog.Row{Entry: catalog.Entry{Type: catalog.TypeAPI, Status: catalog.StatusActive, PrimarySourceURL: url},
			Checks: []catalog.Check{{At: day.AddDate(0, 0, -i%2)}, {At: at}}}
		w := workOn(row, day)
		w.delivered, w.traced = 3, 2
		r.observe(&frozen{work: w})
	}
	gone := workOn(&catalog.Row{Entry: catalog.Entry{Type: catalog.TypeAPI, Status: catalog.StatusDeprecated, PrimarySourceURL: "https://gone.example"}}, day)
	if gone.host != "" {
		t.Errorf("a deprecated entry is to be checked on %s", gone.host)
	}
	// The window of an entry whose last check is older begins earlier.
	late := &catalog.Row{Entry: catalog.Entry{Type: catalog.TypeAPI, Status: catalog.StatusDeprecated}}
	for n := range 40 {
		late.Checks = append(late.Checks, catalog.Check{At: day.AddDate(0, 0, n-45)})
	}
	r.observe(&frozen{work: workOn(late, day)})
	want := snapshot.Observed{Cadence: time.Minute, Days: 26, Delivered: 18, Traced: 12, Hosts: []snapshot.Host{
		{ProbeHost: catalog.ProbeHost{Host: "dead.example", Entries: 4, DownSince: at.Add(-2 * time.Hour), FailingAt: at.Add(-time.Hour)}, Cadence: 80 * time.Second},
		{ProbeHost: catalog.ProbeHost{Host: "late.example", Entries: 1}, Cadence: time.Minute}}}
	if d := cmp.Diff(want, r.observed(), cmpopts.SortSlices(func(a, b snapshot.Host) bool { return a.Host < b.Host })); d != "" {
		t.Error(d)
	}
}

// TestDaysWithChecks: whatever the entries' own windows touch, it is days of the last 30.
func TestDaysWithChecks(t *testing.T) {
	for name, c := range map[string]struct {
		ago  []int
		want int
	}{
		"none": {nil, 0}, "today": {[]int{0}, 1}, "each of 31 days": {upTo(31), 30}, "each of 60 days": {upTo(60), 30},
		"the same a quiet day later": {[]int{1, 2, 30}, 3}, "one that is too old": {[]int{0, 30}, 1}, "long ago": {[]int{62, 63}, 2},
	} {
		var days uint64
		for _, n := range c.ago {
			days |= 1 << n
		}
		if got := daysOf(days); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
