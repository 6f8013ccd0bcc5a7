package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// CSV implements source.Connector for comma-separated files (RFC 4180) with a
// header. The columns may come in any order.
type CSV struct{}

// Run implements source.Connector.
func (CSV) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	comma, err := separator(&in)
	if err == nil {
		err = checkFilters(&in)
	}
	if err != nil {
		return err
	}
	r, err := open(ctx, &in, "text/csv, text/plain;q=0.5, */*;q=0.1")
	if err != nil {
		return err
	}
	defer r.Close()
	stream, err := source.NewStream(r, in.Name, in.Limits)
	if err != nil {
		return err
	}
	rows := source.NewCSV(stream, comma)
	h, bad, err := readHeader(rows, &in)
	if err != nil {
		return err
	}
	if bad != nil {
		return reject(*bad)
	}
	m := mapper{in: &in, emit: emit, reject: reject}
	if err := m.rows(ctx, rows, h); err != nil {
		return err
	}
	if p := stream.Problem(); p != nil {
		return reject(*p)
	}
	return nil
}

func separator(in *source.Input) (byte, error) {
	raw := in.Source.Filters[FilterSeparator]
	switch {
	case raw == "":
		return ',', nil
	case raw == "tab" || raw == `\t`:
		return '\t', nil
	case len(raw) == 1 && raw != `"` && raw != "\n" && raw != "\r":
		return raw[0], nil
	}
	return 0, fmt.Errorf("filter %s: %q is no separator; use one character or the word tab", FilterSeparator, raw)
}

// header says where the columns of a file are.
type header struct {
	// columns are the positions of the fields, width is how many columns the
	// file has, other are the names of those that hold no field.
	columns map[string]int
	width   int
	other   []string
	// head is the row itself.
	head []string
}

// readHeader maps the first row. A file without the required columns, or those
// that a filter names, is one rejection.
func readHeader(rows *source.CSV, in *source.Input) (*header, *source.Rejection, error) {
	row, bad, err := rows.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("read %s: %w", in.Name, err)
	}
	h := &header{columns: map[string]int{}, width: len(row.Fields), head: row.Fields}
	for i, cell := range row.Fields {
		if field := fieldOf(in, cell); field == "" {
			h.other = append(h.other, strings.TrimSpace(cell))
		} else if _, taken := h.columns[field]; !taken {
			h.columns[field] = i
		}
	}
	for _, field := range fields {
		column := columnOf(in, field)
		_, found := h.columns[field]
		named := column != field && column != off
		if bad != nil || !found && (named || slices.Contains(required, field)) {
			return nil, &source.Rejection{Place: in.Name + ":1", Code: source.CodeMissingHeader,
				Reason: fmt.Sprintf("the first line has no column %q", column),
				Remedy: "begin the file with " + strings.Join(fields, ",") + ", or map its columns and its separator by filters"}, nil
		}
	}
	return h, nil, nil
}

// fieldOf is the field that a column holds, or "".
func fieldOf(in *source.Input, column string) string {
	column = strings.TrimSpace(column)
	if column == off {
		return ""
	}
	for _, f := range fields {
		if strings.EqualFold(columnOf(in, f), column) {
			return f
		}
	}
	return ""
}

// rows maps the rows below the header.
func (m *mapper) rows(ctx context.Context, rows *source.CSV, h *header) error {
	for ctx.Err() == nil {
		row, bad, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", m.in.Name, err)
		}
		if bad == nil && len(row.Fields) != h.width {
			bad = &source.Rejection{Place: fmt.Sprintf("%s:%d", m.in.Name, row.Line), Code: source.CodeColumnCount,
				Reason: fmt.Sprintf("the row has %d columns, the header %d", len(row.Fields), h.width),
				Remedy: "quote fields that contain the separator, a quote or a line break"}
		}
		if bad != nil {
			err = m.reject(*bad)
		} else {
			err = m.record(h.record(m.in, &row))
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// record takes the fields out of a row.
func (h *header) record(in *source.Input, row *source.Row) *record {
	r := &record{place: fmt.Sprintf("%s:%d", in.Name, row.Line), seed: in.PageURL(), values: map[string]string{}, other: h.other, raw: row.Bytes(h.head)}
	for field, i := range h.columns {
		r.values[field] = row.Fields[i]
	}
	return r
}
