//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/cmd/internal/binary"
	"github.com/assay-register/assay/cmd/internal/deploytest"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/wire"
)

// shipped is a register that the files of site/deploy run, as a user without
// rights where the test may choose one.
type shipped struct {
	t    *testing.T
	dir  string
	addr string
	host *deploytest.Host
	// probed counts the requests of probes.
	probed atomic.Int64
}

// newShipped prepares a register by assay init, as who runs the test, and points
// it at a table of two entries and at a source that fails.
func newShipped(t *testing.T, user *syscall.Credential) *shipped {
	t.Helper()
	s := &shipped{t: t, dir: deploytest.Folder(t, user), addr: freeAddr(t)}
	path := binary.Path(t)
	s.host = &deploytest.Host{User: user, Replace: []string{"/usr/local/bin/assay", path, "/srv/register", s.dir,
		"/etc/assay.env", filepath.Join(s.dir, "none"), "/etc/assay/assay.yaml", filepath.Join(s.dir, "assay.yaml")}}
	cmd := exec.Command(path, "init")
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("assay init: %v\n%s", err, out)
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.probed.Add(1)
		fmt.Fprint(w, "{}")
	}))
	t.Cleanup(service.Close)
	table := "name,url,type,description,country_code,institution\nBuses," + service.URL + "/buses,API,Departures,GB,Rivertown\nAir," + service.URL + "/air,API,Stations,GB,Rivertown\n"
	s.write("table.csv", table)
	s.write("clock", "0s")
	s.host.Env = []string{"ASSAY_CLOCK=" + filepath.Join(s.dir, "clock")}
	s.set("base_url", "http://"+s.addr)
	s.set("sources", `[{key: ours, kind: csv, file: table.csv, country: GB, official: ours}, {key: lost, kind: csv, file: lost.csv, official: ours}]`)
	s.add("addr: " + s.addr + "\nallow_private: true\nrate_per_host: 100\n")
	return s
}

func (s *shipped) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shipped) config() string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "assay.yaml"))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// set replaces the line of a key of assay.yaml.
func (s *shipped) set(key, value string) {
	s.t.Helper()
	text := s.config()
	_, rest, found := strings.Cut(text, "\n"+key+":")
	if !found {
		s.t.Fatalf("assay.yaml has no %s", key)
	}
	old, _, _ := strings.Cut(rest, "\n")
	s.write("assay.yaml", strings.Replace(text, "\n"+key+":"+old, "\n"+key+": "+value, 1))
}

func (s *shipped) add(lines string) {
	s.t.Helper()
	s.write("assay.yaml", s.config()+lines)
}

// start runs a process until the test ends, which must stop it in good order.
func (s *shipped) start(cmd *exec.Cmd) {
	s.t.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	s.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 128+int(syscall.SIGTERM)) || s.t.Failed() {
				s.t.Errorf("%v: %v\n%s", cmd.Args[4:], err, &said)
			}
		case <-time.After(hang):
			_ = cmd.Process.Kill()
			s.t.Errorf("%v does not stop\n%s", cmd.Args[4:], &said)
		}
	})
}

// ask gives the answer of the service, 0 while nobody listens.
func (s *shipped) ask(path string) (status int, header http.Header, body []byte) {
	resp, err := http.Get("http://" + s.addr + path)
	if err != nil {
		return 0, nil, []byte(err.Error())
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	_, _ = b.ReadFrom(resp.Body)
	return resp.StatusCode, resp.Header, b.Bytes()
}

func (s *shipped) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(hang); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	s.t.Fatalf("%s: not in time", what)
}

// waits tells that the service is there and has nothing to show.
func (s *shipped) waits() {
	s.t.Helper()
	s.until("the service", func() bool { status, _, _ := s.ask("/"); return status != 0 })
	for _, path := range []string{"/", "/api/v1/entries", "/health"} {
		if status, header, body := s.ask(path); status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
			s.t.Errorf("%s before the first build: %d, %v: %s", path, status, header, body)
		}
	}
}

// shows tells that the service has taken up the site, whose entries it probes.
// The source may have been under way in the service's own worker when the first
// rebuild began; then the next one shows what came in.
func (s *shipped) shows(rebuild func()) {
	s.t.Helper()
	s.until("the site", func() bool { status, _, _ := s.ask("/health"); return status == http.StatusOK })
	s.until("two entries", func() bool {
		var page wire.EntriesPage
		if _, _, body := s.ask("/api/v1/entries"); json.Unmarshal(body, &page) == nil && page.Total == 2 {
			return true
		}
		rebuild()
		return false
	})
	s.write("clock", "7h") // more than the cadence: every entry is due
	s.until("probes", func() bool { return s.probed.Load() > 1 })
}

// modes tells that other users can read all of the site and nothing of the store.
func (s *shipped) modes() {
	s.t.Helper()
	err := filepath.WalkDir(filepath.Join(s.dir, "site"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o644)
		if d.IsDir() {
			want = 0o755
		}
		if err == nil && info.Mode().Perm()&want != want && !strings.Contains(path, "/.assay/") {
			s.t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
	reports, err := os.Stat(filepath.Join(s.dir, "reports", "harvest.json"))
	if err != nil {
		s.t.Error(err)
	} else if owner := reports.Sys().(*syscall.Stat_t); s.host.User != nil && owner.Uid != s.host.User.Uid {
		s.t.Errorf("the report is of user %d", owner.Uid)
	}
}

func unit(t *testing.T, name string) *deploytest.Unit {
	t.Helper()
	u, err := deploytest.ReadUnit(filepath.Join(deploy, "systemd", name))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// startUnit runs the one command of a unit.
func (s *shipped) startUnit(name string) {
	s.t.Helper()
	u := unit(s.t, name)
	lines, err := u.Lines("ExecStart")
	if err != nil || len(lines) != 1 {
		s.t.Fatal(lines, err)
	}
	cmd, err := s.host.Unit(context.Background(), u, lines[0])
	if err != nil {
		s.t.Fatal(err)
	}
	s.start(cmd)
}

// TestUnitsRun: what root prepared is the user's; the service waits for the
// first build, which the rebuild makes and the service takes up; a target that is
// named later is published to; one source that fails stops nothing.
func TestUnitsRun(t *testing.T) {
	t.Parallel()
	s := newShipped(t, deploytest.Unprivileged())
	s.startUnit("assay.service")
	s.waits()
	rebuild := func() {
		t.Helper()
		if said, err := s.host.RunUnit(t.Context(), unit(t, "assay-rebuild.service")); err != nil || !strings.Contains(said, "nothing was uploaded") {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	rebuild()
	s.shows(rebuild)
	s.modes()

	s.add("to: file://" + filepath.Join(s.dir, "public") + "\n")
	if said, err := s.host.RunUnit(t.Context(), unit(t, "assay-rebuild.service")); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	must(t, "check", filepath.Join(s.dir, "public"))
	if _, err := os.Stat(filepath.Join(s.dir, "reports", "publish.json")); err != nil {
		t.Error(err)
	}
	// The worker is for PostgreSQL; that it starts is told here, that it works below.
	if lines, err := unit(t, "assay-worker.service").Lines("ExecStart"); err != nil || strings.Join(lines[0].Args, " ") != "/usr/local/bin/assay worker" {
		t.Error(lines, err)
	}
}

// TestComposeRuns does the same with the commands of compose.yaml, on PostgreSQL.
func TestComposeRuns(t *testing.T) {
	t.Parallel()
	s := newShipped(t, nil) // the test's database lets nobody else in
	image, err := deploytest.ReadImage(filepath.Join(deploy, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := deploytest.ReadCompose(t.Context(), filepath.Join(deploy, "compose.yaml"), map[string]string{"POSTGRES_PASSWORD": "secret", "ASSAY_HOST": "register.example"})
	if err != nil {
		t.Fatal(err)
	}
	s.host.Replace = append(s.host.Replace, "postgres://assay@store/assay", pgtest.NewURL(t), "0.0.0.0:8080", s.addr)
	command := func(name string, args ...string) *exec.Cmd {
		c, err := file.Service(name)
		if err != nil {
			t.Fatal(err)
		}
		if args != nil {
			c.Command = args
		}
		return s.host.Service(context.Background(), &c, image)
	}
	s.start(command("service"))
	s.start(command("worker"))
	s.waits()
	if out, err := command("service", "health").CombinedOutput(); err == nil {
		t.Errorf("the container is healthy before the first build:\n%s", out)
	}
	rebuild := func() {
		t.Helper()
		if out, err := command("rebuild").CombinedOutput(); err != nil || !bytes.Contains(out, []byte("nothing was uploaded")) {
			t.Fatalf("rebuild: %v\n%s", err, out)
		}
	}
	rebuild()
	s.shows(rebuild)
	s.modes()
	if out, err := command("service", "health").CombinedOutput(); err != nil {
		t.Errorf("health: %v\n%s", err, out)
	}
}
