//go:build unix

package month

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/deploytest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// shipped are the files that a register is deployed with.
var shipped = filepath.Join("..", "..", "..", "site", "deploy")

// start is the instant at which a rehearsal begins: on a Monday, when the timer
// of the shipped units fires.
var start = time.Date(2026, 3, 2, 3, 17, 0, 0, time.UTC)

// register is a deployed register.
type register struct {
	t       *testing.T
	dir     string
	program string
	clock   string
	host    *deploytest.Host
	// base is its public address.
	base  string
	moved atomic.Int64
	mu    sync.Mutex
	up    []*process
}

// process is a command that goes on.
type process struct {
	name string
	cmd  *exec.Cmd
	done chan error
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// deploy prepares a folder as the units and the guide say: the program, `assay
// init`, the configuration of the operator, and the environment.
func deploy(t *testing.T, w *World, settings map[string]string) *register {
	t.Helper()
	user := deploytest.Unprivileged()
	r := &register{t: t, dir: deploytest.Folder(t, user), program: deploytest.Program(t)}
	r.clock = filepath.Join(deploytest.Folder(t, nil), "clock")
	addr := freeAddr(t)
	r.base = "http://" + addr
	env := filepath.Join(filepath.Dir(r.clock), "assay.env")
	r.host = &deploytest.Host{Replace: []string{"/usr/local/bin/assay", r.program, "/srv/register", r.dir, "/etc/assay.env", env}, User: user}
	put(t, env, "ASSAY_CLOCK="+r.clock+"\n")
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(complaints(filepath.Dir(r.clock)))
		}
	})
	r.setClock(0)
	r.run("init")
	config := filepath.Join(r.dir, "assay.yaml")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	settings["addr"], settings["base_url"], settings["sources"] = addr, r.base, sources(w)
	put(t, config, configured(string(text), settings))
	return r
}

// configured sets keys of a configuration file, as an operator edits it.
func configured(text string, settings map[string]string) string {
	for key, value := range settings {
		line := key + ": " + value
		at := regexp.MustCompile(`(?m)^(# )?` + regexp.QuoteMeta(key) + `:.*$`)
		if found := at.FindString(text); found != "" {
			text = strings.Replace(text, found, line, 1)
		} else {
			text += "\n" + line + "\n"
		}
	}
	return text
}

// sources lists the portals of a world as an operator does.
func sources(w *World) string {
	var b strings.Builder
	for _, p := range w.Portals {
		fmt.Fprintf(&b, "\n  - {key: %s, kind: %s, url: \"%s\", title: Catalogue of %s, country: GB, official: Run by the state, schedule: 20h}", p.Key, p.Kind, p.Address(), p.Key)
	}
	return b.String()
}

func put(t *testing.T, path, text string) {
	t.Helper()
	next := path + ".next"
	if err := os.WriteFile(next, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

// setClock moves the clock of the register to so long after the start.
func (r *register) setClock(after time.Duration) {
	r.moved.Store(int64(time.Until(start.Add(after))))
	put(r.t, r.clock, r.offset().String()+"\n")
}

// offset is how far the clock of the register is moved.
func (r *register) offset() time.Duration { return time.Duration(r.moved.Load()) }

// store opens the store of the register, which must have been made.
func (r *register) store() catalog.Store {
	r.t.Helper()
	st, err := sqlite.Open(r.t.Context(), filepath.Join(r.dir, "assay.db"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { st.Close() })
	return st
}

// run carries out a command in the folder of the register and gives what it
// wrote to standard output.
func (r *register) run(args ...string) string {
	r.t.Helper()
	cmd := exec.Command(r.program, args...)
	cmd.Dir, cmd.Env = r.dir, []string{"ASSAY_CLOCK=" + r.clock, "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: r.host.User}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("assay %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// unit reads one of the shipped units.
func (r *register) unit(name string) *deploytest.Unit {
	r.t.Helper()
	u, err := deploytest.ReadUnit(filepath.Join(shipped, "systemd", name))
	if err != nil {
		r.t.Fatal(err)
	}
	return u
}

// timer runs the unit that the shipped timer starts, to its end.
func (r *register) timer() error {
	out, err := r.host.RunUnit(r.t.Context(), r.unit("assay-rebuild.service"))
	f, openErr := os.OpenFile(filepath.Join(filepath.Dir(r.clock), "timer.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if openErr == nil {
		_, _ = f.WriteString(out)
		_ = f.Close()
	}
	return err
}

// service starts the shipped service.
func (r *register) service() *process {
	r.t.Helper()
	u := r.unit("assay.service")
	lines, err := u.Lines("ExecStart")
	if err != nil {
		r.t.Fatal(err)
	}
	cmd, err := r.host.Unit(r.t.Context(), u, lines[0])
	if err != nil {
		r.t.Fatal(err)
	}
	return r.begin("assay.service", cmd)
}

// begin starts a process whose log is kept, and which ends with the test.
func (r *register) begin(name string, cmd *exec.Cmd) *process {
	r.t.Helper()
	f, err := os.OpenFile(filepath.Join(filepath.Dir(r.clock), name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		r.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = f, f
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	_ = f.Close()
	p := &process{name: name, cmd: cmd, done: make(chan error, 1)}
	go func() { p.done <- cmd.Wait() }()
	r.mu.Lock()
	r.up = append(r.up, p)
	r.mu.Unlock()
	r.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return p
}

// stop ends a process as systemd does.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	select {
	case err := <-p.done:
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
}

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
			if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") || strings.Contains(line, "assay: ") {
				bad = append(bad, line)
			}
		}
		fmt.Fprintf(&b, "%s:\n%s", filepath.Base(path), strings.Join(bad[max(0, len(bad)-20):], ""))
	}
	return b.String()
}
