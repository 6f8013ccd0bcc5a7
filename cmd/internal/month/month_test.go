//go:build unix

package month

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/binary"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
)

var (
	days    = flag.Int("days", 0, "simulated days; 0 is 3, or 30 with ASSAY_SOAK=1")
	portals = flag.Int("portals", 0, "portals; 0 is 7, or 100 with ASSAY_SOAK=1")
	both    = flag.Bool("postgres", false, "rehearse on PostgreSQL too; always with ASSAY_SOAK=1")
	seed    = flag.Uint64("seed", 1, "seed of the script")
	keep    = flag.String("report", "", "write the report to this file")
)

// patience is how long the register may take for what is due in one step, in
// time of the machine.
const patience = 5 * time.Minute

// rehearsal is a register, a world, and the oracle beside them.
type rehearsal struct {
	t      *testing.T
	w      *World
	r      *register
	o      *Oracle
	c      *client
	report Report
	cursor string
	see    observer
	people people
	// faulty are the steps in which a process was ended while it worked.
	faulty map[int]bool
}

// sizes are how many days and portals are rehearsed.
func sizes() (steps, n int) {
	d, n := *days, *portals
	soak := os.Getenv("ASSAY_SOAK") != ""
	if d == 0 {
		if d = 3; soak {
			d = 30
		}
	}
	if n == 0 {
		if n = 7; soak {
			n = 100
		}
	}
	return d * stepsPerDay, n
}

func TestMain(m *testing.M) { pgtest.Main(m, binary.Remove) }

// TestMonth rehearses on both stores, one after the other: the world has one set
// of addresses.
func TestMonth(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { rehearse(t, "") })
	if os.Getenv("ASSAY_SOAK") == "" && !*both {
		return
	}
	t.Run("postgres", func(t *testing.T) { rehearse(t, pgtest.NewURL(t)) })
}

func rehearse(t *testing.T, db string) {
	steps, n := sizes()
	w := NewWorld(*seed, n)
	script := Script(w, *seed, steps)
	crowd := people{portal: w.Calm(), random: rand.New(rand.NewPCG(*seed, 2))}
	stop, err := w.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	m := &rehearsal{t: t, w: w, o: NewOracle(w), people: crowd, faulty: map[int]bool{}}
	m.r = deploy(t, w, db, map[string]string{"allow_private": "true", "gap": gap.String(), "rate_per_host": "100",
		"confirm_after": "100ms", "limit_reads": "0", "limit_writes": "0", "log_requests": "false", "prove": "0", "quarantine_at": "5"})
	m.c = newClient(m.r.base)
	m.see = observer{m.r.store()}
	began := time.Now()
	m.firstDay()
	for step := 1; step < steps; step++ {
		if step%stepsPerDay == 0 {
			t.Logf("day %d, after %s", step/stepsPerDay+1, time.Since(began).Round(time.Second))
		}
		m.step(step, script)
	}
	m.end()
	m.report.Count("steps of six hours", steps)
	m.report.Count("portals", n)
	m.report.Count("changes of the world", len(script))
	text := fmt.Sprintf("seed %d, %s of the machine\n%s", *seed, time.Since(began).Round(time.Second), &m.report)
	t.Log(text)
	if *keep != "" {
		put(t, *keep+"."+filepath.Base(t.Name()), text+m.report.Verdicts()+"\n"+m.trace(script))
	}
	if len(m.report.Differences) > 0 {
		t.Errorf("%d differences from the oracle", len(m.report.Differences))
	}
}

// firstDay is the operator's: harvest and build by the unit, then the service.
func (m *rehearsal) firstDay() {
	m.t.Helper()
	if err := m.r.nightly(); err != nil {
		m.t.Fatal(err)
	}
	m.r.startAll()
	m.serving()
	m.o.Step(0)
	m.rest(0)
	m.people.begin(m)
}

// serving waits until all services answer.
func (m *rehearsal) serving() {
	m.t.Helper()
	for _, base := range m.r.bases {
		m.until("the service at "+base, func() error {
			code, err := m.c.ask("GET", base+"/health", nil, nil)
			if err == nil && code != http.StatusOK {
				err = fmt.Errorf("status %d", code)
			}
			return err
		})
	}
}

// soon is how long after the beginning of a step its second move is: a prober
// looks for new entries every five minutes, and leases of processes that died end
// within that time.
const soon = 10 * time.Minute

// step changes the world, moves the clock and waits for what must come of it.
func (m *rehearsal) step(step int, script []Change) {
	if err := m.w.Do(step, func() {
		for _, c := range script {
			if c.Step == step {
				c.do()
			}
		}
	}); err != nil {
		m.t.Fatal(err)
	}
	m.people.act(m, step)
	m.r.setClock(time.Duration(step) * Cadence)
	m.o.Step(step)
	m.fault(step)
	if step%stepsPerDay == 0 {
		if err := m.r.nightly(); err != nil {
			m.report.Differ(step, "the nightly unit failed: %v", err)
		}
	}
	m.r.setClock(time.Duration(step)*Cadence + soon)
	m.rest(step)
	m.people.look(m, step)
}

// rest waits until the register has done all that is due: each active entry is
// checked, and no job is due or under way.
func (m *rehearsal) rest(step int) {
	m.t.Helper()
	since := start.Add(time.Duration(step) * Cadence)
	must := map[string]bool{}
	for _, k := range m.o.Entries() {
		if k.Active {
			must[k.Key] = true
		}
	}
	var list []string
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		list, err = m.see.restless(m.t.Context(), must, since, time.Now().Add(m.r.offset()))
		if err == nil && len(list) == 0 {
			return
		}
	}
	m.report.Differ(step, "it did not come to rest in %s: %d things are left, %v: %q", patience, len(list), err, list[:min(len(list), 10)])
	// What is not done after one step is in the way of the next.
	m.t.Fatalf("the rehearsal cannot go on:\n%s", &m.report)
}

// lists compares the lists of the published site with the oracle.
func (m *rehearsal) lists(step int) {
	for _, text := range m.unlike() {
		m.report.Differ(step, "%s", text)
	}
}

// unlike are what the lists show otherwise than the oracle says.
func (m *rehearsal) unlike() []string {
	active, err := m.c.entries("ACTIVE")
	if err != nil {
		return []string{err.Error()}
	}
	left, err := m.c.entries("DEPRECATED")
	if err != nil {
		return []string{err.Error()}
	}
	var wrong []string
	for _, k := range m.o.Entries() {
		list, other := active, left
		if !k.Active {
			list, other = left, active
		}
		e, there := list[k.Key]
		_, elsewhere := other[k.Key]
		switch {
		case !there || elsewhere:
			wrong = append(wrong, fmt.Sprintf("%s: active is %t, the lists show otherwise", k.Key, k.Active))
		case e.Name != k.Title:
			wrong = append(wrong, fmt.Sprintf("%s is called %q, the lists say %q", k.Key, k.Title, e.Name))
		case k.Active && e.State != k.State && e.State != k.Either:
			wrong = append(wrong, fmt.Sprintf("%s is %s, the lists say %s", k.Key, k.State, e.State))
		}
	}
	if n := len(active) + len(left); n != len(m.o.entries) {
		wrong = append(wrong, fmt.Sprintf("%d entries, the lists have %d", len(m.o.entries), n))
	}
	return wrong
}

// end builds once more and compares the lists, and the events of the month.
func (m *rehearsal) end() {
	if err := m.r.nightly(); err != nil {
		m.report.Differ(-1, "the last run of the nightly unit failed: %v", err)
	}
	m.until("the last snapshot", func() error {
		if wrong := m.unlike(); len(wrong) > 0 {
			return errors.New(wrong[0])
		}
		return nil
	})
	m.lists(-1)
	list, _, err := m.c.events("")
	if err != nil {
		m.t.Fatal(err)
	}
	keys, err := m.see.keys(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	got := map[string]int{}
	for _, e := range list {
		m.report.Count("events "+e.Type, 1)
		subject := strings.Trim(string(e.Subject), `"`)
		if e.Entry != nil {
			subject = keys[e.Entry.ID]
		}
		if k := m.o.entries[subject]; k == nil || !k.Submitted || e.Type == "entry.verified" {
			got[e.Type+" "+subject]++
		}
	}
	m.people.end(m)
	m.polite()
	want := map[string]int{}
	compared := map[string]bool{}
	for _, e := range m.o.Events {
		want[e.Type+" "+e.Subj]++
		compared[e.Type] = true
	}
	for _, e := range []string{"entry.created", "entry.verified", "entry.failing", "entry.stale", "entry.deprecated", "entry.reactivated", "host.failing", "host.recovered"} {
		compared[e] = true
	}
	for key, n := range want {
		if got[key] != n {
			m.report.Differ(-1, "%d events %s, the register told %d", n, key, got[key])
		}
	}
	for key, n := range got {
		kind, _, _ := strings.Cut(key, " ")
		if compared[kind] {
			m.report.Tell("%d %s", n, key)
			if want[key] == 0 {
				m.report.Differ(-1, "no event %s, the register told %d", key, n)
			}
		}
	}
	log, _ := m.w.Log(0)
	for _, r := range log {
		m.report.Count("requests for "+string(r.Purpose), 1)
	}
}

func (m *rehearsal) until(what string, check func() error) {
	m.t.Helper()
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	m.t.Fatalf("%s: %v", what, err)
}

// trace is what happened to the world and what its portals were asked.
func (m *rehearsal) trace(script []Change) string {
	var b strings.Builder
	for _, c := range script {
		fmt.Fprintf(&b, "step %d %s\n", c.Step, c.What)
	}
	log, _ := m.w.Log(0)
	for _, r := range log {
		fmt.Fprintf(&b, "%s step %d %s %s %s %s %s %d\n", r.At.Format("15:04:05.000"), r.Step, r.Portal, r.Purpose, r.Item, r.Method, r.URI, r.Status)
	}
	return b.String()
}

// gap is the least time between two requests of a harvest to one portal.
const gap = 10 * time.Millisecond

// polite sees that no portal was asked twice for one page of its list within the
// gap, nor in one step without a process that was ended. A map service is asked
// for the same page by harvests and probes, and is left out.
func (m *rehearsal) polite() {
	last := map[string]Request{}
	log, _ := m.w.Log(0)
	for _, r := range log {
		if r.Purpose != ForList || r.Item != "" {
			continue
		}
		page := r.Portal + " " + r.URI
		before, asked := last[page]
		last[page] = r
		switch {
		case asked && r.At.Sub(before.At) < gap:
			m.report.Differ(r.Step, "%s was asked for twice within %s", page, r.At.Sub(before.At))
		case asked && r.Step == before.Step && !m.faulty[r.Step]:
			m.report.Differ(r.Step, "%s was asked for twice", page)
		}
	}
}
