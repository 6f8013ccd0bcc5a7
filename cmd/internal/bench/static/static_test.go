// Package static measures how fast the service answers documents of a snapshot file,
// beside nginx on the unpacked directory, with the same client.
package static

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	files    = 100_000
	fileSize = 4 << 10
	hotFiles = 1000
	conns    = 16
	// rounds are made by turns, each with a while to warm up and one to count.
	rounds = 5
	warms  = time.Second / 2
	lasts  = 2 * time.Second
)

// BenchmarkBesideNginx asks for distinct documents of 4 kB in random order, among
// all of them and among a few, of nginx and of the service by turns, and reports
// the medians. nginx serves files bare, and as the register's own configuration
// for it says, with the header fields that the service sends too. The service
// serves a snapshot file and keeps 64 MiB of documents in memory.
func BenchmarkBesideNginx(b *testing.B) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		b.Skip("nginx is not installed")
	}
	dir := b.TempDir()
	site, snapshots := makeSite(b, dir)
	routes := addFiles(b, site)
	fillSnapshot(b, snapshots, site)
	edge := filepath.Join(site, ".assay", "edge", "nginx")
	service, process := startOurs(b, dir, snapshots)
	servers := map[string]string{"assay": service,
		"nginx":     startNginx(b, nginx, filepath.Join(dir, "bare"), site, "", `add_header Cache-Control "public, no-cache";`),
		"published": startNginx(b, nginx, filepath.Join(dir, "published"), site, "include "+edge+"/http.conf;", "include "+edge+"/static.conf;")}
	for _, set := range []struct {
		name   string
		routes []string
	}{{"distinct", routes}, {"hot", routes[:hotFiles]}} {
		b.Run(set.name, func(b *testing.B) {
			for range b.N {
				compare(b, servers, set.routes)
			}
			b.ReportMetric(peak(b, process), "MiB")
		})
	}
}

// compare reports the median rates of the servers, and of the quotients of each
// round: what else the machine does falls on all servers of a round.
func compare(b *testing.B, servers map[string]string, routes []string) {
	figures := map[string][]float64{}
	note := func(name string, v float64) { figures[name] = append(figures[name], v) }
	for range rounds {
		rates := map[string]float64{}
		for _, server := range []string{"nginx", "published", "assay"} {
			load(b, servers[server], routes, warms)
			rates[server] = load(b, servers[server], routes, lasts)
			note(server+"-req/s", rates[server])
		}
		note("x-nginx", rates["assay"]/rates["nginx"])
		note("x-published", rates["assay"]/rates["published"])
	}
	for name, list := range figures {
		slices.Sort(list)
		b.ReportMetric(list[rounds/2], name)
	}
}

// program builds the register's program.
func program(b *testing.B, dir string) string {
	b.Helper()
	path := filepath.Join(dir, "assay")
	if _, err := os.Stat(path); err != nil {
		run(b, exec.Command("go", "build", "-o", path, "../../../assay"))
	}
	return path
}

func run(b *testing.B, cmd *exec.Cmd) {
	b.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// makeSite builds the site of an empty register: a directory of files, and the folder of
// its snapshot file.
func makeSite(b *testing.B, dir string) (site, snapshots string) {
	b.Helper()
	site, snapshots = filepath.Join(dir, "site"), filepath.Join(dir, "snapshots")
	run(b, exec.Command(program(b, dir), "build", "--db", "sqlite:"+filepath.Join(dir, "a.db"), "--site", snapshots, "--out", site))
	return site, snapshots
}

// addFiles writes the files and returns their routes in random order.
func addFiles(b *testing.B, site string) []string {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	routes := make([]string, files)
	text := make([]byte, fileSize)
	for n := range routes {
		if n%1000 == 0 {
			if err := os.MkdirAll(filepath.Join(site, "f", fmt.Sprint(n/1000)), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		for i := range text {
			text[i] = 'a' + byte(r.Uint32()%26)
		}
		routes[n] = fmt.Sprintf("/f/%d/%d.txt", n/1000, n)
		path := filepath.Join(site, routes[n])
		if err := os.WriteFile(path, text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	r.Shuffle(len(routes), func(i, j int) { routes[i], routes[j] = routes[j], routes[i] })
	return routes
}

// start runs a server until the benchmark ends and waits until it answers.
func start(b *testing.B, address string, cmd *exec.Cmd) string {
	b.Helper()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	for range 200 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatalf("%s does not answer", cmd)
	return ""
}

func freeAddress(b *testing.B) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func startOurs(b *testing.B, dir, snapshots string) (at string, process int) {
	address := freeAddress(b)
	cmd := exec.CommandContext(context.Background(), program(b, dir), "serve", "--site", snapshots, "--addr", address,
		"--db", "sqlite:"+filepath.Join(dir, "a.db"), "--worker=false", "--log-requests=false")
	return start(b, address, cmd), cmd.Process.Pid
}

// peak is the most memory that a process had so far, in MiB (proc(5), VmHWM).
func peak(b *testing.B, process int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		b.Fatal(err)
	}
	return kib / 1024
}

// startNginx serves the site as a static host would: no log, files by sendfile,
// descriptors of files kept open as its manual advises for many small ones.
// inHTTP and inServer are what its blocks hold besides.
func startNginx(b *testing.B, nginx, dir, site, inHTTP, inServer string) string {
	if err := os.Mkdir(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	address := freeAddress(b)
	conf := filepath.Join(dir, "nginx.conf")
	text := strings.NewReplacer("HTTP", inHTTP, "SERVER", inServer, "DIR", dir, "SITE", site, "ADDRESS", address).Replace(`daemon off; pid DIR/nginx.pid; error_log DIR/nginx.log; worker_processes auto; worker_rlimit_nofile 32000; user root;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=10000 inactive=60s;
  types { text/plain txt; }
  client_body_temp_path DIR/t1; proxy_temp_path DIR/t2; fastcgi_temp_path DIR/t3; uwsgi_temp_path DIR/t4; scgi_temp_path DIR/t5;
  HTTP
  server { listen ADDRESS; root SITE; SERVER }
}
`)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	return start(b, address, exec.Command(nginx, "-p", dir, "-c", conf))
}
