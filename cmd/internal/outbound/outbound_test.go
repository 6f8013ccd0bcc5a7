package outbound

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"code.dny.dev/ssrf"
)

func TestClientRefusesPrivateAddresses(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer inside.Close()
	port := inside.URL[strings.LastIndexByte(inside.URL, ':'):]
	client := Client(Options{Version: "test", Contact: "https://assay.example/"})
	for _, url := range []string{
		inside.URL, "http://localhost" + port, "http://[::1]" + port, "http://[::ffff:127.0.0.1]" + port, "http://0.0.0.0" + port,
		"http://10.0.0.1/", "http://169.254.169.254/latest/", "http://168.63.129.16/", "http://[fd00:ec2::254]/", "http://192.168.0.1/",
	} {
		if resp, err := client.Get(url); err == nil {
			resp.Body.Close()
			t.Errorf("%s was reached", url)
		}
	}
}

// TestNoPortOpensAnAddress: what is refused is the address, on whatever port.
func TestNoPortOpensAnAddress(t *testing.T) {
	t.Parallel()
	client := Client(Options{MaxIdle: 4, Version: "test", Contact: "https://assay.example/"})
	for _, url := range []string{"http://127.0.0.1:8443/", "http://10.0.0.1:8080/", "http://[::1]:81/"} {
		if _, err := client.Get(url); !errors.Is(err, ssrf.ErrProhibitedIP) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestClientMayReachPrivateAddresses(t *testing.T) {
	var agent string
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent = r.UserAgent()
		if r.URL.Path == "/loop" {
			http.Redirect(w, r, "/loop", http.StatusFound)
		}
	}))
	defer inside.Close()
	client := Client(Options{AllowPrivate: true, Version: "test", Contact: "https://assay.example/"})
	resp, err := client.Get(inside.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if agent != "Assay/test (+https://assay.example/)" {
		t.Errorf("user agent %q", agent)
	}
	if resp, err := client.Get(inside.URL + "/loop"); err == nil {
		resp.Body.Close()
		t.Error("a redirect loop was followed to its end")
	}
}
