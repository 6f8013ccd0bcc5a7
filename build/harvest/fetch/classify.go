package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"

	"code.dny.dev/ssrf"

	"github.com/assay-register/assay/build/harvest/source"
)

// The classes of failures of a request. Those of a body's content are in
// package source.
const (
	// CodeConnection is a server that could not be reached, or hung up.
	CodeConnection source.Code = "connection_failed"
	// CodeDNS is a host name that does not resolve.
	CodeDNS source.Code = "unknown_host"
	// CodeTimeout is an answer that did not begin in time.
	CodeTimeout source.Code = "timeout"
	// CodeSlow is a body that came too slowly.
	CodeSlow source.Code = "slow_response"
	// CodeTLS is a server that does not prove who it is.
	CodeTLS source.Code = "tls_failed"
	// CodePrivate is an address that the register must not reach.
	CodePrivate source.Code = "private_address"
	// CodeOutside is an address beside the only ones that this register reaches.
	CodeOutside source.Code = "out_of_reach"
	// CodeRedirects is a chain of redirects that leads nowhere.
	CodeRedirects source.Code = "redirect_loop"
	// CodeStatus is an answer with a status of failure.
	CodeStatus source.Code = "http_status"
	// CodeThrottled is a host that asks to be left alone for longer than a
	// run waits (RFC 6585, 429).
	CodeThrottled source.Code = "throttled"
	// CodeEncoding is a content coding that was not asked for.
	CodeEncoding source.Code = "unknown_encoding"
	// CodeContentType is a web page where data was promised.
	CodeContentType source.Code = "wrong_content_type"
	// CodeNotModified is a page that has not changed since it was last read;
	// it is no failure.
	CodeNotModified source.Code = "not_modified"
)

var (
	errRedirects  = errors.New("redirects")
	errHeaderTime = errors.New("the answer did not begin in time")
	errStall      = errors.New("the body paused too long")
	errSlow       = errors.New("the body came too slowly")
)

// retryable tells whether another attempt may succeed where this one failed.
func retryable(e *source.FetchError) bool {
	switch e.Code {
	case CodeConnection, CodeTimeout, CodeThrottled, source.CodeTruncated, source.CodeTruncatedGzip:
		return true
	case CodeStatus:
		return e.Status == http.StatusRequestTimeout || e.Status >= 500 && e.Status != http.StatusNotImplemented &&
			e.Status != http.StatusHTTPVersionNotSupported
	}
	return false
}

// classify names the failure of a request that got no answer. The cause is
// free of the address, which the error names itself.
func classify(ctx context.Context, err error) (source.Code, error) {
	cause := err
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		cause = wrapped.Err
	}
	var dns *net.DNSError
	var timeout net.Error
	var outside interface{ Refused() bool }
	switch {
	case errors.Is(context.Cause(ctx), errHeaderTime):
		return CodeTimeout, errHeaderTime
	case errors.Is(err, errRedirects):
		return CodeRedirects, cause
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork):
		return CodePrivate, errors.New("the address is not a public one; --allow-private lets a harvest reach it")
	case errors.As(err, &outside) && outside.Refused():
		return CodeOutside, cause
	case isTLS(err):
		return CodeTLS, cause
	case errors.As(err, &dns) && dns.IsNotFound:
		return CodeDNS, errors.New("the host name does not resolve")
	case errors.As(err, &timeout) && timeout.Timeout():
		return CodeTimeout, cause
	}
	return CodeConnection, cause
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

// broken names the failure of a body.
func broken(ctx context.Context, err error, zipped bool) (source.Code, error) {
	var timeout net.Error
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errStall), errors.Is(cause, errSlow):
		return CodeSlow, cause
	case errors.Is(err, io.ErrUnexpectedEOF) && zipped:
		return source.CodeTruncatedGzip, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return source.CodeTruncated, err
	case zipped && isGzip(err):
		return source.CodeCorruptGzip, err
	case errors.As(err, &timeout) && timeout.Timeout():
		return CodeTimeout, err
	}
	return CodeConnection, err
}

// wrongType finds a web page where none was asked for. Other types than those
// asked for pass: many portals name none, or a wrong one, for good data.
func wrongType(r source.Request, resp *http.Response, head []byte) error {
	if r.Accept == "" || strings.Contains(r.Accept, "html") || !isPage(head) {
		return nil
	}
	got, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		got = "a type that is not named"
	}
	return &source.FetchError{URL: Public(r.URL), Code: CodeContentType, Status: resp.StatusCode,
		Err: fmt.Errorf("a web page came (%s) where %s was asked for", got, r.Accept)}
}

// isPage tells whether a body begins like a web page.
func isPage(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	for bytes.HasPrefix(head, []byte("<!--")) {
		_, rest, found := bytes.Cut(head, []byte("-->"))
		if !found {
			return false
		}
		head = bytes.TrimLeft(rest, " \t\r\n")
	}
	begin := bytes.ToLower(head[:min(len(head), 15)])
	return bytes.HasPrefix(begin, []byte("<!doctype html")) || bytes.HasPrefix(begin, []byte("<html"))
}

// Public is an address without what must not be shown: user, password, query
// and fragment.
func Public(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "an address that cannot be read"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}
