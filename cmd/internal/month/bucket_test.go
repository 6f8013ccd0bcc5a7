//go:build unix

package month

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/build/publish/s3test"
)

// bucket is an object store to which the nightly unit publishes.
type bucket struct{ server *s3test.Server }

// bucketName and bucketKeys say where in the store the site is.
const bucketName, bucketKeys = "register", "public/"

// addBucket lets the register publish to an object store, where one is installed.
func (m *rehearsal) addBucket(s *stage) {
	if s3test.Installed() == "" {
		m.missing("versitygw")
		return
	}
	b := &bucket{s3test.Start(m.t)}
	b.server.Bucket(m.t, bucketName)
	for key, value := range map[string]string{"to": "s3://" + bucketName + "/" + strings.TrimSuffix(bucketKeys, "/"), "keys": "file",
		"s3_endpoint": "http://" + b.server.Endpoint, "s3_region": s3test.Region, "s3_path_style": "true"} {
		s.settings[key] = value
	}
	s.env = append(s.env, "AWS_ACCESS_KEY_ID="+s3test.AccessKey, "AWS_SECRET_ACCESS_KEY="+s3test.SecretKey)
	m.actors = append(m.actors, b)
}

func (b *bucket) begin(*rehearsal)    {}
func (b *bucket) act(*rehearsal, int) {}

// checkEvery is how many days lie between two looks at the whole of the bucket.
const checkEvery = 10

func (b *bucket) look(m *rehearsal, step int) {
	if step%(checkEvery*stepsPerDay) == 0 {
		b.check(m, step)
	}
}

func (b *bucket) end(m *rehearsal) { b.check(m, -1) }

// check reads the published site out of the bucket and judges it.
func (b *bucket) check(m *rehearsal, step int) {
	m.t.Helper()
	dir := m.t.TempDir()
	n, err := b.read(m.t.Context(), dir)
	if err != nil {
		m.t.Fatal(err)
	}
	out, err := m.r.try(nil, "check", dir)
	if kept := keptOnly(out, err); kept > 0 {
		m.report.Count("objects of the bucket that earlier snapshots keep", kept)
	} else if err != nil || n == 0 {
		m.report.Differ(step, "the site in the bucket, %d objects: %v\n%s", n, err, out)
	}
	m.report.Count("objects of the bucket checked", n)
	if err := os.RemoveAll(dir); err != nil {
		m.t.Fatal(err)
	}
}

// read copies all objects of the site into a folder, some at a time, and counts them.
func (b *bucket) read(ctx context.Context, dir string) (n int, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for o := range b.server.Client.ListObjects(ctx, bucketName, minio.ListObjectsOptions{Prefix: bucketKeys, Recursive: true}) {
		if o.Err != nil {
			return n, errors.Join(o.Err, g.Wait())
		}
		name := strings.TrimPrefix(o.Key, bucketKeys)
		if strings.HasPrefix(name, ".assay/") || strings.HasSuffix(name, "/") {
			continue
		}
		n++
		g.Go(func() error {
			return b.server.Client.FGetObject(ctx, bucketName, o.Key, filepath.Join(dir, filepath.FromSlash(name)), minio.GetObjectOptions{})
		})
	}
	return n, g.Wait()
}

// keptOnly counts the files that no route leads to, if a check found no other fault:
// "What the site no longer has stays as long as a snapshot that is kept leads there"
// (publish.md).
func keptOnly(out string, err error) int {
	if err == nil {
		return 0
	}
	text := out + err.Error()
	n := strings.Count(text, ": a file that no route explains")
	if !strings.Contains(text, fmt.Sprintf(" checked: %d faults", n)) {
		return 0
	}
	return n
}
