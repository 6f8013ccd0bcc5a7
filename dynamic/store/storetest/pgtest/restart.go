//go:build unix

package pgtest

import (
	"fmt"
	"testing"
)

// NewRestarting starts a PostgreSQL for one test and returns the URL of its
// database and what restarts the server: "INT" turns its clients out, as an
// upgrade does, "QUIT" lets it fall and recover. What it acknowledges it keeps.
func NewRestarting(t testing.TB) (url string, restart func(signal string)) {
	t.Helper()
	c, err := start()
	if err != nil {
		t.Fatalf("no PostgreSQL for the test: %v\nremedy: `make test` installs it; by hand: apt-get install postgresql", err)
	}
	t.Cleanup(c.stop)
	restart = func(signal string) {
		if _, err := fmt.Fprintln(c.leash, signal); err != nil {
			t.Error(err)
		}
		if err := c.wait(); err != nil {
			t.Error(err)
		}
	}
	return fmt.Sprintf("postgres:///postgres?host=%s&user=%s&synchronous_commit=on", c.dir, superuser), restart
}
