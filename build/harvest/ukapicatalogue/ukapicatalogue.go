// Package ukapicatalogue reads the catalogue of the United Kingdom's
// public-sector APIs: one CSV file with a row per API, and a second one with
// the names of the organisations.
package ukapicatalogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "uk-api-catalogue"

// header is the columns of the catalogue (catalogue.csv-metadata.json of the
// publisher). They may come in any order; url, name and provider must be there.
var header = []string{"dateAdded", "dateUpdated", "url", "name", "description", "documentation", "license",
	"maintainer", "areaServed", "startDate", "endDate", "provider"}

// required are the columns without which a file is not this catalogue.
var required = []string{"url", "name", "provider"}

// Connector implements source.Connector.
type Connector struct{}

// Run implements source.Connector. Open gives the catalogue; without it the
// file catalogue.csv of Files is read. The file organisation.csv of Files, if
// there is one, gives the names of the publishers.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	orgs, err := organisations(&in)
	if err != nil {
		return err
	}
	r, err := open(ctx, &in)
	if err != nil {
		return err
	}
	defer r.Close()
	stream, err := source.NewStream(r, in.Name, in.Limits)
	if err != nil {
		return err
	}
	rows := source.NewCSV(stream, ',')
	m := mapper{in: &in, orgs: orgs, seed: in.PageURL()}
	bad, err := m.header(rows)
	if err != nil {
		return err
	}
	if bad != nil {
		return reject(*bad)
	}
	if err := m.rows(ctx, rows, emit, reject); err != nil {
		return err
	}
	if p := stream.Problem(); p != nil {
		return reject(*p)
	}
	return nil
}

// rows maps the rows below the header.
func (m *mapper) rows(ctx context.Context, rows *source.CSV, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	for ctx.Err() == nil {
		row, bad, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", m.in.Name, err)
		}
		var draft source.Draft
		if bad == nil {
			draft, bad = m.draft(row)
		}
		if bad != nil {
			err = reject(*bad)
		} else {
			err = emit(draft)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func open(ctx context.Context, in *source.Input) (io.ReadCloser, error) {
	if in.Open != nil {
		r, err := in.Open(ctx)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", in.Name, err)
		}
		return r, nil
	}
	if in.Files == nil {
		return nil, fmt.Errorf("open %s: the input is neither a file nor a directory", in.Name)
	}
	f, err := in.Files.Open("catalogue.csv")
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", in.Name, err)
	}
	return f, nil
}

// header maps the column names to their positions. A file without the header
// is one rejection.
func (m *mapper) header(rows *source.CSV) (*source.Rejection, error) {
	row, bad, err := rows.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", m.in.Name, err)
	}
	m.head = row.Fields
	m.width, m.columns = len(row.Fields), map[string]int{}
	for i, f := range row.Fields {
		m.columns[canonical(f)] = i
	}
	for _, want := range required {
		if _, ok := m.columns[want]; !ok || bad != nil {
			return &source.Rejection{Place: m.in.Name + ":1", Code: source.CodeMissingHeader,
				Reason: "the first line is not the header of the catalogue: no column " + want,
				Remedy: "begin the file with " + strings.Join(header, ",")}, nil
		}
	}
	return nil, nil
}

// canonical writes a column name as the header has it, whatever its case.
func canonical(name string) string {
	name = strings.TrimSpace(name)
	i := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(h, name) })
	if i < 0 {
		return name
	}
	return header[i]
}
