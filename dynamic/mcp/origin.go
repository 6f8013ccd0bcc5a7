package mcp

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// loopback are the names under which a machine calls itself.
var loopback = []string{"localhost", "127.0.0.1", "::1"}

// known are the addresses of pages that a browser may send from, as origins (RFC 6454,
// section 6.2): that of the register, and those that the operator named.
type known struct {
	origins, hosts []string
}

func (c *Config) known() known {
	k := known{hosts: slices.Clone(loopback)}
	for _, address := range append([]string{c.Site.BaseURL}, c.Origins...) {
		if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
			k.origins = append(k.origins, originOf(u))
			k.hosts = append(k.hosts, strings.ToLower(u.Hostname()))
		}
	}
	return k
}

// check refuses what a page of another site could make a browser send
// through a name that it lets point at this machine (DNS rebinding; MCP
// "Transports", security warning): a foreign Origin, and over the loopback
// interface a foreign Host. Another port of this machine is another site.
func (k known) check(r *http.Request) error {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !slices.Contains(k.origins, originOf(u)) && !sameSite(r, u) {
			return forbidden("Origin")
		}
	}
	if isLoopback(r) && !slices.Contains(k.hosts, strings.ToLower(hostOf(r.Host))) {
		return forbidden("Host")
	}
	return nil
}

// originOf is the origin of an address, without the port that its scheme has anyway.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := portOf(u); port != defaultPorts[u.Scheme] {
		host += ":" + port
	}
	return u.Scheme + "://" + host
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

func portOf(u *url.URL) string { return cmp.Or(u.Port(), defaultPorts[u.Scheme]) }

// sameSite tells whether a page lies where its request went to, at an address that nobody else can
// let a name point at: a number, or a name of this machine, which has several.
func sameSite(r *http.Request, origin *url.URL) bool {
	to := &url.URL{Scheme: origin.Scheme, Host: r.Host}
	if defaultPorts[origin.Scheme] == "" || portOf(to) != portOf(origin) {
		return false
	}
	if slices.Contains(loopback, to.Hostname()) {
		return slices.Contains(loopback, origin.Hostname())
	}
	return net.ParseIP(to.Hostname()) != nil && to.Hostname() == origin.Hostname()
}

func hostOf(hostport string) string {
	u := url.URL{Host: hostport}
	return u.Hostname()
}

// isLoopback tells whether a request came in over the loopback interface.
func isLoopback(r *http.Request) bool {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	host, _, err := net.SplitHostPort(addr.String())
	return err == nil && net.ParseIP(host).IsLoopback()
}

func forbidden(header string) error {
	return &web.Error{Problem: wire.Problem{Status: http.StatusForbidden,
		Detail: "The " + header + " header names another site. Send the address of this register, or let its operator name the site in mcp_origins."}}
}
