package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxVector bounds a search vector in bytes.
const maxVector = 4096

// Terms returns the distinct words of s, folded and sorted. A word is a run of
// letters, digits and their marks; scripts that do not separate words, such as
// Chinese, give one term per run.
func Terms(s string) []string {
	return sortDistinct(appendTerms(nil, Fold(s)))
}

// Vector returns the distinct words of all parts, folded, sorted and joined by
// a space. It has at most 4096 bytes and no word is cut: if there are more, the
// words that appear first win, so the most telling part should be given first.
func Vector(parts ...string) string {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	terms := make([]string, 0, size/6) // an average word and its space
	for _, part := range parts {
		terms = appendTerms(terms, Fold(part))
	}
	if joinedLen(terms) > maxVector {
		terms = first(terms, maxVector)
	}
	return strings.Join(sortDistinct(terms), " ")
}

// appendTerms appends the words of a folded text as they come.
func appendTerms(terms []string, folded string) []string {
	start := -1
	for i := 0; i < len(folded); {
		word, size := wordAt(folded, i)
		switch {
		case word && start < 0:
			start = i
		case !word && start >= 0:
			terms = append(terms, folded[start:i])
			start = -1
		}
		i += size
	}
	if start >= 0 {
		terms = append(terms, folded[start:])
	}
	return terms
}

// wordAt reports whether the character at i belongs to a word, and its size.
func wordAt(folded string, i int) (word bool, size int) {
	if c := folded[i]; c < utf8.RuneSelf {
		return 'a' <= c && c <= 'z' || '0' <= c && c <= '9', 1
	}
	r, size := utf8.DecodeRuneInString(folded[i:])
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r), size
}

func sortDistinct(terms []string) []string {
	slices.Sort(terms)
	return slices.Compact(terms)
}

func joinedLen(terms []string) int {
	n := len(terms) - 1
	for _, t := range terms {
		n += len(t)
	}
	return n
}

// first returns the distinct terms that fit into max bytes when joined, in the
// order of their appearance. One that is too long is passed over.
func first(terms []string, max int) []string {
	seen := make(map[string]bool, len(terms))
	var kept []string
	room := max + 1 // the first term has no space before it
	for _, t := range terms {
		if seen[t] || len(t)+1 > room {
			continue
		}
		seen[t] = true
		kept = append(kept, t)
		room -= len(t) + 1
	}
	return kept
}
