// Package iso reads metadata records of ISO 19139 and ISO 19115-3: from files,
// folders and archives, and from a web-accessible folder, whose listing it
// follows.
package iso

import (
	"context"
	"io"

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
	if in.Fetch != nil {
		return h.live(ctx)
	}
	return xmltree.Captured(ctx, &in, reject, func(r io.Reader, name string) error { return h.document(ctx, r, name, in.PageURL()) })
}

// harvest is a run under way.
type harvest struct {
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

// document takes the records of a document that was found at the address seed.
func (h *harvest) document(ctx context.Context, r io.Reader, name, seed string) error {
	return iso19115.Read(ctx, r, iso19115.Origin{In: h.in, Kind: Kind, Place: name, Seed: seed, Page: source.PagePattern(h.in.Source.Filters[FilterPage])}, h.emit, h.reject)
}
