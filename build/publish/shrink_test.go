package publish

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/s3test"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/edge"
)

// feedKey is a document that is compressed while it is large.
const feedKey = "changes.json"

// feedSite writes a site whose feed says one word, often enough to be
// compressed if it is large, and returns the feed.
func feedSite(t *testing.T, root string, g int, word string, large bool) string {
	t.Helper()
	if err := errors.Join(os.RemoveAll(root), os.Mkdir(root, 0o755)); err != nil {
		t.Fatal(err)
	}
	s, body := &madeSite{t: t, root: root}, `["`+word+`"]`
	if large {
		body = `["` + strings.Repeat(word, 20000) + `"]`
	}
	s.write("/"+feedKey, artifact.JSON, artifact.ClassCatalog, []byte(body))
	s.page("/api/v1/entries/e1", artifact.ClassEntry, map[string]any{"id": "e1", "published_at": "2026-11-20T00:00:00Z"})
	s.books(snapshotOf(g))
	return body
}

// feedSites are three: with a large feed, a small one, and a large one again.
func feedSites(t *testing.T) (roots, feeds []string) {
	for g, word := range []string{"first", "second", "third"} {
		root := filepath.Join(t.TempDir(), "site")
		roots, feeds = append(roots, root), append(feeds, feedSite(t, root, g+1, word, g != 1))
	}
	return roots, feeds
}

// sentByGzipStatic is what a server sends that takes a compressed form for its
// document without a look at either.
func sentByGzipStatic(t *testing.T, m *memory) string {
	t.Helper()
	form, ok := m.objects[feedKey+".gz"]
	if !ok {
		return m.objects[feedKey].body
	}
	plain, err := gzip.NewReader(strings.NewReader(form.body))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func publishByFile(b bucket.Bucket, root string, g int) error {
	_, err := Publish(context.Background(), b, Site{Root: root, Keys: bucket.ByFile}, hour(g))
	return err
}

// TestFormsOfAShrunkDocument: a document that becomes too small to be
// compressed loses its forms, with the publish killed before and after each of
// its writes; a reader of a form never gets an older document than one of the
// document itself. A rollback brings document and forms back together.
func TestFormsOfAShrunkDocument(t *testing.T) {
	t.Parallel()
	roots, feeds := feedSites(t)
	clean := newMemory()
	if err := errors.Join(publishByFile(clean, roots[0], 1), publishByFile(clean, roots[1], 2)); err != nil {
		t.Fatal(err)
	}
	for kill := range clean.writes {
		for _, after := range []bool{false, true} {
			b := newMemory()
			b.watch = func() {
				if b.objects[feedKey].body == feeds[1] && sentByGzipStatic(t, b) != feeds[1] {
					t.Errorf("killed at %d: the small feed lies there with a form of the large one", kill)
				}
			}
			b.left, b.after = kill, after
			err := publishByFile(b, roots[0], 1)
			if err == nil {
				err = publishByFile(b, roots[1], 2)
			}
			if err != nil && !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			b.left = -1
			if _, published := b.objects[stateKey]; !published {
				if err := publishByFile(b, roots[0], 1); err != nil {
					t.Fatal(err)
				}
			}
			if err := publishByFile(b, roots[1], 2); err != nil {
				t.Fatal(err)
			}
			same(t, b.pages(), clean.pages())
			if t.Failed() {
				t.Fatalf("killed at write %d of %d, after it: %t", kill, clean.writes, after)
			}
		}
	}
	for _, step := range []struct {
		g    int
		want string
	}{{1, feeds[0]}, {2, feeds[1]}, {1, feeds[0]}} {
		if _, err := Rollback(t.Context(), clean, bucket.ByFile, snapshotOf(step.g), hour(2)); err != nil {
			t.Fatal(err)
		}
		if got := sentByGzipStatic(t, clean); got != step.want || clean.objects[feedKey].body != step.want {
			t.Errorf("brought back: the document is %q, its form %q; want %q", cut(clean.objects[feedKey].body), cut(got), cut(step.want))
		}
	}
}

// TestRouteThatLooksLikeAForm: where keys are routes no server takes one for
// another, so a route that leaves stays as long as its snapshot.
func TestRouteThatLooksLikeAForm(t *testing.T) {
	t.Parallel()
	root, b := t.TempDir(), newMemory()
	makeSite(t, root, 1, 2)
	mustPublish(t, b, root, hour(1))
	other := t.TempDir()
	s := &madeSite{t: t, root: other}
	s.write("/export.ndjson", artifact.NDJSON, artifact.ClassCatalog, []byte("{}\n"))
	s.write("/tombstones.ndjson", artifact.NDJSON, artifact.ClassCatalog, tombstones(9))
	s.books(snapshotOf(2))
	if r := mustPublish(t, b, other, hour(2)); r.Deleted != 0 || b.objects["export.ndjson.gz"].body == "" {
		t.Errorf("the copy left with the publish: %+v", r)
	}
}

// TestShrunkBehindNginx: clients that take gzip get the feed of the last
// publish from nginx with the configuration that a build writes.
func TestShrunkBehindNginx(t *testing.T) {
	t.Parallel()
	roots, feeds := feedSites(t)
	target := filepath.Join(t.TempDir(), "www")
	d, err := bucket.OpenDir(target)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	address := ""
	for g, root := range roots {
		if err := publishByFile(d, root, g+1); err != nil {
			t.Fatal(err)
		}
		if address == "" {
			address = nginx(t, target)
		}
		for _, coding := range []string{"identity", "gzip"} {
			if got := feedAs(t, address, coding); got != feeds[g] {
				t.Errorf("publish %d, %s: nginx sends %q, want %q", g+1, coding, cut(got), cut(feeds[g]))
			}
		}
		report, err := check.Site(t.Context(), output.Dir(target), nil, nil)
		if err != nil || report.FaultCount > 0 {
			t.Errorf("publish %d: the directory has faults: %v, %v", g+1, report.Faults, err)
		}
	}
}

// TestShrunkInAnObjectStore: a bucket loses the forms, too.
func TestShrunkInAnObjectStore(t *testing.T) {
	t.Parallel()
	s := s3test.Start(t)
	s.Bucket(t, "feeds")
	b := bucket.NewS3(s.Client, "feeds", "")
	roots, _ := feedSites(t)
	for g, root := range roots {
		if err := publishByFile(b, root, g+1); err != nil {
			t.Fatal(err)
		}
		var keys []string
		for o, err := range b.List(t.Context(), "") {
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, o.Key)
		}
		for _, ext := range []string{".gz", ".br", ".zst"} {
			if there := slices.Contains(keys, feedKey+ext); there != (g != 1) {
				t.Errorf("publish %d: %s is there: %t", g+1, ext, there)
			}
		}
	}
}

// feedAs asks a server for the feed in a coding and unpacks the answer.
func feedAs(t *testing.T, address, coding string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/"+feedKey, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", coding)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body := io.Reader(resp.Body)
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", feedKey, resp.Status, err)
	}
	return string(text)
}

// nginx serves a directory until the test ends, as static.conf says.
func nginx(t *testing.T, root string) (address string) {
	t.Helper()
	binary, err := exec.LookPath("nginx")
	if err != nil {
		binary, err = exec.LookPath("/usr/sbin/nginx")
	}
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("nginx is not installed; make test installs it")
	}
	if err != nil {
		t.Fatal("nginx is missing: run make test, which installs it")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, dir := l.Addr().String(), t.TempDir()
	l.Close()
	files, err := edge.Files("https://register.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if path, ok := strings.CutPrefix(f.Path, "nginx/"); ok {
			if err := os.WriteFile(filepath.Join(dir, path), f.Body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	user := ""
	if os.Getuid() == 0 {
		user = "user root;"
	}
	conf := fmt.Sprintf(`%[1]s daemon off; worker_processes 1; pid %[2]s/pid; error_log stderr;
events { worker_connections 64; }
http {
	access_log off; client_body_temp_path %[2]s/b; proxy_temp_path %[2]s/p; fastcgi_temp_path %[2]s/f; uwsgi_temp_path %[2]s/u; scgi_temp_path %[2]s/s;
	include %[2]s/http.conf;
	server { listen %[3]s; root %[4]s; include %[2]s/static.conf; }
}`, user, dir, address, root)
	if err := os.WriteFile(filepath.Join(dir, "main.conf"), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), binary, "-e", "stderr", "-p", dir, "-c", filepath.Join(dir, "main.conf"))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	for range 200 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("nginx does not answer")
	return ""
}
