package build_test

import (
	"bufio"
	"bytes"
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
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/rendertest/childtest"
)

// order tells a child process what to do.
type order struct {
	DB, Dir string
	Seed    uint64
	// StopAt is the tick of the first build at which the child kills itself;
	// 0 goes on building until the parent kills it.
	StopAt int
	// Most bounds a snapshot file in bytes if it is not 0, as on a disk without room.
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
	if err := childtest.Tie(cmd); err != nil {
		t.Fatal(err)
	}
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

func place(t *testing.T, n int) order {
	o := order{DB: filepath.Join(tempDir(t), "a.db"), Dir: filepath.Join(tempDir(t), "site")}
	if _, err := buildtest.New(context.Background(), openStore(t, o.DB), n, 5); err != nil {
		t.Fatal(err)
	}
	return o
}

// wholeFile holds a folder of snapshot files to what readers may meet at any moment:
// nothing yet, or a site without a fault. It gives the snapshot, "" for none.
func wholeFile(t *testing.T, what, folder string) string {
	t.Helper()
	s, err := output.OpenPresent(folder)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if s == nil {
		return ""
	}
	defer s.Close()
	noFaults(t, what, s, nil)
	list, err := os.ReadDir(folder)
	if err != nil || len(list) > 20 {
		t.Errorf("%s: %d files, %v", what, len(list), err)
	}
	return s.ID
}

// TestKilledFile kills builds of snapshot files at random moments, with no build
// between that ends: after each, readers have a whole site. Then one ends and leaves
// nothing behind.
func TestKilledFile(t *testing.T) {
	rounds, seed := 4, uint64(time.Now().UnixNano())
	switch {
	case soak:
		rounds = 100
	case testing.Short():
		rounds = 1
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 11))
	o := place(t, 45)
	seen := map[string]bool{}
	for round := range rounds {
		o.Seed = seed + uint64(round)
		cmd := spawn(t, o)
		time.Sleep(time.Duration(rng.IntN(900_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		killed(t, cmd)
		seen[wholeFile(t, fmt.Sprintf("round %d", round), o.Dir)] = true
		if t.Failed() {
			return
		}
	}
	t.Logf("%d snapshots were met", len(seen))
	st, err := sqlite.Open(t.Context(), o.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	r, err := buildtest.Resume(t.Context(), st, seed)
	if err != nil {
		t.Fatal(err)
	}
	opts := killOptions(o.Dir, r.Now)
	report := mustBuild(t, st, opts)
	if id := wholeFile(t, "built to the end", o.Dir); id != report.Snapshot {
		t.Errorf("%q is presented, %q was built", id, report.Snapshot)
	}
	left, err := filepath.Glob(filepath.Join(o.Dir, output.HiddenDir, "tmp", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
}

// TestFileWithoutRoom builds where the disk is full at some point: the build says so,
// and the site stays as it was.
func TestFileWithoutRoom(t *testing.T) {
	o := place(t, 25)
	o.StopAt = 1 << 30
	if killed(t, spawn(t, o)) {
		t.Fatal("a build without a limit was killed")
	}
	_, before := openPack(t, o.Dir)
	for _, share := range []int{1, 5, 9} {
		o.Most = uint64(len(before) * share / 10)
		o.Seed++
		cmd := spawn(t, o)
		if err := cmd.Wait(); err == nil {
			t.Fatalf("a build with %d of %d bytes succeeded", o.Most, len(before))
		}
		if _, after := openPack(t, o.Dir); !bytes.Equal(before, after) {
			t.Errorf("with %d tenths of the room the present file is another", share)
		}
		wholeFile(t, "no room", o.Dir)
	}
}
