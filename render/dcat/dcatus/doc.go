// Package dcatus renders the register in DCAT-US, the form of data.json: version 1.1 (Project
// Open Data; its schema for others than federal bodies), which has datasets only, at the
// address where harvesters of data.gov look for it, and version 3.0, which has services too.
//
// What the schemas demand and a source does not state is said in a way that asserts nothing
// of the publisher: a description is the name again, an access level that nobody states is
// public with a remark in rights, and the contact of version 3.0, which must be a mailbox,
// is that of the register under the register's own name. A service without an address is
// left out, as in DCAT-AP. Version 1.1 has no word for what is deprecated, and has none of it.
package dcatus

import (
	"fmt"
	"io"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Class groups the documents in snapshot.json.
const Class artifact.Class = "dcat-us"

// Streams of the catalog in which the fragments of the entries lie.
const (
	oldStream     = "dcat-us.1.1"
	datasetStream = "dcat-us.dataset"
	serviceStream = "dcat-us.service"
)

// schema11 is the version that a file of DCAT-US 1.1 must name ("conformsTo"), others11 the JSON
// schema for others than federal bodies; schema30 the catalogue's schema of 3.0.
const (
	schema11  = "https://project-open-data.cio.gov/v1.1/schema"
	context11 = schema11 + "/catalog.jsonld"
	others11  = "https://resources.data.gov/schemas/dcat-us/v1.1/schema/catalog-non-federal.json"
	schema30  = "https://resources.data.gov/dcat-us/3.0.0/catalog"
)

// room is enough for most fragments, in bytes.
const room = 2 << 10

// Fragments renders an entry for both versions.
func Fragments(s *snapshot.Scored) ([]artifact.Fragment, error) {
	if s.Entry().Type == catalog.TypeDataset {
		now, err := fragment(datasetStream, newDataset(s))
		if err != nil || s.Entry().Status == catalog.StatusDeprecated {
			return []artifact.Fragment{now}, err
		}
		old, err := fragment(oldStream, oldDataset(s))
		return []artifact.Fragment{old, now}, err
	}
	made := newService(s)
	if made == nil {
		return nil, nil
	}
	f, err := fragment(serviceStream, made)
	return []artifact.Fragment{f}, err
}

// fragment begins with the comma that the first one of a list is written without.
func fragment(stream string, v any) (artifact.Fragment, error) {
	b, err := jsonx.Append(append(artifact.Buffer(room), ','), v)
	return artifact.Fragment{Stream: stream, Body: b, Pooled: true, Quoted: true}, err
}

// Aggregates emits both documents.
func Aggregates(c *snapshot.Catalog, emit func(artifact.File) error) error {
	for _, f := range []artifact.File{
		{Route: wire.RouteDataJSON, Stream: func(w io.Writer) error { return old(c, w) }},
		{Route: wire.RouteDCATUS, Stream: func(w io.Writer) error { return now(c, w) }},
	} {
		f.Class, f.Type = Class, artifact.JSON
		if err := emit(f); err != nil {
			return err
		}
	}
	return nil
}

// catalogue is the head of a document, without its lists.
type catalogue struct {
	Context     string `json:"@context,omitempty"`
	ID          string `json:"@id"`
	Type        string `json:"@type"`
	ConformsTo  any    `json:"conformsTo"`
	DescribedBy string `json:"describedBy,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Homepage    any    `json:"homepage,omitempty"`
	Language    string `json:"language,omitempty"`
	Modified    string `json:"modified,omitempty"`
	Publisher   *agent `json:"publisher,omitempty"`
}

func old(c *snapshot.Catalog, w io.Writer) error {
	head := catalogue{Context: context11, ID: address(c.Site, wire.RouteDataJSON), Type: "dcat:Catalog", ConformsTo: schema11, DescribedBy: others11}
	return document(c, w, &head, list{"dataset", oldStream})
}

func now(c *snapshot.Catalog, w io.Writer) error {
	head := catalogue{ID: address(c.Site, wire.RouteDCATUS), Type: "Catalog", ConformsTo: &standard{Type: "Standard", ID: schema30, Title: "DCAT-US 3.0"},
		Title: c.Site.Name, Description: "Official public-sector APIs, datasets and MCP servers, tested.", Homepage: &page{Type: "Document", ID: address(c.Site, "/"), Title: c.Site.Name},
		Language: "en", Modified: instant(c.AsOf), Publisher: &agent{Type: "Organization", Name: c.Site.Name}}
	return document(c, w, &head, list{"dataset", datasetStream}, list{"service", serviceStream})
}

// list is a member of a catalogue and the stream of its elements.
type list struct{ member, stream string }

// document writes a head and its lists, entry by entry.
func document(c *snapshot.Catalog, w io.Writer, head *catalogue, lists ...list) error {
	b, err := jsonx.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(b[:len(b)-1]); err != nil {
		return err
	}
	for _, l := range lists {
		if _, err := fmt.Fprintf(w, ",%q:[", l.member); err != nil {
			return err
		}
		first := true
		err := c.Streams[l.stream].Each(0, len(c.Lines), func(i int, b []byte) error {
			from := 0
			if first {
				first, from = false, 1
			}
			return artifact.WriteQuote(w, l.stream, i, from, b[from:])
		})
		if err != nil {
			return fmt.Errorf("DCAT-US: %w", err)
		}
		if _, err := io.WriteString(w, "]"); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "}")
	return err
}
