// Package outbound builds the one HTTP client with which the register reaches
// strangers' servers: no private networks, bounded time and headers, a named
// user agent.
package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// Bounds of a request.
const (
	dialTime      = 10 * time.Second
	headerTime    = 30 * time.Second
	maxHeader     = 256 << 10
	maxRedirects  = 5
	idlePerHost   = 2
	userAgentName = "Assay/"
)

// azureWire is a metadata address of a cloud that lies in a public range
// (WireServer of Azure).
var azureWire = netip.MustParsePrefix("168.63.129.16/32")

// Options say what the client may do.
type Options struct {
	// AllowPrivate lets it reach loopback and private addresses (decisions §1).
	AllowPrivate bool
	// Only, if not empty, are the addresses, host:port, that it reaches, and none
	// beside them; no name is looked up. AllowPrivate is theirs then.
	Only []string
	// MaxIdle bounds the connections that are kept for a further request, 0
	// does not: who asks thousands of hosts once needs few of them.
	MaxIdle int
	// Version and Contact make up the user agent.
	Version string
	Contact string
}

// Client returns a guarded client. Every address is checked when the
// connection is made, so neither a redirect nor a changed DNS answer leads
// inside. Ports are not: portals and sources listen on many, and what lies
// inside is told by its address. No proxy is used, as only the proxy's address
// would be checked.
func Client(o Options) *http.Client {
	dialer := &net.Dialer{Timeout: dialTime, KeepAlive: 30 * time.Second}
	dial := dialer.DialContext
	switch {
	case len(o.Only) > 0:
		dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if !slices.Contains(o.Only, address) {
				return nil, &refused{fmt.Errorf("this register reaches nothing but %s", strings.Join(o.Only, ", "))}
			}
			return dialer.DialContext(ctx, network, address)
		}
	case !o.AllowPrivate:
		guard := newGuard()
		dialer.Control = func(network, address string, c syscall.RawConn) error {
			if err := guard.Safe(network, address, c); err != nil {
				return &refused{err}
			}
			return nil
		}
	}
	transport := &http.Transport{
		DialContext: dial, TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: headerTime,
		MaxResponseHeaderBytes: maxHeader, MaxIdleConnsPerHost: idlePerHost, IdleConnTimeout: 30 * time.Second,
		ForceAttemptHTTP2: true, MaxIdleConns: o.MaxIdle,
	}
	return &http.Client{Transport: &named{transport, userAgentName + o.Version + " (+" + o.Contact + ")"}, CheckRedirect: follow}
}

// refused is the error of an address to which no connection may be made.
type refused struct{ error }

// Refused tells apart what may not be asked from what does not answer.
func (*refused) Refused() bool { return true }

// Unwrap gives the reason.
func (r *refused) Unwrap() error { return r.error }

// newGuard refuses addresses that lead to no public host, on any port.
func newGuard() *ssrf.Guardian {
	return ssrf.New(ssrf.WithDeniedV4Prefixes(azureWire), ssrf.WithAnyPort())
}

// named sets the user agent.
type named struct {
	next  http.RoundTripper
	agent string
}

// RoundTrip implements http.RoundTripper.
func (n *named) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", n.agent)
	return n.next.RoundTrip(r)
}

func follow(r *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if s := r.URL.Scheme; s != "http" && s != "https" || r.URL.User != nil {
		return errors.New("redirect to another scheme or with credentials")
	}
	return nil
}
