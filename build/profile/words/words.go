// Package words takes the names of columns apart, so that CamelCase,
// snake_case and accents do not matter.
package words

import (
	"strings"
	"unicode"

	"github.com/assay-register/assay/render/search"
)

// Split returns the folded words of a name: "dateOfBirth", "DATE_OF_BIRTH" and
// "Date of birth" are the same. Digits are words of their own.
func Split(name string) []string {
	var b strings.Builder
	last := rune(' ')
	runes := []rune(name)
	for i, r := range runes {
		next := ' '
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		if boundary(last, r, next) {
			b.WriteByte(' ')
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			b.WriteRune(r)
		} else {
			b.WriteByte(' ')
		}
		last = r
	}
	return strings.Fields(search.Fold(b.String()))
}

// boundary tells whether a word begins at r: aB, ABc (at B), a1, 1a.
func boundary(last, r, next rune) bool {
	switch {
	case unicode.IsLower(last) && unicode.IsUpper(r):
		return true
	case unicode.IsUpper(last) && unicode.IsUpper(r) && unicode.IsLower(next):
		return true
	}
	return unicode.IsDigit(last) && unicode.IsLetter(r) || unicode.IsLetter(last) && unicode.IsDigit(r)
}

// Has tells whether the phrase, words separated by spaces, stands in the words
// as a whole.
func Has(list []string, phrase string) bool {
	want := strings.Fields(phrase)
	for i := 0; len(want) > 0 && i+len(want) <= len(list); i++ {
		found := true
		for j, w := range want {
			if list[i+j] != w {
				found = false
				break
			}
		}
		if found {
			return true
		}
	}
	return false
}
