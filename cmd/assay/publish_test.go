package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"

	"github.com/assay-register/assay/build/check"
	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/build/publish"
	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/s3test"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// published is the report of one publish.
func published(t *testing.T, args ...string) publish.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "publish.json")
	must(t, append([]string{"publish", "--report", file}, args...)...)
	b, err := os.ReadFile(file)
	var r publish.Report
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPublishDemo publishes a part of the demo site into an object store, then a changed
// one: only what changed moves. Credentials come from the environment.
func TestPublishDemo(t *testing.T) {
	t.Parallel()
	s := s3test.Start(t)
	s.Bucket(t, "register")
	dir := t.TempDir()
	from, built := smallSite(t)
	db, site := storeLike(t, from), filepath.Join(dir, "site")
	to := []string{"--to", "s3://register/demo", "--site", site, "--s3-endpoint", "http://" + s.Endpoint, "--s3-path-style", "--keys", "file"}

	if out, err := exec.Command("cp", "-a", built, site).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	first := published(t, to...)
	if first.New < 1500 || first.Changed+first.Unchanged+first.Deleted != 0 {
		t.Errorf("the first publish reports %+v", first)
	}
	if r := published(t, to...); r.Unchanged != first.New || r.New+r.Changed+r.Left != 0 || r.Generation != 1 {
		t.Errorf("nothing changed, and it reports %+v", r)
	}
	t.Run("objects", func(t *testing.T) { demoObjects(t, s.Client, site) })

	// The hour before the build below: what comes later is not in it.
	line := `{"kind":"entry","entry":{"type":"API","name":"Tide gauges","primary_source_url":"https://tides.example.gov/api",` +
		`"created_at":"2026-11-21T19:00:00Z","updated_at":"2026-11-21T19:00:00Z","published_at":"2026-11-21T19:00:00Z"}}`
	file := filepath.Join(dir, "more.ndjson")
	if err := os.WriteFile(file, []byte(line+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "import", file, "--strict", "--db", db)
	must(t, "build", "--db", db, "--out", site, "--base-url", "https://register.example", "--at", "2026-11-21T20:00:00Z")
	second := published(t, append([]string{"--dry-run"}, to...)...)
	if r := published(t, to...); r.New != second.New || r.Changed != second.Changed || r.Left != second.Left {
		t.Errorf("the dry run said %+v, the publish %+v", second, r)
	}
	if second.New == 0 || second.Changed == 0 || second.New+second.Changed > second.Unchanged/2 {
		t.Errorf("of one new entry it moves %+v", second)
	}
	live := bucket.Live{Bucket: bucket.NewS3(s.Client, "register", "demo"), Keys: bucket.ByFile}
	if r, err := check.Site(t.Context(), live, nil, nil); err != nil || r.FaultCount != 0 {
		t.Errorf("the published site: %d faults %v, %v", r.FaultCount, r.Faults, err)
	}
	back := published(t, append([]string{"--rollback", first.Snapshot}, to...)...)
	if r, err := check.Site(t.Context(), live, nil, nil); err != nil || r.FaultCount != 0 || back.Generation != 3 {
		t.Errorf("the site that was brought back: %+v, %d faults %v, %v", back, r.FaultCount, r.Faults, err)
	}
}

// demoObjects: one object of each class has the type, the caching and the bytes
// that the service would send.
func demoObjects(t *testing.T, client *minio.Client, site string) {
	seen := map[string]bool{}
	err := output.EachRoute(t.Context(), output.Dir(site), func(l *wire.RouteLine) error {
		class := l.Class + l.Type + wire.CacheOf(l.Route) + filepath.Ext(l.Route)
		if seen[class] {
			return nil
		}
		seen[class] = true
		path := artifact.Path(l.Route, l.Type)
		info, err := client.StatObject(t.Context(), "register", "demo/"+path, minio.StatObjectOptions{})
		if err != nil {
			return err
		}
		if info.ContentType != artifact.TypeOf(path) || info.Metadata.Get("Cache-Control") != wire.CacheOf(l.Route) ||
			info.Metadata.Get("Content-Encoding") != "" || info.Size != int64(l.Bytes) {
			t.Errorf("%s: %d bytes, %v", l.Route, info.Size, info.Metadata)
		}
		return nil
	})
	if err != nil || len(seen) < 25 {
		t.Errorf("%d classes, %v", len(seen), err)
	}
	if info, err := client.StatObject(t.Context(), "register", "demo/openapi.json.gz", minio.StatObjectOptions{}); err != nil || info.Metadata.Get("Content-Encoding") != "gzip" {
		t.Errorf("a compressed form: %v, %v", info.Metadata, err)
	}
}

// TestPublishRefuses names what is wrong with a target, and never a secret.
func TestPublishRefuses(t *testing.T) {
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SHARED_CREDENTIALS_FILE": "/nothing",
		"AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_S3": "", "AWS_EC2_METADATA_DISABLED": "true"} {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"use s3://BUCKET/PREFIX or file://DIR": {"--to", "ftp://x"},
		"use route or file":                    {"--to", "file://" + dir, "--keys", "hash"},
		"use an object store":                  {"--to", "file://" + dir, "--keys", "route"},
		"run assay build":                      {"--to", "file://" + filepath.Join(dir, "new"), "--site", dir},
		"choose an empty one":                  {"--to", "file:///", "--site", dir},
		"cannot be brought back":               {"--to", "file://" + filepath.Join(dir, "new"), "--rollback", "20200101-000000000000"},
	} {
		if code, _, said := assay(t, append([]string{"publish"}, args...)...); code != 1 || !strings.Contains(said, want) {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "key-id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "very-secret-key")
	code, _, said := assay(t, "publish", "-v", "--to", "s3://x/y", "--site", dir, "--s3-endpoint", "http://127.0.0.1:1")
	if code != 1 || strings.Contains(said, "very-secret") {
		t.Errorf("a store that is away: exit code %d, %s", code, said)
	}
	if _, err := fs.Stat(os.DirFS(dir), "snapshot.json"); err == nil {
		t.Error("something was published")
	}
}
