//go:build unix

package month

import (
	"fmt"
	"maps"
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
	stage   *stage
	dir     string
	program string
	clock   string
	host    *deploytest.Host
	// base is its public address, bases are those of its services.
	base  string
	bases []string
	moved atomic.Int64
	up    []*process
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
func deploy(t *testing.T, w *World, s *stage) *register {
	t.Helper()
	user := deploytest.Unprivileged()
	if s.db != "" {
		user = nil // the socket of the test's PostgreSQL is closed to others
	}
	r := &register{t: t, stage: s, dir: deploytest.Folder(t, user), program: binary.Path(t)}
	if s.disk != nil {
		s.disk.mount(t, r.dir)
	}
	r.clock = filepath.Join(deploytest.Folder(t, nil), "clock")
	addr := freeAddr(t)
	r.base, r.bases = "http://"+addr, []string{"http://" + addr}
	if s.front != "" {
		r.base = "http://" + s.front
	}
	env := filepath.Join(filepath.Dir(r.clock), "assay.env")
	r.host = &deploytest.Host{Replace: []string{"/usr/local/bin/assay", r.program, "/srv/register", r.dir, "/etc/assay.env", env}, User: user}
	put(t, env, strings.Join(r.environment(), "\n")+"\n")
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		logs := filepath.Dir(r.clock)
		t.Log(complaints(logs))
		if *keep != "" {
			if err := os.CopyFS(keptFile(t)+".logs", os.DirFS(logs)); err != nil {
				t.Log(err)
			}
		}
	})
	r.setClock(0)
	r.run("init")
	r.configure(w, addr)
	return r
}

// environment are the variables of the commands.
func (r *register) environment() []string {
	return append([]string{"ASSAY_CLOCK=" + r.clock}, r.stage.env...)
}

// configure edits the configuration that init wrote; addr is where the service
// listens.
func (r *register) configure(w *World, addr string) {
	r.t.Helper()
	settings := map[string]string{"allow_private": "true", "gap": gap.String(), "rate_per_host": "100", "confirm_after": "100ms",
		"limit_reads": "0", "limit_writes": "0", "log_requests": "false", "prove": "0", "quarantine_at": "5", "survey_every": "20h",
		"addr": addr, "base_url": r.base, "out": "site", "sources": sources(w), "to": "file://" + filepath.Join(r.dir, "public")}
	if r.stage.db != "" {
		settings["db"] = r.stage.db
	}
	maps.Copy(settings, r.stage.settings)
	r.edit(func(text string) string { return configured(text, settings) })
}

// edit changes the configuration file.
func (r *register) edit(change func(string) string) {
	r.t.Helper()
	config := filepath.Join(r.dir, "assay.yaml")
	text, err := os.ReadFile(config)
	if err != nil {
		r.t.Fatal(err)
	}
	put(r.t, config, change(string(text)))
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
		office := ""
		if p.Institution != "" {
			office = ", institution: " + p.Institution
		}
		fmt.Fprintf(&b, "\n  - {key: %s, kind: %s, url: \"%s\", title: Catalogue of %s, country: GB, official: Run by the state, schedule: 20h%s}", p.Key, p.Kind, p.Address(), p.Key, office)
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

// forward moves the clock of the register to so long after the start, unless it is
// there already.
func (r *register) forward(after time.Duration) {
	if time.Now().Add(r.offset()).Before(start.Add(after)) {
		r.setClock(after)
	}
}

// offset is how far the clock of the register is moved.
func (r *register) offset() time.Duration { return time.Duration(r.moved.Load()) }

// store opens the store of the register, which must have been made.
func (r *register) store() catalog.Store {
	r.t.Helper()
	var st catalog.Store
	var err error
	if r.stage.db == "" {
		st, err = sqlite.Open(r.t.Context(), filepath.Join(r.dir, "assay.db"))
	} else {
		st, err = postgres.Open(r.t.Context(), r.stage.db)
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
	out, err := r.try(r.host.User, args...)
	if err != nil {
		r.t.Fatalf("assay %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// try is run for a command that may fail, by a user, nil for who runs the test; the
// error has what it wrote to standard error.
func (r *register) try(user *syscall.Credential, args ...string) (string, error) {
	cmd := exec.Command(r.program, args...)
	cmd.Dir, cmd.Env = r.dir, append(r.environment(), "PATH="+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, stderr.String())
	}
	return string(out), err
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
	if r.stage.db == "" {
		return r.host.RunUnit(r.t.Context(), r.unit("assay-rebuild.service"))
	}
	out, err := r.container("rebuild", "").CombinedOutput()
	return string(out), err
}

// startAll starts what is to go on: the unit of the service; with PostgreSQL two
// services and two workers of the compose file.
func (r *register) startAll() {
	r.t.Helper()
	if r.stage.db == "" {
		r.start("assay.service", func() *exec.Cmd { return r.line(r.unit("assay.service")) })
		return
	}
	second := freeAddr(r.t)
	r.bases = append(r.bases, "http://"+second)
	for i, addr := range []string{strings.TrimPrefix(r.bases[0], "http://"), second} {
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
	host.Replace = append([]string{"postgres://assay@store/assay", r.stage.db, "/etc/assay/assay.yaml", filepath.Join(r.dir, "assay.yaml"), "0.0.0.0:8080", addr}, host.Replace...)
	host.Env = append(host.Env, r.environment()...)
	return host.Service(r.t.Context(), &s, image)
}
