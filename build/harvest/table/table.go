// Package table reads plain lists of sources: CSV files with a header, and JSON
// with a record per line. The names of the columns are those of decisions §1;
// filters of the source map others to them.
package table

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// The words for the two connectors in `assay harvest --kind`.
const (
	KindCSV    = "csv"
	KindNDJSON = "ndjson"
)

// The filters that the connectors read.
const (
	// FilterSeparator is what separates columns: one character, or the word tab.
	// Without it that is a comma.
	FilterSeparator = "separator"
	// FilterColumn and a field name, as in column.name, give the column or key
	// that holds the field; a hyphen says that none does.
	FilterColumn = "column."
)

// off is the column of a field that is not read.
const off = "-"

// fields are the fields that a list can have, in their documented order.
var fields = []string{"name", "url", "type", "description", "country_code", "institution", "format", "tags", "docs_url", "license"}

// required are the fields without which a list is none.
var required = []string{"name", "url"}

// columnOf is the column or key that holds a field.
func columnOf(in *source.Input, field string) string {
	if column := strings.TrimSpace(in.Source.Filters[FilterColumn+field]); column != "" {
		return column
	}
	return field
}

// checkFilters refuses a mapping of a field that does not exist, because the
// column it names would be ignored in silence.
func checkFilters(in *source.Input) error {
	for key := range in.Source.Filters {
		field, ok := strings.CutPrefix(key, FilterColumn)
		if ok && !slices.Contains(fields, field) {
			return fmt.Errorf("filter %s: there is no field %q; use one of %s", key, field, strings.Join(fields, ", "))
		}
	}
	return nil
}

// open opens the one file of the input.
func open(ctx context.Context, in *source.Input, accept string) (io.ReadCloser, error) {
	switch {
	case in.Fetch != nil:
		resp, err := in.Fetch(ctx, source.Request{URL: in.PageURL(), Accept: accept})
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", in.Name, err)
		}
		return resp.Body, nil
	case in.Open != nil:
		r, err := in.Open(ctx)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", in.Name, err)
		}
		return r, nil
	}
	return nil, fmt.Errorf("open %s: the input is not a file", in.Name)
}
