package submission_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"code.dny.dev/ssrf"

	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/render/catalog"
)

// TestReasonsAreNoOracle: who proposes names of the register's own network
// learns nothing of which exist. All that a submitter can see of a private
// address, a private name and an unknown one is the same.
func TestReasonsAreNoOracle(t *testing.T) {
	w := newWorld(t, site{})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "unknown.") {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: address, IsNotFound: true}}
		}
		return nil, &net.OpError{Op: "dial", Err: ssrf.ErrProhibitedIP}
	}}}
	w.checker.Fetcher = fetch.New(fetch.Options{Client: client, Gap: time.Microsecond, Attempts: 1, Backoff: time.Millisecond})
	var first []catalog.SubmissionStep
	for _, address := range []string{"http://unknown.example/", "http://vault.internal.example/", "http://10.0.0.1/", "http://[fd00::1]/admin"} {
		s, e := w.run(t, w.propose(t, catalog.Submission{URL: address}))
		if s.State != catalog.SubmissionRejected || s.Reason() == "" || e != nil {
			t.Errorf("%s: %s %q", address, s.State, s.Reason())
		}
		if first == nil {
			first = s.Steps
		}
		if len(s.Steps) != len(first) || s.Reason() != first[len(first)-1].Reason {
			t.Errorf("%s: %+v, an unknown name %+v", address, s.Steps, first)
		}
	}
}
