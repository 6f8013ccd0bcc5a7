package wire

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/spreadsheet"
)

// ComparisonMatrix is the answer of compare/matrix: a row a field, a column an
// entry. Differing counts the rows whose values are not all the same.
type ComparisonMatrix struct {
	Entries   []Ref       `json:"entries"`
	Rows      []MatrixRow `json:"rows"`
	Differing int         `json:"differing"`
	CompareHead
}

// MatrixRow is one field with its value in each entry, in their order, as
// encoding/json decodes it.
type MatrixRow struct {
	Field   string        `json:"field"`
	Basis   catalog.Basis `json:"basis"`
	Meaning string        `json:"meaning"`
	Differs bool          `json:"differs"`
	Values  []any         `json:"values"`
}

// known are rows that a reader compares by and that a list item has not.
var known = []struct {
	field, meaning string
	basis          catalog.Basis
	value          func(*snapshot.Catalog, *snapshot.Line) any
}{
	{"institution_name", "name of the institution, in English where it is known", computed, institutionName},
	{"license_id", "normalised licence, by its SPDX id where one exists", computed, func(_ *snapshot.Catalog, l *snapshot.Line) any { return wordOrNil(l.LicenseID) }},
	{"license_open", "whether the licence meets the Open Definition", computed, right(func(l *catalog.Licence) catalog.Right { return l.Open })},
	{"commercial_use", "whether the licence allows commercial use", computed, right(func(l *catalog.Licence) catalog.Right { return l.CommercialUse })},
	{"attribution_required", "whether the licence asks for attribution", computed, right(func(l *catalog.Licence) catalog.Right { return l.AttributionRequired })},
	{"share_alike", "whether the licence asks to share alike", computed, right(func(l *catalog.Licence) catalog.Right { return l.ShareAlike })},
	{"p50_latency_ms", "median latency of the last 30 days' checks, in milliseconds", observed, latency},
}

func institutionName(c *snapshot.Catalog, l *snapshot.Line) any {
	i := c.Institutions[l.InstitutionID]
	if i == nil {
		return nil
	}
	if i.NameEn != "" {
		return i.NameEn
	}
	return i.Name
}

// right reads a term of the entry's licence; nil where the licence is unknown.
func right(of func(*catalog.Licence) catalog.Right) func(*snapshot.Catalog, *snapshot.Line) any {
	return func(c *snapshot.Catalog, l *snapshot.Line) any {
		licence := c.Licences[l.LicenseID]
		if licence == nil {
			return nil
		}
		return wordOrNil(string(of(licence)))
	}
}

func latency(_ *snapshot.Catalog, l *snapshot.Line) any {
	if l.P50 < 0 {
		return nil
	}
	return float64(l.P50)
}

// wordOrNil is a text as JSON holds it, nil for an empty one.
func wordOrNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// NewComparisonMatrix sets the fields of entries side by side. The search
// vector is no content (specification, "Entry") and left out.
func NewComparisonMatrix(c *snapshot.Catalog, lines []*snapshot.Line, head CompareHead) (*ComparisonMatrix, error) {
	out := &ComparisonMatrix{Entries: []Ref{}, CompareHead: head}
	values := make([]map[string]any, len(lines))
	for i, l := range lines {
		out.Entries = append(out.Entries, NewRef(l))
		b, err := c.ReadItem(l)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(b, &values[i]); err != nil {
			return nil, fmt.Errorf("item of entry %s: %w", l.ID, err)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Item]()) {
		name := f.Tag.Get("json")
		if f.Anonymous || name == "search_vector" {
			continue
		}
		d := &fields[fieldBit[name]]
		if err := out.row(name, d.transform, d.basis, len(lines), func(i int) any { return values[i][name] }); err != nil {
			return nil, err
		}
	}
	for _, k := range known {
		if err := out.row(k.field, k.meaning, k.basis, len(lines), func(i int) any { return k.value(c, lines[i]) }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (m *ComparisonMatrix) row(field, meaning string, basis catalog.Basis, n int, value func(int) any) error {
	r := MatrixRow{Field: field, Meaning: meaning, Basis: basis, Values: make([]any, n)}
	var first []byte
	for i := range n {
		r.Values[i] = value(i)
		b, err := jsonx.Marshal(r.Values[i])
		if err != nil {
			return err
		}
		if i == 0 {
			first = b
		}
		r.Differs = r.Differs || !bytes.Equal(b, first)
	}
	if r.Differs {
		m.Differing++
	}
	m.Rows = append(m.Rows, r)
	return nil
}

// CSV is the matrix as a table (RFC 4180, but rows end in a line feed, because
// encoding/csv would change those inside cells too): field, differs, and a
// column an entry under its slug. Null is empty; a list is joined by semicolons.
// Safe cells are those of spreadsheet.Escape.
func (m *ComparisonMatrix) CSV(safe bool) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	header := []string{"field", "differs"}
	for i := range m.Entries {
		header = append(header, m.Entries[i].Slug)
	}
	rows := [][]string{header}
	for i := range m.Rows {
		r := &m.Rows[i]
		row := []string{r.Field, fmt.Sprint(r.Differs)}
		for _, v := range r.Values {
			row = append(row, cell(v))
		}
		rows = append(rows, row)
	}
	if safe {
		for _, row := range rows {
			for i := range row {
				row[i] = spreadsheet.Escape(row[i])
			}
		}
	}
	err := w.WriteAll(rows)
	return b.Bytes(), err
}

// cell is a JSON value in a table.
func cell(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case []any:
		parts := make([]string, len(x))
		for i := range x {
			parts[i] = cell(x[i])
		}
		return strings.Join(parts, ";")
	}
	return fmt.Sprint(v)
}
