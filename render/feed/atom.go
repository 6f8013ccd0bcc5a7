package feed

import "encoding/xml"

// atomNS is the namespace of Atom (RFC 4287, 2).
const atomNS = "http://www.w3.org/2005/Atom"

// generator names the program that writes the feeds.
const generator = "Assay"

// atom writes RFC 4287.
func atom(b []byte, c *channel) ([]byte, error) {
	d := document(b)
	d.raw(xml.Header, `<feed xmlns="`, atomNS, `" xml:lang="en">`)
	d.element("title", c.title)
	d.element("id", c.id())
	d.instant("updated", c.updated())
	d.optional("rights", clean(c.site.License))
	d.optional("subtitle", c.text)
	d.raw("<author>")
	d.optional("name", clean(c.site.Name))
	d.optional("uri", c.site.BaseURL)
	d.raw("</author>")
	d.raw(`<link href="`).text(c.site.BaseURL).text(c.route).raw(`" rel="self" type="application/atom+xml"></link>`)
	d.alternate(c, c.about)
	d.element("generator", generator)
	for i := range c.items {
		d.entry(c, &c.items[i])
	}
	d.raw("</feed>\n")
	return d, nil
}

// entry writes its links before its id: some readers take an id that they meet
// first for the link. The link has no type, as readers open only what they take
// for HTML.
func (d *document) entry(c *channel, it *item) {
	d.raw("<entry")
	if it.lang != "" {
		d.raw(` xml:lang="`).text(it.lang).raw(`"`)
	}
	d.raw(">")
	d.alternate(c, it.about)
	if it.source != "" {
		d.raw(`<link href="`).text(it.source).raw(`" rel="related"></link>`)
	}
	d.element("title", it.title)
	d.instant("updated", it.updated)
	d.element("id", it.id)
	d.raw(`<content type="html">`).text(it.html).raw("</content>")
	d.instant("published", it.published)
	for _, t := range it.tags {
		d.raw(`<category term="`).text(t).raw(`"></category>`)
	}
	d.raw("</entry>")
}

// alternate links to the page of the register that shows the same.
func (d *document) alternate(c *channel, route string) {
	d.raw(`<link href="`).text(c.site.BaseURL).text(route).raw(`" rel="alternate"></link>`)
}
