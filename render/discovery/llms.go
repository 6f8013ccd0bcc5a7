package discovery

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// llms renders /llms.txt as llmstxt.org lays it out: one H1, a summary, text
// without headings, then sections of links, the last of which may be skipped.
// It leads to lists and exports, never to single entries, and so stays short.
func llms(c *snapshot.Catalog) ([]artifact.File, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n> %s\n\n", oneLine(c.Site.Name), "A public register of official public-sector APIs, datasets and MCP servers, tested. "+
		"Each entry says how official it is, whether it answers, how good its description and licence are, and where each field comes from.")
	fmt.Fprintf(&b, "%d entries are listed as of %s. Reading needs no credentials. The data of the register is licensed %s; "+
		"the sources themselves have their own licences, given with each entry.\n\n", len(c.Order), c.AsOf.Format("2006-01-02"), oneLine(c.Site.License))
	fmt.Fprintf(&b, "One entry, by id or slug, is at `%s`; paths with parameters are described in `%s`. "+
		"Lists name their snapshot, and their `links.next` leads through all entries of it.\n",
		address(c.Site, "/api/v1/entries/{id or slug}"), address(c.Site, "/openapi.json"))
	if c.Site.Contact != "" {
		fmt.Fprintf(&b, "Who runs the register is reached at <%s>.\n", oneLine(c.Site.ContactURI()))
	}
	asked(&b, c)
	fmt.Fprint(&b, "\n## Pages for people\n\n")
	for _, p := range wire.SitePages() {
		fmt.Fprintf(&b, "- [%s](%s): %s\n", p.Title, address(c.Site, p.Route), p.Description)
	}
	for _, tag := range wire.Tags() {
		if tag.ID != wire.TagDiscover {
			section(&b, c.Site, tag.ID, tag.ID)
		}
	}
	section(&b, c.Site, "optional", wire.TagDiscover)
	return []artifact.File{{Route: "/llms.txt", Type: "text/plain; charset=utf-8", Class: ClassDiscovery, Body: b.Bytes()}}, nil
}

// asked lists what the service answers: the search first, which is where to begin, the
// endpoint for agents, and the protocols of others.
func asked(b *bytes.Buffer, c *snapshot.Catalog) {
	site := c.Site
	fmt.Fprint(b, "\n## Ask\n\n")
	for _, op := range wire.Operations() {
		if op.ID == "searchEntries" {
			fmt.Fprintf(b, "- [%s](%s): Begin here: `%s?q=air+quality+country:FR` %s\n", op.Summary, address(site, op.Path)+"?q="+url.QueryEscape(found(c)), address(site, op.Path),
				"finds entries by words and conditions, best first.")
		}
	}
	fmt.Fprintf(b, "- [Agents](%s): The same as tools of the Model Context Protocol; `find_data` takes a whole question.\n", address(site, wire.MCPPath))
	for _, p := range wire.Protocols() {
		fmt.Fprintf(b, "- [%s](%s): %s The base address is `%s`%s; [guide](%s).\n", p.Name, address(site, p.Start), p.Description, address(site, p.Base), below(&p), address(site, p.Guide))
	}
}

// below says of a base address that only what clients add to it answers.
func below(p *wire.Protocol) string {
	if strings.HasPrefix(p.Start, p.Base+"/") {
		return ", to which clients add paths"
	}
	return ""
}

// found are words that find something: those of the name of the entry that comes first.
func found(c *snapshot.Catalog) string {
	if len(c.Order) == 0 {
		return "data"
	}
	words := strings.FieldsFunc(c.Lines[c.Order[0]].Name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return "data"
	}
	return strings.Join(words[:min(len(words), 3)], " ")
}

// section lists the pages of a group, if it has any.
func section(b *bytes.Buffer, site snapshot.Site, heading, tag string) {
	began := false
	for _, op := range pages() {
		// Who wants a file as it is wants it in one form.
		if op.Tag != tag || op.Path == "/llms.txt" || strings.HasSuffix(op.Path, ".gz") && !strings.HasSuffix(op.Path, ".tar.gz") {
			continue
		}
		if !began {
			fmt.Fprintf(b, "\n## %s%s\n\n", strings.ToUpper(heading[:1]), heading[1:])
			began = true
		}
		fmt.Fprintf(b, "- [%s](%s): %s\n", op.Summary, address(site, op.Path), firstSentence(op.Description))
	}
}

// firstSentence is the beginning of a description.
func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}
