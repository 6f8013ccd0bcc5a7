//go:build unix

package month

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/binary"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
)

var (
	days    = flag.Int("days", 0, "simulated days; 0 is 2, or 30 with ASSAY_SOAK=1")
	portals = flag.Int("portals", 0, "portals that the script troubles; 0 is 7, or 35 with ASSAY_SOAK=1")
	both    = flag.Bool("postgres", false, "rehearse on PostgreSQL too; always with ASSAY_SOAK=1")
	again   = flag.Bool("again", false, "rehearse on SQLite twice, to compare the two")
	seed    = flag.Uint64("seed", 1, "seed of the script")
	keep    = flag.String("report", "", "write the report to this file, and the logs of what failed beside it")
)

// patience is how long the register may take for what is due in one step, in time of the
// machine: a harvest whose last attempt ended with its worker comes with the next slot of
// the clock, ten minutes later.
const patience = 12 * time.Minute

// actor is somebody, or something, beside the portals and the register.
type actor interface {
	// begin comes once the register has had its first day.
	begin(m *rehearsal)
	// act is before the clock moves to a step, look when the register has come to
	// rest in it.
	act(m *rehearsal, step int)
	look(m *rehearsal, step int)
	// end compares the whole of the month.
	end(m *rehearsal)
}

// rehearsal is a register, a world, and the oracle beside them.
type rehearsal struct {
	t      *testing.T
	w      *World
	r      *register
	o      *Oracle
	c      *client
	script []Change
	steps  int
	report Report
	ledger Ledger
	see    observer
	people *people
	actors []actor
	began  time.Time
	// faulty are the steps in which a process was ended while it worked, or which
	// began twice.
	faulty map[int]bool
}

// long tells that time matters less than how much is rehearsed.
func long() bool { return os.Getenv("ASSAY_SOAK") != "" }

// sizes are how many steps and portals are rehearsed.
func sizes() (steps, n int) {
	d, n := *days, *portals
	if d == 0 {
		if d = 2; long() {
			d = 30
		}
	}
	if n == 0 {
		if n = len(Kinds); long() {
			n = 5 * len(Kinds)
		}
	}
	return d * stepsPerDay, n
}

func TestMain(m *testing.M) { pgtest.Main(m, binary.Remove) }

// TestMonth rehearses on both stores, one after the other, since the world has one
// set of addresses; all rehearsals of the seed must have the same ledger.
func TestMonth(t *testing.T) {
	var first *Ledger
	run := func(name string, where func(*testing.T) *stage) {
		t.Run(name, func(t *testing.T) {
			ledger := rehearse(t, where(t))
			if first == nil {
				first = ledger
				return
			}
			for _, line := range Unlike(first, ledger) {
				t.Errorf("two rehearsals of seed %d differ: %s", *seed, line)
			}
		})
	}
	run("sqlite", onSQLite)
	if *again {
		run("sqlite-again", onSQLite)
	}
	if long() || *both {
		run("postgres", onPostgres)
	}
}

func rehearse(t *testing.T, s *stage) *Ledger {
	steps, n := sizes()
	w := NewWorld(*seed, n)
	m := &rehearsal{t: t, w: w, steps: steps, script: Script(w, *seed, steps), faulty: map[int]bool{}, began: time.Now()}
	m.cast(s)
	stop, err := w.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	m.o = NewOracle(w)
	m.r = deploy(t, w, s)
	m.c = newClient(m.r.base)
	m.see = observer{m.r.store()}
	defer m.write()
	officials(m)
	m.firstDay()
	for step := 1; step < steps; step++ {
		if step%stepsPerDay == 0 {
			t.Logf("day %d, after %s", step/stepsPerDay+1, time.Since(m.began).Round(time.Second))
		}
		m.step(step)
	}
	m.end()
	if len(m.report.Differences) > 0 {
		t.Errorf("%d differences from the oracle", len(m.report.Differences))
	}
	return &m.ledger
}

// write tells what was rehearsed, also when it broke off.
func (m *rehearsal) write() {
	m.report.Count("steps of six hours", m.steps)
	m.report.Count("portals", len(m.w.Portals))
	m.report.Count("changes of the world", len(m.script))
	log, _ := m.w.Log(0)
	for _, r := range log {
		m.report.Count("requests for "+string(r.Purpose), 1)
	}
	text := fmt.Sprintf("seed %d, %s of the machine\n%s", *seed, time.Since(m.began).Round(time.Second), &m.report)
	m.t.Log(text)
	if *keep != "" {
		put(m.t, keptFile(m.t), text+m.trace())
		put(m.t, keptFile(m.t)+".ledger", m.ledger.String())
	}
}

// keptFile is where the report of a rehearsal is kept.
func keptFile(t *testing.T) string { return *keep + "." + filepath.Base(t.Name()) }

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
	for _, a := range m.actors {
		a.begin(m)
	}
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

// soon is how long after the beginning of a step its last move is: leases of
// processes that died end within that time.
const soon = 20 * time.Minute

// at is when a step has its last move, by the register's clock after its start.
func at(step int) time.Duration { return time.Duration(step)*Cadence + soon }

// step changes the world, moves the clock and waits for what must come of it.
func (m *rehearsal) step(step int) {
	if err := m.w.Do(step, func() {
		for _, c := range m.script {
			if c.Step == step {
				c.do()
			}
		}
	}); err != nil {
		m.t.Fatal(err)
	}
	for _, a := range m.actors {
		a.act(m, step)
	}
	m.r.setClock(time.Duration(step) * Cadence)
	m.o.Step(step)
	m.fault(step)
	if step%stepsPerDay == 0 {
		if err := m.r.nightly(); err != nil {
			m.report.Differ(step, "the nightly unit failed: %v", err)
		}
	}
	m.jump(step)
	m.r.setClock(at(step))
	m.rest(step)
	for _, a := range m.actors {
		a.look(m, step)
	}
}

// rest waits until the register has done all that is due: each active entry is
// checked, and no job is due or under way.
func (m *rehearsal) rest(step int) {
	m.t.Helper()
	m.restSince(step, start.Add(time.Duration(step)*Cadence))
}

func (m *rehearsal) restSince(step int, since time.Time) {
	m.t.Helper()
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
	m.t.Fatal("the rehearsal cannot go on")
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
