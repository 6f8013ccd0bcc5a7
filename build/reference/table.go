package reference

import (
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"
)

// row is one line of a table, which knows where it stands.
type row struct {
	file    string
	line    int
	columns []string
	cells   []string
}

// readTable reads a file of tab-separated values. Its first line must name
// exactly the given columns. There is no quoting; a list inside a cell is
// separated by vertical bars.
func readTable(fsys fs.FS, file string, columns ...string) ([]row, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", file, err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if want := strings.Join(columns, "\t"); lines[0] != want {
		return nil, fmt.Errorf("%s:1: header is %q; make it %q", file, lines[0], want)
	}
	rows := make([]row, 0, len(lines)-1)
	for i, line := range lines[1:] {
		r := row{file: file, line: i + 2, columns: columns, cells: strings.Split(line, "\t")}
		if err := r.checkShape(); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (r row) checkShape() error {
	if len(r.cells) != len(r.columns) {
		return fmt.Errorf("%s:%d: row has %d columns; give it %d, separated by tabs", r.file, r.line, len(r.cells), len(r.columns))
	}
	for i, cell := range r.cells {
		if cell != strings.TrimSpace(cell) {
			return r.errorf(r.columns[i], "remove the space at its ends", "%q", cell)
		}
	}
	return nil
}

// get returns the cell of a column that the table has.
func (r row) get(column string) string {
	return r.cells[slices.Index(r.columns, column)]
}

// list returns the items of a cell, nil if it is empty.
func (r row) list(column string) []string {
	if r.get(column) == "" {
		return nil
	}
	return strings.Split(r.get(column), "|")
}

// errorf says what is wrong in a column and what to do about it.
func (r row) errorf(column, remedy, problem string, args ...any) error {
	return fmt.Errorf("%s:%d: column %q: %s; %s", r.file, r.line, column, fmt.Sprintf(problem, args...), remedy)
}

// need fails if one of the columns is empty.
func (r row) need(columns ...string) error {
	for _, c := range columns {
		if r.get(c) == "" {
			return r.errorf(c, "fill it in", "it is empty")
		}
	}
	return nil
}

// oneOf fails if a cell is none of the values.
func (r row) oneOf(column string, values ...string) error {
	if v := r.get(column); !slices.Contains(values, v) {
		return r.errorf(column, "use one of "+strings.Join(values, ", "), "%q is not allowed", v)
	}
	return nil
}

// webAddress fails if a cell is neither empty nor an absolute web address.
func (r row) webAddress(column string) error {
	v := r.get(column)
	if v == "" {
		return nil
	}
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return r.errorf(column, "write http:// or https:// and a host, or leave it empty", "%q is no web address", v)
	}
	return nil
}

// unique remembers the rows that claimed a value.
type unique map[string]row

// claim fails if another row has the value already.
func (u unique) claim(r row, column, value, remedy string) error {
	if first, taken := u[value]; taken {
		return r.errorf(column, remedy, "%q is already in %s:%d", value, first.file, first.line)
	}
	u[value] = r
	return nil
}
