package web

import (
	"net/http"
	"strings"
	"time"
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
