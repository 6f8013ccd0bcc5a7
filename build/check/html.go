package check

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-register/assay/render/wire"
)

// fragment is a place on another page that a page leads to.
type fragment struct{ from, to, id string }

// htmlPage is what one page holds and where it leads.
type htmlPage struct {
	ids   map[string]bool
	links []string
}

// readHTML collects the ids of a page and the addresses that it leads to or
// loads. Forms that send something are no links.
func readHTML(page io.Reader) (*htmlPage, error) {
	p := &htmlPage{ids: map[string]bool{}}
	z := html.NewTokenizer(&capped{in: page, most: htmlMax})
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return p, err
			}
			return p, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			p.tag(z)
		}
	}
}

func (p *htmlPage) tag(z *html.Tokenizer) {
	name, more := z.TagName()
	attributes := map[string]string{}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		attributes[string(key)] = string(value)
	}
	if id := attributes["id"]; id != "" {
		p.ids[id] = true
	}
	for _, key := range []string{"href", "src"} {
		if to, ok := attributes[key]; ok {
			p.links = append(p.links, to)
		}
	}
	for key, to := range attributes {
		if strings.HasPrefix(key, "data-strings-") {
			p.links = append(p.links, to)
		}
	}
	if to, ok := attributes["action"]; ok && bytes.Equal(name, []byte("form")) && !strings.Contains(to, "/api/") {
		p.links = append(p.links, to)
	}
}

// checkHTML follows every address of a page that lies in the register, and
// every place on a page.
func (c *checker) checkHTML(l *wire.RouteLine, page io.Reader) {
	p, err := readHTML(page)
	if err != nil {
		c.report.fault(l.Route, "is not HTML: %v", err)
		return
	}
	// Of the many pages of entries only the page itself names a place.
	if !ofEntry(l.Route) {
		c.places[l.Route] = p.ids
		for id := range p.ids {
			c.remember(len(id))
		}
	}
	seen := map[string]bool{}
	for _, to := range p.links {
		if seen[to] {
			continue
		}
		seen[to] = true
		c.followHTML(l.Route, to, p)
	}
}

// ofEntry tells that a route is the page of an entry, in whatever language.
func ofEntry(route string) bool {
	if rest, ok := strings.CutPrefix(route, "/"); ok && len(rest) > 3 && rest[2] == '/' {
		route = rest[2:]
	}
	return strings.HasPrefix(route, "/entry/")
}

// installs tells whether an address hands an MCP server to a client that is installed
// beside the browser; no other address of such a scheme may stand on a page.
func installs(to string) bool {
	for _, begin := range []string{"vscode:mcp/install?", "cursor://anysphere.cursor-deeplink/mcp/install?", "lmstudio://add_mcp?"} {
		if strings.HasPrefix(to, begin) {
			return true
		}
	}
	return false
}

// followHTML checks one address of a page.
func (c *checker) followHTML(route, to string, p *htmlPage) {
	u, err := url.Parse(to)
	if err != nil {
		c.report.fault(route, "leads to %q, which is no address", to)
		return
	}
	switch {
	case u.Scheme == "http" || u.Scheme == "https":
		own, below := strings.CutPrefix(to, strings.TrimSuffix(c.first.BaseURL, "/"))
		if !below || own != "" && !strings.ContainsAny(own[:1], "/?#") {
			return
		}
		if u, err = url.Parse(c.base + own); err != nil {
			return
		}
	case u.Scheme == "data" || u.Scheme == "mailto" || installs(to):
		return
	case u.Scheme != "" || u.Host != "":
		c.report.fault(route, "leads to %q, which pages must not", to)
		return
	}
	target := u.EscapedPath()
	if decoded, err := url.PathUnescape(target); err == nil {
		target = decoded
	}
	switch {
	case target == "":
		if u.Fragment != "" && !p.ids[u.Fragment] {
			c.report.fault(route, "leads to #%s, which it has not", u.Fragment)
		}
		return
	case !strings.HasPrefix(target, "/"):
		c.report.fault(route, "leads to %q, which depends on where the page lies", to)
		return
	case target == c.base:
		target += "/"
	}
	c.follow(route, target)
	if u.Fragment != "" {
		c.fragments = append(c.fragments, fragment{route, strings.TrimPrefix(target, c.base), u.Fragment})
		c.remember(len(target) + len(u.Fragment))
	}
}

// checkPlaces looks for the places that pages lead to on others, once all are
// read.
func (c *checker) checkPlaces() {
	for _, f := range c.fragments {
		if ids, read := c.places[f.to]; read && !ids[f.id] {
			c.report.fault(f.from, "leads to %s#%s, which that page has not", f.to, f.id)
		}
	}
}
