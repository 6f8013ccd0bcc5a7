package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-register/assay/build/jobs"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
)

// bubble is a world of a dozen hosts, one of each behaviour, in simulated time.
type bubble struct {
	*testing.T
	w  *world
	st catalog.Store
	r  *verify.Runner
	// confirm is the pause before a failure is confirmed.
	confirm time.Duration
}

// inBubble runs a test in simulated time.
func inBubble(t *testing.T, test func(*bubble)) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, behaviours, time.Now(), 0, false, false)
		b := &bubble{T: t, w: w, st: w.register(time.Now()), confirm: confirm}
		b.r = b.runner("w")
		test(b)
		if err := b.st.Close(); err != nil {
			t.Error(err)
		}
		_ = w.srv.Close()
	})
}

func (b *bubble) runner(worker string) *verify.Runner {
	return &verify.Runner{Store: b.st, Worker: worker, Cadence: cadence, Confirm: b.confirm,
		Prober: verify.NewProber(verify.ProberOptions{Client: b.w.client(), Gap: b.w.gap})}
}

func (b *bubble) run(sel verify.Selection) *verify.Summary {
	b.Helper()
	sum, err := b.r.Run(b.Context(), sel)
	if err != nil {
		b.Fatal(err)
	}
	return sum
}

func (b *bubble) first(behaviour int) string { return b.w.hosts[b.w.names[behaviour]].entries[0] }

func TestRunChecksWhatIsSelected(t *testing.T) {
	inBubble(t, func(b *bubble) {
		entries := 0
		for _, name := range b.w.names {
			entries += len(b.w.hosts[name].entries)
		}
		var last verify.Progress
		b.r.Progress = func(p verify.Progress) { last = p }
		// Three hosts fail for good: each of their entries is probed twice.
		sum := b.run(verify.Selection{})
		if sum.Checked < entries || sum.Down < 3 || sum.RequiresAuth < 1 || sum.Probes < entries+3 || sum.Lost != 0 || sum.Hosts != behaviours {
			t.Errorf("all that is new: %+v", sum)
		}
		if last.Total != entries || last.Checked != entries {
			t.Errorf("progress %+v of %d", last, entries)
		}
		if sum := b.run(verify.Selection{}); sum.Checked > 2 {
			t.Errorf("nothing was due: %+v", sum)
		}
		id := b.first(healthy)
		before := len(readRecord(t, b.st).checks[id])
		if sum := b.run(verify.Selection{Entries: []string{id}}); sum.Checked != 1 || len(readRecord(t, b.st).checks[id]) != before+1 {
			t.Errorf("one entry: %+v", sum)
		}
		if sum := b.run(verify.Selection{All: true}); sum.Checked < entries {
			t.Errorf("all: %+v", sum)
		}
		time.Sleep(cadence)
		if sum := b.run(verify.Selection{}); sum.Checked < entries {
			t.Errorf("a cadence later: %+v", sum)
		}
	})
}

// TestHostIsDownOnce: when a host of six entries goes and comes back there are
// two events of the host and none of its entries; each has its rows, and the
// 72 h of the rule for STALE go on.
func TestHostIsDownOnce(t *testing.T) {
	inBubble(t, func(b *bubble) {
		h := b.w.hosts[b.w.names[refuses]]
		if len(h.entries) < 2 {
			t.Fatal("the host has one entry only")
		}
		b.run(verify.Selection{})
		h.mu.Lock()
		h.outages = []span{{time.Now(), time.Now().Add(80 * time.Hour)}}
		h.mu.Unlock()
		var down *verify.Summary
		for range 5 {
			time.Sleep(cadence)
			down = b.run(verify.Selection{})
		}
		if len(down.Dead) != 1 || down.Dead[0].Host != h.name || down.Dead[0].Entries != len(h.entries) || down.HostDown == 0 {
			t.Errorf("summary %+v", down)
		}
		rec := readRecord(t, b.st)
		for _, id := range h.entries {
			s, rows := rec.states[id], rec.checks[id]
			if s.State != catalog.StateVerified || s.ConsecutiveFailures > 1 || s.LastClass != catalog.ErrorConnect || len(rec.events[id]) != 1 {
				t.Errorf("%s: %+v after events %+v", id, s, rec.events[id])
			}
			last := rows[len(rows)-1]
			if !last.HostDown || last.Up || last.Class != catalog.ErrorConnect || !strings.Contains(last.Error, "the whole host is down") || len(rows) < 5 {
				t.Errorf("%s: %d rows, the last %+v", id, len(rows), last)
			}
		}
		time.Sleep(50 * time.Hour)
		if n, err := verify.MarkStale(b.Context(), b.st, time.Now()); err != nil || n < len(h.entries) {
			t.Errorf("%d stale, %v", n, err)
		}
		if n, err := verify.MarkStale(b.Context(), b.st, time.Now()); err != nil || n != 0 {
			t.Errorf("%d stale once more, %v", n, err)
		}
		b.run(verify.Selection{All: true})
		rec = readRecord(t, b.st)
		var kinds []string
		for _, e := range rec.hosts[h.name] {
			kinds = append(kinds, string(e.Type))
		}
		if !slices.Equal(kinds, []string{"host.failing", "host.recovered"}) {
			t.Errorf("events of the host: %v", kinds)
		}
		for _, id := range h.entries {
			if rec.states[id].State != catalog.StateVerified {
				t.Errorf("%s: %+v", id, rec.states[id])
			}
		}
	})
}

// TestAHostIsReachedByAnyAnswer: a host is reached again by whatever it answers, also where
// that is a failure that is not confirmed yet.
func TestAHostIsReachedByAnyAnswer(t *testing.T) {
	inBubble(t, func(b *bubble) {
		h := b.w.hosts[b.w.names[refuses]]
		b.run(verify.Selection{})
		h.mu.Lock()
		h.outages = []span{{time.Now(), time.Now().Add(20 * time.Hour)}}
		h.mu.Unlock()
		for range 4 {
			time.Sleep(cadence)
			b.run(verify.Selection{})
		}
		h.mu.Lock()
		h.behaviour, h.outages = missing, nil
		h.mu.Unlock()
		b.run(verify.Selection{All: true})
		rec := readRecord(t, b.st)
		if list := rec.hosts[h.name]; len(list) != 2 || list[1].Type != catalog.EventHostRecovered {
			t.Fatalf("events of the host: %+v", list)
		}
		back := rec.hosts[h.name][1].OccurredAt
		err := b.st.View(b.Context(), func(tx catalog.Tx) error {
			open, err := tx.Incidents().OpenOn(b.Context(), h.name)
			for _, i := range open {
				if i.EntryID == "" {
					t.Errorf("the host was reached at %s, its outage goes on: %+v", back, i)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// TestPlanFollowsTheEntries: what is deprecated is checked no more, what moves
// to another host is checked there.
func TestPlanFollowsTheEntries(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.run(verify.Selection{})
		gone, moved := b.first(healthy), b.first(slowly)
		ctx := b.Context()
		left := time.Now().Add(time.Hour)
		failing := catalog.Incident{ID: catalog.NewIncidentID(gone, time.Now()), EntryID: gone, Host: "h", Cause: catalog.CauseSource, From: time.Now(), OpenedAt: time.Now()}
		err := b.st.Update(ctx, func(tx catalog.Tx) error {
			if err := tx.Incidents().Put(ctx, failing); err != nil {
				return err
			}
			list, err := tx.Entries().Get(ctx, gone, moved)
			if err != nil {
				return err
			}
			for i := range list {
				e := &list[i]
				if e.ID == gone {
					e.Status, e.UpdatedAt = catalog.StatusDeprecated, left
				} else {
					e.API.PingURL = "http://" + b.w.names[credentials] + "/" + e.ID
				}
				if err := tx.Entries().Put(ctx, catalog.Write{Entry: e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: time.Now()}}}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		before := readRecord(t, b.st)
		time.Sleep(cadence)
		b.run(verify.Selection{All: true})
		after := readRecord(t, b.st)
		if len(after.checks[gone]) != len(before.checks[gone]) {
			t.Error("a deprecated entry was checked")
		}
		if list := after.incidents[gone]; len(list) != 1 || !list[0].Until.Equal(left) || !list[0].Unresolved {
			t.Errorf("the incident of a deprecated entry: %+v", list)
		}
		if !after.states[moved].RequiresAuth {
			t.Errorf("the moved entry: %+v", after.states[moved])
		}
	})
}

// TestWhatIsAskedForGoesFirst: a host with much that is due is given back when somebody asks for one entry there, and
// goes on when that was answered.
func TestWhatIsAskedForGoesFirst(t *testing.T) {
	inBubble(t, func(b *bubble) {
		h := b.w.hosts[b.w.names[refuses]]
		h.mu.Lock()
		h.behaviour = slowly // answers after 5 s
		h.mu.Unlock()
		ctx, stop := context.WithCancel(b.Context())
		ended := make(chan error)
		go func() {
			_, err := b.r.Run(ctx, verify.Selection{Forever: true})
			ended <- err
		}()
		time.Sleep(7 * time.Second) // two of six
		asked := *b.r
		asked.Worker = "asked"
		// Those that are due at the same time are asked in the order of their ids.
		last := slices.Max(h.entries)
		began := time.Now()
		sum, err := asked.Run(ctx, verify.Selection{Entries: []string{last}})
		took := time.Since(began)
		if err != nil || sum.Selected != 1 || took > 15*time.Second {
			t.Errorf("%+v in %s: %v", sum, took, err)
		}
		time.Sleep(time.Minute)
		for rec, i := readRecord(t, b.st), 0; i < len(h.entries); i++ {
			if n := len(rec.checks[h.entries[i]]); n != 1 {
				t.Errorf("entry %d was checked %d times", i, n)
			}
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestTheOutageOfAHostEndsWhenItsSourcesLeave: a host of which several sources fail is looked at again when some
// of them leave, though nothing else there changes.
func TestTheOutageOfAHostEndsWhenItsSourcesLeave(t *testing.T) {
	inBubble(t, func(b *bubble) {
		h := b.w.hosts[b.w.names[refuses]]
		h.mu.Lock()
		h.behaviour = missing
		h.mu.Unlock()
		for range 4 {
			b.run(verify.Selection{})
			time.Sleep(cadence)
		}
		outage := func() catalog.Incident {
			list := readRecord(t, b.st).incidents[h.name]
			if len(list) != 1 || list[0].Cause != catalog.CauseSeveral {
				t.Fatalf("the outages of the host: %+v", list)
			}
			return list[0]
		}
		leave := func(ids ...string) time.Time {
			at := time.Now()
			err := b.st.Update(b.Context(), func(tx catalog.Tx) error {
				list, err := tx.Entries().Get(b.Context(), ids...)
				for i := range list {
					list[i].Status, list[i].UpdatedAt = catalog.StatusDeprecated, at
					err = errors.Join(err, tx.Entries().Put(b.Context(), catalog.Write{Entry: &list[i], Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: at}}}))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			if err := verify.Plan(b.Context(), b.st); err != nil {
				t.Fatal(err)
			}
			return at
		}
		if x := outage(); !x.Until.IsZero() || x.Sources != len(h.entries) {
			t.Fatalf("all %d sources fail: %+v", len(h.entries), x)
		}
		leave(h.entries[:3]...)
		if x := outage(); !x.Until.IsZero() {
			t.Errorf("three that are left fail: %+v", x)
		}
		left := leave(h.entries[3])
		if x := outage(); !x.Until.Equal(left) || x.Unresolved {
			t.Errorf("two sources are left since %s: %+v", left, x)
		}
	})
}

func (b *bubble) enqueue(id, payload string) {
	b.Helper()
	err := b.st.Update(b.Context(), func(tx catalog.Tx) error {
		_, err := tx.Jobs().Enqueue(b.Context(), catalog.Job{ID: id, Kind: verify.JobKind, Payload: []byte(payload), RunAt: time.Now(), CreatedAt: time.Now(), MaxAttempts: 3})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bubble) job(id string) (job *catalog.Job) {
	b.Helper()
	err := b.st.View(b.Context(), func(tx catalog.Tx) (err error) { job, err = tx.Jobs().Get(b.Context(), id); return err })
	if err != nil {
		b.Fatal(err)
	}
	return job
}

func TestJobs(t *testing.T) {
	inBubble(t, func(b *bubble) {
		id := b.first(missing)
		for i, c := range []struct {
			payload string
			state   catalog.JobState
			want    string
		}{
			{`{"entries":["s-` + id + `"]}`, catalog.JobDone, `"entries":1,"checked":1,`},
			{`{"all":true}`, catalog.JobDone, `"error_classes":{`},
			{``, catalog.JobDone, `"checked":`},
			{`{"entries":["nobody"]}`, catalog.JobFailed, "nobody"},
			{`{"entries":["nobody"],"all":true}`, catalog.JobFailed, "not both"},
			{`{"entries":7}`, catalog.JobFailed, `use {"entries"`},
		} {
			name := fmt.Sprint("job", i)
			b.enqueue(name, c.payload)
			if n := b.work(); n != 1 {
				t.Fatalf("%s: %d jobs", c.payload, n)
			}
			j := b.job(name)
			if j.State != c.state || !strings.Contains(string(j.Progress)+j.LastError, c.want) {
				t.Errorf("%s: %s, progress %s, error %s", c.payload, j.State, j.Progress, j.LastError)
			}
		}
		if n := b.work(); n != 0 {
			t.Errorf("%d jobs out of nothing", n)
		}
	})
}

// TestAJobTellsWhatItFoundFirst: a source that hangs is confirmed as failing after more than a minute; who asked for
// the check is told within one that it did not answer, and when it is asked again.
func TestAJobTellsWhatItFoundFirst(t *testing.T) {
	inBubble(t, func(b *bubble) {
		h, id, began := b.w.hosts[b.w.names[hangs]], b.first(hangs), time.Now()
		h.mu.Lock()
		h.outages = []span{{began, began.Add(time.Hour)}}
		h.mu.Unlock()
		b.enqueue("hangs", `{"entries":["`+id+`"]}`)
		ended := make(chan int)
		go func() { ended <- b.work() }()
		time.Sleep(time.Minute)
		found := b.found("hangs")
		if len(found) != 1 || found[0].Entry != id || found[0].Up || !strings.Contains(found[0].Error, "28s") || !found[0].AgainAt.Equal(found[0].At.Add(confirm)) {
			t.Errorf("after a minute: %+v", found)
		}
		<-ended
		found = b.found("hangs")
		if len(found) != 2 || !found[0].At.Before(found[1].At) || found[1].Up || !found[1].AgainAt.IsZero() || b.job("hangs").State != catalog.JobDone {
			t.Errorf("in the end, after %s: %+v", time.Since(began), found)
		}
	})
}

// found are the findings that a job tells.
func (b *bubble) found(id string) []catalog.ProbeFinding {
	b.Helper()
	var told verify.JobProgress
	if err := json.Unmarshal(b.job(id).Progress, &told); err != nil {
		b.Fatal(err)
	}
	return told.Found
}

// work carries out the jobs that are due.
func (b *bubble) work() int {
	b.Helper()
	r := jobs.Runner{Store: b.st, Worker: "w", Tasks: b.r.Tasks(), Log: slog.New(slog.DiscardHandler)}
	n, err := r.Drain(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// TestScheduledJobs: each hour and each day once, however many workers ask.
func TestScheduledJobs(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.run(verify.Selection{})
		ran := 0
		for range 50 {
			for range 2 {
				if err := verify.Schedule(b.Context(), b.st, time.Now()); err != nil {
					t.Fatal(err)
				}
				ran += b.work()
			}
			time.Sleep(2 * time.Hour)
		}
		if ran != 50+5 {
			t.Errorf("%d jobs in 100 hours, want every second hour and every day", ran)
		}
		rec := readRecord(t, b.st)
		for id, s := range rec.states {
			if s.State != catalog.StateStale {
				t.Errorf("%s is %s after 100 hours without a check", id, s.State)
			}
		}
	})
}

func TestRehearseWritesNothing(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.run(verify.Selection{})
		before := readRecord(t, b.st)
		var lines []string
		tell := func(x *verify.Explained) { lines = append(lines, x.Lines()...) }
		for _, behaviour := range []int{healthy, credentials, webPage, redirects} {
			if err := b.r.Rehearse(b.Context(), b.first(behaviour), tell); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		text := strings.Join(lines, "\n")
		for _, want := range []string{"up, requires auth (status 401)", "it counts if a second probe at", "down, confirmed by a second probe (content_type: an HTML page",
			"request   2. GET http://h00005.example.gov/", "before    VERIFIED, 0 failures and 1 successes in a row", "status 302"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
		after := readRecord(t, b.st)
		if len(after.checks[b.first(webPage)]) != len(before.checks[b.first(webPage)]) {
			t.Error("a row was written")
		}
		if err := b.r.Rehearse(b.Context(), "nobody", tell); !errors.Is(err, verify.ErrUnknownEntry) {
			t.Errorf("unknown entry: %v", err)
		}
	})
}

func TestExplainTellsWhatIsStored(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var lines []string
		b.r.Explain = func(x *verify.Explained) {
			if x.EntryID() == b.first(missing) {
				lines = append(lines, x.Lines()...)
			}
		}
		for range 3 {
			b.run(verify.Selection{Entries: []string{b.first(missing)}})
		}
		text := strings.Join(lines, "\n")
		if !strings.Contains(text, "before    UNVERIFIED, never checked") || !strings.Contains(text, "after     FAILING, 3 failures and 0 successes in a row; event entry.failing; next check 2000-") {
			t.Errorf("told:\n%s", text)
		}
	})
}

// TestLostLease: what a worker found out after its lease went to another one
// is not stored, nor is it where the next lease is one of its own.
func TestLostLease(t *testing.T) {
	for _, thief := range []string{"thief", "the same"} {
		t.Run(thief, func(t *testing.T) { testLostLease(t, thief) })
	}
}

func testLostLease(t *testing.T, thief string) {
	inBubble(t, func(b *bubble) {
		if thief == "the same" {
			thief = b.r.Worker
		}
		ctx := b.Context()
		id := b.first(slowly) // answers after 5 s
		stolen := make(chan error, 1)
		go func() {
			time.Sleep(2 * time.Second)
			stolen <- b.st.Update(ctx, func(tx catalog.Tx) error {
				_, err := tx.Probes().Lease(ctx, catalog.LeaseRequest{Worker: thief, Now: time.Now().Add(time.Hour), Until: time.Now().Add(2 * time.Hour), Hosts: 1, Each: 1, Among: []string{b.w.names[slowly]}})
				return err
			})
		}()
		limited, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		sum, err := b.r.Run(limited, verify.Selection{Entries: []string{id}})
		if err := errors.Join(err, <-stolen); err != nil {
			t.Fatal(err)
		}
		if rows := readRecord(t, b.st).checks[id]; sum.Lost != 1 || len(rows) != 0 {
			t.Errorf("%+v with %d rows", sum, len(rows))
		}
	})
}

// TestWayInIsSeen: the first probe that gets data says that everybody does, in the
// transaction of the check, with its origin; the next ones say nothing.
func TestWayInIsSeen(t *testing.T) {
	inBubble(t, func(b *bubble) {
		at := time.Now()
		open, shut := catalog.NewID("entry", "open"), catalog.NewID("entry", "shut")
		for id, behaviour := range map[string]int{open: healthy, shut: credentials} {
			w := newEntry(id, "http://"+b.w.names[behaviour]+"/"+id, at)
			w.Entry.AuthType, w.Entry.FreeAccessClass = catalog.AuthUnknown, catalog.AccessUnknown
			w.Entry.UpstreamRef, w.Entry.IdentityKey = "h.example:api:"+id, "API||"+id
			if err := b.st.Update(b.Context(), func(tx catalog.Tx) error { return tx.Entries().Put(b.Context(), w) }); err != nil {
				t.Fatal(err)
			}
		}
		b.run(verify.Selection{})
		time.Sleep(cadence)
		b.run(verify.Selection{})
		err := b.st.View(b.Context(), func(tx catalog.Tx) error {
			list, err := tx.Entries().Get(b.Context(), open, shut)
			if err != nil {
				return err
			}
			for _, e := range list {
				class, auth, rows := catalog.AccessUnknown, catalog.AuthBasic, 1
				if e.ID == open {
					class, auth, rows = catalog.AccessFreeNoAuth, catalog.AuthNone, 2
				}
				if e.FreeAccessClass != class || e.AuthType != auth {
					t.Errorf("%s: %s, %s", e.ID, e.FreeAccessClass, e.AuthType)
				}
				p, err := tx.Provenances().Get(b.Context(), e.ID)
				if err != nil {
					return err
				}
				if len(p.Rows) != rows || p.Rows[0].Basis != catalog.BasisObserved || p.Rows[0].SourceURL != e.API.PingURL {
					t.Errorf("%s: %+v", e.ID, p.Rows)
				}
				events, err := tx.Events().After(b.Context(), 0, 1000)
				if err != nil {
					return err
				}
				updates := 0
				for _, x := range events {
					if x.EntryID == e.ID && x.Type == catalog.EventUpdated {
						updates++
					}
				}
				if updates != 1 {
					t.Errorf("%s: %d events entry.updated", e.ID, updates)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
