// Package format reads samples of data files into tables. Every reader takes
// hostile bytes: it is bounded by table.Limits and by the size of the sample,
// looks at its context, and turns what it cannot read into an error that names
// the place and holds no value of the data.
package format

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-register/assay/build/profile/table"
)

// Kinds of data files, as they stand in a profile.
const (
	CSV     = "csv"
	TSV     = "tsv"
	JSON    = "json"
	NDJSON  = "ndjson"
	GeoJSON = "geojson"
	XLSX    = "xlsx"
	Parquet = "parquet"
	XML     = "xml"
	OpenAPI = "openapi"
)

// ErrUnsupported is wrapped by errors about bytes that no reader understands,
// as opposed to bytes that a reader finds broken.
var ErrUnsupported = errors.New("unsupported")

// Options tell a reader what is known beside the bytes.
type Options struct {
	// Truncated tells that the file has more than the bytes given.
	Truncated bool
	// Charset is the encoding the publisher declares, Language the BCP 47 tag
	// of the data; both may be empty or wrong.
	Charset, Language string
	Limits            table.Limits
	// Known tells whether a text is a usual name of a column; Private whether
	// it is itself personal data, such as an address of e-mail; Name whether
	// it looks like the name of a person. Nil means never.
	Known, Private, Name func(string) bool
}

func (o *Options) known(s string) bool   { return o.Known != nil && o.Known(s) }
func (o *Options) private(s string) bool { return o.Private != nil && o.Private(s) }
func (o *Options) name(s string) bool    { return o.Name != nil && o.Name(s) }

// Read reads data as the given kind. A reader that panics on hostile bytes is
// an error of that file, not of the run.
func Read(ctx context.Context, kind string, data []byte, o Options) (t *table.Table, err error) {
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, fmt.Errorf("the %s file breaks its reader; check it with another program", kind)
		}
	}()
	if o.Limits == (table.Limits{}) {
		o.Limits = table.DefaultLimits
	}
	switch kind {
	case CSV, TSV:
		return readCSV(ctx, kind, data, &o)
	case JSON, GeoJSON:
		return readJSON(ctx, data, &o)
	case NDJSON:
		return readNDJSON(ctx, data, &o)
	case XLSX:
		return readXLSX(ctx, data, &o)
	case Parquet:
		return readParquet(ctx, data, &o)
	case XML:
		return readXML(ctx, data, &o)
	}
	return nil, fmt.Errorf("%w: there is no reader for %q", ErrUnsupported, kind)
}

// total sets the exact count of a file that was read to its end.
func total(t *table.Table, truncated bool) *table.Table {
	t.Truncated = truncated
	if !truncated {
		n := t.Count
		t.Total = &n
	}
	return t
}
