package names

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/search/thesaurus"
)

// Columns of Eurostat's table of local administrative units, in lower case.
const (
	lauColumn      = "lau code"
	nutsColumn     = "nuts 3 code"
	nationalColumn = "lau name national"
	latinColumn    = "lau name latin"
	codeColumn     = "code"
)

// languageColumn is the head of a column of names in one language.
var languageColumn = regexp.MustCompile(`^[a-z]{2,3}$`)

// rows reads a table with a head. Fields are parted by the sign that stands in the head: a tab, a
// semicolon or a comma.
func (t *table) rows(in *bufio.Reader, tabs bool) error {
	head, err := in.Peek(1 << 12)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	first, _, _ := strings.Cut(string(head), "\n")
	r := csv.NewReader(in)
	r.FieldsPerRecord, r.ReuseRecord, r.LazyQuotes = -1, true, true
	switch {
	case tabs || strings.Contains(first, "\t"):
		r.Comma = '\t'
	case strings.Count(first, ";") > strings.Count(first, ","):
		r.Comma = ';'
	}
	row, err := r.Read()
	if err != nil {
		return fmt.Errorf("its first line names no columns: %w", err)
	}
	columns := map[string]int{}
	for i, c := range row {
		columns[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(c, "\ufeff")))] = i
	}
	add := t.plainRow
	if _, lau := columns[lauColumn]; lau {
		add = t.lauRow
	} else if _, code := columns[codeColumn]; !code {
		return fmt.Errorf("no column %q or %q, but %q", codeColumn, lauColumn, strings.Join(slices.Clone(row), ", "))
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		cell := func(column string) string {
			if i, ok := columns[column]; ok && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		if err := add(cell, columns); err != nil {
			return err
		}
	}
}

// lauRow takes a municipality: its code in its country, and its names, of which a second language
// follows a slash.
func (t *table) lauRow(cell func(string) string, _ map[string]int) error {
	code, nuts := cell(lauColumn), cell(nutsColumn)
	if code == "" || len(nuts) < 2 {
		return nil
	}
	code = strings.ToUpper(code)
	if land := strings.ToUpper(nuts[:2]); !strings.HasPrefix(code, land+"_") {
		code = land + "_" + code
	}
	c, err := t.concept(thesaurus.LAU + code)
	if err != nil {
		return err
	}
	for _, column := range []string{nationalColumn, latinColumn} {
		for part := range strings.SplitSeq(cell(column), "/") {
			name(c, part, "", false)
		}
	}
	return nil
}

// plainRow takes a thing: its address or code, and a column for each language, in which further names
// follow a semicolon.
func (t *table) plainRow(cell func(string) string, columns map[string]int) error {
	code := strings.TrimSuffix(strings.Replace(cell(codeColumn), "https://", "http://", 1), "/")
	if code == "" {
		return nil
	}
	c, err := t.concept(code)
	if err != nil {
		return err
	}
	for lang := range columns {
		if languageColumn.MatchString(lang) {
			for part := range strings.SplitSeq(cell(lang), ";") {
				name(c, part, lang, false)
			}
		}
	}
	slices.SortStableFunc(c.Names, func(a, b thesaurus.Name) int { return strings.Compare(a.Lang, b.Lang) })
	return nil
}
