package reference

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Code is a code of a controlled vocabulary. The tables codes_*.tsv hold the
// codes and English labels of the EU Vocabularies of the Publications Office
// of the European Union (reuse allowed with acknowledgement, Commission
// Decision 2011/833/EU): file-type 20220928-0, frequency 20220615-0, data-theme
// 20220715-0, high-value dataset categories 2.1. The spellings that publishers
// use for a code were collected for this register.
type Code struct {
	Code    string
	LabelEn string
	// Values are the media types of a file type, the usual one first, or the
	// ISO 8601 durations of a frequency.
	Values []string
	// Aliases are other spellings, folded: lower-case letters and digits
	// without accents, spaces and punctuation.
	Aliases []string
}

var (
	loadFileTypes   = codeTable("codes_file_type.tsv")
	loadFrequencies = codeTable("codes_frequency.tsv")
	loadThemes      = codeTable("codes_data_theme.tsv")
	loadHVD         = codeTable("codes_hvd.tsv")
)

// FileTypes returns the EU authority table file-type.
func FileTypes() ([]Code, error) { return copied(loadFileTypes()) }

// Frequencies returns the EU authority table frequency.
func Frequencies() ([]Code, error) { return copied(loadFrequencies()) }

// Themes returns the EU authority table data-theme.
func Themes() ([]Code, error) { return copied(loadThemes()) }

// HVDCategories returns the EU categories of high-value datasets.
func HVDCategories() ([]Code, error) { return copied(loadHVD()) }

func codeTable(file string) func() ([]Code, error) {
	return sync.OnceValues(func() ([]Code, error) { return parseCodes(tables, file) })
}

func parseCodes(fsys fs.FS, file string) ([]Code, error) {
	rows, err := readTable(fsys, file, "code", "label_en", "values", "aliases")
	if err != nil {
		return nil, err
	}
	codes, values, aliases := unique{}, unique{}, unique{}
	list := make([]Code, 0, len(rows))
	for _, r := range rows {
		err := cmp.Or(r.need("code", "label_en"), codes.claim(r, "code", r.get("code"), "keep one of the two rows"),
			claimAll(r, "values", values), claimAll(r, "aliases", aliases), foldedAliases(r))
		if err != nil {
			return nil, err
		}
		list = append(list, Code{Code: r.get("code"), LabelEn: r.get("label_en"), Values: r.list("values"), Aliases: r.list("aliases")})
	}
	return list, nil
}

// claimAll fails if an item of a cell is empty or stands in another row.
func claimAll(r row, column string, seen unique) error {
	for _, v := range r.list(column) {
		if v == "" {
			return r.errorf(column, "remove one of two bars", "an item is empty")
		}
		if err := seen.claim(r, column, v, "keep one of the two"); err != nil {
			return err
		}
	}
	return nil
}

// foldedAliases fails if an alias could never be found.
func foldedAliases(r row) error {
	for _, v := range r.list("aliases") {
		if v != strings.ToLower(v) || slices.ContainsFunc([]rune(v), func(c rune) bool { return c < '0' || c > '9' && c < 'a' || c > 'z' && c < 0x80 }) {
			return r.errorf("aliases", "write lower-case letters and digits only", "%q", v)
		}
	}
	return nil
}
