package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// special are the ranges that lead to no public host (RFC 6890 and its
// registries, and what clouds put into public ranges).
var special = []string{
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
	"192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32",
	"::/128", "::1/128", "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/32", "2001:2::/48", "2001:10::/28", "2001:20::/28",
	"2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fd00:ec2::254/128", "fe80::/10", "fec0::/10", "ff00::/8",
}

// ends are the first and the last address of a range, and one between.
func ends(p netip.Prefix) []netip.Addr {
	first, last := p.Masked().Addr().As16(), p.Masked().Addr().As16()
	bits := p.Bits()
	if p.Addr().Is4() {
		bits += 96
	}
	for i := bits; i < 128; i++ {
		last[i/8] |= 1 << (7 - i%8)
	}
	middle := last
	middle[15] &^= 1
	out := []netip.Addr{netip.AddrFrom16(first), netip.AddrFrom16(middle), netip.AddrFrom16(last)}
	for i := range out {
		if p.Addr().Is4() {
			out[i] = out[i].Unmap()
		}
	}
	return out
}

func refusedBy(err error) bool {
	var r interface{ Refused() bool }
	return errors.As(err, &r) && r.Refused()
}

func TestEverySpecialRangeIsRefused(t *testing.T) {
	client := Client(Options{Version: "test"})
	client.Timeout = 2 * time.Second
	for _, s := range special {
		for _, at := range ends(netip.MustParsePrefix(s)) {
			for _, port := range []string{"80", "443", "8443"} {
				_, err := client.Get("http://" + net.JoinHostPort(at.String(), port) + "/")
				if !refusedBy(err) {
					t.Errorf("%s of %s: %v", at, s, err)
				}
			}
		}
	}
}

// TestAddressesWithinAddresses: an IPv4 address inside an IPv6 one leads
// nowhere that it would not lead alone.
func TestAddressesWithinAddresses(t *testing.T) {
	client := Client(Options{Version: "test"})
	client.Timeout = 2 * time.Second
	for _, host := range []string{
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:169.254.169.254]", "[::ffff:10.0.0.1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]",
		"[64:ff9b:1::10.0.0.1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2002:c0a8:1::1]", "[2001:0:7f00:1::]", "[fe80::1%25lo]", "[::1%25lo]", "[0:0:0:0:0:0:0:1]",
	} {
		if _, err := client.Get("http://" + host + ":8080/"); !refusedBy(err) {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// TestSpellingsOfLoopback: no spelling of an address reaches this machine.
func TestSpellingsOfLoopback(t *testing.T) {
	inside, reached := loopbackServer(t)
	_, port, _ := net.SplitHostPort(inside)
	lookups(t, func(string) string { return "127.0.0.1" })
	client := Client(Options{Version: "test"})
	client.Timeout = 2 * time.Second
	for _, host := range []string{
		"127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "2130706433", "017700000001", "0177.0.0.1", "0177.0.0.01", "0x7f.0.0.1", "0x7f000001", "0x7f.1", "127.0.0.1%00.example.org",
		"localhost", "LOCALHOST", "localhost.", "ip6-localhost", "sub.localhost", "①②⑦.⓪.⓪.①", "１２７.0.0.1", "127。0。0。1", "0", "0.0.0.0", "[::]", "[::1]", "[::ffff:127.0.0.1]", "any.name.example",
	} {
		resp, err := client.Get("http://" + host + ":" + port + "/")
		if err == nil {
			resp.Body.Close()
			t.Errorf("%s was reached", host)
		}
	}
	for _, address := range []string{
		"file:///etc/passwd", "gopher://127.0.0.1:" + port + "/", "ftp://127.0.0.1:" + port + "/", "dict://127.0.0.1:" + port + "/", "ldap://127.0.0.1/", "unix:///run/x.sock", "jar:http://127.0.0.1/!/", "//127.0.0.1/",
	} {
		if _, err := client.Get(address); err == nil {
			t.Errorf("%s was reached", address)
		}
	}
	if reached.Load() > 0 {
		t.Errorf("%d requests came in", reached.Load())
	}
}

// TestRebinding: a name that was public when somebody looked leads inside when
// the connection is made. What counts is the address that is connected to.
func TestRebinding(t *testing.T) {
	inside, reached := loopbackServer(t)
	_, port, _ := net.SplitHostPort(inside)
	asked := 0
	lookups(t, func(string) string {
		if asked++; asked <= 1 {
			return "93.184.215.14"
		}
		return "127.0.0.1"
	})
	found, err := net.DefaultResolver.LookupNetIP(t.Context(), "ip4", "rebinding.example")
	if err != nil || len(found) != 1 || found[0].String() != "93.184.215.14" {
		t.Fatalf("the first look found %v, %v", found, err)
	}
	client := Client(Options{Version: "test"})
	client.Timeout = 5 * time.Second
	_, err = client.Get("http://rebinding.example:" + port + "/")
	if !refusedBy(err) || reached.Load() > 0 {
		t.Errorf("%v, %d requests came in", err, reached.Load())
	}
}

func TestRedirectsToOtherSchemesEnd(t *testing.T) {
	target := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", target)
		w.WriteHeader(http.StatusFound)
	}))
	defer server.Close()
	client := Client(Options{AllowPrivate: true, Version: "test"})
	for _, target = range []string{"file:///etc/passwd", "gopher://127.0.0.1/", "http://user:pass@" + strings.TrimPrefix(server.URL, "http://"), "ftp://127.0.0.1/", "javascript:1"} {
		if resp, err := client.Get(server.URL); err == nil {
			resp.Body.Close()
			t.Errorf("%s was followed", target)
		}
	}
}

func loopbackServer(t *testing.T) (address string, reached *atomic.Int64) {
	t.Helper()
	reached = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), reached
}

// lookups answers every lookup of this process by a name server of the test,
// with one IPv4 address for each question.
func lookups(t *testing.T, address func(name string) string) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		answerLookups(conn, address)
	}()
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
	t.Cleanup(func() {
		net.DefaultResolver = before
		conn.Close()
		<-done
	})
}

func answerLookups(conn net.PacketConn, address func(name string) string) {
	buf := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buf[:n]) != nil || len(m.Questions) != 1 {
			continue
		}
		q := m.Questions[0]
		m.Response, m.Authoritative, m.Additionals = true, true, nil
		if q.Type == dnsmessage.TypeA {
			m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
				Body: &dnsmessage.AResource{A: netip.MustParseAddr(address(q.Name.String())).As4()}}}
		}
		if packed, err := m.Pack(); err == nil {
			conn.WriteTo(packed, from)
		}
	}
}

// TestPublicAddressesAreNotRefused on any port, or the tests above would prove
// nothing.
func TestPublicAddressesAreNotRefused(t *testing.T) {
	guard := newGuard()
	for _, s := range []string{"1.1.1.1", "93.184.215.14", "172.15.255.255", "172.32.0.0", "100.128.0.0", "168.63.129.17", "2606:4700::1111", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888"} {
		for _, port := range []uint16{1, 22, 25, 80, 443, 3000, 8080, 8443, 9000, 65535} {
			if err := guard.SafeAddrPort(netip.AddrPortFrom(netip.MustParseAddr(s), port)); err != nil {
				t.Errorf("%s, port %d: %v", s, port, err)
			}
		}
	}
}
