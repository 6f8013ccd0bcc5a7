package feed

import (
	"encoding/xml"
	"time"

	"github.com/gorilla/feeds"
)

// atomNS is the namespace of Atom (RFC 4287, 2).
const atomNS = "http://www.w3.org/2005/Atom"

// atomFeed is feeds.AtomFeed with the links and the language that it lacks;
// the outer fields take the place of the inner ones of the same name.
type atomFeed struct {
	feeds.AtomFeed
	Lang      string           `xml:"xml:lang,attr,omitempty"`
	Links     []feeds.AtomLink `xml:"link"`
	Generator string           `xml:"generator,omitempty"`
	Entries   []atomEntry      `xml:"entry"`
}

// atomEntry writes its links before its id: some readers take an id that they
// meet first for the link. The link has no type, as readers open only what
// they take for HTML.
type atomEntry struct {
	Lang  string           `xml:"xml:lang,attr,omitempty"`
	Links []feeds.AtomLink `xml:"link"`
	feeds.AtomEntry
	Categories []atomCategory `xml:"category"`
}

// atomCategory is a tag (RFC 4287, 4.2.2).
type atomCategory struct {
	Term string `xml:"term,attr"`
}

// generator names the program that writes the feeds.
const generator = "Assay"

// atom writes RFC 4287.
func atom(c *channel) ([]byte, error) {
	doc := atomFeed{Lang: "en", Generator: generator, AtomFeed: feeds.AtomFeed{Xmlns: atomNS, Title: c.title, Id: c.id(),
		Updated: c.updated().Format(time.RFC3339), Subtitle: c.text, Rights: c.site.License,
		Author: &feeds.AtomAuthor{AtomPerson: feeds.AtomPerson{Name: clean(c.site.Name), Uri: c.site.BaseURL}}},
		Links: []feeds.AtomLink{
			{Rel: "self", Type: "application/atom+xml", Href: c.self()},
			{Rel: "alternate", Href: c.site.BaseURL + c.about},
		}}
	for i := range c.items {
		doc.Entries = append(doc.Entries, newAtomEntry(c, &c.items[i]))
	}
	return encodeXML(doc)
}

func newAtomEntry(c *channel, it *item) atomEntry {
	e := atomEntry{Lang: it.lang, AtomEntry: feeds.AtomEntry{Title: it.title, Id: it.id,
		Updated: it.updated.Format(time.RFC3339), Published: it.published.Format(time.RFC3339),
		Content: &feeds.AtomContent{Type: "html", Content: it.html}},
		Links: []feeds.AtomLink{{Rel: "alternate", Href: c.site.BaseURL + it.about}}}
	if it.source != "" {
		e.Links = append(e.Links, feeds.AtomLink{Rel: "related", Href: it.source})
	}
	for _, t := range it.tags {
		e.Categories = append(e.Categories, atomCategory{t})
	}
	return e
}

// encodeXML writes a document with its declaration. Texts are cleaned before,
// as encoding/xml would write U+FFFD for what XML cannot hold.
func encodeXML(doc any) ([]byte, error) {
	b, err := xml.Marshal(doc)
	if err != nil {
		return nil, err
	}
	return append(append([]byte(xml.Header), b...), '\n'), nil
}
