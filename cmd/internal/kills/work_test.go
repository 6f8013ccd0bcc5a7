package kills

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/replica"
	"github.com/assay-register/assay/build/publish/s3test"
)

// present is the present snapshot file of a folder, which readers get.
type present string

// Open implements output.Pages.
func (p present) Open(ctx context.Context, route, mediaType string) (io.ReadCloser, error) {
	s, err := output.OpenPresent(string(p))
	if err != nil || s == nil {
		return nil, errors.Join(err, fmt.Errorf("%s holds no site", string(p)))
	}
	in, err := s.Open(ctx, route, mediaType)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{in, s}, nil
}

// TestBuild: readers have a whole site after each kill.
func TestBuild(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	site := present(b.path("site"))
	b.must("build", "--site", string(site))
	b.must("import", b.lines(entriesChange))
	within := b.took(func() { b.must("build", "--site", string(site)) })
	for b.more() {
		b.must("import", b.lines(entriesChange))
		b.kill(b.command("build", "--site", string(site)), within)
		b.check(site)
	}
	b.report("build")
	b.must("build", "--site", string(site))
	b.whole("after a build that ended", site)
}

// TestRebuild does the same with a service that keeps the site fresh.
func TestRebuild(t *testing.T) {
	long(t)
	t.Parallel()
	b := newBench(t)
	site := present(b.path("site"))
	within := b.took(func() { b.must("build", "--site", string(site)) })
	for b.more() {
		b.must("import", b.lines(entriesChange))
		b.within = 0 // a service never ends by itself
		b.kill(b.command("serve", "--addr", free(t), "--site", string(site), "--rebuild", "--rebuild-quiet", "1s", "--rebuild-latest", "1s", "--probe=false"),
			2*time.Second+within)
		b.check(site)
	}
	b.report("rebuild")
	b.must("build", "--site", string(site))
	b.whole("after a build that ended", site)
}

// sites builds three snapshot files, each of more changes.
func (b *bench) sites() []string {
	b.t.Helper()
	b.sameEntries = true
	var list []string
	for i := range 3 {
		list = append(list, b.path(fmt.Sprintf("site-%d", i)))
		b.must("build", "--site", list[i])
		b.must("import", b.lines(entriesChange))
	}
	return list
}

// TestPublishIntoADirectory: what is live is of two publishes until one ends, each document
// whole, and no name leads to nothing.
func TestPublishIntoADirectory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	sites, target := b.sites(), b.path("www")
	routes := b.routes(sites)
	publishTo := func(site string) []string { return []string{"publish", "--site", site, "--to", "file://" + target} }
	b.must(publishTo(sites[0])...)
	within := b.took(func() { b.must(publishTo(sites[1])...) })
	for i := 1; b.more(); i++ {
		b.kill(b.command(publishTo(sites[(i+1)%3])...), within)
		b.mixture(output.Dir(target), routes)
	}
	b.report("publish into a directory")
	b.must(publishTo(sites[2])...)
	b.whole("after a publish that ended", output.Dir(target))
}

// TestPublishIntoAnObjectStore does the same with a bucket.
func TestPublishIntoAnObjectStore(t *testing.T) {
	long(t)
	t.Parallel()
	s := s3test.Start(t)
	s.Bucket(t, "register")
	b := newBench(t)
	sites := b.sites()
	routes := b.routes(sites)
	live := bucket.Live{Bucket: bucket.NewS3(s.Client, "register", "site"), Keys: bucket.ByFile}
	publishFrom := func(site string) *exec.Cmd {
		cmd := b.command("publish", "--site", site, "--to", "s3://register/site", "--s3-endpoint", "http://"+s.Endpoint, "--s3-path-style", "--keys", "file")
		cmd.Env = inStore()
		return cmd
	}
	b.run(publishFrom(sites[0]))
	within := b.took(func() { b.run(publishFrom(sites[1])) })
	for i := 1; b.more(); i++ {
		b.kill(publishFrom(sites[(i+1)%3]), within)
		b.mixture(live, routes)
	}
	b.report("publish into an object store")
	b.run(publishFrom(sites[2]))
	b.whole("after a publish that ended", live)
}

// taken is the site that a service gets out of a bucket of whole snapshot files.
func (b *bench) taken(from bucket.Bucket) present {
	b.t.Helper()
	r := replica.Replica{From: from, Folder: b.path("taken"), Keep: 1, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	if _, err := r.Take(b.t.Context()); err != nil {
		b.t.Errorf("a service cannot take the site: %v", err)
	}
	return present(r.Folder)
}

// TestPublishWhole: readers of a published snapshot file have a whole one after each kill.
func TestPublishWhole(t *testing.T) {
	long(t)
	for name, target := range map[string]func(*bench) (args []string, live func() present){
		"into a directory": func(b *bench) ([]string, func() present) {
			dir := b.path("www")
			return []string{"--to", "file://" + dir}, func() present { return present(dir) }
		},
		"into an object store": func(b *bench) ([]string, func() present) {
			s := s3test.Start(b.t)
			s.Bucket(b.t, "register")
			from := bucket.NewS3(s.Client, "register", "site")
			return []string{"--to", "s3://register/site", "--s3-endpoint", "http://" + s.Endpoint, "--s3-path-style"}, func() present { return b.taken(from) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			sites := b.sites()
			to, live := target(b)
			publishFrom := func(site string) *exec.Cmd {
				cmd := b.command(append([]string{"publish", "--whole", "--site", site}, to...)...)
				cmd.Env = inStore()
				return cmd
			}
			b.run(publishFrom(sites[0]))
			within := b.took(func() { b.run(publishFrom(sites[1])) })
			for i := 1; b.more(); i++ {
				b.kill(publishFrom(sites[(i+1)%3]), within)
				b.check(live())
			}
			b.report("publish whole " + name)
			b.run(publishFrom(sites[2]))
			b.whole("after a publish that ended", live())
		})
	}
}

// inStore is an environment with the keys of the store of the tests.
func inStore() []string {
	return append(os.Environ(), "AWS_ACCESS_KEY_ID="+s3test.AccessKey, "AWS_SECRET_ACCESS_KEY="+s3test.SecretKey, "AWS_REGION="+s3test.Region)
}

// TestImport: whatever an import got to, a site that is built from the store
// has no fault.
func TestImport(t *testing.T) {
	long(t)
	t.Parallel()
	b := newBench(t)
	within := b.took(func() { b.must("import", b.lines(entriesChange)) })
	for i := 0; b.more(); i++ {
		b.kill(b.command("import", b.lines(entriesChange)), within)
		site := present(b.path(fmt.Sprintf("site-%d", i)))
		b.must("build", "--site", string(site))
		b.check(site)
		if err := os.RemoveAll(string(site)); err != nil {
			t.Fatal(err)
		}
	}
	b.report("import")
}

// TestServe: a service that answers and takes suggestions leaves its site alone.
func TestServe(t *testing.T) {
	long(t)
	t.Parallel()
	b := newBench(t)
	site := present(b.path("site"))
	b.must("build", "--site", string(site))
	for b.more() {
		addr := free(t)
		ctx, stop := context.WithCancel(t.Context())
		go requests(ctx, "http://"+addr)
		b.within = 0 // a service never ends by itself
		b.kill(b.command("serve", "--addr", addr, "--site", string(site), "--probe=false"), 3*time.Second)
		stop()
		b.check(site)
	}
	b.report("serve")
}

// free is an address of this host that nobody uses.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// requests asks a service for pages and searches, and proposes sources, until
// the context ends. What the service answers while it dies is no matter.
func requests(ctx context.Context, base string) {
	for i := 0; ctx.Err() == nil; i++ {
		for _, route := range []string{"/", "/api/v1/entries", "/api/v1/entries?q=service", "/snapshot.json"} {
			ask(ctx, http.MethodGet, base+route, "")
		}
		ask(ctx, http.MethodPost, base+"/api/v1/submissions", fmt.Sprintf(`{"url":"https://s%d.example.gov/new","name":"New %d"}`, i, i))
	}
}

func ask(ctx context.Context, method, url, body string) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond): // it does not listen yet, or any more
		}
		return
	}
	resp.Body.Close()
}
