//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/render/discovery"
	"github.com/assay-register/assay/render/snapshot"
)

// serveChild serves a site with an empty store in a process of its own, which
// a shell command may prepare, until the test ends.
func serveChild(t *testing.T, site string, prepare []string, flags ...string) (address string, pid int) {
	t.Helper()
	args := append([]string{"serve", "--site", site, "--addr", "127.0.0.1:0", "--db", "sqlite:" + filepath.Join(t.TempDir(), "assay.db")}, flags...)
	said := filepath.Join(t.TempDir(), "stderr")
	out, err := os.Create(said)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := strings.Join(append(slices.Clone(prepare), `exec "$0" "$@"`), "; ")
	cmd := exec.Command("/bin/sh", append([]string{"-c", script, self}, args...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), childKey+"=1"), out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil && cmd.ProcessState.ExitCode() != 128+int(syscall.SIGTERM) {
			text, _ := os.ReadFile(said)
			t.Errorf("the service ended with %v\n%.3000s", err, text)
		}
	})
	for end := time.Now().Add(hang); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(said)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`serving .* at http://(\S+)`).FindSubmatch(text); m != nil {
			return string(m[1]), cmd.Process.Pid
		}
	}
	text, _ := os.ReadFile(said)
	t.Fatalf("the service does not start:\n%s", text)
	return "", 0
}

// floodSite is a site of so many entries with its interface description, from
// which the tools of agents are made.
func floodSite(t *testing.T, entries int) string {
	t.Helper()
	const base = "https://register.example"
	site := sitetest.Make(t, t.TempDir(), sitetest.Options{Entries: entries, BaseURL: base})
	description, err := discovery.OpenAPI(snapshot.Site{BaseURL: base, Name: "Register"}, "1.0.0")
	if err == nil {
		err = site.Put(map[string]string{"/openapi.json": string(description)})
	}
	if err != nil {
		t.Fatal(err)
	}
	return site.Dir
}
