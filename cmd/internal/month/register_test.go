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
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/binary"
	"github.com/assay-register/assay/cmd/internal/deploytest"
	"github.com/assay-register/assay/dynamic/store/postgres"
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
	// base is its public address, bases are those of its services.
	base  string
	bases []string
	// db is the PostgreSQL of the register, "" for SQLite.
	db    string
	moved atomic.Int64
	up    []*process
}

// process is a command that goes on.
type process struct {
	t         *testing.T
	name, log string
	make      func() *exec.Cmd
	cmd       *exec.Cmd
	done      chan error
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
func deploy(t *testing.T, w *World, db string, settings map[string]string) *register {
	t.Helper()
	user := deploytest.Unprivileged()
	if db != "" {
		user = nil // the socket of the test's PostgreSQL is closed to others
	}
	r := &register{t: t, dir: deploytest.Folder(t, user), program: binary.Path(t), db: db}
	r.clock = filepath.Join(deploytest.Folder(t, nil), "clock")
	addr := freeAddr(t)
	r.base, r.bases = "http://"+addr, []string{"http://" + addr}
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
	settings["to"] = "file://" + filepath.Join(r.dir, "public")
	if db != "" {
		settings["db"] = db
	}
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
	var st catalog.Store
	var err error
	if r.db == "" {
		st, err = sqlite.Open(r.t.Context(), filepath.Join(r.dir, "assay.db"))
	} else {
		st, err = postgres.Open(r.t.Context(), r.db)
	}
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

// nightly runs what the shipped timer starts, to its end: the unit, or the
// service of the compose file.
func (r *register) nightly() error {
	out, err := r.batch()
	f, openErr := os.OpenFile(filepath.Join(filepath.Dir(r.clock), "nightly.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if openErr == nil {
		_, _ = f.WriteString(out)
		_ = f.Close()
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

func (r *register) batch() (string, error) {
	if r.db == "" {
		return r.host.RunUnit(r.t.Context(), r.unit("assay-rebuild.service"))
	}
	out, err := r.container("rebuild", "").CombinedOutput()
	return string(out), err
}

// startAll starts what is to go on: the unit of the service; with PostgreSQL two
// services and two workers of the compose file.
func (r *register) startAll() {
	r.t.Helper()
	if r.db == "" {
		r.start("assay.service", func() *exec.Cmd { return r.line(r.unit("assay.service")) })
		return
	}
	second := freeAddr(r.t)
	r.bases = append(r.bases, "http://"+second)
	for i, addr := range []string{strings.TrimPrefix(r.base, "http://"), second} {
		r.start(fmt.Sprintf("service-%d", i+1), func() *exec.Cmd { return r.container("service", addr) })
	}
	for i := range 2 {
		r.start(fmt.Sprintf("worker-%d", i+1), func() *exec.Cmd { return r.container("worker", "") })
	}
}

// line is the command of a unit that goes on.
func (r *register) line(u *deploytest.Unit) *exec.Cmd {
	r.t.Helper()
	lines, err := u.Lines("ExecStart")
	if err != nil {
		r.t.Fatal(err)
	}
	cmd, err := r.host.Unit(r.t.Context(), u, lines[0])
	if err != nil {
		r.t.Fatal(err)
	}
	return cmd
}

// container is the process of a service of the compose file; addr is where it
// serves.
func (r *register) container(name, addr string) *exec.Cmd {
	r.t.Helper()
	compose, err := deploytest.ReadCompose(r.t.Context(), filepath.Join(shipped, "compose.yaml"), map[string]string{"POSTGRES_PASSWORD": "unused", "ASSAY_HOST": "register.example"})
	if err != nil {
		r.t.Fatal(err)
	}
	s, err := compose.Service(name)
	if err != nil {
		r.t.Fatal(err)
	}
	image, err := deploytest.ReadImage(filepath.Join(shipped, "Dockerfile"))
	if err != nil {
		r.t.Fatal(err)
	}
	host := *r.host
	host.Replace = append([]string{"postgres://assay@store/assay", r.db, "/etc/assay/assay.yaml", filepath.Join(r.dir, "assay.yaml"), "0.0.0.0:8080", addr}, host.Replace...)
	host.Env = append(host.Env, "ASSAY_CLOCK="+r.clock)
	return host.Service(r.t.Context(), &s, image)
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
