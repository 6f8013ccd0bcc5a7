package web

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/snapshot"
)

// TestTheLogNamesNobody looks in the log for what clients looked for and from
// where they came, also where the error of a failed answer repeats it.
func TestTheLogNamesNobody(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	front := &Front{Log: slog.New(slog.NewTextHandler(&log, nil)), Now: time.Now, Timeout: time.Second, Site: func() (snapshot.Site, string) { return snapshot.Site{}, "" }}
	for _, at := range []string{"192.0.2.7:4711", "[2001:db8::7]:4711"} {
		for _, err := range []error{nil, errors.New("write tcp 10.0.0.1:80->" + at + ": broken pipe")} {
			r := httptest.NewRequest(http.MethodGet, "/api/v1/entries/search?q=illness", nil)
			r.RemoteAddr = at
			front.Wrap(front.Adapt(func(w http.ResponseWriter, _ *http.Request) error {
				if err == nil {
					w.WriteHeader(http.StatusNoContent)
				}
				return err
			})).ServeHTTP(httptest.NewRecorder(), r)
		}
		slog.NewLogLogger(ServerLog(front.Log).Handler(), slog.LevelWarn).Printf("http: TLS handshake error from %s: EOF", at)
	}
	if got := log.String(); strings.Count(got, "\n") != 6 || strings.Contains(got, "illness") || strings.Contains(got, "192.0.2") || strings.Contains(got, "2001:db8") {
		t.Errorf("the log says\n%s", got)
	}
}
