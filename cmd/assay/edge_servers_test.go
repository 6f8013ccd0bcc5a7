package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// freeAddr is an address of this host that nobody uses.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// program finds a server, which Debian keeps out of a user's path.
func program(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{name, "/usr/sbin/" + name} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing: run make test, which installs it", name)
	}
	t.Skipf("%s is not installed; make test installs it", name)
	return ""
}

// nginx runs the server with the generated configuration until the test ends.
func nginx(t *testing.T, addr, site, service string) {
	t.Helper()
	binary, dir := program(t, "nginx"), t.TempDir()
	user, upstream, kind := "", "", "static"
	if os.Getuid() == 0 {
		user = "user root;"
	}
	if service != "" {
		upstream, kind = "upstream assay { server "+strings.TrimPrefix(service, "http://")+"; keepalive 16; }", "service"
	}
	edge := filepath.Join(site, ".assay", "edge", "nginx")
	conf := fmt.Sprintf(`%s
daemon off; worker_processes 1; pid %s/pid; error_log stderr;
events { worker_connections 256; }
http {
	access_log off;
	client_body_temp_path %s/body; proxy_temp_path %s/proxy; fastcgi_temp_path %s/f; uwsgi_temp_path %s/u; scgi_temp_path %s/s;
	include %s/http.conf;
	%s
	server { listen %s; root %s; include %s/%s.conf; }
}
`, user, dir, dir, dir, dir, dir, dir, edge, upstream, addr, site, edge, kind)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	serve(t, addr, exec.Command(binary, "-e", "stderr", "-p", dir, "-c", file))
}

// caddy does the same with Caddy.
func caddy(t *testing.T, addr, site, service string) {
	t.Helper()
	binary, dir := program(t, "caddy"), t.TempDir()
	snippet := "assay_static"
	if service != "" {
		snippet = "assay_service " + strings.TrimPrefix(service, "http://")
	}
	conf := fmt.Sprintf(`{
	admin off
	auto_https off
}
import %s/.assay/edge/caddy/site.caddy
http://%s {
	bind 127.0.0.1
	root * %s
	import %s
}
`, site, addr, site, snippet)
	file := filepath.Join(dir, "Caddyfile")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "run", "--config", file, "--adapter", "caddyfile")
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "HOME="+dir)
	serve(t, addr, cmd)
}

// serve runs a server until the test ends and waits until it listens.
func serve(t *testing.T, addr string, cmd *exec.Cmd) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	out, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		if text, err := os.ReadFile(log); t.Failed() && err == nil {
			t.Logf("%s said:\n%s", cmd.Path, text[max(0, len(text)-4000):])
		}
	})
	for end := time.Now().Add(hang); time.Now().Before(end); {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			return
		}
		select {
		case <-ended:
			text, _ := os.ReadFile(log)
			t.Fatalf("%s ended:\n%s", cmd.Path, text)
		case <-time.After(50 * time.Millisecond):
		}
	}
	text, _ := os.ReadFile(log)
	t.Fatalf("%s does not listen on %s:\n%s", cmd.Path, addr, text)
}
