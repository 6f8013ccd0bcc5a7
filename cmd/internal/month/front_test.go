//go:build unix

package month

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// front is nginx before the services, with the configuration that a build writes.
type front struct{ addr string }

// addFront puts a web server before the register, where one is installed.
func (m *rehearsal) addFront(s *stage) {
	if installed("nginx") == "" {
		m.missing("nginx")
		return
	}
	s.front = freeAddr(m.t)
	// It comes first: the others come by it.
	m.actors = append([]actor{&front{s.front}}, m.actors...)
}

// missing notes what is not rehearsed because it is not installed, which in CI is
// a fault.
func (m *rehearsal) missing(program string) {
	m.t.Helper()
	if os.Getenv("CI") != "" {
		m.t.Fatalf("%s is missing: run make test, which installs it", program)
	}
	m.report.Count("not rehearsed, as it is not installed: "+program, 1)
}

// installed finds a server, which Debian keeps out of a user's path.
func installed(name string) string {
	for _, path := range []string{name, "/usr/sbin/" + name} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	return ""
}

func (f *front) begin(m *rehearsal) {
	m.t.Helper()
	dir := m.t.TempDir()
	file := filepath.Join(dir, "nginx.conf")
	put(m.t, file, f.config(dir, filepath.Join(m.r.dir, "site"), m.r.bases))
	log := filepath.Join(filepath.Dir(m.r.clock), "nginx.log")
	out, err := os.Create(log)
	if err != nil {
		m.t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(installed("nginx"), "-e", "stderr", "-p", dir, "-c", file)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	m.until("nginx", func() error {
		code, err := m.c.ask("GET", "http://"+f.addr+"/health", nil, nil)
		if err == nil && code != 200 {
			err = fmt.Errorf("status %d", code)
		}
		return err
	})
}

// config is what an operator writes who follows publish.md.
func (f *front) config(dir, site string, services []string) string {
	user, upstream := "", ""
	if os.Getuid() == 0 {
		user = "user root;"
	}
	for _, base := range services {
		upstream += "server " + strings.TrimPrefix(base, "http://") + "; "
	}
	edge := filepath.Join(site, ".assay", "edge", "nginx")
	return fmt.Sprintf(`%s
daemon off; worker_processes 1; pid %s/pid; error_log stderr;
events { worker_connections 256; }
http {
	access_log off;
	client_body_temp_path %s/body; proxy_temp_path %s/proxy; fastcgi_temp_path %s/f; uwsgi_temp_path %s/u; scgi_temp_path %s/s;
	include %s/http.conf;
	upstream assay { %s keepalive 16; }
	server { listen %s; root %s; include %s/service.conf; }
}
`, user, dir, dir, dir, dir, dir, dir, edge, upstream, f.addr, site, edge)
}

func (f *front) act(*rehearsal, int)  {}
func (f *front) look(*rehearsal, int) {}

// end judges the site as nginx serves it.
func (f *front) end(m *rehearsal) {
	if out, err := m.r.try(m.r.host.User, "check", "http://"+f.addr); err != nil {
		m.report.Differ(-1, "the site behind nginx: %v\n%s", err, out)
	}
	m.report.Count("routes checked through nginx", 1)
}

// TestFrontConfig: all services stand behind it.
func TestFrontConfig(t *testing.T) {
	t.Parallel()
	text := (&front{"127.0.0.1:1"}).config("/d", "/s", []string{"http://127.0.0.1:2", "http://127.0.0.1:3"})
	for _, want := range []string{"upstream assay { server 127.0.0.1:2; server 127.0.0.1:3;", "listen 127.0.0.1:1;", "include /s/.assay/edge/nginx/service.conf"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
}
