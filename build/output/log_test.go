package output

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestLogOfASlowServer: one that sends a byte now and then does not hold a reader for ever.
func TestLogOfASlowServer(t *testing.T) {
	before := logFileTime
	logFileTime = 200 * time.Millisecond
	defer func() { logFileTime = before }()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	}))
	defer site.Close()
	_, err := Log(t.Context(), Remote{Base: site.URL, Client: site.Client()})("checkpoint")
	if err == nil || !strings.Contains(err.Error(), "checkpoint was not there after 200ms") {
		t.Errorf("a slow server: %v", err)
	}
}
