package main

import (
	"errors"
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
	base, _ := startSaying(t, args...)
	return base
}

// startSaying is start, and tells what the command said before it served.
func startSaying(t *testing.T, args ...string) (base, said string) {
	t.Helper()
	s := launch(t, args...)
	return s.base, s.said
}

// launched is a serving command that runs until the test ends, or is killed.
type launched struct {
	base, said string
	kill       func()
}

func launch(t *testing.T, args ...string) *launched {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	cmd := child(t, "", args...)
	cmd.Stderr, cmd.Cancel = stderr, nil
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	killed := false
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := <-done; err != nil && !killed {
			t.Errorf("assay %s: %v", args[0], err)
		}
	})
	for end := time.Now().Add(hang); time.Now().Before(end); {
		text, err := os.ReadFile(stderr.Name())
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`serving .* at (http://\S+)`).FindSubmatch(text); m != nil {
			return &launched{string(m[1]), string(text), func() {
				killed = true
				cmd.Process.Kill()
			}}
		}
		select {
		case err := <-done:
			done <- err
			t.Fatalf("assay %s ended: %v\n%s", args[0], err, text)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("assay %s does not serve", args[0])
	return nil
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
		must(t, "demo", "--build-only", "--db", "sqlite:"+db, "--out", site, "--base-url", sampleBase)
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
