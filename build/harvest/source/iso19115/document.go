package iso19115

import (
	"context"
	"io"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// Read takes all records of a document: a record, or what wraps some.
func Read(ctx context.Context, r io.Reader, o Origin, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	d := xmltree.Document{
		Name: o.Place, Limits: o.In.Limits, Take: Root, What: "record of ISO 19139 or ISO 19115-3",
		Remedy: "give such records, or use the kind of source that reads this document",
		Each:   func(n *xmltree.Node, place string) error { return Each(n, o, place, emit, reject) },
	}
	_, _, err := d.Read(ctx, r, reject)
	return err
}

// Each emits or rejects one record, found at place.
func Each(n *xmltree.Node, o Origin, place string, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	o.Place = place
	d, bad := Draft(n, o)
	if bad != nil {
		return reject(*bad)
	}
	return emit(d)
}
