package discovery

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
	web "github.com/assay-register/assay/site"
)

// urlsMax is how many addresses one sitemap may hold (sitemaps.org 0.9); so
// many of ours stay far below its 50 MB.
const urlsMax = 50_000

const (
	sitemapType  = "application/xml; charset=utf-8"
	sitemapSpace = "http://www.sitemaps.org/schemas/sitemap/0.9"
)

// entryPage is a kind of page that each listed entry has: the slug follows the
// prefix.
type entryPage struct{ name, prefix string }

// entryPages are those of every language of the interface; each page names the others
// by hreflang.
var entryPages = func() (list []entryPage) {
	for i, lang := range web.Languages() {
		name := "entries"
		if i > 0 {
			name += "-" + lang
		}
		list = append(list, entryPage{name, wire.LocalRoute(lang, "/entry/")})
	}
	return list
}()

// location is one address of a sitemap or of the index, with the time of its
// last change, zero when nobody knows.
type location struct {
	url     string
	changed time.Time
}

// sitemaps renders the index and its parts. They lie in the root, because a
// sitemap speaks only for what lies beside and below it.
func sitemaps(c *snapshot.Catalog) ([]artifact.File, error) {
	var files []artifact.File
	var index []location
	add := func(name string, changed time.Time, each func(yield func(location) error) error) {
		route := "/sitemap-" + name + ".xml"
		index = append(index, location{address(c.Site, route), changed})
		files = append(files, streamed(route, "urlset", "url", each))
	}
	add("pages", c.AsOf, func(yield func(location) error) error { return pageLocations(c, yield) })
	for _, page := range entryPages {
		for n, p := range parts(c, urlsMax) {
			add(fmt.Sprintf("%s-%d", page.name, n+1), p.changed, func(yield func(location) error) error {
				return p.locations(c, page.prefix, yield)
			})
		}
	}
	return append(files, streamed("/sitemap.xml", "sitemapindex", "sitemap", func(yield func(location) error) error {
		for _, l := range index {
			if err := yield(l); err != nil {
				return err
			}
		}
		return nil
	})), nil
}

// pageLocations are the pages that are not about one entry; bulk files and
// what only crawlers read stay out. Those that show the catalog change with it;
// of the others nobody knows when they last changed.
func pageLocations(c *snapshot.Catalog, yield func(location) error) error {
	for _, p := range wire.SitePages() {
		l := location{url: address(c.Site, p.Route)}
		if p.Changes {
			l.changed = c.AsOf
		}
		if err := yield(l); err != nil {
			return err
		}
	}
	for _, route := range groupRoutes(c) {
		if err := yield(location{url: address(c.Site, route)}); err != nil {
			return err
		}
	}
	for _, op := range pages() {
		if op.Path == "/robots.txt" || !slices.Contains(pageTypes, op.Media) {
			continue
		}
		l := location{url: address(c.Site, op.Path)}
		if op.Tag == wire.TagEntries || op.Tag == wire.TagCatalog {
			l.changed = c.AsOf
		}
		if err := yield(l); err != nil {
			return err
		}
	}
	return nil
}

// groupsMax bounds how many institutions the sitemap of the pages names; all of
// them are a link away from the pages of countries.
const groupsMax = 40_000

// groupRoutes are the pages of the countries and institutions that have an
// entry, and of the series, in order.
func groupRoutes(c *snapshot.Catalog) []string {
	countries, institutions := map[string]bool{}, map[string]bool{}
	for i := range c.Lines {
		l := &c.Lines[i]
		if catalog.CountryShape(l.Country) {
			countries[l.Country] = true
		}
		if c.Institutions[l.InstitutionID] != nil && catalog.IsID(l.InstitutionID) {
			institutions[l.InstitutionID] = true
		}
	}
	var routes []string
	for _, code := range slices.Sorted(maps.Keys(countries)) {
		routes = append(routes, "/country/"+code)
	}
	for _, id := range slices.Sorted(maps.Keys(institutions)) {
		routes = append(routes, "/institution/"+id)
	}
	list := c.Series()
	for i := range list {
		routes = append(routes, "/series/"+list[i].ID)
	}
	return routes[:min(len(routes), groupsMax)]
}

// pageTypes are the media types of what is read page by page.
var pageTypes = []string{"text/html", "text/markdown", wire.MediaText, wire.MediaJSON}

// part is a run of ordinals with at most a sitemap's fill of listed entries.
type part struct {
	from, to int
	changed  time.Time
}

// parts cuts the listed entries, in id order, so that a changed ranking moves
// none from one sitemap to another.
func parts(c *snapshot.Catalog, size int) []part {
	var out []part
	listed := 0
	for i := range c.Lines {
		if !c.Lines[i].Listed() {
			continue
		}
		if listed%size == 0 {
			out = append(out, part{from: i})
		}
		listed++
		p := &out[len(out)-1]
		p.to = i + 1
		if t := lastChange(&c.Lines[i]); t.After(p.changed) {
			p.changed = t
		}
	}
	return out
}

func (p part) locations(c *snapshot.Catalog, prefix string, yield func(location) error) error {
	for i := p.from; i < p.to; i++ {
		l := &c.Lines[i]
		if !l.Listed() {
			continue
		}
		if err := yield(location{address(c.Site, prefix+l.Slug), lastChange(l)}); err != nil {
			return err
		}
	}
	return nil
}

// lastChange is when the entry last said something else. Scores and checks
// move every day; a crawler that came back for them would never be done.
func lastChange(l *snapshot.Line) time.Time {
	return time.Unix(max(l.Updated, l.Published, l.ContentChanged), 0).UTC()
}

// streamed makes a file of locations that is written as it is made.
func streamed(route, root, element string, each func(yield func(location) error) error) artifact.File {
	return artifact.File{Route: route, Type: sitemapType, Class: ClassDiscovery, Stream: func(w io.Writer) error {
		b := bufio.NewWriter(w)
		b.WriteString(xml.Header + "<" + root + ` xmlns="` + sitemapSpace + `">`)
		if err := each(func(l location) error { return writeLocation(b, element, l) }); err != nil {
			return fmt.Errorf("%s: %w", route, err)
		}
		b.WriteString("\n</" + root + ">\n")
		return b.Flush()
	}}
}

func writeLocation(b *bufio.Writer, element string, l location) error {
	for _, part := range [...]string{"\n<", element, "><loc>"} {
		b.WriteString(part)
	}
	// No other character of an encoded address has a meaning in XML.
	if url := percentEncode(l.url); !strings.ContainsAny(url, "&'") {
		b.WriteString(url)
	} else if err := xml.EscapeText(b, []byte(url)); err != nil {
		return err
	}
	b.WriteString("</loc>")
	if !l.changed.IsZero() {
		b.WriteString("<lastmod>")
		b.Write(l.changed.UTC().AppendFormat(b.AvailableBuffer(), time.RFC3339))
		b.WriteString("</lastmod>")
	}
	for _, part := range [...]string{"</", element, ">"} {
		b.WriteString(part)
	}
	return nil
}
