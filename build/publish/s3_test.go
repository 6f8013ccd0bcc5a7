package publish

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/s3test"
	"github.com/assay-register/assay/render/rendertest/childtest"
)

func TestMain(m *testing.M) {
	if text := os.Getenv("ASSAY_UPLOAD_CHILD"); text != "" {
		if err := child(text); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// order tells a child process what to publish.
type order struct {
	Endpoint, Bucket, Root string
	Hour                   int
}

func child(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	client, err := minio.New(o.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(s3test.AccessKey, s3test.SecretKey, ""), Region: s3test.Region})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	_, err = Publish(context.Background(), bucket.NewS3(client, o.Bucket, "site"), Site{Root: o.Root, Keys: bucket.ByFile}, hour(o.Hour))
	return err
}

// killedPublish publishes in a process of its own and kills it after a while,
// 0 for never.
func killedPublish(t *testing.T, o order, after time.Duration) {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "ASSAY_UPLOAD_CHILD="+string(text))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = childtest.Tie(cmd)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	if after > 0 {
		time.Sleep(after)
		_ = cmd.Process.Kill()
	}
	if err := cmd.Wait(); err != nil && after == 0 {
		t.Fatal(err)
	}
}

// TestKilledIntoAnObjectStore kills publishing processes at random moments;
// the bucket ends as after a clean publish, and a reader who polls it never
// meets an index that names a missing page.
func TestKilledIntoAnObjectStore(t *testing.T) {
	s := s3test.Start(t)
	s.Bucket(t, "killed")
	s.Bucket(t, "clean")
	size, kills := 60, 6
	if os.Getenv("ASSAY_SOAK") == "1" {
		kills = 20
	}
	if testing.Short() {
		kills = 2
	}
	root, clean := t.TempDir(), order{Endpoint: s.Endpoint, Bucket: "clean"}
	makeSite(t, root, 1, size)
	clean.Root, clean.Hour = root, 1
	began := time.Now()
	killedPublish(t, clean, 0)
	took := time.Since(began)

	order := clean
	order.Bucket = "killed"
	killedPublish(t, order, 0)
	reader := poll(t, s.Client, "killed")
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range kills {
		clean.Hour, order.Hour = i+2, i+2
		makeSite(t, root, i+2, size)
		killedPublish(t, order, 5*time.Millisecond+time.Duration(rng.Int64N(int64(took))))
		killedPublish(t, order, 0)
		killedPublish(t, clean, 0)
	}
	if rounds := reader(); rounds == 0 {
		t.Error("the reader met nothing")
	} else {
		t.Logf("the reader walked the index %d times during %d kills", rounds, kills)
	}
	sameBuckets(t, s.Client)
}

// sameBuckets compares what readers can ask for.
func sameBuckets(t *testing.T, client *minio.Client) {
	t.Helper()
	got, want := etags(t, client, "killed"), etags(t, client, "clean")
	for key, tag := range want {
		if got[key] != tag {
			t.Errorf("%s differs from a clean publish", key)
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			t.Errorf("%s is too many", key)
		}
	}
}

func etags(t *testing.T, client *minio.Client, bucket string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for o := range client.ListObjects(t.Context(), bucket, minio.ListObjectsOptions{Prefix: "site/", Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		if !strings.HasPrefix(o.Key, "site/"+hidden) {
			out[o.Key] = o.ETag
		}
	}
	return out
}

// poll walks from the list to everything it names, over and over, until the
// returned function is called, which tells how often.
func poll(t *testing.T, client *minio.Client, name string) func() int64 {
	var rounds atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	b := bucket.NewS3(client, name, "site")
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if err := walk(ctx, b, "/api/v1/entries"); err != nil && ctx.Err() == nil {
				t.Error(err)
				return
			}
			rounds.Add(1)
		}
	}()
	return func() int64 {
		stop()
		<-done
		return rounds.Load()
	}
}

func walk(ctx context.Context, b bucket.Bucket, route string) error {
	f, err := b.Get(ctx, bucket.ByFile.Of(route, "application/json"))
	if err != nil {
		return err
	}
	defer f.Close()
	var x index
	if err := json.NewDecoder(f).Decode(&x); err != nil {
		return fmt.Errorf("%s: %w", route, err)
	}
	for _, r := range x.Routes {
		if strings.HasPrefix(r, "/s/") {
			if err := walk(ctx, b, r); err != nil {
				return err
			}
			continue
		}
		if there, err := b.Exists(ctx, bucket.ByFile.Of(r, "application/json")); err != nil || !there {
			return fmt.Errorf("%s of %s leads to %s, which is missing (%w)", route, x.Snapshot, r, err)
		}
	}
	return nil
}

// TestDirectory publishes by file into a directory, compressed forms and times
// included.
func TestDirectory(t *testing.T) {
	root, target := t.TempDir(), t.TempDir()
	for g := 1; g <= 4; g++ {
		makeSite(t, root, g, 9)
		d, err := bucket.OpenDir(target)
		if err != nil {
			t.Fatal(err)
		}
		o := hour(g)
		if _, err := Publish(t.Context(), d, Site{Root: root, Keys: bucket.ByFile}, o); err != nil {
			t.Fatal(err)
		}
		if _, err := bucket.OpenDir(target); err == nil || !strings.Contains(err.Error(), "at work") {
			t.Errorf("a second publish into the directory: %v", err)
		}
		d.Close()
	}
	for path, want := range map[string]bool{"api/v1/entries/e1": false, "api/v1/entries/e2/index.json": false, "api/v1/entries/e3/index.json": true,
		"api/v1/entries/e4/checks/index.json": true, "llms.txt": true, "s/" + snapshotOf(1): false} {
		if _, err := os.Stat(target + "/" + path); (err == nil) != want {
			t.Errorf("%s: there is %t, want %t", path, err == nil, want)
		}
	}
	d, err := bucket.OpenDir(target)
	if err != nil {
		t.Fatal(err)
	}
	o := hour(5)
	if _, err := Rollback(t.Context(), d, bucket.ByFile, snapshotOf(3), o); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(target + "/snapshot.json"); err != nil || !strings.Contains(string(b), snapshotOf(3)) {
		t.Errorf("after the rollback: %s, %v", b, err)
	}
	if _, err := bucket.OpenDir(root); err == nil || !strings.Contains(err.Error(), "choose an empty one") {
		t.Errorf("the folder of snapshot files as a target: %v", err)
	}
	if err := d.Put(t.Context(), "../x", strings.NewReader(""), bucket.Object{}); err == nil {
		t.Error("a key leads out of the directory")
	}
}

// counting counts the requests to an object store by what they do; objects of the books
// are counted apart.
type counting struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	kind := r.Method
	switch {
	case r.Header.Get("X-Amz-Copy-Source") != "":
		kind = "copy"
	case r.Method == http.MethodGet && r.URL.Query().Has("list-type"):
		kind = "list"
	case strings.Contains(r.URL.Path, "/"+hidden):
		kind += " book"
	}
	c.mu.Lock()
	c.counts[kind]++
	c.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// TestPutsAreChangedRoutes: an object store gets one put for each route that changed, and
// is never listed.
func TestPutsAreChangedRoutes(t *testing.T) {
	s := s3test.Start(t)
	s.Bucket(t, "puts")
	c := &counting{counts: map[string]int{}}
	client, err := minio.New(s.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(s3test.AccessKey, s3test.SecretKey, ""), Region: s3test.Region, Transport: c})
	if err != nil {
		t.Fatal(err)
	}
	b, root, site := bucket.NewS3(client, "puts", "site"), t.TempDir(), Site{Keys: bucket.ByFile}
	site.Root = root
	for g := 1; g <= 4; g++ {
		makeSite(t, root, g, 60)
		clear(c.counts)
		r, err := Publish(t.Context(), b, site, hour(g))
		if err != nil {
			t.Fatal(err)
		}
		if puts := c.counts[http.MethodPut]; puts != r.New+r.Changed || r.Changed == 0 != (g == 1) || g > 1 && c.counts["list"] != 0 {
			t.Errorf("publish %d reports %+v, and asks %v", g, r, c.counts)
		}
		if moved := c.counts["copy"]; g > 1 && moved != r.Changed {
			t.Errorf("publish %d copies %d objects aside of %d that change", g, moved, r.Changed)
		}
		clear(c.counts)
		if _, err := Publish(t.Context(), b, site, hour(g)); err != nil || c.counts["PUT"]+c.counts["PUT book"]+c.counts["copy"]+c.counts["list"]+c.counts["DELETE"] != 0 {
			t.Errorf("nothing changed, and it asks %v, %v", c.counts, err)
		}
	}
}
