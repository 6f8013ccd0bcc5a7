package table

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Field is a named cell of a record.
type Field struct {
	Name string
	Cell Cell
}

// Builder makes a Table from records whose columns become known as they come.
type Builder struct {
	limits  Limits
	table   Table
	index   map[string]int
	cells   int
	left    map[string]bool
	Private func(name string) bool
}

// NewBuilder returns an empty builder. Names that private (may be nil) says
// hold personal data themselves are replaced by their position.
func NewBuilder(kind string, limits Limits, private func(string) bool) *Builder {
	return &Builder{limits: limits, table: Table{Kind: kind}, index: map[string]int{}, left: map[string]bool{}, Private: private}
}

// Declare adds a column before any record, so that it exists even if no record
// has a value. A name that is empty or taken gets a number.
func (b *Builder) Declare(c Column) {
	if len(b.table.Columns) >= b.limits.Columns {
		b.left[fmt.Sprint(len(b.left))] = true
		return
	}
	n := len(b.table.Columns) + 1
	c.Name = Clip(strings.Join(strings.Fields(c.Name), " "), b.limits.Name)
	if c.Name == "" || b.Private != nil && b.Private(c.Name) {
		c.Name, c.Label = fmt.Sprintf("column_%d", n), ""
	}
	name := c.Name
	for i := 2; ; i++ {
		if _, taken := b.index[c.Name]; !taken {
			break
		}
		c.Name = fmt.Sprintf("%s_%d", name, i)
	}
	b.index[c.Name] = n - 1
	b.table.Columns = append(b.table.Columns, c)
}

// Row adds a record of cells in the order of the declared columns.
func (b *Builder) Row(cells []Cell) {
	if !b.room() {
		return
	}
	row := make([]Cell, min(len(cells), len(b.table.Columns)))
	for i := range row {
		row[i] = b.clip(cells[i])
	}
	b.keep(row)
}

// Record adds a record of named cells; unknown names become columns.
func (b *Builder) Record(fields []Field) {
	if !b.room() {
		return
	}
	row := make([]Cell, len(b.table.Columns), len(b.table.Columns)+len(fields))
	for _, f := range fields {
		i, ok := b.column(f.Name)
		if !ok {
			continue
		}
		for len(row) <= i {
			row = append(row, Cell{})
		}
		row[i] = b.clip(f.Cell)
	}
	b.keep(row)
}

func (b *Builder) column(name string) (int, bool) {
	if b.Private != nil && b.Private(name) {
		name = "*"
	}
	name = Clip(name, b.limits.Name)
	if i, ok := b.index[name]; ok {
		return i, true
	}
	if len(b.table.Columns) >= b.limits.Columns {
		if len(b.left) < 10_000 {
			b.left[name] = true
		}
		return 0, false
	}
	b.index[name] = len(b.table.Columns)
	b.table.Columns = append(b.table.Columns, Column{Name: name})
	return len(b.table.Columns) - 1, true
}

func (b *Builder) room() bool {
	b.table.Count++
	return len(b.table.Rows) < b.limits.Rows && b.cells < b.limits.Cells
}

func (b *Builder) keep(row []Cell) {
	b.cells += len(row) + 1
	for i := range row {
		b.cells += len(row[i].Items)
	}
	b.table.Rows = append(b.table.Rows, row)
}

func (b *Builder) clip(c Cell) Cell {
	c.Text = Clip(c.Text, b.limits.Cell)
	if len(c.Items) > 0 {
		items := make([]Cell, min(len(c.Items), maxItems))
		for i := range items {
			items[i] = Cell{Kind: c.Items[i].Kind, Text: Clip(c.Items[i].Text, b.limits.Cell)}
		}
		c.Items = items
	}
	return c
}

// maxItems is how many members of a list are looked at.
const maxItems = 50

// Note adds a remark once. It must not hold values of the data.
func (b *Builder) Note(format string, args ...any) {
	b.table.Note(format, args...)
}

// Note adds a remark once. It must not hold values of the data.
func (t *Table) Note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, n := range t.Notes {
		if n == text {
			return
		}
	}
	t.Notes = append(t.Notes, text)
}

// Table returns what was built, every row as wide as the table.
func (b *Builder) Table() *Table {
	width := len(b.table.Columns)
	for i, row := range b.table.Rows {
		for len(row) < width {
			row = append(row, Cell{})
		}
		b.table.Rows[i] = row
	}
	if len(b.left) > 0 {
		b.Note("only the first %d columns were looked at", width)
	}
	return &b.table
}

// Clip cuts text to at most limit bytes, between characters, and repairs
// invalid UTF-8.
func Clip(text string, limit int) string {
	if len(text) > limit {
		for limit > 0 && !utf8.RuneStart(text[limit]) {
			limit--
		}
		text = text[:limit]
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
