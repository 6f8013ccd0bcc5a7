// Package table is what every reader of a data file hands on: named columns,
// rows of cells, and what the reader learnt about the file.
package table

// Kind is what a reader knows about a cell before anything is inferred.
type Kind uint8

// Kinds of cells. Text is untyped, as in CSV and XML: it may stand for a
// number. String is text by declaration, as in JSON.
const (
	Null Kind = iota
	Text
	String
	Number
	Bool
	Date
	DateTime
	Time
	// Geometry's text is a GeoJSON type name, followed by "lon lat" in
	// parentheses for a point.
	Geometry
	// Object is a structure that was not looked into; it has no text.
	Object
	List
)

// Cell is one value. Items are the members of a List.
type Cell struct {
	Kind  Kind
	Text  string
	Items []Cell
}

// Column is what the file says about a column.
type Column struct {
	Name, Label, Description string
	// Declared is the type that the file's schema states, used where the
	// sample has no value.
	Declared string
}

// Limits bound what a reader keeps. Each is a count, Cell in bytes.
type Limits struct {
	Rows, Columns, Cells, Cell, Name int
}

// DefaultLimits keep a profile to a few seconds and some tens of MiB.
var DefaultLimits = Limits{Rows: 10_000, Columns: 400, Cells: 400_000, Cell: 1_000, Name: 200}

// Table is a sample of a data file.
type Table struct {
	Kind    string
	Columns []Column
	// Rows all have one cell for each column.
	Rows [][]Cell
	// Count is how many records the sample has, kept in Rows or not.
	Count int64
	// Total is the exact number of records of the file, nil if unknown.
	Total *int64
	// Truncated tells that the file has more than what was read.
	Truncated bool
	// Encoding and Separator are the dialect of a text table.
	Encoding, Separator string
	// Records is where the records were found: a path, a sheet, an element.
	Records string
	// BBox is west, south, east, north in degrees.
	BBox []float64
	// Notes hold no values of the data, since they are published.
	Notes []string
}
