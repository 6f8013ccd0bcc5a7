package export

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Class groups the bulk exports in snapshot.json.
const Class artifact.Class = "export"

// Routes of the exports that this package renders (specification, "Feeds and
// exports"; decisions §2). Each has a gzip copy at its route with ".gz" added.
const (
	RouteJSON   = "/api/v1/feeds/export/json"
	RouteCSV    = wire.RouteCSV
	RouteSafe   = wire.RouteSafeCSV
	RouteNDJSON = "/api/v1/export/entries.ndjson"
	// RouteFull and RouteFullSafe have full records, as RouteNDJSON has.
	RouteFull     = wire.RouteFullCSV
	RouteFullSafe = wire.RouteFullSafeCSV
)

// Streams of the catalog in which the fragments of the entries lie.
const (
	jsonStream   = "export-json"
	csvStream    = "export-csv"
	recordStream = "export-record"
	// furtherStream has of each entry the cells that a full row has behind those of csvStream.
	furtherStream = "export-further"
)

// room is enough for most fragments, in bytes.
const room = 2 << 10

// Fragments renders an entry for the JSON, the CSV and the NDJSON export.
func Fragments(s *snapshot.Scored) ([]artifact.Fragment, error) {
	r := NewRecord(s)
	// The comma before the first element is left out by the document.
	object, err := jsonx.Append(append(artifact.Buffer(room), ','), &r)
	if err != nil {
		return nil, fmt.Errorf("export of entry %s: %w", r.ID, err)
	}
	record := wire.NewRecord(s)
	line, err := jsonx.Append(artifact.Buffer(room), &record)
	if err != nil {
		return nil, fmt.Errorf("record of entry %s: %w", r.ID, err)
	}
	further, err := furtherCells(&record)
	if err != nil {
		return nil, fmt.Errorf("row of entry %s: %w", r.ID, err)
	}
	cells := r.Cells()
	return []artifact.Fragment{
		{Stream: jsonStream, Body: object, Pooled: true},
		{Stream: csvStream, Body: appendRow(artifact.Buffer(room), cells[:]), Pooled: true},
		{Stream: furtherStream, Body: appendRow(artifact.Buffer(room), further), Pooled: true},
		{Stream: recordStream, Body: append(line, '\n'), Pooled: true},
	}, nil
}

// Aggregates emits the exports, each with a gzip copy.
func Aggregates(c *snapshot.Catalog, emit func(artifact.File) error) error {
	for _, f := range []artifact.File{
		{Route: RouteJSON, Type: artifact.JSON, Stream: document(c)},
		{Route: RouteCSV, Type: artifact.CSV, Stream: table(c)},
		{Route: RouteSafe, Type: artifact.CSV, Stream: safeTable(c)},
		{Route: RouteFull, Type: artifact.CSV, Stream: fullTable(c, appendRow)},
		{Route: RouteFullSafe, Type: artifact.CSV, Stream: fullTable(c, appendSafeRow)},
		{Route: RouteNDJSON, Type: artifact.NDJSON, Stream: records(c)},
	} {
		f.Class, f.Gzip = Class, f.Route+".gz"
		if err := emit(f); err != nil {
			return err
		}
	}
	return nil
}

// document streams the JSON export.
func document(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		body, err := fragments(c, jsonStream)
		if err != nil {
			return err
		}
		head, err := jsonx.Marshal(struct {
			Date    string    `json:"snapshot_date"`
			Source  string    `json:"source"`
			License string    `json:"license"`
			Count   int       `json:"count"`
			Entries []*Record `json:"entries"`
		}{c.AsOf.Format(time.RFC3339), c.Site.BaseURL, c.Site.License, len(c.Lines), []*Record{}})
		if err != nil {
			return fmt.Errorf("head of the JSON export: %w", err)
		}
		if _, err := w.Write(bytes.TrimSuffix(head, []byte("]}"))); err != nil {
			return err
		}
		if body.Size() > 0 {
			body = io.NewSectionReader(body, 1, body.Size()-1)
		}
		return join(w, body, "]}")
	}
}

// table streams the CSV export.
func table(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		body, err := fragments(c, csvStream)
		if err != nil {
			return err
		}
		if _, err := w.Write(header()); err != nil {
			return err
		}
		return join(w, body, "")
	}
}

// safeTable streams the CSV export for spreadsheets, made of the rows of the
// plain one.
func safeTable(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		row := header()
		for cells, err := range Rows(c) {
			if err != nil {
				return err
			}
			if _, err := out.Write(row); err != nil {
				return err
			}
			row = appendSafeRow(row[:0], cells[:])
		}
		_, err := out.Write(row)
		return errors.Join(err, out.Flush())
	}
}

// fullTable streams a CSV export of full records with rows that are written by add.
func fullTable(c *snapshot.Catalog, add func([]byte, []*string) []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		row := fullHeader()
		for cells, err := range FullRows(c) {
			if err != nil {
				return err
			}
			if _, err := out.Write(row); err != nil {
				return err
			}
			row = add(row[:0], cells)
		}
		_, err := out.Write(row)
		return errors.Join(err, out.Flush())
	}
}

// records streams the NDJSON export.
func records(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		body, err := fragments(c, recordStream)
		if err != nil {
			return err
		}
		return join(w, body, "")
	}
}

func join(w io.Writer, body *io.SectionReader, foot string) error {
	n, err := io.Copy(w, body)
	if err == nil && n != body.Size() {
		err = fmt.Errorf("%d bytes of %d: %w", n, body.Size(), io.ErrUnexpectedEOF)
	}
	if err == nil {
		_, err = io.WriteString(w, foot)
	}
	return err
}
