package main

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// assay runs the program in a process of its own and returns its exit code and
// what it wrote.
func assay(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return ended(t, child(t, "", args...))
}

// hang is after how long something that is waited for is taken to never happen: far longer than it
// takes on a machine that does much else.
const hang = 15 * time.Minute

// ended runs a process to its end.
func ended(t *testing.T, cmd *exec.Cmd) (code int, stdout, stderr string) {
	t.Helper()
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(hang, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case !late.Stop():
		t.Fatalf("%v does not end:\n%s", cmd.Args[1:], said.String())
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	return code, out.String(), said.String()
}

// must runs the program and fails the test unless it succeeds.
func must(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := assay(t, args...)
	if code != 0 {
		t.Fatalf("assay %s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// start runs a serving command until the test ends and returns its address.
func start(t *testing.T, args ...string) string {
	t.Helper()
	return launch(t, args...).base
}

// launched is a serving command that runs until the test ends it, or ends: where it serves, and what it said before.
type launched struct {
	base, said string
	cmd        *exec.Cmd
	done       chan error
	// awaited tells that the test ends it itself.
	awaited bool
}

func launch(t *testing.T, args ...string) *launched {
	t.Helper()
	return launchAs(t, child(t, "", args...))
}

func launchAs(t *testing.T, cmd *exec.Cmd) *launched {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	cmd.Stderr, cmd.Cancel = stderr, nil
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	l := &launched{cmd: cmd, done: make(chan error, 1)}
	go func() { l.done <- cmd.Wait() }()
	t.Cleanup(func() {
		l.cmd.Process.Signal(syscall.SIGTERM)
		if err := l.wait(); err != nil && !l.awaited {
			t.Errorf("%v: %v", cmd.Args[1:], err)
		}
	})
	for end := time.Now().Add(hang); time.Now().Before(end); {
		text, err := os.ReadFile(stderr.Name())
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`serving .* at (http://\S+)`).FindSubmatch(text); m != nil {
			l.base, l.said = string(m[1]), string(text)
			return l
		}
		select {
		case err := <-l.done:
			l.done <- err
			t.Fatalf("%v ended: %v\n%s", cmd.Args[1:], err, text)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("%v does not serve", cmd.Args[1:])
	return nil
}

// wait waits for the end, which can be asked for again.
func (l *launched) wait() error {
	err := <-l.done
	l.done <- err
	return err
}

// end sends a signal and gives the exit code.
func (l *launched) end(signal os.Signal) int {
	l.awaited = true
	_ = l.cmd.Process.Signal(signal) // it may have ended
	_ = l.wait()                     // the exit code tells
	return l.cmd.ProcessState.ExitCode()
}

// sampleBase is the address of the sample register's site in the tests.
const sampleBase = "https://register.example"

// common is a store and its site, made for the first test that asks for them and
// changed by none.
type common struct {
	sync.Mutex
	dir string
}

var wholeSample, smallSample, smallForms common

// folder gives the folder; build fills it the first time.
func (s *common) folder(t *testing.T, build func(dir string)) string {
	t.Helper()
	s.Lock()
	defer s.Unlock()
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "assay-sample-")
		if err != nil {
			t.Fatal(err)
		}
		build(dir)
		s.dir = dir
	}
	return s.dir
}

// get gives the store and the site; build makes them the first time.
func (s *common) get(t *testing.T, build func(db, site string)) (db, site string) {
	t.Helper()
	dir := s.folder(t, func(dir string) { build(filepath.Join(dir, "assay.db"), filepath.Join(dir, "site")) })
	return filepath.Join(dir, "assay.db"), filepath.Join(dir, "site")
}

// removeSamples removes what tests shared.
func removeSamples() {
	for _, s := range []*common{&wholeSample, &smallSample, &smallForms} {
		if s.dir != "" {
			os.RemoveAll(s.dir)
		}
	}
}

// sampleSite gives the store and the site of the sample register.
func sampleSite(t *testing.T) (db, site string) {
	t.Helper()
	return wholeSample.get(t, func(db, site string) {
		taken, err := net.Listen("tcp", "127.0.0.1:0") // who only builds does not listen
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		must(t, "demo", "--build-only", "--addr", taken.Addr().String(), "--db", "sqlite:"+db, "--out", site, "--base-url", sampleBase)
	})
}

// sampleStore is a copy of the store of the sample register.
func sampleStore(t *testing.T) (db string) {
	t.Helper()
	from, _ := sampleSite(t)
	return storeLike(t, from)
}

// storeLike is a copy of a store.
func storeLike(t *testing.T, from string) (db string) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "assay.db")
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + to
}

// serveSample serves the site of the sample register with a store of its own.
func serveSample(t *testing.T) (base, site, db string) {
	t.Helper()
	from, site := sampleSite(t)
	base, db = serveCopy(t, from, site)
	return base, site, db
}

// serveCopy serves a site with a copy of its store.
func serveCopy(t *testing.T, from, site string) (base, db string) {
	t.Helper()
	db = storeLike(t, from)
	return start(t, "serve", "--addr", "127.0.0.1:0", "--site", site, "--db", db, "--base-url", sampleBase, "--limit-reads", "0", "--limit-writes", "0", "--limit-proxy", "0",
		"--worker=false", "--log-requests=false", "--mail-dir", t.TempDir()), db
}
