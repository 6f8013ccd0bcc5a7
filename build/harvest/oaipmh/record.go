package oaipmh

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/dublincore"
	"github.com/assay-register/assay/build/harvest/source/iso19115"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

const rdfSpace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

// record emits or rejects what a record holds, by what its metadata are.
func (h *harvest) record(ctx context.Context, n *xmltree.Node, place, seed string) error {
	id := n.Value("header", "identifier")
	if n.First("header").Attr("status") == "deleted" {
		// Without a reference it counts as gone.
		return h.reject(source.Rejection{Place: place, Code: source.CodeDeleted, Reason: "the repository marks " + id + " as deleted", Remedy: "nothing to do"})
	}
	for _, body := range n.All("metadata", "*") {
		switch {
		case body.Space == rdfSpace && body.Name == "RDF":
			return h.rdf(ctx, body, place)
		case iso19115.Root(xml.Name{Local: body.Name}):
			return iso19115.Each(body, iso19115.Origin{In: h.in, Kind: Kind, Seed: seed, Page: h.page}, place, h.emit, h.reject)
		case body.Name == "dc", body.Name == "qualifieddc":
			d, bad := dublincore.Draft(body, dublincore.Origin{In: h.in, Kind: Kind, Place: place, Seed: seed, ID: id, Page: h.page,
				Untyped: h.in.Source.Filters[FilterUntyped] == "dataset"})
			if bad != nil {
				return h.reject(*bad)
			}
			return h.emit(d)
		}
	}
	return h.reject(source.Rejection{Place: place, Code: source.CodeInvalidField, Reason: "the record " + id + " holds no metadata of DCAT, ISO 19139 or Dublin Core",
		Remedy: "choose another format with the filter prefix"})
}

// rdf hands a record of DCAT, as a document of its own, to the connector that
// reads them.
func (h *harvest) rdf(ctx context.Context, body *xmltree.Node, place string) error {
	if h.RDF == nil {
		return h.reject(source.Rejection{Place: place, Code: source.CodeInvalidField, Reason: "records of RDF are not read here", Remedy: "set the filter prefix to oai_dc"})
	}
	var doc bytes.Buffer
	if err := xmltree.Write(&doc, body); err != nil {
		return err
	}
	in := *h.in
	in.Name, in.Fetch, in.Files, in.Mark, in.Cursor = place+".rdf", nil, nil, nil, ""
	in.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(doc.Bytes())), nil }
	at := func(bad source.Rejection) error { bad.Place = place; return h.reject(bad) }
	return h.RDF.Run(ctx, in, func(d source.Draft) error { d.Place = place; return h.emit(d) }, at)
}
