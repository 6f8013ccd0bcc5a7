package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/render/wire"
)

// tag is the strong validator of content in a coding: equal tags mean equal
// bytes on the wire.
func tag(sum string, c Coding) string {
	if c == Identity {
		return `"` + sum + `"`
	}
	return `"` + sum + "-" + c.String() + `"`
}

// matchTag finds in an If-None-Match header a tag of the content in any
// coding, and returns it: all codings of equal content are equally fresh.
func matchTag(header, sum string) (string, bool) {
	if strings.TrimSpace(header) == "*" {
		return tag(sum, Identity), true
	}
	for part := range strings.SplitSeq(header, ",") {
		opaque := strings.TrimPrefix(strings.TrimSpace(part), "W/")
		for c := range codings {
			if opaque == tag(sum, c) {
				return opaque, true
			}
		}
	}
	return "", false
}

// fresh tells whether the client's copy is still good, and by which tag.
func fresh(r *http.Request, sum string, c Coding, modified time.Time) (string, bool) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return "", false
	}
	if header := r.Header.Values("If-None-Match"); len(header) > 0 {
		return matchTag(strings.Join(header, ","), sum)
	}
	since := r.Header.Get("If-Modified-Since")
	if since == "" || modified.IsZero() {
		return "", false
	}
	t, err := http.ParseTime(since)
	if err != nil || modified.Truncate(time.Second).After(t) {
		return "", false
	}
	return tag(sum, c), true
}

// errMissed answers a condition that does not hold (RFC 9110, section 13.2.2).
var errMissed = &Error{Problem: wire.Problem{Status: http.StatusPreconditionFailed,
	Detail: "The document is no longer the one that If-Match or If-Unmodified-Since asks for; ask without them for the present one."}}

// missed tells that the client wants other content only (RFC 9110, sections 13.1.1 and 13.1.4). The codings
// below end are those in which it may have what it has. Tags are compared strongly; a time counts where no tag
// is named and the content has one.
func missed(r *http.Request, sum string, end Coding, modified time.Time) bool {
	if header := r.Header.Values("If-Match"); len(header) > 0 {
		return !matchStrong(strings.Join(header, ","), sum, end)
	}
	since := r.Header.Get("If-Unmodified-Since")
	if since == "" || modified.IsZero() {
		return false
	}
	t, err := http.ParseTime(since)
	return err == nil && modified.Truncate(time.Second).After(t)
}

// matchStrong finds in an If-Match header a tag of the content in a coding below end.
func matchStrong(header, sum string, end Coding) bool {
	if strings.TrimSpace(header) == "*" {
		return true
	}
	for part := range strings.SplitSeq(header, ",") {
		for c := range end {
			if strings.TrimSpace(part) == tag(sum, c) {
				return true
			}
		}
	}
	return false
}
