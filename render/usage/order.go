package usage

import (
	"cmp"
	"slices"
)

// ByUse returns codes of formats, those first that programs read most directly; pages and documents for people come last.
// Of what is alike the order stays.
func ByUse(formats []string) []string {
	sorted := slices.Clone(formats)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(placeOf(a), placeOf(b)) })
	return sorted
}

// forPeople are formats of documents and pictures, in letters as of kindOf.
var forPeople = []string{"PDF", "DOC", "DOCX", "ODT", "RTF", "PNG", "JPEG", "JPG", "GIF", "PPT", "PPTX", "TXT", "MARKDOWN", "EPUB"}

// placeOf is the place of a format among the kinds, behind them for what is no kind, last for what people read.
func placeOf(format string) int {
	key := letters(format)
	switch kind := formatKinds[key]; {
	case slices.Contains(pages, key), slices.Contains(forPeople, key):
		return len(kinds) + 1
	case kind != "":
		return slices.Index(kinds, kind)
	}
	return slices.Index(kinds, ZIP)
}
