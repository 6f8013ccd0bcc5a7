package web

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/render/wire"
)

// Bounds of a request, in bytes.
const (
	pathMax   = 2 << 10
	headerMax = 16 << 10
)

// check refuses requests that no handler needs to see.
func (f *Front) check(r *http.Request) error {
	if len(r.URL.RawQuery) > QueryMax || len(r.URL.Path) > pathMax {
		return &Error{Problem: wire.Problem{Status: http.StatusRequestURITooLong, Detail: "A path has at most 2 KiB, a query string 8 KiB."}}
	}
	size := 0
	for name, values := range r.Header {
		for _, v := range values {
			size += len(name) + len(v) + 4
		}
	}
	if size > headerMax {
		return &Error{Problem: wire.Problem{Status: http.StatusRequestHeaderFieldsTooLarge, Detail: "All request headers together have at most 16 KiB."}}
	}
	if r.ContentLength > f.BodyMax {
		return &Error{Problem: wire.Problem{Status: http.StatusRequestEntityTooLarge, Detail: "A request body has at most 64 KiB."}}
	}
	if r.ContentLength != 0 {
		if err := checkCoding(r.Header); err != nil {
			return err
		}
	}
	return checkPath(r.URL)
}

// checkCoding refuses bodies in a content coding, and says which would be taken
// (RFC 9110, section 15.5.16; RFC 7694).
func checkCoding(h http.Header) error {
	for _, field := range h.Values("Content-Encoding") {
		for coding := range strings.SplitSeq(field, ",") {
			if coding = strings.ToLower(strings.TrimSpace(coding)); coding != "" && coding != Identity.String() {
				return &Error{Problem: wire.Problem{Status: http.StatusUnsupportedMediaType, Detail: "Send the body as it is, without a content coding such as gzip."},
					Header: http.Header{"Accept-Encoding": {Identity.String()}}}
			}
		}
	}
	return nil
}

// checkPath lets only plain paths pass: no empty, "." or ".." segment, no
// coded slash, nothing that a file system could read differently.
func checkPath(u *url.URL) error {
	if !utf8.ValidString(u.Path) {
		return Malformed("The path is not UTF-8.")
	}
	for _, c := range []byte(u.Path) {
		if c < ' ' || c == 0x7f {
			return Malformed("The path holds a control character.")
		}
	}
	path, raw := u.Path, u.RawPath
	for _, prefix := range codedPrefixes {
		if isCoded(u, prefix) {
			path, _, _ = strings.Cut(path, prefix)
			path, raw = path+prefix+"name", ""
		}
	}
	if strings.ContainsRune(path, '\\') || strings.Contains(strings.ToLower(raw), "%2f") {
		return NotFound("No resource has this path.")
	}
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return NotFound("No resource has this path.")
	}
	for rest != "" {
		var segment string
		segment, rest, _ = strings.Cut(rest, "/")
		if segment == "" || segment == "." || segment == ".." {
			return NotFound("No resource has this path.")
		}
	}
	return nil
}

// codedPrefixes begin the routes with a segment that may hold coded slashes, because it is
// an address or a name with a slash. They are no document's.
var codedPrefixes = []string{"/api/v1/identifiers/restate/", wire.RouteMCPServers + "/"}

// isCoded tells whether a path asks for a name in such a segment, which is the first one
// behind the prefix.
func isCoded(u *url.URL, prefix string) bool {
	if !strings.Contains(u.Path, prefix) { // spares most requests the escaping
		return false
	}
	_, rest, ok := strings.Cut(u.EscapedPath(), prefix)
	name, more, further := strings.Cut(rest, "/")
	return ok && name != "" && name != "." && name != ".." &&
		(!further || prefix != codedPrefixes[0] && !strings.Contains(strings.ToLower("/"+more+"/"), "%2f") && plain(more))
}

// plain tells that no segment of a path is empty or a step.
func plain(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

// below takes the path of the base URL away, so that the service answers
// behind a proxy that strips it and behind one that does not.
func below(r *http.Request, prefix string) *http.Request {
	path := strip(r.URL.Path, prefix)
	if path == r.URL.Path {
		return r
	}
	u := *r.URL
	u.Path, u.RawPath = path, strings.TrimPrefix(u.RawPath, prefix)
	out := *r
	out.URL = &u
	return &out
}

// strip takes a prefix of whole segments away from a path that has it.
func strip(path, prefix string) string {
	rest, ok := strings.CutPrefix(path, prefix)
	if prefix == "" || !ok || rest != "" && rest[0] != '/' {
		return path
	}
	return cmp.Or(rest, "/")
}
