package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/health" {
			t.Errorf("it asks for %s", r.URL.Path)
		}
		w.WriteHeader(status)
		w.Write([]byte(`{"status":"up"}`))
	}))
	addr := strings.TrimPrefix(s.URL, "http://")
	if out := must(t, "health", "--addr", addr); !strings.Contains(out, "up") {
		t.Errorf("it says %q", out)
	}
	status = http.StatusServiceUnavailable
	if code, _, said := assay(t, "health", "--addr", addr); code != 1 || !strings.Contains(said, "503") {
		t.Errorf("a service without a snapshot: exit code %d, %s", code, said)
	}
	s.Close()
	if code, _, _ := assay(t, "health", "--addr", addr); code != 1 {
		t.Error("a service that is away is well")
	}
	for addr, want := range map[string]string{":8080": "127.0.0.1:8080", "0.0.0.0:1": "127.0.0.1:1", "[::]:1": "127.0.0.1:1", "host:1": "host:1"} {
		if got := loopback(addr); got != want {
			t.Errorf("%s is asked at %s", addr, got)
		}
	}
}
