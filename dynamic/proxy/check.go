package proxy

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

var (
	targetPattern = regexp.MustCompile(wire.ProxyTargetPattern)
	headerName    = regexp.MustCompile(wire.ProxyHeaderName)
	headerValue   = regexp.MustCompile(wire.ProxyHeaderValue)
	paramName     = regexp.MustCompile(wire.ProxyNamePattern)
	paramValue    = regexp.MustCompile(wire.ProxyValuePattern)
)

// faults collects what is wrong with a request.
type faults []wire.ProblemError

func (f *faults) add(location, message, value string) {
	*f = append(*f, wire.ProblemError{Location: "body." + location, Message: message, Value: web.Shorten(value)})
}

// check refuses what can be no request, naming each member.
func check(q *wire.ProxyRequest) error {
	var f faults
	if q.Entry == "" || utf8.RuneCountInString(q.Entry) > wire.ProxyNameMax*2 {
		f.add("entry", fmt.Sprintf("give an entry's id or slug, of at most %d characters", wire.ProxyNameMax*2), q.Entry)
	}
	if q.Method != http.MethodGet && q.Method != http.MethodHead {
		f.add("method", "use GET or HEAD", q.Method)
	}
	if len(q.Path) > wire.ProxyTargetMax || !targetPattern.MatchString(q.Path) {
		f.add("path", fmt.Sprintf("use at most %d characters of visible ASCII without # and backslash, others as %%XX", wire.ProxyTargetMax), q.Path)
	}
	pairs(&f, "query", q.Query, paramName, paramValue)
	pairs(&f, "headers", q.Headers, headerName, headerValue)
	for _, name := range slices.Sorted(maps.Keys(q.Headers)) {
		if stays(name) {
			f.add("headers", "this header does not travel: it belongs to one connection, or may hold credentials", name)
		}
	}
	if len(f) == 0 {
		return nil
	}
	return &web.Error{Problem: wire.Problem{Status: http.StatusUnprocessableEntity, Detail: "The request cannot be forwarded.", Errors: f}}
}

func pairs(f *faults, location string, m map[string]string, name, value *regexp.Regexp) {
	if len(m) > wire.ProxyPairsMax {
		f.add(location, fmt.Sprintf("give at most %d", wire.ProxyPairsMax), "")
		return
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		v := m[k]
		switch {
		case utf8.RuneCountInString(k) > wire.ProxyNameMax || !name.MatchString(k):
			f.add(location, fmt.Sprintf("a name matches %s and has at most %d characters", name, wire.ProxyNameMax), k)
		case utf8.RuneCountInString(v) > wire.ProxyValueMax || !value.MatchString(v):
			f.add(location, fmt.Sprintf("the value of %s matches %s and has at most %d characters", k, value, wire.ProxyValueMax), v)
		}
	}
}

// stays tells whether a header may not travel: what belongs to one connection
// (RFC 9110, section 7.6.1), says who asks, frames the message, or may hold
// credentials.
func stays(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(wire.ProxyHeadersKept, name) ||
		slices.ContainsFunc(wire.ProxyHeadersBegin, func(s string) bool { return strings.HasPrefix(name, s) }) ||
		slices.ContainsFunc(wire.ProxyHeadersHold, func(s string) bool { return strings.Contains(name, s) })
}

func problem(status int, detail string) *web.Error {
	return &web.Error{Problem: wire.Problem{Status: cmp.Or(status, http.StatusForbidden), Detail: detail}}
}
