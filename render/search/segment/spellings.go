package segment

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/assay-register/assay/render/search"
)

// Marks of the keys of other spellings.
const (
	stemMark = 's'
	partMark = 'p'
)

// Bounds of the parts of a compound, in letters.
const (
	partMin     = 4
	compoundMin = 9
	partsDepth  = 2
)

// links are the letters that may join the parts of a compound.
var links = []string{"", "s", "es", "n", "en", "er"}

// spellings makes the keys by which a dictionary is reached besides its terms:
// the stems of inflected words and the parts of compounds.
type spellings struct {
	terms []string
	keys  map[string][]uint32
}

func newSpellings(terms []string, languages []uint16) *spellings {
	s := &spellings{terms: terms, keys: map[string][]uint32{}}
	var stems []string
	for i, t := range terms {
		stems = search.Stems(stems[:0], t, languages[i])
		for _, stem := range stems {
			s.add(stemMark, stem, uint32(i))
		}
		if languages[i]&search.Compounding != 0 && len(t) >= compoundMin {
			s.parts(t, uint32(i), partsDepth)
		}
	}
	return s
}

func (s *spellings) add(mark byte, key string, term uint32) {
	k := string(mark) + key
	if list := s.keys[k]; len(list) == 0 || list[len(list)-1] != term {
		s.keys[k] = append(list, term)
	}
}

// parts notes the words of the dictionary that a compound is made of, and what
// those are made of in turn. It reports whether the word is one.
func (s *spellings) parts(word string, term uint32, depth int) bool {
	made := false
	for at := partMin; at+partMin <= len(word); at++ {
		tail := word[at:]
		if !s.known(tail) || !s.head(word[:at], term, depth) {
			continue
		}
		s.add(partMark, tail, term)
		made = true
	}
	return made
}

// head notes what stands before the last part of a compound: a word or another
// compound, with or without a link.
func (s *spellings) head(text string, term uint32, depth int) bool {
	made := false
	for _, link := range links {
		head, ok := strings.CutSuffix(text, link)
		if !ok || len(head) < partMin {
			continue
		}
		if s.known(head) {
			s.add(partMark, head, term)
			made = true
		}
		if depth > 1 && s.parts(head, term, depth-1) {
			made = true
		}
	}
	return made
}

func (s *spellings) known(word string) bool {
	i := sort.SearchStrings(s.terms, word)
	return i < len(s.terms) && s.terms[i] == word
}

// sorted are the keys in byte order.
func (s *spellings) sorted() []string { return slices.Sorted(maps.Keys(s.keys)) }
