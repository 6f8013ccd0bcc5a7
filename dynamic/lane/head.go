package lane

import (
	"bytes"
	"strings"
)

// headMax is the largest head of a request that the lane answers, in bytes;
// larger ones are the server's.
const headMax = 4 << 10

// Request is what the head of a plain request says.
type Request struct {
	// Head tells that the answer is to have no content.
	Head bool
	// Path is the path as it was sent, without escapes or a query.
	Path string
	// Accept, AcceptEncoding and ID are the values of the fields Accept,
	// Accept-Encoding and X-Request-Id, "" for none.
	Accept, AcceptEncoding, ID string
	// Conditional tells that there is a field whose name begins with If-.
	Conditional bool
}

// fields are those that a plain request may have, in lower case; each at most
// once. They say nothing about the framing of the request or of its answer.
var fields = makeFields("host", "user-agent", "accept", "accept-encoding", "accept-language", "connection", "cache-control", "pragma",
	"if-none-match", "if-modified-since", "referer", "origin", "from", "via", "forwarded", "x-forwarded-for", "x-forwarded-host",
	"x-forwarded-proto", "x-real-ip", "x-request-id", "traceparent", "tracestate", "dnt", "priority", "save-data", "sec-gpc",
	"sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "sec-fetch-user", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform",
	"upgrade-insecure-requests")

func makeFields(names ...string) map[string]uint64 {
	m := map[string]uint64{}
	for i, name := range names {
		m[name] = 1 << i
	}
	return m
}

// nameMax is longer than any name of fields.
const nameMax = 32

const protocol = " HTTP/1.1"

// parse reads a head that is one plain request and nothing else: GET or HEAD of
// a path, in HTTP/1.1, with fields that the lane knows. It reports false for all
// else, among it everything that two readers of HTTP could understand differently
// (RFC 9112, section 11.2).
func parse(raw []byte) (r Request, ok bool) {
	text, ok := bytes.CutSuffix(raw, []byte("\r\n\r\n"))
	if !ok {
		return r, false
	}
	line, rest, more := bytes.Cut(text, []byte("\r\n"))
	if !more || !r.start(line) {
		return r, false
	}
	var seen uint64
	for more {
		line, rest, more = bytes.Cut(rest, []byte("\r\n"))
		if !r.field(line, &seen) {
			return r, false
		}
	}
	return r, seen&fields["host"] != 0
}

// start reads the request line.
func (r *Request) start(line []byte) bool {
	target, get := bytes.CutPrefix(line, []byte("GET "))
	if !get {
		if target, r.Head = bytes.CutPrefix(line, []byte("HEAD ")); !r.Head {
			return false
		}
	}
	path, ok := bytes.CutSuffix(target, []byte(protocol))
	if !ok || len(path) == 0 || path[0] != '/' || !consists(path, &pathBytes) {
		return false
	}
	r.Path = string(path)
	return true
}

// field reads one field; seen are those before it.
func (r *Request) field(line []byte, seen *uint64) bool {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || colon > nameMax || !consists(line[colon+1:], &valueBytes) {
		return false
	}
	var lower [nameMax]byte
	for i, c := range line[:colon] {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	bit := fields[string(lower[:colon])]
	if bit == 0 || *seen&bit != 0 {
		return false
	}
	*seen |= bit
	return r.take(string(lower[:colon]), bytes.Trim(line[colon+1:], " "))
}

// take notes the value of a field and refuses those that are not plain.
func (r *Request) take(name string, value []byte) bool {
	switch name {
	case "host":
		return len(value) > 0 && consists(value, &hostBytes)
	case "connection":
		return strings.EqualFold(string(value), "keep-alive")
	case "accept":
		r.Accept = string(value)
	case "accept-encoding":
		r.AcceptEncoding = string(value)
	case "x-request-id":
		r.ID = string(value)
	case "if-none-match", "if-modified-since":
		r.Conditional = true
	}
	return true
}

// set is a set of bytes.
type set [256]bool

func consists(text []byte, of *set) bool {
	for _, c := range text {
		if !of[c] {
			return false
		}
	}
	return true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

var (
	// pathBytes need no escape anywhere (RFC 3986, section 2.3).
	pathBytes = makeSet(letters + "/-._~")
	// hostBytes are those of names, addresses and ports.
	hostBytes = makeSet(letters + "-._:[]")
	// valueBytes are the visible ones of ASCII and the space.
	valueBytes = visible()
)

func makeSet(members string) (s set) {
	for _, c := range []byte(members) {
		s[c] = true
	}
	return s
}

func visible() (s set) {
	for c := ' '; c <= '~'; c++ {
		s[c] = true
	}
	return s
}
