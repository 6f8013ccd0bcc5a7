package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a terminal (pty(7)): what a person sees and types, and what a
// program has for its own.
func terminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// TestTerminal: who harvests at a terminal sees how far it is, and Ctrl-C ends it with
// a last line, the code of that signal, and the terminal as it was.
func TestTerminal(t *testing.T) {
	t.Parallel()
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if start := r.URL.Query().Get("start"); start != "" && start != "0" {
			<-r.Context().Done() // the next page never comes
			return
		}
		fmt.Fprint(w, `{"success":true,"result":{"count":400,"results":[{"id":"one","name":"one","title":"One","type":"dataset","state":"active","notes":"The first.",
			"resources":[{"id":"r","format":"CSV","url":"https://data.example/one.csv"}]}]}}`)
	}))
	t.Cleanup(portal.Close)
	person, program := terminal(t)
	before, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	cmd := untied(t, t.TempDir(), "harvest", "--kind", "ckan", "--file", portal.URL, "--official", "by law", "--allow-private", "--gap", "0s", "--db", "sqlite:assay.db")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended if all is well
	seen := ""
	read := func() error {
		part := make([]byte, 4096)
		n, err := person.Read(part)
		seen += string(part[:n])
		return err
	}
	far := regexp.MustCompile(`harvest: 1 record.*\[.*\] +0 %`)
	for !far.MatchString(seen) {
		if err := read(); err != nil {
			t.Fatalf("%v after %q", err, seen)
		}
	}
	if _, err := io.WriteString(person, "\x03"); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(seen, "assay: stopped by interrupt: ") {
		if err := read(); err != nil {
			t.Fatalf("%v after %q", err, seen)
		}
	}
	ended := new(exec.ExitError)
	if err := cmd.Wait(); !errors.As(err, &ended) || ended.ExitCode() != 130 {
		t.Errorf("it ended with %v", err)
	}
	after, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
	if err != nil || *after != *before {
		t.Errorf("the terminal is %+v, and was %+v, %v", after, before, err)
	}
}
