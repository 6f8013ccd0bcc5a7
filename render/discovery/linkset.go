package discovery

import (
	"bufio"
	"fmt"
	"io"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// linksetStream names the fragments of the link set among the catalog's streams.
const linksetStream = "linkset"

// linksRoom is room for most fragments, in bytes.
const linksRoom = 1 << 10

// Fragments makes the publisher's links of a listed API or MCP server: the members
// of its context object without the braces, for linkset to complete. An entry
// without an address has no anchor and so no context (RFC 9264, section 4.2.2).
func Fragments(s *snapshot.Scored) ([]artifact.Fragment, error) {
	e := s.Entry()
	anchor, desc, terms := endpoint(e)
	if anchor == "" || e.Status != catalog.StatusActive {
		return nil, nil
	}
	b := jsonx.AppendText(append(artifact.Buffer(linksRoom), `"anchor":`...), anchor)
	link := func(relation, url string) {
		if url != "" {
			b = append(append(append(b, `,"`...), relation...), `":[{"href":`...)
			b = append(jsonx.AppendText(b, url), "}]"...)
		}
	}
	link("service-desc", desc)
	link("service-doc", firstURL(e.DocsURL, e.HomepageURL))
	link("terms-of-service", terms)
	if s.Licence != nil {
		link("license", webURL(s.Licence.URL))
	}
	// The title ends the fragment, because it belongs to a link that only the
	// site's address completes.
	b, err := jsonx.Append(append(b, `,"service-meta":[{"title":`...), oneLine(e.Name))
	if err != nil {
		return nil, err
	}
	return []artifact.Fragment{{Stream: linksetStream, Body: b, Pooled: true}}, nil
}

// endpoint is where an API or server answers, and where its description and
// its terms lie.
func endpoint(e *catalog.Entry) (anchor, desc, terms string) {
	switch {
	case e.Type == catalog.TypeAPI && e.API != nil:
		d := e.API
		return firstURL(d.BaseURL, d.GraphQLURL, d.PingURL), webURL(d.OpenAPIURL), webURL(d.TermsURL)
	case e.Type == catalog.TypeMCPServer && e.MCP != nil:
		return webURL(e.MCP.EndpointURL), "", ""
	}
	return "", "", ""
}

// linkset renders the links of all listed APIs and MCP servers from their
// fragments, one after the other, so that memory does not grow with them. It
// begins with its own context, which makes every other one follow a comma.
func linkset(c *snapshot.Catalog) ([]artifact.File, error) {
	const route = "/api/v1/catalog/linkset"
	own, err := jsonx.Marshal(object{{"anchor", address(c.Site, route)}, {"license", []object{{{"href", licenceURL(c.Site.License)}}}}})
	if err != nil {
		return nil, err
	}
	entries, err := jsonx.Marshal(address(c.Site, apiRoute+"/"))
	if err != nil {
		return nil, err
	}
	set := contexts{c, string(own), string(entries[:len(entries)-1])}
	return []artifact.File{{Route: route, Type: artifact.Linkset, Class: artifact.ClassCatalog, Stream: set.write}}, nil
}

// contexts are the context objects of the link set: its own, and those of the
// entries. page begins the address of an entry's page as a JSON string.
type contexts struct {
	catalog   *snapshot.Catalog
	own, page string
}

func (s *contexts) write(out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<16)
	w.WriteString(`{"linkset":[` + s.own)
	lines := s.catalog.Lines
	err := s.catalog.Streams[linksetStream].Each(0, len(lines), func(i int, b []byte) error { return s.entry(w, b, lines[i].ID) })
	if err != nil {
		return fmt.Errorf("links of entries: %w", err)
	}
	w.WriteString("]}")
	return w.Flush()
}

// entry completes a fragment with the register's own links: what it says of the
// API (service-meta) and what its checks found (status, RFC 8631).
func (s *contexts) entry(w *bufio.Writer, fragment []byte, id string) error {
	w.WriteString(",{")
	w.Write(fragment)
	w.WriteString(`,"href":`)
	s.link(w, id, "")
	w.WriteString(`}],"status":[{"href":`)
	s.link(w, id, "/checks")
	_, err := w.WriteString("}]}")
	return err
}

// link writes an address below an entry's page, and its type.
func (s *contexts) link(w *bufio.Writer, id, rest string) {
	for _, part := range [...]string{s.page, id, rest, `","type":"`, wire.MediaJSON, `"`} {
		w.WriteString(part)
	}
}
