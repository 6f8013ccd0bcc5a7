package search

import (
	"slices"
	"sync"
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
	v := vectors.Get().(*vector)
	defer v.free()
	for _, part := range parts {
		v.terms = appendTerms(v.terms, Fold(part))
	}
	if joinedLen(v.terms) > maxVector {
		v.terms = first(v.terms, maxVector)
	}
	return v.join()
}

// vector is the room for the words of one text, which the next one uses again.
type vector struct {
	terms []string
	order []ranked
	out   []byte
}

var vectors = sync.Pool{New: func() any { return &vector{} }}

func (v *vector) free() {
	clear(v.terms) // or they would keep their texts
	v.terms, v.order = v.terms[:0], v.order[:0]
	vectors.Put(v)
}

// join sorts the words, drops repeated ones and joins the rest by a space.
func (v *vector) join() string {
	for i, t := range v.terms {
		v.order = append(v.order, rank(t, i))
	}
	sortRanked(v.order, func(place int32) string { return v.terms[place] })
	v.out = v.out[:0]
	last := ""
	for i, r := range v.order {
		term := v.terms[r.place]
		switch {
		case i == 0:
		case term == last:
			continue
		default:
			v.out = append(v.out, ' ')
		}
		v.out = append(v.out, term...)
		last = term
	}
	return string(v.out)
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
		return asciiKind[c] == wordRun, 1
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
