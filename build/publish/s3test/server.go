// Package s3test runs an object store for tests: versitygw, a gateway that
// speaks the S3 protocol and keeps objects as files of a directory. A store of
// that kind cannot hold "a" and "a/b" both, so sites go there by file.
package s3test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Credentials of the server.
const (
	AccessKey = "test-access"
	SecretKey = "test-secret-key"
	Region    = "eu-test-1"
)

// Server is a running object store.
type Server struct {
	// Endpoint is its host and port.
	Endpoint string
	Client   *minio.Client
}

// Start runs a server until the test ends. It skips the test where the program
// is not installed, except in CI.
func Start(t testing.TB) *Server {
	t.Helper()
	program := find(t)
	data := t.TempDir()
	port := freePort(t)
	s := &Server{Endpoint: fmt.Sprintf("127.0.0.1:%d", port)}
	cmd := exec.CommandContext(context.Background(), program, "--quiet", "--port", s.Endpoint, "--region", Region, "posix", data)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+AccessKey, "ROOT_SECRET_KEY="+SecretKey)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var err error
	s.Client, err = minio.New(s.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(AccessKey, SecretKey, ""), Region: Region})
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if _, err = s.Client.ListBuckets(context.Background()); err == nil {
			return s
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the object store does not answer: %v", err)
	return nil
}

// Bucket makes a bucket.
func (s *Server) Bucket(t testing.TB, name string) {
	t.Helper()
	if err := s.Client.MakeBucket(context.Background(), name, minio.MakeBucketOptions{Region: Region}); err != nil {
		t.Fatal(err)
	}
}

// Installed is the program, where .ci/edge/install.sh puts it; "" if it is not
// there.
func Installed() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		program := filepath.Join(dir, ".cache", "bin", "versitygw")
		if _, err := os.Stat(program); err == nil {
			return program
		}
	}
	return ""
}

func find(t testing.TB) string {
	t.Helper()
	if program := Installed(); program != "" {
		return program
	}
	if os.Getenv("CI") != "" {
		t.Fatal("versitygw is missing: run make test, which installs it")
	}
	t.Skip("versitygw is not installed; make test installs it")
	return ""
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
