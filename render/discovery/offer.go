package discovery

import (
	"cmp"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// pages lists the operations that are one page of a built tree each: static
// and without parameters in their path.
func pages() []wire.Operation {
	var out []wire.Operation
	for _, op := range wire.Operations() {
		if op.Static && op.Method == "GET" && !strings.Contains(op.Path, "{") {
			out = append(out, op)
		}
	}
	return out
}

// offered tells whether a built tree has a page.
func offered(path string) bool {
	for _, op := range pages() {
		if op.Path == path {
			return true
		}
	}
	return false
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
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			b.WriteString("%" + string(digits[c>>4]) + string(digits[c&15]))
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// firstURL is the first of several addresses that can be linked.
func firstURL(raw ...string) string {
	found := ""
	for _, r := range raw {
		found = cmp.Or(found, webURL(r))
	}
	return found
}

// oneLine is a text without line breaks, for formats that end lines with them.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
