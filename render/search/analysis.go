package search

import (
	"hash/fnv"
	"math"
	"slices"
)

// Positions of the words of a field begin at field << positionBits, so that a
// position tells its field and no phrase spans two of them.
const (
	positionBits = 16
	positionGap  = 4 // between the texts of one field
)

// FieldOf is the field that a position lies in.
func FieldOf(position uint32) Field { return Field(position >> positionBits) }

// Occurrence is where and how strongly a term occurs in a document.
type Occurrence struct {
	Term string
	// Impact is the weight of the term in the document, 1 to 255: the
	// saturated, length-normalised frequency of BM25F (S. Robertson and
	// H. Zaragoza, "The Probabilistic Relevance Framework", 2009, section 3.6)
	// without the inverse document frequency.
	Impact byte
	// Languages are the bits of the languages in which it occurs.
	Languages uint16
	// Positions are ascending.
	Positions []uint32
}

// Analysis is a document as it is indexed.
type Analysis struct {
	// Terms are in the order of the terms.
	Terms []Occurrence
	// Titles are the hashes of the document's titles in all languages, ascending.
	Titles []uint64
}

// weights are what a word in each field counts, lengths the words of a usual
// one. Constants in place of the collection's averages let a document be
// analysed before the others are known, and keep what it scores the same from
// one snapshot to the next.
var (
	weights = [fieldCount]float64{FieldTitle: 12, FieldTags: 4, FieldInstitution: 3, FieldProfile: 1.5, FieldText: 1, FieldCodes: 0.4}
	lengths = [fieldCount]float64{FieldTitle: 8, FieldTags: 10, FieldInstitution: 8, FieldProfile: 40, FieldText: 80, FieldCodes: 1}
)

// saturation is k1 of BM25F, normal is b of every field.
const (
	saturation = 4.0
	normal     = 0.5
)

// Analyser turns documents into terms. It remembers the words that it met, so
// it is not safe for concurrent use; it may be kept for any number of documents.
type Analyser struct {
	speller Speller
	index   map[string]int32
	found   []found
	order   []ranked
	// unit counts the units of text, touched are the places of the terms of the one at hand,
	// size is how many words it has.
	unit    int32
	touched []int32
	size    float64
	// begins are the names of concepts that may begin with a word, remembered by the word
	// and its language; words and places are those of the text at hand.
	begins map[begin][]candidate
	tokens []token
	words  []string
	places []wordPlace
	named  []mentioned
}

type begin struct {
	word string
	bit  uint16
}

// wordPlace is where a word stands, and whether it is written as names are.
type wordPlace struct {
	position uint32
	capital  bool
	// governed is what it counts by what stands before and behind it.
	governed float64
}

type found struct {
	term      string
	languages uint16
	// best are the largest frequencies in one unit of each field, count that in the unit at
	// hand, which is the one with the number unit.
	best      [fieldCount]float64
	count     float64
	unit      int32
	positions []uint32
	// place tells that it stands for one.
	place bool
}

// Analyse finds the terms of a document.
func (a *Analyser) Analyse(d *Document) *Analysis {
	if a.index == nil {
		a.index = map[string]int32{}
	}
	clear(a.index)
	a.unit = 0
	a.found = a.found[:0]
	out := &Analysis{}
	for f := range fieldCount {
		position := uint32(f) << positionBits
		a.size = 0
		if f == FieldCodes {
			a.codes(d[f])
		}
		for i, t := range d[f] {
			if f == FieldCodes {
				break
			}
			position = a.text(f, t, position) + positionGap
			if last := i+1 == len(d[f]); last || whole[f] || d[f][i+1].Lang != t.Lang {
				a.settle(f)
			}
		}
	}
	for _, t := range d[FieldTitle] {
		out.Titles = append(out.Titles, hashOf(a.speller.joined(t.Value, t.Lang)))
	}
	slices.Sort(out.Titles)
	out.Titles = slices.Compact(out.Titles)
	out.Terms = a.occurrences()
	return out
}

// whole are the fields of which each text says it all: a title in four languages is four
// titles, and the best of them counts. In other fields the texts of a language are one.
var whole = [fieldCount]bool{FieldTitle: true, FieldInstitution: true}

// settle ends a unit of a field: what its terms gain is kept where it is more than in the
// units before.
func (a *Analyser) settle(f Field) {
	norm := 1 - normal + normal*a.size/lengths[f]
	for _, i := range a.touched {
		t := &a.found[i]
		count := t.count
		if f != FieldTitle && count > 1 {
			count = 1 + math.Log(count)
		}
		t.best[f] = max(t.best[f], count/norm)
	}
	a.touched, a.size = a.touched[:0], 0
	a.unit++
}

// text notes the words of one text from a position on and returns the next one.
func (a *Analyser) text(f Field, t Text, position uint32) uint32 {
	language := LanguageBit(t.Lang)
	end := uint32(f+1)<<positionBits - positionGap - 1
	a.tokens, a.words, a.places = a.tokens[:0], a.words[:0], a.places[:0]
	a.speller.Words(t.Value, t.Lang, func(w Word) {
		if position < end {
			a.tokens = append(a.tokens, token{w, position, 1})
			position++
		}
	})
	for i := range a.tokens {
		if w := &a.tokens[i]; !IsStop(w.Term) {
			a.words, a.places = append(a.words, w.Term), append(a.places, wordPlace{w.position, capital(t.Value[w.Start:]), 1})
		}
	}
	a.find(language)
	if f == FieldTitle {
		a.emphasise(t.Value)
	}
	for i := range a.tokens {
		w := &a.tokens[i]
		a.note(w.Term, language, w.position, w.share)
		if w.Other != "" {
			a.note(w.Other, language, w.position, w.share)
		}
	}
	a.size += float64(len(a.tokens))
	a.concepts(f)
	return position
}

func (a *Analyser) note(term string, language uint16, position uint32, count float64) {
	t := a.term(term)
	t.languages |= language
	t.count += count
	if n := len(t.positions); n == 0 || t.positions[n-1] != position {
		t.positions = append(t.positions, position)
	}
}

// term is what was found of a term of the document at hand.
func (a *Analyser) term(term string) *found {
	i, ok := a.index[term]
	if !ok {
		i = int32(len(a.found))
		a.index[term] = i
		if int(i) < cap(a.found) {
			a.found = a.found[:i+1]
			a.found[i] = found{positions: a.found[i].positions[:0]}
		} else {
			a.found = append(a.found, found{})
		}
		a.found[i].term, a.found[i].unit = term, -1
	}
	t := &a.found[i]
	if t.unit != a.unit {
		t.unit, t.count = a.unit, 0
		a.touched = append(a.touched, i)
	}
	return t
}

func (a *Analyser) occurrences() []Occurrence {
	total := 0
	a.order = a.order[:0]
	for i := range a.found {
		total += len(a.found[i].positions)
		a.order = append(a.order, rank(a.found[i].term, i))
	}
	sortRanked(a.order, func(place int32) string { return a.found[place].term })
	positions := make([]uint32, 0, total)
	out := make([]Occurrence, len(a.order))
	for i, r := range a.order {
		t := &a.found[r.place]
		from := len(positions)
		positions = append(positions, t.positions...)
		out[i] = Occurrence{t.term, t.impact(), t.languages, positions[from:len(positions):len(positions)]}
	}
	return out
}

// A place is one that an entry is of, by its title, its publisher or a code, one of its tags, or is
// mentioned in its texts only: how often it is named tells nothing.
const placeImpact, tagImpact, mentionImpact = 170, 130, 60

// PlaceShare is what the term of a place has in an entry that is of it, of the most.
const PlaceShare = placeImpact / 255.0

func (t *found) impact() byte {
	if t.place {
		switch {
		case t.best[FieldTitle]+t.best[FieldInstitution]+t.best[FieldCodes] > 0:
			return placeImpact
		case t.best[FieldTags] > 0:
			return tagImpact
		}
		return mentionImpact
	}
	sum := 0.0
	for f, n := range t.best {
		sum += weights[f] * n
	}
	return byte(max(1, math.Round(255*sum/(sum+saturation))))
}

// TitleHash is the hash of the Key of a title, never 0.
func TitleHash(key string) uint64 { return hashOf([]byte(key)) }

func hashOf(key []byte) uint64 {
	h := fnv.New64a()
	h.Write(key)
	return max(1, h.Sum64())
}
