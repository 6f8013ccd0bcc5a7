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

// TestOnlyTheseAddresses: of a client that may reach one address no other is asked,
// by no name, and no redirect leads there.
func TestOnlyTheseAddresses(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	one := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, other.URL, http.StatusFound)
		}
	}))
	defer one.Close()
	client := Client(Options{AllowPrivate: true, Only: []string{one.Listener.Addr().String()}})
	resp, err := client.Get(one.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	port := one.URL[strings.LastIndexByte(one.URL, ':'):]
	for _, url := range []string{one.URL + "/away", other.URL, "http://localhost" + port, "http://register.example/", "http://192.0.2.1" + port} {
		_, err := client.Get(url)
		var no *refused
		if !errors.As(err, &no) || !strings.Contains(err.Error(), one.Listener.Addr().String()) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if asked > 0 {
		t.Errorf("the other address was asked %d times", asked)
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
