package check

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/assay-register/assay/render/wire"
)

// feedDoc is a feed of any form as the checks see it.
type feedDoc struct {
	title, self string
	// required are the other members that the form demands, by name.
	required map[string]string
	items    []feedItem
	// layout is how the form writes an instant.
	layout string
	dates  []string
}

type feedItem struct {
	id, title, link string
	// dates must all be there and be instants.
	dates []string
}

// checkFeed holds a feed to the rules of its form: RSS 2.0 with the link to
// itself of the RSS Advisory Board, Atom (RFC 4287, 4.1) or JSON Feed 1.1.
func (c *checker) checkFeed(route, media string, body []byte) {
	c.report.Feeds++
	read := map[string]func([]byte) (*feedDoc, error){wire.MediaRSS: readRSS, wire.MediaAtom: readAtom, wire.MediaFeed: readJSONFeed}[media]
	f, err := read(body)
	if err != nil {
		c.report.fault(route, "is no feed of type %s: %v", media, err)
		return
	}
	if f.self != c.first.BaseURL+route {
		c.report.fault(route, "calls itself %q", f.self)
	}
	f.required["title"] = f.title
	for name, value := range f.required {
		if value == "" {
			c.report.fault(route, "has no %s", name)
		}
	}
	c.checkDates(route, f.layout, f.dates)
	ids := map[string]bool{}
	for _, it := range f.items {
		if it.id == "" || it.title == "" {
			c.report.fault(route, "an item has no id or no title: %q, %q", it.id, it.title)
		}
		if ids[it.id] {
			c.report.fault(route, "the id %s stands twice", it.id)
		}
		ids[it.id] = true
		c.checkDates(route, f.layout, it.dates)
		c.checkAddress(route, it.link)
	}
}

func (c *checker) checkDates(route, layout string, dates []string) {
	for _, d := range dates {
		if _, err := time.Parse(layout, d); err != nil {
			c.report.fault(route, "%q is no instant of the form %s", d, layout)
		}
	}
}

// checkAddress follows a link of a feed; one to elsewhere must be absolute.
func (c *checker) checkAddress(route, address string) {
	c.report.Links++
	target, own := strings.CutPrefix(address, c.first.BaseURL)
	if own {
		target, _, _ = strings.Cut(target, "#")
		if _, ok := c.sum(target); !ok && !selfDescribed[target] {
			c.report.fault(route, "dead link to %s", address)
		}
		return
	}
	if u, err := url.Parse(address); err != nil || !u.IsAbs() {
		c.report.fault(route, "%q is no absolute address", address)
	}
}

// readXML reads a document to its end, so that nothing follows the root.
func readXML(body []byte, doc any) error {
	dec := xml.NewDecoder(bytes.NewReader(body))
	if err := dec.Decode(doc); err != nil {
		return err
	}
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if text, ok := t.(xml.CharData); !ok || len(bytes.TrimSpace(text)) > 0 {
			return errors.New("something follows the root element")
		}
	}
}

// xmlLink is a link of Atom, which RSS borrows for the link to itself.
type xmlLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

// linkOf is the first link with one of the relations, "" if there is none.
func linkOf(links []xmlLink, rels ...string) string {
	for _, rel := range rels {
		for _, l := range links {
			if l.Rel == rel {
				return l.Href
			}
		}
	}
	return ""
}

func readRSS(body []byte) (*feedDoc, error) {
	var doc struct {
		XMLName xml.Name `xml:"rss"`
		Version string   `xml:"version,attr"`
		Channel struct {
			Title       string    `xml:"title"`
			Links       []rssLink `xml:"link"`
			Description string    `xml:"description"`
			Built       string    `xml:"lastBuildDate"`
			Published   string    `xml:"pubDate"`
			Items       []struct {
				Title string `xml:"title"`
				Link  string `xml:"link"`
				GUID  string `xml:"guid"`
				Date  string `xml:"pubDate"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	if err := readXML(body, &doc); err != nil {
		return nil, err
	}
	f := &feedDoc{title: doc.Channel.Title, layout: time.RFC1123Z, dates: []string{doc.Channel.Built},
		required: map[string]string{"description": doc.Channel.Description, "link": ""}}
	if doc.Version != "2.0" {
		return nil, errors.New("version is not 2.0")
	}
	if doc.Channel.Published != "" {
		f.dates = append(f.dates, doc.Channel.Published)
	}
	for _, l := range doc.Channel.Links {
		if l.XMLName.Space == "" {
			f.required["link"] = l.Text
		} else if l.Rel == "self" {
			f.self = l.Href
		}
	}
	for _, i := range doc.Channel.Items {
		f.items = append(f.items, feedItem{i.GUID, i.Title, i.Link, []string{i.Date}})
	}
	return f, nil
}

// rssLink is the link of a channel, or that of Atom to the feed itself.
type rssLink struct {
	XMLName xml.Name
	xmlLink
	Text string `xml:",chardata"`
}

func readAtom(body []byte) (*feedDoc, error) {
	var doc struct {
		XMLName xml.Name  `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string    `xml:"title"`
		ID      string    `xml:"id"`
		Updated string    `xml:"updated"`
		Author  string    `xml:"author>name"`
		Links   []xmlLink `xml:"link"`
		Entries []struct {
			Title     string    `xml:"title"`
			ID        string    `xml:"id"`
			Updated   string    `xml:"updated"`
			Published string    `xml:"published"`
			Links     []xmlLink `xml:"link"`
		} `xml:"entry"`
	}
	if err := readXML(body, &doc); err != nil {
		return nil, err
	}
	f := &feedDoc{title: doc.Title, self: linkOf(doc.Links, "self"), layout: time.RFC3339, dates: []string{doc.Updated},
		required: map[string]string{"id": doc.ID, "author": doc.Author, "alternate link": linkOf(doc.Links, "alternate", "")}}
	for _, e := range doc.Entries {
		dates := []string{e.Updated}
		if e.Published != "" {
			dates = append(dates, e.Published)
		}
		f.items = append(f.items, feedItem{e.ID, e.Title, linkOf(e.Links, "alternate", ""), dates})
	}
	return f, nil
}

func readJSONFeed(body []byte) (*feedDoc, error) {
	var doc struct {
		Version string `json:"version"`
		Title   string `json:"title"`
		Home    string `json:"home_page_url"`
		Self    string `json:"feed_url"`
		Items   *[]struct {
			ID        string `json:"id"`
			Title     string `json:"title"`
			URL       string `json:"url"`
			HTML      string `json:"content_html"`
			Text      string `json:"content_text"`
			Published string `json:"date_published"`
			Modified  string `json:"date_modified"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	if doc.Version != "https://jsonfeed.org/version/1.1" || doc.Items == nil {
		return nil, errors.New("version is not that of JSON Feed 1.1, or items are missing")
	}
	f := &feedDoc{title: doc.Title, self: doc.Self, layout: time.RFC3339, required: map[string]string{"home_page_url": doc.Home}}
	for _, i := range *doc.Items {
		if i.HTML == "" && i.Text == "" {
			return nil, errors.New("item " + i.ID + " has neither content_html nor content_text")
		}
		f.items = append(f.items, feedItem{i.ID, i.Title, i.URL, []string{i.Published, i.Modified}})
	}
	return f, nil
}
