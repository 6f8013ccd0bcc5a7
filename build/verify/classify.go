package verify

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"

	"github.com/assay-register/assay/render/catalog"
)

// classify names the failure of a request that got no answer. The text is free
// of the address, which stands beside it.
func classify(ctx context.Context, err error, limit string) (catalog.ErrorClass, string) {
	cause := err
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		cause = wrapped.Err
	}
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork):
		return catalog.ErrorConnect, "the address is not a public one; --allow-private lets a probe reach it"
	case isTLS(err):
		return catalog.ErrorTLS, short(cause.Error())
	case errors.As(err, &dns):
		if dns.IsNotFound {
			return catalog.ErrorDNS, "the host name does not resolve"
		}
		return catalog.ErrorDNS, "the host name could not be resolved"
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return catalog.ErrorTimeout, "no answer within " + limit
	case strings.Contains(cause.Error(), "malformed HTTP"), strings.Contains(cause.Error(), "redirect"):
		return catalog.ErrorHTTP, short(cause.Error())
	}
	return catalog.ErrorConnect, short(cause.Error())
}

// silent tells whether nothing at all came back: a connection that is refused, and an address that a probe may not
// reach, say that the network works.
func silent(err error, class catalog.ErrorClass) bool {
	switch class {
	case catalog.ErrorDNS, catalog.ErrorTimeout:
		return true
	case catalog.ErrorConnect:
		return !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, ssrf.ErrProhibitedIP) && !errors.Is(err, ssrf.ErrProhibitedNetwork)
	}
	return false
}

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var alert tls.AlertError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verify) || errors.As(err, &header) || errors.As(err, &alert) || errors.As(err, &authority) ||
		errors.As(err, &host) || errors.As(err, &invalid) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// shortBytes is how much of a foreign error text is kept.
const shortBytes = 300

// short makes a foreign text fit for a check: valid, bounded, one line.
func short(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?")), " ")
	if len(s) > shortBytes {
		s = strings.ToValidUTF8(s[:shortBytes], "") + "…"
	}
	return s
}
