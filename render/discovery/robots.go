package discovery

import (
	"regexp"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// robots renders /robots.txt (RFC 9309): crawlers may fetch what is static.
// Disallowed are the operations that the service computes and every address
// with parameters; "$" ends a path, so that an entry whose slug only begins
// with such a word stays open.
func robots(c *snapshot.Catalog) ([]artifact.File, error) {
	lines := []string{"User-agent: *", "Disallow: " + wire.Path(c.Site, "/*?")}
	for _, op := range wire.Operations() {
		// What needs a token is refused to crawlers anyway, and its wildcards
		// would cover static pages. What is derived is another form of a static page: pages lead crawlers to it.
		if !op.Static && !op.Derived && op.Method == "GET" && op.Role == "" {
			lines = append(lines, "Disallow: "+wire.Path(c.Site, braces(op.Path))+"$")
		}
	}
	lines = append(lines, "", "Sitemap: "+percentEncode(address(c.Site, "/sitemap.xml")), "")
	return []artifact.File{{Route: "/robots.txt", Type: "text/plain; charset=utf-8", Class: ClassDiscovery, Body: []byte(strings.Join(lines, "\n"))}}, nil
}

// pathParams finds the parameters of a path.
var pathParams = regexp.MustCompile(`\{[^}]*\}`)

// braces writes the parameters of a path as wildcards.
func braces(path string) string { return pathParams.ReplaceAllString(path, "*") }
