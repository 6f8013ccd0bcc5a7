package search

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assay-register/assay/render/search/thesaurus"
)

// ConceptMark begins the terms of the index that stand for concepts of the thesaurus; no
// word begins with it.
const ConceptMark = "\x01"

// IsConcept tells whether a term stands for a concept.
func IsConcept(term string) bool { return strings.HasPrefix(term, ConceptMark) }

// Mention is a concept that a sequence of words names.
type Mention struct {
	// From and To are the words, To exclusive.
	From, To int
	// Term stands for the concept in the index.
	Term string
	// Part tells that the word is a compound with the name in it, Place that it is one.
	Part, Place bool
	// List tells that other lists are called so, too.
	List bool
}

// lexicon finds the names of concepts in sequences of words.
type lexicon struct {
	// exact are the names by their first word as it is written, stems by its stem and the
	// language.
	exact map[string][]*named
	stems map[stemmed][]*named
	terms []string
	codes map[string][]int32
	// lists are names that other lists have, too.
	lists map[string]bool
	// places tells which of the concepts are places, around what they lie in.
	places []bool
	around []Around
	// words are the single words that name a concept, for those who mark them.
	words [][]string
	// heads are the first letters of the names: most words of texts begin with none of them.
	heads map[[headLetters]byte]bool
}

const headLetters = 4

// begins tells whether a name may begin with the letters at the start of a word.
func (l *lexicon) begins(word string) bool {
	if len(word) < headLetters {
		return false
	}
	return l.heads[[headLetters]byte([]byte(word[:headLetters]))]
}

type stemmed struct {
	stem string
	bit  uint16
}

// named is one name of a concept.
type named struct {
	concept int32
	bit     uint16
	// words are its words without function words, stems their stems.
	words, stems             []string
	asked, place, list, kind bool
}

// Bounds of the names that are found in texts of another language than their own, and of
// compounds and their parts, in letters.
const (
	foreignMin     = 5
	nameInMin      = 5
	withNameMin    = 9
	conceptsInWord = 8
)

var lexiconOf = sync.OnceValue(func() *lexicon { return newLexicon(slices.Concat(thesaurus.Concepts(), thesaurus.Places())) })

func newLexicon(list []thesaurus.Concept) *lexicon {
	l := &lexicon{exact: map[string][]*named{}, stems: map[stemmed][]*named{}, codes: map[string][]int32{}, heads: map[[headLetters]byte]bool{}, lists: map[string]bool{}}
	for i := range list {
		c := &list[i]
		l.terms, l.words, l.places, l.around = append(l.terms, ConceptMark+c.ID), append(l.words, nil), append(l.places, c.Place), append(l.around, aroundOf(c))
		for _, code := range c.Codes {
			l.codes[code] = append(l.codes[code], int32(i))
		}
		for _, name := range c.Names {
			l.name(int32(i), c, &name)
		}
	}
	return l
}

func (l *lexicon) name(concept int32, c *thesaurus.Concept, name *thesaurus.Name) {
	n := &named{concept: concept, bit: LanguageBit(name.Lang), asked: name.Asked, place: c.Place, list: name.List, kind: name.Kind}
	Words(name.Text, name.Lang, func(w Word) {
		if !IsStop(w.Term) {
			n.words, n.stems = append(n.words, w.Term), append(n.stems, stemOf(w.Term, n.bit))
		}
	})
	if len(n.words) == 0 {
		return
	}
	l.exact[n.words[0]] = append(l.exact[n.words[0]], n)
	if n.bit != 0 && !n.place && len(n.stems[0]) >= headLetters {
		l.heads[[headLetters]byte([]byte(n.stems[0][:headLetters]))] = true
		key := stemmed{n.stems[0], n.bit}
		l.stems[key] = append(l.stems[key], n)
	}
	if n.list {
		l.lists[n.words[0]] = true
	}
	if len(n.words) == 1 {
		l.words[concept] = append(l.words[concept], n.words[0])
	}
}

// stemOf is the stem of a term in one language, the term itself where it has no ending.
func stemOf(term string, bit uint16) string {
	if bit != 0 {
		var room [1]string
		if stems := Stems(room[:0], term, bit); len(stems) > 0 {
			return stems[0]
		}
	}
	return term
}

// candidate is a name that may begin with a word.
type candidate struct {
	*named
	// part tells that the word is a compound that holds the name, ends that it ends with it:
	// so it is one of its kind.
	part, ends bool
}

// candidates are the names that may begin with a word of a text in a language, 0 for one
// that is not known; asked tells that it is a word of a query.
func (l *lexicon) candidates(word string, bit uint16, asked bool) (out []candidate) {
	add := func(list []*named, part, ends bool) {
		for _, n := range list {
			if (!n.asked || asked) && !(part && len(n.words) > 1) && !slices.ContainsFunc(out, func(c candidate) bool { return c.named == n }) {
				out = append(out, candidate{n, part, ends})
			}
		}
	}
	for _, n := range l.exact[word] {
		if asked || bit == 0 || n.bit == bit || n.bit == 0 || n.place || len(n.words) > 1 || len(word) >= foreignMin {
			add([]*named{n}, false, false)
		}
	}
	if !isTerm(word) || strings.ContainsAny(word, "0123456789") {
		return out
	}
	set := bit
	if asked || bit == 0 {
		set = ^uint16(0)
	}
	if l.begins(word) {
		for i := range inflections {
			if own := inflections[i].language; own&set != 0 {
				stem := stemOf(word, own)
				add(l.stems[stemmed{stem, own}], false, false)
				add(l.singular(stem, own), false, false)
			}
		}
	}
	if len(out) == 0 && len(word) >= withNameMin && set&Compounding != 0 {
		l.inside(word, set&Compounding, add)
	}
	return out[:min(len(out), 8*conceptsInWord)]
}

// singular are the names that begin with a word as its plural is without its ending: the ending of
// speeltuin looks like one, too, so that its stem is not that of speeltuinen.
func (l *lexicon) singular(stem string, bit uint16) (out []*named) {
	for _, n := range l.exact[stem] {
		if n.bit == bit && !n.place {
			out = append(out, n)
		}
	}
	return out
}

// compoundLinks are the letters that may join a name to what follows it in a compound.
var compoundLinks = []string{"", "s", "es", "n", "en", "er", "e"}

// inside adds the names that a compound begins or ends with.
func (l *lexicon) inside(word string, set uint16, add func(list []*named, part, ends bool)) {
	for i := range inflections {
		own := inflections[i].language
		if own&set == 0 {
			continue
		}
		for at := nameInMin; l.begins(word) && at+3 <= len(word); at++ {
			for _, link := range compoundLinks {
				if head, ok := strings.CutSuffix(word[:at], link); ok && len(head) >= nameInMin {
					add(l.stems[stemmed{stemOf(head, own), own}], true, false)
				}
			}
		}
		for at := 3; at+nameInMin <= len(word); at++ {
			if !l.begins(word[at:]) {
				continue
			}
			tails := l.stems[stemmed{stemOf(word[at:], own), own}]
			add(slices.DeleteFunc(slices.Clone(tails), func(n *named) bool { return n.list }), true, true)
		}
	}
}

// follows tells whether the words after the first are those of a name.
func (c *candidate) follows(words []string) bool {
	if len(words) < len(c.words) {
		return false
	}
	for i := 1; i < len(c.words); i++ {
		if words[i] != c.words[i] && (c.place || stemOf(words[i], c.bit) != c.stems[i]) {
			return false
		}
	}
	return true
}

// Mentions are the concepts that the words of a query name, function words left out.
func Mentions(words []string) (out []Mention) {
	l := lexiconOf()
	for i, w := range words {
		for _, c := range l.candidates(w, 0, true) {
			if c.follows(words[i:]) {
				m := Mention{i, i + len(c.words), l.terms[c.concept], c.part, c.place, c.list}
				if !slices.Contains(out, m) {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// NamesThing tells whether a text in a language is what people call one thing that they ask for, and
// no place.
func NamesThing(text, lang string) bool {
	var words []string
	Words(text, lang, func(w Word) {
		if !IsStop(w.Term) {
			words = append(words, w.Term)
		}
	})
	return slices.ContainsFunc(Mentions(words), func(m Mention) bool { return !m.Place && !m.Part && m.From == 0 && m.To == len(words) })
}

// levelConcepts are levels of administration.
var levelConcepts = map[string]bool{ConceptMark + "municipality": true, ConceptMark + "city": true, ConceptMark + "region": true, ConceptMark + "neighbourhood": true}

// IsLevel tells whether the concept of a term is a level of administration.
func IsLevel(term string) bool { return levelConcepts[term] }

// NamesOf are the single words that name the concept of a term.
func NamesOf(term string) []string {
	l := lexiconOf()
	for i, t := range l.terms {
		if t == term {
			return l.words[i]
		}
	}
	return nil
}

// capital tells whether a word of a text is written as names are.
func capital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return !unicode.IsLower(r)
}
