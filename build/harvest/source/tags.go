package source

import (
	"slices"
	"strings"
	"unicode"

	"github.com/assay-register/assay/render/catalog"
)

// Tags writes terms as tags in the register's form: lower case, single spaces,
// sorted, distinct, at most 50. Each term is one tag: as a comma separates tags, one
// inside a term becomes a space. A tag that is too long is dropped.
func Tags(raw ...string) []string {
	var out []string
	for _, r := range raw {
		// Cleaned first: to lower the case of text in another encoding is to lose it.
		tag, _ := Line(r)
		tag, _ = Line(strings.ReplaceAll(strings.ToLower(tag), ",", " "))
		tag = strings.Trim(tag, " #;\"")
		if says(tag) && len(tag) <= catalog.TagMax {
			out = append(out, tag)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > catalog.TagsMax {
		out = out[:catalog.TagsMax]
	}
	return out
}

// says tells that a term has a letter, digit or symbol: exporters that cut a list
// at its blanks leave its punctuation behind.
func says(term string) bool {
	return strings.ContainsFunc(term, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) })
}
