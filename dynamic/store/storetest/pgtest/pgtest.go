// Package pgtest gives tests a private PostgreSQL: one cluster per test
// binary, on a socket in a temporary folder, one database per test.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/assay-register/assay/dynamic/store/postgres"
)

var (
	shared  *cluster
	failure error
	once    sync.Once
	serial  atomic.Int64
)

// Main runs the tests of a binary, then what else is to be done after them, and
// stops the cluster, if one was started. Call it from TestMain.
func Main(m *testing.M, after ...func()) {
	code := m.Run()
	for _, do := range after {
		do()
	}
	if shared != nil {
		shared.stop()
	}
	os.Exit(code)
}

// NewURL creates an empty database for the test and returns its URL. It fails
// the test when there is no PostgreSQL, because a store that was not tested
// must not look as if it were.
func NewURL(t testing.TB) string {
	t.Helper()
	return running(t).create(t, "template1")
}

// NewStoreURL is NewURL for a database that has the newest schema already: a copy
// costs a fraction of the migrations.
func NewStoreURL(t testing.TB) string {
	t.Helper()
	c := running(t)
	c.migrate.Do(func() { c.failure = c.makeTemplate(context.WithoutCancel(t.Context())) })
	if c.failure != nil {
		t.Fatal(c.failure)
	}
	return c.create(t, template)
}

// running starts the cluster of this binary where it is not running.
func running(t testing.TB) *cluster {
	t.Helper()
	once.Do(func() { shared, failure = start() })
	if failure != nil {
		t.Fatalf("no PostgreSQL for the test: %v\nremedy: `make test` installs it; by hand: apt-get install postgresql", failure)
	}
	return shared
}

// template is the database with the newest schema that others are copied from.
const template = "migrated"

func (c *cluster) makeTemplate(ctx context.Context) error {
	if err := c.copyDatabase("template1", template); err != nil {
		return err
	}
	s, err := postgres.Open(ctx, c.url(template))
	if err != nil {
		return err
	}
	return s.Close()
}

// create copies a database for the test.
func (c *cluster) create(t testing.TB, from string) string {
	t.Helper()
	name := "test" + strconv.FormatInt(serial.Add(1), 10)
	if err := c.copyDatabase(from, name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.tool("dropdb", "--force", name); err != nil {
			t.Log(err)
		}
	})
	return c.url(name)
}

// copyDatabase copies files: since version 15 the default, which writes each page to
// the log, takes thrice the time.
func (c *cluster) copyDatabase(from, name string) error {
	if c.tool("createdb", "--strategy=file_copy", "--template="+from, name) == nil {
		return nil
	}
	return c.tool("createdb", "--template="+from, name)
}

func (c *cluster) url(name string) string {
	q := url.Values{"host": {c.dir}, "user": {superuser}}
	return "postgres:///" + name + "?" + q.Encode()
}

// tool runs a client program of PostgreSQL against the cluster.
func (c *cluster) tool(name string, args ...string) error {
	cmd := exec.Command(c.bin+"/"+name, append([]string{"-h", c.dir, "-U", superuser}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, args, err, out)
	}
	return nil
}
