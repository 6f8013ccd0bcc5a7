// Package dcatap reads DCAT and DCAT-AP catalogues in Turtle, RDF/XML, JSON-LD
// and N-Triples: live, page by page along Hydra's links, or from files. The
// statements of a document come in any order, so they are sorted by subject
// first, on disk when there are many.
package dcatap

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "dcat"

// FilterBase is the filter that says under which address captured files were
// found: relative IRIs are resolved against it.
const FilterBase = "base"

// defaultMemory holds the statements of some 5,000 datasets.
const defaultMemory = 24 << 20

// Connector implements source.Connector.
type Connector struct {
	// TempDir is where statements that do not fit the memory lie during a run;
	// empty is the system's place for temporary files.
	TempDir string
	// Memory is how many bytes of statements are sorted in memory; 0 is 24 MiB.
	Memory int
	// Watch, unless it is nil, sees the documents as they are read.
	Watch *Watch
}

func (c Connector) memory() int {
	if c.Memory > 0 {
		return c.Memory
	}
	return defaultMemory
}

// Run implements source.Connector. A live source is followed from page to page;
// a file is read by itself, whatever page it names as the next; of a folder all
// files are read whose extension is one of RDF.
func (c Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	h := &harvest{Connector: c, in: &in, emit: emit, reject: reject}
	switch {
	case in.Fetch != nil:
		return h.pages(ctx)
	case in.Open != nil:
		r, err := in.Open(ctx)
		if err != nil {
			return fmt.Errorf("open %s: %w", in.Name, err)
		}
		defer r.Close()
		_, err = h.document(ctx, r, in.Name, h.base(), "")
		return err
	case in.Files != nil:
		return h.folder(ctx)
	}
	return fmt.Errorf("open %s: the input is neither a file nor a folder nor live", in.Name)
}

// harvest is a run under way.
type harvest struct {
	Connector
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

// folder reads the files of a folder, each by itself.
func (h *harvest) folder(ctx context.Context) error {
	return fs.WalkDir(h.in.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read %s: %w", h.in.Name, err)
		}
		if d.IsDir() || rdf.Extension(name) == rdf.Unknown {
			return ctx.Err()
		}
		place := path.Join(h.in.Name, name)
		f, err := h.in.Files.Open(name)
		if err != nil {
			return h.reject(source.Rejection{Place: place, Code: source.CodeUnreadable, Reason: err.Error(), Remedy: "make the file readable"})
		}
		defer f.Close()
		_, err = h.document(ctx, f, place, h.base(), "")
		return err
	})
}

// base is the address of captured files.
func (h *harvest) base() string {
	return cmp.Or(h.in.Source.Filters[FilterBase], h.in.PageURL())
}

// outcome is what a document leads to.
type outcome struct {
	// next is the page that it names as the next.
	next string
	// listed are the addresses of datasets that it has and does not describe, where it describes no record.
	listed []string
	// broken says why it could not be read to its end; the rejection was told.
	broken *source.Rejection
}

// document takes the records of a document.
func (h *harvest) document(ctx context.Context, r io.Reader, name, base, contentType string) (outcome, error) {
	d, bad, err := h.load(ctx, h.in, r, name, base, contentType)
	if err != nil {
		return outcome{}, err
	}
	if bad != nil {
		return outcome{broken: bad}, h.reject(*bad)
	}
	defer d.close()
	m := &mapper{in: h.in, doc: d}
	if err := m.catalogue(); err != nil {
		return outcome{}, err
	}
	if err := m.survey(); err != nil {
		return outcome{}, err
	}
	if err := m.elsewhere(); err != nil {
		return outcome{}, err
	}
	told := map[string]bool{}
	if err := h.Watch.nodes(d); err != nil {
		return outcome{}, err
	}
	err = d.each(isRecord, func(n *node) error { return h.record(ctx, m, n, told) })
	if err != nil {
		return outcome{}, err
	}
	for _, p := range m.strays(told) {
		if err := h.reject(p); err != nil {
			return outcome{}, err
		}
	}
	o := outcome{next: m.next, broken: d.broken}
	if m.records == 0 && m.next == "" {
		o.listed = d.listed
	}
	return o, h.unread(name, &o)
}

// record emits or rejects a node; told collects the rejected ones.
func (h *harvest) record(ctx context.Context, m *mapper, n *node, told map[string]bool) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read %s: %w", m.doc.name, err)
	}
	draft, bad, err := m.record(n)
	if err != nil || draft == nil && bad == nil {
		return err
	}
	if err := h.Watch.record(m.doc, n); err != nil {
		return err
	}
	if bad != nil {
		told[n.key] = true
		return h.reject(*bad)
	}
	return h.emit(*draft)
}
