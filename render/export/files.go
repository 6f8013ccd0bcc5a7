package export

import (
	"bytes"
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
		{Stream: jsonStream, Body: object, Pooled: true, Quoted: true},
		{Stream: csvStream, Body: appendRow(artifact.Buffer(room), cells[:]), Pooled: true, Quoted: true},
		{Stream: furtherStream, Body: appendRow(artifact.Buffer(room), further), Pooled: true, Quoted: true},
		{Stream: recordStream, Body: append(line, '\n'), Pooled: true, Quoted: true},
	}, nil
}

// Aggregates emits the exports, each with a gzip copy.
func Aggregates(c *snapshot.Catalog, emit func(artifact.File) error) error {
	for _, f := range []artifact.File{
		{Route: RouteJSON, Type: artifact.JSON, Stream: document(c)},
		{Route: RouteCSV, Type: artifact.CSV, Stream: table(c)},
		{Route: RouteSafe, Type: artifact.CSV, Stream: safeTable(c)},
		{Route: RouteFull, Type: artifact.CSV, Stream: fullTable(c, false)},
		{Route: RouteFullSafe, Type: artifact.CSV, Stream: fullTable(c, true)},
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
		err = eachFragment(c, jsonStream, func(i int, b []byte) error {
			from := 0
			if i == 0 {
				from = 1 // no comma before the first one
			}
			return artifact.WriteQuote(w, jsonStream, i, from, b[from:])
		})
		if err == nil {
			_, err = io.WriteString(w, "]}")
		}
		return err
	}
}

// table streams the CSV export.
func table(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := w.Write(header()); err != nil {
			return err
		}
		return eachFragment(c, csvStream, func(i int, b []byte) error { return artifact.WriteQuote(w, csvStream, i, 0, b) })
	}
}

// safeTable streams the CSV export for spreadsheets.
func safeTable(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := w.Write(header()); err != nil {
			return err
		}
		safe := newSafe(FullColumns()[:len(Columns)])
		return eachFragment(c, csvStream, func(i int, b []byte) error { return safe.write(w, csvStream, i, b, len(b)) })
	}
}

// fullTable streams the CSV export of full records: a row is that of the plain table without its end,
// and its further cells.
func fullTable(c *snapshot.Catalog, safe bool) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := w.Write(fullHeader()); err != nil {
			return err
		}
		write := quoted
		if safe {
			columns := FullColumns()
			plain, more := newSafe(columns[:len(Columns)]), newSafe(columns[len(Columns):])
			write = func(w io.Writer, stream string, i int, b []byte, n int) error {
				if stream == csvStream {
					return plain.write(w, stream, i, b, n)
				}
				return more.write(w, stream, i, b, n)
			}
		}
		further, err := newFragments(c, furtherStream)
		if err != nil {
			return err
		}
		return eachFragment(c, csvStream, func(i int, b []byte) error {
			if err := write(w, csvStream, i, b, len(b)-len(rowEnd)); err != nil {
				return err
			}
			rest, err := further.next(i)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(w, ","); err != nil {
				return err
			}
			return write(w, furtherStream, i, rest, len(rest))
		})
	}
}

// quoted writes the first n bytes of a fragment.
func quoted(w io.Writer, stream string, i int, b []byte, n int) error {
	return artifact.WriteQuote(w, stream, i, 0, b[:n])
}

// records streams the NDJSON export.
func records(c *snapshot.Catalog) func(io.Writer) error {
	return func(w io.Writer) error {
		return eachFragment(c, recordStream, func(i int, b []byte) error { return artifact.WriteQuote(w, recordStream, i, 0, b) })
	}
}
