// Package pgtest gives tests a private PostgreSQL: one cluster per test
// binary, on a socket in a temporary folder, one database per test.
package pgtest

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
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
	once.Do(func() { shared, failure = start() })
	if failure != nil {
		t.Fatalf("no PostgreSQL for the test: %v\nremedy: `make test` installs it; by hand: apt-get install postgresql", failure)
	}
	name := "test" + strconv.FormatInt(serial.Add(1), 10)
	if err := shared.tool("createdb", name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shared.tool("dropdb", "--force", name); err != nil {
			t.Log(err)
		}
	})
	q := url.Values{"host": {shared.dir}, "user": {superuser}}
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
