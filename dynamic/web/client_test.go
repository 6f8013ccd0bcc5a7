package web

import (
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestClientIsTheLastStranger(t *testing.T) {
	f := &Front{Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:1::/48")}}
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:99", "", "192.0.2.1"},
		{"192.0.2.1:99", "198.51.100.7", "192.0.2.1"}, // a stranger may say anything
		{"10.0.0.1:99", "198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:99", "203.0.113.9, 198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:99", "198.51.100.7, 10.2.3.4", "198.51.100.7"},
		{"10.0.0.1:99", "198.51.100.7,, 10.2.3.4", "10.2.3.4"},
		{"10.0.0.1:99", "10.9.9.9, 10.2.3.4", "10.9.9.9"},
		{"10.0.0.1:99", "unknown", "10.0.0.1"},
		{"10.0.0.1:99", "", "10.0.0.1"},
		{"[::ffff:10.0.0.1]:99", "::ffff:198.51.100.7", "198.51.100.7"},
		{"[2001:db8:1::1]:99", "[2001:db8:2:3:4:5:6:7]", "2001:db8:2:3::/64"},
		{"[2001:db8:2:3::1]:99", "", "2001:db8:2:3::/64"},
		{"[fe80::1%eth0]:99", "", "fe80::/64"},
		{"", "", ""}, {"@", "", "@"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := f.client(r); got != c.want {
			t.Errorf("%s forwarded for %q: %q, want %q", c.remote, c.forwarded, got, c.want)
		}
	}
	nobody := &Front{}
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "10.0.0.1:99"
	r.Header.Set("X-Forwarded-For", "198.51.100.7")
	if got := nobody.client(r); got != "10.0.0.1" {
		t.Errorf("without trusted proxies: %q", got)
	}
}
