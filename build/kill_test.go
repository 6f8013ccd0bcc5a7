package build_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/artifact"
)

// order tells a child process what to do.
type order struct {
	DB, Dir string
	Seed    uint64
	// StopAt is the tick of the first build at which the child kills itself;
	// 0 goes on building until the parent kills it.
	StopAt int
	// File builds snapshot files, none larger than Most bytes if that is not 0, as on a
	// disk without room.
	File bool
	Most uint64
}

// child changes and builds in a loop. It is run in a process of its own.
func child() {
	if err := obey(context.Background(), os.Getenv("ASSAY_BUILD_CHILD")); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}

func obey(ctx context.Context, text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	st, err := sqlite.Open(ctx, o.DB)
	if err != nil {
		return err
	}
	defer st.Close()
	r, err := buildtest.Resume(ctx, st, o.Seed)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	ticks := 0
	tick := func() {
		if ticks++; ticks == o.StopAt {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	for {
		if err := r.Some(ctx, 8); err != nil {
			return err
		}
		if o.Most > 0 { // the store has room
			signal.Ignore(syscall.SIGXFSZ)
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: o.Most, Max: o.Most}); err != nil {
				return err
			}
		}
		opts := killOptions(o.Dir, r.Now)
		opts.File = o.File
		opts.Progress = func(string, int, int) { tick() }
		if _, err := build.Build(ctx, st, opts, func() time.Time { tick(); return time.Now() }); err != nil {
			return err
		}
		if o.StopAt > 0 {
			return nil
		}
	}
}

// killOptions keep few snapshots, so that builds remove some, too.
func killOptions(dir string, at time.Time) build.Options {
	o := options(dir, at)
	o.Keep, o.KeepFor, o.Record = 2, 0, true
	return o
}

// spawn starts a child and waits until it is about to work.
func spawn(t *testing.T, o order) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "ASSAY_BUILD_CHILD="+string(text))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("child says %q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return cmd
}

// killed tells whether the child died of SIGKILL; another death fails the test.
func killed(t *testing.T, cmd *exec.Cmd) bool {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
		return true
	}
	t.Fatalf("child: %v", err)
	return false
}

// left are the faults that Check may report in a tree whose build was killed;
// unreadable looks closer at what they stand for.
var left = []string{"has other bytes than routes.ndjson says", "does not match routes.ndjson", "a file that no route explains",
	"differs from", "dead link to", "holds other bytes than its document"}

// afterKill holds a tree to what a killed build may leave, builds again and
// compares, if scratch is set, with a tree built from nothing.
func afterKill(t *testing.T, o order, what string, scratch bool) {
	t.Helper()
	ctx := context.Background()
	if _, err := os.Stat(filepath.Join(o.Dir, "snapshot.json")); err == nil {
		for _, f := range unreadable(t, o.Dir) {
			t.Errorf("%s: %s", what, f)
		}
		report, err := check.Site(ctx, output.Dir(o.Dir), nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for _, f := range report.Faults {
			known := false
			for _, l := range left {
				known = known || strings.Contains(f.What, l)
			}
			if !known {
				t.Errorf("%s: %s %s", what, f.Route, f.What)
			}
		}
	}
	st, err := sqlite.Open(ctx, o.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	r, err := buildtest.Resume(ctx, st, o.Seed)
	if err != nil {
		t.Fatal(err)
	}
	mustBuild(t, st, killOptions(o.Dir, r.Now))
	tree := readTree(t, o.Dir)
	if n := len(tree.Snapshots()); n > 2 {
		t.Errorf("%s: %d snapshots are kept", what, n)
	}
	if !scratch {
		return
	}
	noFaults(t, what+", built again", output.Dir(o.Dir), nil)
	dir := filepath.Join(tempDir(t), "scratch")
	defer os.RemoveAll(dir)
	again := killOptions(dir, r.Now)
	again.Record = false
	mustBuild(t, fresh(t, st, o.Seed), again)
	equal(t, what+", built again", readTree(t, dir), tree.Present())
	kept := map[string]bool{"lock": true, "edge": true}
	for _, id := range tree.Snapshots() {
		kept[id] = true
	}
	hidden, err := os.ReadDir(filepath.Join(o.Dir, ".assay"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range hidden {
		if !kept[d.Name()] {
			t.Errorf("%s: .assay/%s is left over", what, d.Name())
		}
	}
}

func place(t *testing.T, n int) order {
	o := order{DB: filepath.Join(tempDir(t), "a.db"), Dir: filepath.Join(tempDir(t), "site")}
	if _, err := buildtest.New(context.Background(), openStore(t, o.DB), n, 5); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestKillAnywhere kills builds at random moments, the first one possibly in
// the first build of the tree.
func TestKillAnywhere(t *testing.T) {
	rounds, seed := 5, uint64(time.Now().UnixNano())
	switch {
	case soak:
		rounds = 100
	case testing.Short():
		rounds = 1
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 9))
	o := place(t, 45)
	for round := range rounds {
		o.Seed = seed + uint64(round)
		cmd := spawn(t, o)
		wait := time.Duration(rng.IntN(600_000)) * time.Microsecond
		time.Sleep(wait)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		killed(t, cmd)
		afterKill(t, o, fmt.Sprintf("round %d, killed after %s", round, wait), round%2 == 0)
		if t.Failed() {
			return
		}
	}
}

// TestKillBetweenStages kills builds at each tick of their progress and clock,
// which lie between the steps that depend on each other; without ASSAY_SOAK=1 at
// every third, in a short run at every eighth.
func TestKillBetweenStages(t *testing.T) {
	step := 3
	switch {
	case soak:
		step = 1
	case testing.Short():
		step = 8
	}
	o := place(t, 30)
	afterKill(t, o, "first build", false)
	for o.StopAt = 1; ; o.StopAt += step {
		o.Seed = uint64(o.StopAt)
		if !killed(t, spawn(t, o)) {
			break
		}
		afterKill(t, o, fmt.Sprintf("killed at tick %d", o.StopAt), o.StopAt%8 == 0)
		if t.Failed() {
			return
		}
	}
	if o.StopAt < 10 {
		t.Errorf("builds have only %d ticks", o.StopAt-1)
	}
}

// unreadable tells what a reader of the bare tree could stumble over. A build
// that broke off may leave behind, besides the site of its last complete
// snapshot: pages of either build under the present routes, pages that nothing
// leads to yet or any more, and compressed forms of another time than their
// document, which servers pass over. It must not leave: a page that is torn or
// does not match its hash, a route of routes.ndjson or a list page without a
// file, a link to nothing, or an encoded snapshot that is not whole.
func unreadable(t testing.TB, dir string) []string {
	t.Helper()
	tree := readTree(t, dir)
	routes := tree.Routes()
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if _, ok := tree["snapshot.json"]; !ok {
		return nil // No build was ever completed, so no reader was promised anything.
	}
	id := tree.Snapshot()
	if id == "" {
		fault("snapshot.json names no snapshot: %s", tree["snapshot.json"].Body)
	}
	for line := range strings.Lines(tree["routes.ndjson"].Body) {
		var l struct {
			Route, Type string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			fault("routes.ndjson: %v: %s", err, line)
			continue
		}
		if _, ok := tree[artifact.Path(l.Route, l.Type)]; !ok {
			fault("%s stands in routes.ndjson and is missing", l.Route)
		}
	}
	var head struct{ Snapshot struct{ Pages int } }
	_ = json.Unmarshal([]byte(tree["snapshot.json"].Body), &head.Snapshot)
	for n := 1; n <= max(1, head.Snapshot.Pages); n++ {
		if path := "s/" + id + "/api/v1/entries/pages/" + strconv.Itoa(n) + "/index.json"; tree[path].Body == "" {
			fault("%s is missing", path)
		}
	}
	for _, name := range []string{"head.json", "lines.ndjson", "items.ndjson"} {
		if f := tree[".assay/"+id+"/"+name]; !strings.HasSuffix(f.Body, "\n") && !strings.HasSuffix(f.Body, "}") {
			fault("the encoded snapshot has no whole %s", name)
		}
	}
	for path, f := range tree {
		if strings.HasPrefix(path, ".assay/") {
			continue
		}
		document, ext := strings.TrimSuffix(path, filepath.Ext(path)), filepath.Ext(path)
		if (ext == ".gz" || ext == ".zst" || ext == ".br") && artifact.HasExtension(document) {
			if d, ok := tree[document]; !ok {
				fault("%s has no document", path)
			} else if d.ModTime.Equal(f.ModTime) {
				faults = append(faults, wrongSibling(dir, path)...)
			}
			continue
		}
		if !strings.HasSuffix(path, ".json") {
			continue
		}
		if err := buildtest.Whole([]byte(f.Body)); err != nil {
			fault("%s %v", path, err)
		}
		older := strings.HasPrefix(path, "s/") && !strings.HasPrefix(path, "s/"+id+"/")
		for _, route := range buildtest.Routes([]byte(f.Body)) {
			route = strings.TrimPrefix(route, "/assay")
			if older && strings.HasPrefix(route, "/api/v1/entries/") {
				continue // A pinned page names entries that may have left since.
			}
			if !routes[route] {
				fault("%s leads to %s, which is missing", path, route)
			}
		}
	}
	return faults[:min(len(faults), 20)]
}

func wrongSibling(dir, path string) []string {
	same, err := buildtest.SameSibling(filepath.Join(dir, path))
	if err != nil || !same {
		return []string{fmt.Sprintf("%s is passed for its document and differs: %v", path, err)}
	}
	return nil
}
