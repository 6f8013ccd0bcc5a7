package kills

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/cmd/internal/binary"
)

// bench is where the program is killed: a store, a site built from it, and what
// the rounds found.
type bench struct {
	t   *testing.T
	dir string
	rng *rand.Rand
	// changes counts the changes that were made, so that none is made twice.
	changes int
	// sameEntries keeps changes from adding entries: a publish does not go back
	// behind one that has them.
	sameEntries bool
	// within is the time in which the next run is killed, 0 before the first.
	within time.Duration
	tally  tally
}

// tally counts what the checks found.
type tally struct {
	// kills are the processes that died by it, early those that had ended by
	// themselves.
	kills, early int
	// faulty are the checks that found something, faults all that they found,
	// worst the most that one found.
	faulty, faults, worst int
}

func TestMain(m *testing.M) {
	code := m.Run()
	binary.Remove()
	os.Exit(code)
}

// rounds is how many kills each kind of work gets.
func rounds() int {
	if os.Getenv("ASSAY_SOAK") == "1" {
		return 100
	}
	return 2
}

// more tells whether kills are wanting. A run that ended before its kill is no
// kill; many of them would end the test, too.
func (b *bench) more() bool {
	return b.tally.kills < rounds() && b.tally.early < 2*rounds()
}

// long keeps a test for the long run: build and publish show that the kills work.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("ASSAY_SOAK") != "1" {
		t.Skip("ASSAY_SOAK=1 runs it")
	}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	b := &bench{t: t, dir: t.TempDir(), rng: rand.New(rand.NewPCG(seed, 1))}
	b.must("import", b.lines(entriesFirst))
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(b.t.Context(), binary.Path(b.t), append(args, "--db", "sqlite:"+b.path("assay.db"))...)
	cmd.Dir = b.dir
	return cmd
}

// must runs the program to its end.
func (b *bench) must(args ...string) {
	b.t.Helper()
	b.run(b.command(args...))
}

func (b *bench) run(cmd *exec.Cmd) {
	b.t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("%v: %v\n%s", cmd.Args[1:], err, out)
	}
}

const (
	entriesFirst  = 30
	entriesChange = 8
)

// lines writes a file of n entries for `assay import`, of which the first ones
// are known and changed, the last one is new.
func (b *bench) lines(n int) string {
	b.t.Helper()
	var out bytes.Buffer
	for i := range n {
		b.changes++
		id := i
		if n == entriesChange {
			id = b.rng.IntN(entriesFirst)
		}
		if i == n-1 && n == entriesChange && !b.sameEntries {
			id = 1000 + b.changes
		}
		at := time.Date(2026, 11, 20, 0, 0, b.changes, 0, time.UTC).Format(time.RFC3339)
		fmt.Fprintf(&out, `{"kind":"entry","entry":{"id":"0191e2a0-0000-5000-8000-%012d","type":"API","name":"Service %d of change %d","description":%q,`+
			`"primary_source_url":"https://s%d.example.gov/api","created_at":"2026-11-01T00:00:00Z","updated_at":%q,"published_at":"2026-11-01T00:00:00Z"}}`+"\n",
			id, id, b.changes, strings.Repeat(fmt.Sprint("About ", b.changes, ". "), 1+b.rng.IntN(200)), id, at)
	}
	path := b.path(fmt.Sprintf("lines-%d.ndjson", b.changes))
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

// kill starts the program and ends it within a time, or lets it end by itself. The time
// was taken when the machine may have had more to do, or less: it shrinks with each run that
// ends before and grows with each that is killed, so that kills hit all of a run, and its end.
func (b *bench) kill(cmd *exec.Cmd, within time.Duration) {
	b.t.Helper()
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &log
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	if b.within == 0 {
		b.within = within
	}
	timer := time.AfterFunc(time.Duration(b.rng.Int64N(int64(b.within))), func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		b.tally.early++
		b.within = max(b.within*2/3, time.Millisecond)
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
		b.tally.kills++
		b.within += b.within / 16
	default:
		b.t.Fatalf("%v: %v\n%s", cmd.Args[1:], err, log.String())
	}
}

// took is how long a run takes that is not killed.
func (b *bench) took(run func()) time.Duration {
	began := time.Now()
	run()
	return time.Since(began)
}

// check counts what is wrong with a site.
func (b *bench) check(pages output.Pages) check.Report {
	b.t.Helper()
	r, err := check.Site(b.t.Context(), pages, nil, nil)
	if err != nil {
		b.t.Fatalf("the site cannot be read: %v", err)
	}
	if r.FaultCount > 0 {
		b.tally.faulty++
	}
	b.tally.faults += r.FaultCount
	b.tally.worst = max(b.tally.worst, r.FaultCount)
	for _, f := range r.Faults[:min(3, len(r.Faults))] {
		b.t.Errorf("after kill %d: %s: %s", b.tally.kills, f.Route, f.What)
	}
	return r
}

// report logs the counts, and fails the test for a fault.
func (b *bench) report(kind string) {
	b.t.Helper()
	c := &b.tally
	b.t.Logf("%s: %d kills, %d ended before; after %d of them the check finds faults, %d in all, %d at most after one", kind, c.kills, c.early, c.faulty, c.faults, c.worst)
	if c.faults > 0 {
		b.t.Errorf("%s leaves %d faults, want none", kind, c.faults)
	}
	if c.kills == 0 {
		b.t.Errorf("%s: every run ended before its kill", kind)
	}
}

// whole fails the test unless a site has no fault.
func (b *bench) whole(what string, pages output.Pages) {
	b.t.Helper()
	r, err := check.Site(b.t.Context(), pages, nil, nil)
	if err != nil || r.FaultCount > 0 {
		b.t.Errorf("%s: %d faults: %v, %v", what, r.FaultCount, r.Faults[:min(3, len(r.Faults))], err)
	}
}
