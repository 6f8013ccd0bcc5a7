// Package source says what a connector is: something that reads what one
// catalogue publishes and emits drafts of entries, one at a time, with the
// origin of every field. It also holds what all connectors share: bounded
// reading, repair of foreign text, dates and URLs, and the words in which a
// record is refused.
package source

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Draft is one record of a source, mapped to the fields of an entry. The entry
// has no id, slug, status, keys and clocks yet; the run gives it those.
type Draft struct {
	// Place says where in the input the record stands, for messages.
	Place string
	// Entry holds what the source delivered.
	Entry catalog.Entry
	// PublisherKey is the key of the reference institution, if the source's
	// own id of the publisher maps to one.
	PublisherKey string
	// PublisherName and PublisherURL are the publisher as the source names it.
	PublisherName string
	PublisherURL  string
	// Refs are all upstream references of the record, the first one that of the
	// entry if the others do not decide otherwise; empty when the protocol has
	// one id that is unique by definition, or none.
	Refs []Ref
	// Ambiguous are references that the catalogue gives to several records, so
	// that they are none.
	Ambiguous []string
	// FormerRefs are references by which the register may know the record from
	// earlier, though they identify nothing.
	FormerRefs []string
	// Edition marks one of several documents, versions or syntaxes of one API,
	// which are one entry.
	Edition bool
	// Raw is the record as the source published it, RawMedia its media type; nil where
	// the connector has none.
	Raw      []byte
	RawMedia string
	// Rows is the origin of each delivered field.
	Rows []catalog.FieldRow
	// Delivered counts the fields that the publisher delivered, Repaired those
	// of them that needed a repair.
	Delivered, Repaired int
	// OtherLicence says that the entry's raw licence is not one of the source
	// itself (but of its program code, say), so that it must not be resolved.
	OtherLicence bool
	// LicenceForms are further names and addresses of the licence, to look it up by.
	LicenceForms []string
	// LicenceNames are what the document says of the licences that it names by an address, by these addresses.
	LicenceNames map[string][]string
}

// Document keeps a copy of a document that is the record: JSON, XML or YAML.
func (d *Draft) Document(data []byte) {
	d.Raw, d.RawMedia = bytes.Clone(data), "application/yaml"
	switch trimmed := bytes.TrimLeft(data, " \t\r\n\ufeff"); {
	case len(trimmed) > 0 && trimmed[0] == '{':
		d.RawMedia = "application/json"
	case len(trimmed) > 0 && trimmed[0] == '<':
		d.RawMedia = "application/xml"
	}
}

// Confidence is the share of delivered fields that needed no repair, in
// hundredths (decisions §5, extraction_confidence).
func (d *Draft) Confidence() int {
	if d.Delivered <= 0 {
		return 0
	}
	return (d.Delivered - d.Repaired) * 100 / d.Delivered
}

// Rejection is a record that does not get in, with what its owner can do.
type Rejection struct {
	// Place says where in the input the record stands.
	Place string `json:"place"`
	// Code names the class of the fault for machines.
	Code Code `json:"code"`
	// Reason says what is wrong with this record.
	Reason string `json:"reason"`
	// Remedy says what makes the record acceptable.
	Remedy string `json:"remedy,omitempty"`
	// UpstreamRef is set when the record could be identified, so that it does
	// not count as gone upstream.
	UpstreamRef string `json:"-"`
	// Refs are the other references by which the register may know the record.
	Refs []string `json:"-"`
}

// Input is what a connector reads.
type Input struct {
	// Name is the path or URL of the input, for messages and as
	// source_seed_url where a record has no page of its own.
	Name string
	// Open opens the input; nil when Files is the input.
	Open func(context.Context) (io.ReadCloser, error)
	// Files holds a source of many files, or the siblings of the one that
	// Open opens.
	Files fs.FS
	// Fetch gets the pages of a live source; nil for files.
	Fetch Fetch
	// Cursor is where an interrupted run goes on: what the connector last gave
	// to Mark. It is empty for a run from the beginning.
	Cursor string
	// Mark tells the run that all records before cursor, the connector's own
	// word for a place in the input, were emitted or rejected. The run stores
	// them and the cursor in one transaction. A connector calls it through
	// Done, after each page.
	Mark func(cursor string) error
	// Expect tells how many records there are in all, as the source states it; nil
	// where nobody asks. A connector calls it through Expects.
	Expect func(records int)
	// Forget drops what the first page says of its own changes; nil where nobody keeps it. A connector calls it through
	// Anew.
	Forget func()
	// Size is how many bytes Open gives, 0 when that is not known.
	Size int64
	// Since is the time of the last complete run, for protocols that can list
	// what changed since; zero asks for everything.
	Since time.Time
	// Source is the catalogue that lists the records.
	Source catalog.Source
	// Now is the time of the harvest.
	Now time.Time
	// Limits bounds what is read; zero fields take their defaults.
	Limits Limits
	// record is the JSON record that is being mapped, nil for none.
	record []byte
	// AllowPrivate accepts loopback and private addresses (decisions §1,
	// --allow-private).
	AllowPrivate bool
}

// Connector reads one kind of source. It calls emit for each record it could
// map and reject for each that it could not, in the order of the input, and
// returns an error only when the input as a whole cannot be read or emit or
// reject fails.
type Connector interface {
	Run(ctx context.Context, in Input, emit func(Draft) error, reject func(Rejection) error) error
}

// Host is the host of the catalogue, the first part of an upstream_ref; the
// fallback serves a source without an address.
func (in *Input) Host(fallback string) string {
	if h := catalog.Host(in.Source.URL); h != "" {
		return h
	}
	return fallback
}

// PageURL is the address of the input itself if it has one, else that of the
// source.
func (in *Input) PageURL() string {
	if catalog.CheckURL("source_seed_url", in.Name) == nil {
		return in.Name
	}
	return in.Source.URL
}

// Done marks a place of the input as done, if anyone wants to know.
func (in *Input) Done(cursor string) error {
	if in.Mark == nil {
		return nil
	}
	return in.Mark(cursor)
}

// Anew tells that the first page says nothing of the changes of the others, so that the next run reads all whether
// or not it changed.
func (in *Input) Anew() {
	if in.Forget != nil {
		in.Forget()
	}
}

// Expects tells how many records the source states to have in all; a connector
// may correct itself.
func (in *Input) Expects(records int) {
	if in.Expect != nil && records >= 0 {
		in.Expect(records)
	}
}
