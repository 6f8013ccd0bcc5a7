package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/s3test"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/snapshot"
)

// cable leads to a server until it is cut, and again when it is mended.
type cable struct {
	net.Listener
	to   string
	mu   sync.Mutex
	cut  bool
	open []net.Conn
}

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{Listener: l, to: to}
	t.Cleanup(func() {
		l.Close()
		c.set(true)
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go c.pass(conn)
		}
	}()
	return c
}

func (c *cable) pass(in net.Conn) {
	out, err := net.Dial("tcp", c.to)
	if err != nil {
		in.Close()
		return
	}
	c.mu.Lock()
	c.open = append(c.open, in, out)
	cut := c.cut
	c.mu.Unlock()
	if cut {
		in.Close()
		out.Close()
		return
	}
	go func() {
		_, _ = io.Copy(out, in) // it ends when either side does
		out.Close()
	}()
	_, _ = io.Copy(in, out)
	in.Close()
}

func (c *cable) set(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	for _, conn := range c.open {
		if cut {
			conn.Close()
		}
	}
	c.open = nil
}

// published are the snapshot files that were published, by id.
type publishedFiles struct {
	mu    sync.Mutex
	files map[string]*output.SnapshotFile
}

func (p *publishedFiles) add(t *testing.T, folder string) string {
	t.Helper()
	s, err := output.OpenPresent(folder)
	if err != nil || s == nil {
		t.Fatalf("%s holds no snapshot file: %v", folder, err)
	}
	t.Cleanup(func() { _ = s.Close() })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[s.ID] = s
	return s.ID
}

// document is what a snapshot has under a route.
func (p *publishedFiles) document(id, route string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.files[id]
	if s == nil {
		return "", os.ErrNotExist
	}
	in, err := s.Document(route)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(in)
	return string(text), err
}

// reader asks a service again and again until stop is called, and fails the test unless
// every answer is of the snapshot that it names.
func (p *publishedFiles) reader(t *testing.T, name, base string) (stop func() (answers int)) {
	ctx, cancel := context.WithCancel(t.Context())
	done, answers := make(chan struct{}), 0
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			for _, route := range []string{"/snapshot.json", "/api/v1/entries", "/", "/tombstones.ndjson"} {
				id, body, err := answerOf(ctx, base+route)
				if ctx.Err() != nil {
					return
				}
				if err != nil {
					t.Errorf("%s: %s: %v", name, route, err)
					return
				}
				if want, err := p.document(id, route); err != nil || body != want {
					t.Errorf("%s: %s has other bytes than snapshot %s, which it names: %v", name, route, id, err)
					return
				}
				answers++
			}
			time.Sleep(10 * time.Millisecond) // others need the processor too
		}
	}()
	return func() int {
		cancel()
		<-done
		return answers
	}
}

func answerOf(ctx context.Context, url string) (id, body string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", "", err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = &net.AddrError{Err: resp.Status, Addr: url}
	}
	return resp.Header.Get("Assay-Snapshot"), string(text), err
}

// follows waits until a service answers from a snapshot.
func follows(t *testing.T, base, id string) {
	t.Helper()
	got := ""
	for end := time.Now().Add(hang); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var err error
		if got, _, err = answerOf(t.Context(), base+"/snapshot.json"); err == nil && got == id {
			return
		}
	}
	t.Fatalf("the service answers from %s, not from %s", got, id)
}

// TestServicesOnOneBucket: three services take their site from a bucket and share a
// database; one begins before anything is published, one cannot reach the bucket any more
// and stays two snapshots behind, one is killed. Each answer is of the snapshot that it names.
func TestServicesOnOneBucket(t *testing.T) {
	t.Parallel()
	s := s3test.Start(t)
	s.Bucket(t, "register")
	dir, db := t.TempDir(), pgtest.NewURL(t)
	from, _ := smallSite(t)
	part, snap := filepath.Join(dir, "part.ndjson"), filepath.Join(dir, "snap")
	must(t, "export", "--db", "sqlite:"+from, "--file", part)
	must(t, "import", part, "--strict", "--db", db)
	made := &publishedFiles{files: map[string]*output.SnapshotFile{}}
	publish := func(at string) string {
		t.Helper()
		must(t, "build", "--db", db, "--site", snap, "--base-url", sampleBase, "--at", at)
		id := made.add(t, snap)
		must(t, "publish", "--site", snap, "--to", "s3://register/site", "--whole", "--s3-endpoint", "http://"+s.Endpoint, "--s3-path-style")
		return id
	}
	serve := func(endpoint string, flags ...string) *launched {
		return launch(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--site", "s3://register/site", "--db", db,
			"--s3-endpoint", "http://" + endpoint, "--s3-path-style", "--probe=false", "--worker=false", "--limit-reads", "0"}, flags...)...)
	}
	toBucket := newCable(t, s.Endpoint)
	services := map[string]*launched{"early": serve(s.Endpoint, "--site-folder", filepath.Join(dir, "early"))}
	first := publish("2026-11-21T01:00:00Z")
	follows(t, services["early"].base, first)
	services["killed"], services["behind"] = serve(s.Endpoint), serve(toBucket.Addr().String())
	stops := map[string]func() int{}
	for name, service := range services {
		follows(t, service.base, first)
		stops[name] = made.reader(t, name, service.base)
	}
	toBucket.set(true)
	second := publish("2026-11-22T01:00:00Z")
	follows(t, services["early"].base, second)
	follows(t, services["killed"].base, second)
	if n := stops["killed"](); n == 0 {
		t.Error("the reader of the service that is killed met nothing")
	}
	services["killed"].end(syscall.SIGKILL)
	third := publish("2026-11-23T01:00:00Z")
	follows(t, services["early"].base, third)
	if id, _, err := answerOf(t.Context(), services["behind"].base+"/snapshot.json"); err != nil || id != first {
		t.Errorf("the service without a bucket answers from %s, %v", id, err)
	}
	toBucket.set(false)
	follows(t, services["behind"].base, third)
	for _, name := range []string{"early", "behind"} {
		if n := stops[name](); n == 0 {
			t.Errorf("the reader of %s met nothing", name)
		}
	}
}

// TestReplicaRefuses: what --site names must be a bucket, and is built elsewhere.
func TestReplicaRefuses(t *testing.T) {
	t.Parallel()
	db := "sqlite:" + filepath.Join(t.TempDir(), "assay.db")
	for want, args := range map[string][]string{
		"--rebuild: the site is in a bucket": {"--site", "s3://bucket/site", "--rebuild"},
		"--site \"s3://b/x\"":                {"--site", "s3://b/x"},
	} {
		if code, _, said := assay(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, args...)...); code != 1 || !strings.Contains(said, want) {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
	}
	if _, err := os.Stat(snapshot.PresentFile); err == nil {
		t.Error("a site was made here")
	}
}
