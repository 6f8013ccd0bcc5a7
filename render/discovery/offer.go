package discovery

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/idna"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// pages lists the operations that are one page of a built tree each: static
// and without parameters in their path.
var pages = sync.OnceValue(func() []wire.Operation {
	return slices.DeleteFunc(wire.Operations(), func(op wire.Operation) bool {
		return !op.Static || op.Method != "GET" || strings.Contains(op.Path, "{")
	})
})

// offered tells whether a built tree has a page.
func offered(path string) bool {
	return slices.ContainsFunc(pages(), func(op wire.Operation) bool { return op.Path == path })
}

// licenceURL is the page of an SPDX licence.
func licenceURL(spdx string) string { return "https://spdx.org/licenses/" + url.PathEscape(spdx) }

// address is the absolute URL of a route.
func address(site snapshot.Site, route string) string {
	return strings.TrimSuffix(site.BaseURL, "/") + route
}

// webURL is a publisher's address as a URI (RFC 3986): in ASCII, the host by
// RFC 5891. It is "" for what is no http or https URL, which no link may hold.
func webURL(raw string) string {
	if raw == "" || catalog.CheckURL("url", raw) != nil {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil || strings.Contains(u.Host, "[") {
		return ""
	}
	if port := u.Port(); port != "" {
		host += ":" + port
	}
	u.Host = host
	return percentEncode(u.String())
}

// percentEncode writes each byte that a URI must not hold as an escape.
func percentEncode(s string) string {
	const digits = "0123456789ABCDEF"
	var b []byte
	from := 0
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			b = append(append(b, s[from:i]...), '%', digits[c>>4], digits[c&15])
			from = i + 1
		}
	}
	if from == 0 {
		return s
	}
	return string(append(b, s[from:]...))
}

// firstURL is the first of several addresses that can be linked.
func firstURL(raw ...string) string {
	for _, r := range raw {
		if u := webURL(r); u != "" {
			return u
		}
	}
	return ""
}

// oneLine is a text without line breaks, for formats that end lines with them.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
