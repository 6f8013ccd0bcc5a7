package mcp

import (
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// loopback are the names under which a machine calls itself.
var loopback = []string{"localhost", "127.0.0.1", "::1"}

// hosts are the names under which the endpoint may be reached from a browser.
func (c *Config) hosts() []string {
	list := slices.Clone(loopback)
	if u, err := url.Parse(c.Site.BaseURL); err == nil && u.Hostname() != "" {
		list = append(list, u.Hostname())
	}
	return list
}

// checkOrigin refuses what a page of another site could make a browser send
// through a name that it lets point at this machine (DNS rebinding; MCP
// "Transports", security warning): a foreign Origin, and over the loopback
// interface a foreign Host.
func checkOrigin(r *http.Request, allowed []string) error {
	host := hostOf(r.Host)
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !slices.Contains(allowed, u.Hostname()) && (u.Hostname() != host || isLoopback(r)) {
			return forbidden("Origin")
		}
	}
	if isLoopback(r) && !slices.Contains(allowed, host) {
		return forbidden("Host")
	}
	return nil
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
		Detail: "The " + header + " header names another site. Send the address of this register."}}
}
