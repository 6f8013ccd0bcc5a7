package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

type clientKey struct{}

// WithClient remembers from where a request came.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientOf names the client of a request by its address, an IPv6 one by the
// /64 that its holder may choose addresses from; "" inside the process.
func ClientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

// ipv6Holder is the prefix that one holder of IPv6 addresses usually has.
const ipv6Holder = 64

// client finds out the address of the client: the last one in X-Forwarded-For
// that no trusted proxy has, if the connection comes from a trusted proxy.
func (f *Front) client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	at, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if f.Trusts(at) {
		at = f.behind(at, r.Header.Values("X-Forwarded-For"))
	}
	return Holder(at)
}

// behind goes back the way that a request took over trusted proxies. What
// stands before the first stranger may be invented by it.
func (f *Front) behind(proxy netip.Addr, header []string) netip.Addr {
	hops := strings.Split(strings.Join(header, ","), ",")
	for _, hop := range slices.Backward(hops) {
		at, err := netip.ParseAddr(strings.Trim(strings.TrimSpace(hop), "[]"))
		if err != nil {
			return proxy
		}
		if !f.Trusts(at) {
			return at
		}
		proxy = at
	}
	return proxy
}

// Trusts tells whether an address is that of a trusted proxy.
func (f *Front) Trusts(at netip.Addr) bool {
	at = at.Unmap().WithZone("")
	return slices.ContainsFunc(f.Trusted, func(p netip.Prefix) bool { return p.Contains(at) })
}

// Holder names whoever has an address: the address, or the /64 of an IPv6 one.
func Holder(at netip.Addr) string {
	at = at.Unmap().WithZone("")
	if at.Is6() {
		p, err := at.Prefix(ipv6Holder)
		if err == nil {
			return p.String()
		}
	}
	return at.String()
}
