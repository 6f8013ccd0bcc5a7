// Package infer finds the types of columns from sampled cells. A type is given
// only if every sampled value is of it: one word in a column of numbers makes
// it a column of text.
package infer

import (
	"strings"

	"github.com/assay-register/assay/build/profile/table"
)

// Type is the type of a column.
type Type string

// Types. Unknown is a column without a value in the sample; ID is a key that is
// compared but not counted with; GeoPoint is a position in one value.
const (
	Unknown   Type = "unknown"
	String    Type = "string"
	Integer   Type = "integer"
	Decimal   Type = "decimal"
	Boolean   Type = "boolean"
	Date      Type = "date"
	DateTime  Type = "datetime"
	Time      Type = "time"
	Year      Type = "year"
	YearMonth Type = "yearmonth"
	GeoPoint  Type = "geo_point"
	Geometry  Type = "geometry"
	URL       Type = "url"
	Email     Type = "email"
	ID        Type = "id"
	Array     Type = "array"
	Object    Type = "object"
)

// Column is what the cells of a column have in common.
type Column struct {
	table.Column
	Type Type
	// Items is the type of the members if Type is Array.
	Items    Type
	Nullable bool
	// Min and Max are set for numbers, dates and years, in normal form.
	Min, Max string
	// Distinct is the number of different values; AtLeast tells that counting
	// stopped there.
	Distinct int64
	AtLeast  bool
	// Values are the different values in the order of their first appearance,
	// at most maxValues, and Filled is how many cells are not empty.
	Values []string
	Filled int
	// Comma tells that numbers are written with a decimal comma, MonthFirst that
	// dates have the month before the day.
	Comma, MonthFirst bool
}

// maxDistinct and maxValues bound the memory of a column.
const (
	maxDistinct = 10_000
	maxValues   = 2_000
)

// Columns infers all columns of a table.
func Columns(t *table.Table) []Column {
	all := make([]sampled, len(t.Columns))
	for i := range t.Columns {
		all[i] = sample(t, i)
	}
	comma := decimalComma(all)
	out := make([]Column, len(all))
	for i := range all {
		out[i] = all[i].column(t.Columns[i], comma)
	}
	return out
}

// sampled are the values of a column by what the reader knew about them.
type sampled struct {
	kinds    map[table.Kind]int
	text     []string
	distinct map[string]bool
	more     bool
	nulls    int
	filled   int
	listed   bool
}

func sample(t *table.Table, i int) sampled {
	s := sampled{kinds: map[table.Kind]int{}, distinct: map[string]bool{}}
	for _, row := range t.Rows {
		c := row[i]
		if c.Kind == table.List {
			s.listed = true
			for _, item := range c.Items {
				s.add(item)
			}
			continue
		}
		s.add(c)
	}
	return s
}

func (s *sampled) add(c table.Cell) {
	if c.Kind == table.Null || Empty(c) {
		s.nulls++
		return
	}
	s.filled++
	s.kinds[c.Kind]++
	if s.distinct[c.Text] {
		return
	}
	if len(s.distinct) >= maxDistinct {
		s.more = true
		return
	}
	s.distinct[c.Text] = true
	s.text = append(s.text, c.Text)
}

// empties are the signs for "no value" that statistical offices, spreadsheets
// and databases write.
var empties = map[string]bool{"na": true, "n/a": true, "n.a.": true, "null": true, "none": true, "nan": true, "-": true, "--": true, "—": true, "–": true,
	"..": true, "...": true, ":": true, "#n/a": true, "\\n": true, "nil": true, "(null)": true, "k.a.": true, "n.d.": true, "nd": true}

// Empty tells that a cell stands for "no value".
func Empty(c table.Cell) bool {
	switch c.Kind {
	case table.Null:
		return true
	case table.Text:
		return c.Text == "" || empties[strings.ToLower(c.Text)]
	case table.String:
		return strings.TrimSpace(c.Text) == ""
	}
	return false
}

func (s *sampled) column(from table.Column, comma bool) Column {
	c := Column{Column: from, Nullable: s.nulls > 0, Distinct: int64(len(s.distinct)), AtLeast: s.more,
		Values: s.text[:min(len(s.text), maxValues)], Filled: s.filled}
	c.Type = s.kind(&c, comma)
	if s.listed {
		c.Items, c.Type = c.Type, Array
	}
	return c
}

func (s *sampled) only(kinds ...table.Kind) bool {
	n := 0
	for _, k := range kinds {
		n += s.kinds[k]
	}
	return n == s.filled
}

// kind is the type of the values, and sets their bounds.
func (s *sampled) kind(c *Column, comma bool) Type {
	switch {
	case s.filled == 0 && c.Declared != "":
		return Type(c.Declared)
	case s.filled == 0:
		return Unknown
	case s.only(table.Number):
		return s.numbers(c, false)
	case s.only(table.Bool):
		return Boolean
	case s.only(table.Date):
		return bounded(c, s.text, Date)
	case s.only(table.Date, table.DateTime):
		return bounded(c, s.text, DateTime)
	case s.only(table.Time):
		return bounded(c, s.text, Time)
	case s.only(table.Geometry):
		return s.shapes()
	case s.only(table.Object):
		return Object
	}
	if t := s.textual(c); t != "" {
		return t
	}
	if s.only(table.Text) || s.only(table.Text, table.Number, table.Date, table.DateTime) {
		if t := s.numbers(c, comma); t != String {
			return t
		}
	}
	return s.words(c)
}

// shapes is geo_point if every geometry is a point with a position.
func (s *sampled) shapes() Type {
	for _, v := range s.text {
		if !strings.HasPrefix(v, "Point (") {
			return Geometry
		}
	}
	return GeoPoint
}

// bounded sets the bounds of values whose normal form sorts as text.
func bounded(c *Column, values []string, t Type) Type {
	for i, v := range values {
		if i == 0 || v < c.Min {
			c.Min = v
		}
		if i == 0 || v > c.Max {
			c.Max = v
		}
	}
	return t
}
