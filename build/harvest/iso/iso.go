// Package iso reads metadata records of ISO 19139 and ISO 19115-3: from files,
// folders and archives, and from a web-accessible folder, whose listing it
// follows.
package iso

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/iso19115"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "iso"

// FilterPage is the filter that says under which address the catalogue shows a
// record: an address with {id} for the identifier of the record.
const FilterPage = "page"

// Connector implements source.Connector.
type Connector struct{}

// Run implements source.Connector.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	h := &harvest{in: &in, emit: emit, reject: reject}
	switch {
	case in.Fetch != nil:
		return h.live(ctx)
	case in.Open != nil && archive(in.Name), in.Open == nil && in.Files != nil:
		return h.tree(ctx)
	case in.Open != nil:
		r, err := in.Open(ctx)
		if err != nil {
			return fmt.Errorf("open %s: %w", in.Name, err)
		}
		defer r.Close()
		return h.document(ctx, r, in.Name, in.PageURL())
	}
	return fmt.Errorf("open %s: the input is neither a file nor a folder nor live", in.Name)
}

// harvest is a run under way.
type harvest struct {
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

// archive tells by its name that an input is an archive.
func archive(name string) bool {
	name = strings.ToLower(path.Base(name))
	for _, ext := range []string{".zip", ".tar", ".tar.gz", ".tgz"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// tree reads the XML files of a folder or an archive.
func (h *harvest) tree(ctx context.Context) error {
	in := *h.in
	if in.Open != nil {
		in.Files = nil // the folder around the archive
	}
	tree, err := in.Tree(ctx, xmltree.File)
	if err != nil {
		return err
	}
	for _, bad := range tree.Problems() {
		if err := h.reject(bad); err != nil {
			return err
		}
	}
	names, err := tree.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", in.Name, err)
		}
		data, bad := tree.Read(name)
		if bad != nil {
			err = h.reject(*bad)
		} else {
			err = h.document(ctx, bytes.NewReader(data), tree.Place(name), in.PageURL())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// document takes the records of a document that was found at the address seed.
func (h *harvest) document(ctx context.Context, r io.Reader, name, seed string) error {
	return iso19115.Read(ctx, r, iso19115.Origin{In: h.in, Kind: Kind, Place: name, Seed: seed, Page: source.PagePattern(h.in.Source.Filters[FilterPage])}, h.emit, h.reject)
}
