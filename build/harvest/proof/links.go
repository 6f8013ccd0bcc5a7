package proof

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-register/assay/build/harvest/source"
)

// linkMax bounds the links that are kept of one page, textMax the text of one.
const (
	linkMax = 2000
	textMax = 200
)

// link is a link of a page: where it leads, what it says of itself.
type link struct {
	url, rel, text string
}

// readLinks collects the links of a page up to limit bytes. A page that breaks
// off there is read as far as it goes.
func readLinks(resp *source.Response, limit int64) ([]link, error) {
	base, err := url.Parse(resp.URL)
	if err != nil {
		return nil, fmt.Errorf("address of the page: %w", err)
	}
	c := collector{base: base}
	z := html.NewTokenizer(io.LimitReader(resp.Body, limit))
	z.SetMaxBuf(1 << 18)
	for len(c.links) < linkMax {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) && !errors.Is(err, html.ErrBufferExceeded) {
				return nil, fmt.Errorf("read page %s: %w", resp.URL, err)
			}
			return c.links, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			c.start(z)
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "a" {
				c.open = false
			}
		case html.TextToken:
			c.text(z.Text())
		}
	}
	return c.links, nil
}

// collector gathers links from tokens.
type collector struct {
	base  *url.URL
	links []link
	// open tells that the text belongs to the last link.
	open bool
}

func (c *collector) start(z *html.Tokenizer) {
	name, more := z.TagName()
	tag := string(name)
	if tag != "a" && tag != "link" && tag != "base" {
		return
	}
	var l link
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "href":
			l.url = strings.TrimSpace(string(value))
		case "rel":
			l.rel = strings.ToLower(string(value))
		case "title", "aria-label":
			l.text += " " + string(value[:min(len(value), textMax)])
		}
	}
	u, err := c.base.Parse(l.url)
	if err != nil || l.url == "" || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	if tag == "base" {
		c.base = u
		return
	}
	l.url = u.String()
	c.links = append(c.links, l)
	c.open = tag == "a"
}

func (c *collector) text(b []byte) {
	if !c.open || len(c.links) == 0 {
		return
	}
	l := &c.links[len(c.links)-1]
	if room := textMax - len(l.text); room > 0 {
		l.text += " " + string(b[:min(len(b), room)])
	}
}
