// Package ogc reads what geographic web services say about themselves: the
// GetCapabilities answers of WMS, WFS, WMTS, WCS and CSW, and the landing page
// and collections of an OGC API. One service is one entry; its layers, feature
// types, coverages and collections are members of it (decisions §4).
package ogc

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "ogc"

// FilterBase is the filter that says under which address a captured document
// was found. Without it the document's own address stands.
const FilterBase = "base"

// documentBytes bounds one document. Servers with thousands of layers answer
// with tens of megabytes, so the record limit does not serve here.
const documentBytes = 64 << 20

const accept = "application/json, application/xml, text/xml;q=0.9, */*;q=0.1"

// Connector implements source.Connector.
type Connector struct{}

// mapper turns documents into drafts.
type mapper struct {
	in     *source.Input
	host   string
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

// Run implements source.Connector. The input is one document, live or
// captured, or a folder in which each .xml and .json file is one. Live, a bare
// service address is asked for its capabilities by the words in its query, and
// an OGC API for its collections. Beside a captured landing page, the file
// collections.json is read.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, host: in.Host("ogc.local"), emit: emit, reject: reject}
	switch {
	case in.Fetch != nil:
		return m.live(ctx)
	case in.Open != nil:
		return m.file(ctx)
	case in.Files != nil:
		return m.folder(ctx)
	}
	return fmt.Errorf("open %s: the input is neither a document nor a folder", in.Name)
}

// live reads the service behind the address of the input.
func (m *mapper) live(ctx context.Context) error {
	address := capabilitiesURL(m.in.PageURL())
	data, final, bad, err := m.fetch(ctx, address)
	if err != nil {
		return err
	}
	d := &doc{place: m.in.Name, address: final}
	d.beside = func(link string) ([]byte, string, *source.Rejection, error) { return m.fetch(ctx, link) }
	return m.document(data, bad, d)
}

func (m *mapper) fetch(ctx context.Context, address string) ([]byte, string, *source.Rejection, error) {
	resp, err := m.in.Fetch(ctx, source.Request{URL: address, Accept: accept})
	if err != nil {
		return nil, "", nil, fmt.Errorf("open %s: %w", address, err)
	}
	defer resp.Body.Close()
	data, bad, err := m.readAll(resp.Body, address)
	return data, resp.URL, bad, err
}

// file reads one captured document.
func (m *mapper) file(ctx context.Context) error {
	r, err := m.in.Open(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", m.in.Name, err)
	}
	defer r.Close()
	data, bad, err := m.readAll(r, m.in.Name)
	if err != nil {
		return err
	}
	d := &doc{place: m.in.Name, address: m.in.Source.Filters[FilterBase]}
	if d.address == "" && catalog.CheckURL("url", m.in.Name) == nil {
		d.address = m.in.Name
	}
	if path.Base(m.in.Name) != collectionsFile {
		d.beside = m.sibling(".")
	}
	return m.document(data, bad, d)
}

// collectionsFile is the name under which the collections lie beside a
// captured landing page.
const collectionsFile = "collections.json"

// sibling reads the collections that lie in a folder of the input.
func (m *mapper) sibling(folder string) func(string) ([]byte, string, *source.Rejection, error) {
	return func(string) ([]byte, string, *source.Rejection, error) {
		if m.in.Files == nil {
			return nil, "", nil, nil
		}
		f, err := m.in.Files.Open(path.Join(folder, collectionsFile))
		if err != nil {
			return nil, "", nil, nil // a landing page without its collections is still a service
		}
		defer f.Close()
		data, bad, err := m.readAll(f, collectionsFile)
		return data, "", bad, err
	}
}

// folder reads a folder of captured documents.
func (m *mapper) folder(ctx context.Context) error {
	tree, err := m.in.Tree(ctx, wanted)
	if err != nil {
		return err
	}
	names, err := tree.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", m.in.Name, err)
		}
		data, bad, err := m.member(name, tree.Place(name))
		if err != nil {
			return err
		}
		d := &doc{place: tree.Place(name)}
		if path.Base(name) != collectionsFile {
			d.beside = m.sibling(path.Dir(name))
		}
		if err := m.document(data, bad, d); err != nil {
			return err
		}
	}
	return nil
}

// member reads one file of the folder; one that cannot be opened is rejected.
func (m *mapper) member(name, place string) ([]byte, *source.Rejection, error) {
	f, err := m.in.Files.Open(name)
	if err != nil {
		return nil, &source.Rejection{Place: place, Code: source.CodeUnreadable, Reason: err.Error(), Remedy: "make the file readable"}, nil
	}
	defer f.Close()
	return m.readAll(f, place)
}

func wanted(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return (ext == ".xml" || ext == ".json") && !strings.HasPrefix(path.Base(name), ".")
}

// readAll reads one document within its bound.
func (m *mapper) readAll(r io.Reader, name string) ([]byte, *source.Rejection, error) {
	limits := m.in.Limits.OrDefault()
	limits.Bytes = min(limits.Bytes, documentBytes)
	stream, err := source.NewStream(r, name, limits)
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(stream)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data, stream.Problem(), nil
}
