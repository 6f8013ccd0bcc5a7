// Package codelist is the code lists that the register writes and restates:
// countries, languages, file types, licences and statistical regions in the
// notations of ISO, IANA, SPDX, Eurostat and the EU authority tables. The
// tables and their sources are described in README.md.
package codelist

import (
	"embed"
	"iter"
	"strings"
)

// Files are the tables, tab-separated, each with a header.
//
//go:embed *.tsv
var Files embed.FS

// Authority begins the addresses of the EU authority tables.
const Authority = "http://publications.europa.eu/resource/authority/"

// Code is a row of codes.tsv; Extra is what the list tells besides.
type Code struct{ List, Code, Label, Extra string }

// Codes yields the rows of the EU Vocabularies and of ADMS.
func Codes() iter.Seq[Code] {
	return func(yield func(Code) bool) {
		for row := range rows("codes.tsv") {
			if !yield(Code{row[0], row[1], row[2], row[3]}) {
				return
			}
		}
	}
}

// rows yields the lines of a table without its header. The tables are part of
// the program and tested as a whole, so that one that cannot be read is a
// fault of the program.
func rows(file string) iter.Seq[[]string] {
	text, err := Files.ReadFile(file)
	if err != nil {
		panic("embedded table: " + err.Error())
	}
	return func(yield func([]string) bool) {
		_, body, _ := strings.Cut(string(text), "\n")
		for line := range strings.Lines(body) {
			if !yield(strings.Split(strings.TrimRight(line, "\n"), "\t")) {
				return
			}
		}
	}
}
