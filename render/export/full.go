package export

import (
	"strconv"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/wire"
)

// FullColumn is a column of the forms that hold full records.
type FullColumn struct {
	Column
	Kind wire.ColumnKind
}

// FullColumns are all columns of a full record: those of Columns, then those of a record (wire.RecordColumns).
func FullColumns() []FullColumn {
	out := make([]FullColumn, 0, len(Columns)+len(wire.RecordColumns))
	for _, c := range Columns {
		kind := wire.ColumnText
		if c.Name == "created_at" || c.Name == "updated_at" || c.Name == "last_verified_at" {
			kind = wire.ColumnTime
		}
		out = append(out, FullColumn{Column: c, Kind: kind})
	}
	for _, c := range wire.RecordColumns {
		out = append(out, FullColumn{Column{c.Name, true}, c.Kind})
	}
	return out
}

// furtherCells are the values of a record in the order of wire.RecordColumns, nil for null: an empty
// text, list or object is none.
func furtherCells(r *wire.Record) ([]*string, error) {
	cells := make([]*string, len(wire.RecordColumns))
	for i := range wire.RecordColumns {
		value, err := cell(wire.RecordColumns[i].Of(r))
		if err != nil {
			return nil, err
		}
		if value != "" {
			cells[i] = &value
		}
	}
	return cells, nil
}

// cell writes a value as a cell, "" for null.
func cell(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return text(v), nil
	case *string:
		if v == nil {
			return "", nil
		}
		return text(*v), nil
	case float64:
		return string(jsonx.AppendNumber(nil, v)), nil
	case *float64:
		if v == nil {
			return "", nil
		}
		return string(jsonx.AppendNumber(nil, *v)), nil
	case *int:
		if v == nil {
			return "", nil
		}
		return strconv.Itoa(*v), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []string:
		if len(v) == 0 {
			return "", nil
		}
		return marshal(v)
	case catalog.Texts:
		if len(v) == 0 {
			return "", nil
		}
		return marshal(v)
	case catalog.Terms:
		if len(v) == 0 {
			return "", nil
		}
		return marshal(v)
	}
	return marshal(v)
}

func marshal(v any) (string, error) {
	b, err := jsonx.Marshal(v)
	return string(b), err
}
