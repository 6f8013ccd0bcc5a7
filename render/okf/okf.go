package okf

import (
	"fmt"
	"sync"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Version is the version of the format that the bundle declares.
const Version = "0.1"

// Class groups the files of the bundle in snapshot.json.
const Class artifact.Class = "okf"

// Media types of the bundle's files.
const (
	Markdown = "text/markdown; charset=utf-8"
	Gzip     = "application/gzip"
)

// Root is the route below which the tree lies.
const Root = "/api/v1/okf/"

// Streams of the catalog in which the fragments of the entries lie.
const (
	conceptStream = "okf-concepts"
	factsStream   = "okf-facts"
)

// Room for most facts, pages and lines of a page, and for the addresses of the
// register in a concept, in bytes.
const (
	factsRoom   = 1 << 10
	pageRoom    = 2 << 10
	lineRoom    = 320
	addressRoom = 1 << 10
)

// Fragments renders the concept of an entry and the facts that indexes and the
// log show of it.
func Fragments(s *snapshot.Scored) ([]artifact.Fragment, error) {
	f := factsOf(s)
	body, err := jsonx.Append(artifact.Buffer(factsRoom), &f)
	if err != nil {
		return nil, fmt.Errorf("facts of entry %s: %w", s.Entry().ID, err)
	}
	return []artifact.Fragment{
		{Stream: conceptStream, Body: concept(s, &f), Pooled: true},
		{Stream: factsStream, Body: append(body, '\n'), Pooled: true},
	}, nil
}

// readers read the concepts of single entries.
var readers = sync.Pool{New: func() any { return &reader{} }}

// Related is the concept of the entry at the ordinal. It comes from the fragments,
// not from a format's Entry function, because all concepts of a section share
// one directory.
func Related(c *snapshot.Catalog, ordinal int) ([]artifact.File, error) {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	fragment, err := r.fragment(c, conceptStream, ordinal)
	if err != nil {
		return nil, err
	}
	m := markdown(artifact.Buffer(len(fragment) + addressRoom))
	m.located(fragment, c, ordinal)
	return []artifact.File{{Route: Root + conceptPath(&c.Lines[ordinal]), Type: Markdown, Class: Class, Body: m, Pooled: true}}, nil
}

// Aggregates renders the indexes, the log, the archive and the summary.
func Aggregates(c *snapshot.Catalog, emit func(artifact.File) error) error {
	t, err := newTree(c)
	if err != nil {
		return fmt.Errorf("okf tree: %w", err)
	}
	for i := range t.pages {
		p := &t.pages[i]
		m := markdown(artifact.Buffer(p.room()))
		if err := p.render(&m); err != nil {
			return fmt.Errorf("okf page %s: %w", p.path, err)
		}
		if err := emit(artifact.File{Route: Root + p.path, Type: Markdown, Class: Class, Body: m, Pooled: true}); err != nil {
			return err
		}
	}
	return t.bundle(emit)
}

// sections are the directories of the entry types, in the order of the root
// index.
var sections = []struct {
	dir, title string
	kind       catalog.EntryType
}{
	{wire.OKFSectionOf(catalog.TypeAPI), "APIs", catalog.TypeAPI},
	{wire.OKFSectionOf(catalog.TypeDataset), "Datasets", catalog.TypeDataset},
	{wire.OKFSectionOf(catalog.TypeMCPServer), "MCP servers", catalog.TypeMCPServer},
}

func sectionOf(t catalog.EntryType) string {
	for _, s := range sections {
		if s.kind == t {
			return s.dir
		}
	}
	return "others"
}

// conceptPath is the concept's path in the bundle. No slug is index or log
// (catalog.CheckSlug).
func conceptPath(l *snapshot.Line) string { return sectionOf(l.Type) + "/" + l.Slug + ".md" }

// reader reads fragments, each into the room of the one before.
type reader struct {
	buf  []byte
	last facts
}

func (r *reader) fragment(c *snapshot.Catalog, stream string, ordinal int) ([]byte, error) {
	b, err := c.Streams[stream].Fragment(ordinal, r.buf)
	if err != nil {
		return nil, fmt.Errorf("%s of entry %s: %w", stream, c.Lines[ordinal].ID, err)
	}
	if b != nil {
		r.buf = b
	}
	return b, nil
}
