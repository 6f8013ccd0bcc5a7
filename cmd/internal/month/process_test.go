//go:build unix

package month

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a command that goes on.
type process struct {
	t         *testing.T
	name, log string
	make      func() *exec.Cmd
	cmd       *exec.Cmd
	done      chan error
}

// start starts a process whose log is kept, and which ends with the test.
func (r *register) start(name string, make func() *exec.Cmd) {
	r.t.Helper()
	p := &process{t: r.t, name: name, make: make, log: filepath.Join(filepath.Dir(r.clock), name+".log")}
	p.start()
	r.up = append(r.up, p)
	r.t.Cleanup(p.kill)
}

func (p *process) start() {
	p.t.Helper()
	f, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	cmd := p.make()
	cmd.Stdout, cmd.Stderr = f, f
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	done := make(chan error, 1)
	p.cmd, p.done = cmd, done
	go func() { done <- cmd.Wait() }()
}

// stop ends a process as systemd does.
func (p *process) stop() {
	t := p.t
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	select {
	case err := <-p.done:
		p.done <- err
		if err != nil {
			t.Errorf("%s did not end well: %v", p.name, err)
		}
	case <-time.After(30 * time.Second):
		t.Errorf("%s did not end within TimeoutStopSec", p.name)
		p.kill()
	}
}

// kill ends a process without a word.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
	p.done <- nil // it may be asked again
}

// complaint is a line of a log, written as text or as JSON, of what went wrong.
var complaint = regexp.MustCompile(`level"?[=:]"?(WARN|ERROR)|assay: `)

// complaints are the last lines of the logs in a folder that speak of what went
// wrong.
func complaints(dir string) string {
	var b strings.Builder
	logs, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil {
		return err.Error()
	}
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			return err.Error()
		}
		var bad []string
		for line := range strings.Lines(string(text)) {
			if complaint.MatchString(line) {
				bad = append(bad, line)
			}
		}
		fmt.Fprintf(&b, "%s:\n%s", filepath.Base(path), strings.Join(bad[max(0, len(bad)-20):], ""))
	}
	return b.String()
}
