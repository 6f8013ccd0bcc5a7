package catalog

import "strings"

// plainHost is the host of an http or https address so plain that nothing about
// it is in doubt: a name without a port, then printable ASCII without
// percent-encoding and without what RFC 3986 leaves out. It is "" for all
// others, which net/url is to judge. Most addresses of a register are plain,
// and each is looked at several times.
func plainHost(raw string) string {
	rest, ok := strings.CutPrefix(raw, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(raw, "http://"); !ok {
			return ""
		}
	}
	n := 0
	for n < len(rest) && isNameByte(rest[n]) {
		n++
	}
	if n < len(rest) && rest[n] != '/' && rest[n] != '?' && rest[n] != '#' {
		return ""
	}
	for i := n; i < len(rest); i++ {
		if c := rest[i]; c <= ' ' || c >= 0x7f || c == '%' || strings.IndexByte(unsafeInURL, c) >= 0 {
			return ""
		}
	}
	return rest[:n]
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.'
}

// routes tells whether a fragment chooses the page that a script shows, as
// "#/metadata/1" and "#!dataset=1" do, rather than a place on a page.
func routes(fragment string) bool {
	return strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!")
}

// Skolem tells whether an IRI stands for a blank node (RDF 1.1 Concepts,
// section 3.5): a label that the next export chooses anew. It identifies
// nothing, leads nowhere and proves nothing.
func Skolem(iri string) bool {
	lower := strings.ToLower(strings.TrimSpace(iri))
	return strings.HasPrefix(lower, "_:") || strings.HasPrefix(lower, "nodeid://") || strings.Contains(lower, "/.well-known/genid/") ||
		strings.Contains(lower, "/.well_known/genid/")
}

// SkolemRef tells whether an upstream ref was made of such an IRI.
func SkolemRef(ref string) bool {
	_, rest, _ := strings.Cut(ref, ":")
	_, id, _ := strings.Cut(rest, ":")
	return Skolem(id)
}
