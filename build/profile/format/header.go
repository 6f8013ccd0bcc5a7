package format

import (
	"regexp"
	"strings"
)

var (
	numeric  = regexp.MustCompile(`^[-+]?[\d.,' \x{00a0}\x{202f}]*\d[\d.,]*(?:[eE][-+]?\d+)?\s*%?$`)
	dateLike = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}.*)?$`)
	yearLike = regexp.MustCompile(`^(?:19|20)\d{2}$`)
	codeName = regexp.MustCompile(`^[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)+$|^[a-z]+(?:[A-Z][a-z0-9]+)+$`)
)

func valueLike(s string) bool { return numeric.MatchString(s) || dateLike.MatchString(s) }

// header returns the index of the row where the table begins, and whether that
// row is a header. Rows above it are titles and remarks.
//
// A row that holds personal data is never a header, and a first row of names
// above rows of names is taken for data: a value must not become the published
// name of a column.
func header(rows [][]string, o *Options) (at int, has bool) {
	at = begin(rows)
	if at >= len(rows) {
		return 0, false
	}
	first, below := rows[at], rows[at+1:]
	votes := 0
	for i, cell := range first {
		if o.private(cell) {
			return at, false
		}
		votes += vote(cell, columnOf(below, i), o)
	}
	switch {
	case votes != 0:
		return at, votes > 0
	case len(below) == 0:
		return at, known(first, o)
	}
	return at, !names(first, below, o)
}

// begin is the first row that is about as wide as most rows and not a comment.
func begin(rows [][]string) int {
	widths := map[int]int{}
	mode := 0
	for _, r := range rows {
		w := filled(r)
		widths[w]++
		if widths[w] > widths[mode] || widths[w] == widths[mode] && w > mode {
			mode = w
		}
	}
	for i, r := range rows {
		if len(r) > 1 && strings.HasPrefix(r[0], "# ") && mode != filled(r) {
			continue
		}
		if w := filled(r); w >= mode || w*10 >= mode*6 && w > 1 {
			return i
		}
	}
	return 0
}

func filled(row []string) int {
	n := 0
	for _, c := range row {
		if c != "" {
			n++
		}
	}
	return n
}

func columnOf(rows [][]string, i int) []string {
	var out []string
	for _, r := range rows {
		if i < len(r) && r[i] != "" {
			out = append(out, r[i])
		}
	}
	return out
}

// vote is positive if the cell heads the values below it, negative if it looks
// like one of them.
func vote(cell string, below []string, o *Options) int {
	values, same := 0, 0
	for _, v := range below {
		if valueLike(v) {
			values++
		}
		if v == cell {
			same++
		}
	}
	mostly := len(below) > 0 && values*10 >= len(below)*7
	switch {
	case cell == "":
		return 0
	case yearLike.MatchString(cell) && mostly && same == 0:
		return 1
	case valueLike(cell) && mostly:
		return -3
	case valueLike(cell):
		return -1
	case o.known(cell) || codeName.MatchString(cell):
		return 3
	case mostly:
		return 2
	case same > 0:
		return -2
	}
	return 0
}

func known(row []string, o *Options) bool {
	for _, c := range row {
		if o.known(c) || codeName.MatchString(c) {
			return true
		}
	}
	return false
}

// names tells that the first row and most values below look like names of
// persons.
func names(first []string, below [][]string, o *Options) bool {
	for i, cell := range first {
		if !o.name(cell) {
			continue
		}
		hits, column := 0, columnOf(below, i)
		for _, v := range column {
			if o.name(v) {
				hits++
			}
		}
		if len(column) > 0 && hits*10 >= len(column)*6 {
			return true
		}
	}
	return false
}
