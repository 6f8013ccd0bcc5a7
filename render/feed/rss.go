package feed

import (
	"encoding/xml"
	"time"

	"github.com/gorilla/feeds"
)

// rssDoc is the document around feeds.RssFeed, with the namespace of the link
// that names the feed itself.
type rssDoc struct {
	XMLName xml.Name   `xml:"rss"`
	Version string     `xml:"version,attr"`
	Atom    string     `xml:"xmlns:atom,attr"`
	Channel rssChannel `xml:"channel"`
}

type rssChannel struct {
	feeds.RssFeed
	// Self stands here because RSS has no element of its own for it (RSS
	// Advisory Board, Best Practices Profile, "atom:link").
	Self  atomLink  `xml:"atom:link"`
	Items []rssItem `xml:"item"`
}

type atomLink struct {
	Href string `xml:"href,attr"`
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
}

type rssItem struct {
	feeds.RssItem
	Categories []string `xml:"category"`
}

// rssDate is RFC 822 with a year of four digits (RSS 2.0, "Dates").
const rssDate = time.RFC1123Z

// rss writes RSS 2.0. Texts were cleaned, as encoding/xml writes U+FFFD for what
// XML cannot hold.
func rss(b []byte, c *channel) ([]byte, error) {
	doc := rssDoc{Version: "2.0", Atom: atomNS, Channel: rssChannel{
		RssFeed: feeds.RssFeed{Title: c.title, Link: c.site.BaseURL + c.about, Description: c.text, Language: "en",
			Copyright: c.site.License, LastBuildDate: c.updated().Format(rssDate), Generator: generator,
			Docs: "https://www.rssboard.org/rss-specification"},
		Self: atomLink{c.self(), "self", "application/rss+xml"},
	}}
	if len(c.items) > 0 {
		doc.Channel.PubDate = c.items[0].published.Format(rssDate)
	}
	for i := range c.items {
		it := &c.items[i]
		doc.Channel.Items = append(doc.Channel.Items, rssItem{Categories: it.tags, RssItem: feeds.RssItem{
			Title: it.title, Link: c.site.BaseURL + it.about, Description: it.html, PubDate: it.published.Format(rssDate),
			Guid: &feeds.RssGuid{Id: it.id, IsPermaLink: "false"}}})
	}
	body, err := xml.Marshal(doc)
	b = append(append(b, xml.Header...), body...)
	return append(b, '\n'), err
}
