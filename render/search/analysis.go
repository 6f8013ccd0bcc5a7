package search

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
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
	// begins are the names of concepts that may begin with a word, remembered by the word
	// and its language; words and places are those of the text at hand.
	begins map[begin][]candidate
	words  []string
	places []wordPlace
}

type begin struct {
	word string
	bit  uint16
}

// wordPlace is where a word stands, and whether it is written as names are.
type wordPlace struct {
	position uint32
	capital  bool
}

type found struct {
	term      string
	languages uint16
	counts    [fieldCount]float64
	positions []uint32
}

// Analyse finds the terms of a document.
func (a *Analyser) Analyse(d *Document) *Analysis {
	if a.index == nil {
		a.index = map[string]int32{}
	}
	clear(a.index)
	a.found = a.found[:0]
	var sizes [fieldCount]float64
	out := &Analysis{}
	for f := range fieldCount {
		position := uint32(f) << positionBits
		if f == FieldCodes {
			a.codes(d[f])
			continue
		}
		for _, t := range d[f] {
			position = a.text(f, t, position, &sizes) + positionGap
		}
	}
	for _, t := range d[FieldTitle] {
		out.Titles = append(out.Titles, hashOf(a.speller.joined(t.Value, t.Lang)))
	}
	slices.Sort(out.Titles)
	out.Titles = slices.Compact(out.Titles)
	out.Terms = a.occurrences(&sizes)
	return out
}

// text notes the words of one text from a position on and returns the next one.
func (a *Analyser) text(f Field, t Text, position uint32, sizes *[fieldCount]float64) uint32 {
	language := LanguageBit(t.Lang)
	end := uint32(f+1)<<positionBits - positionGap - 1
	a.words, a.places = a.words[:0], a.places[:0]
	a.speller.Words(t.Value, t.Lang, func(w Word) {
		if position >= end {
			return
		}
		if !IsStop(w.Term) {
			a.words, a.places = append(a.words, w.Term), append(a.places, wordPlace{position, capital(t.Value[w.Start:])})
		}
		count := 1.0
		if f == FieldTitle {
			count = early(len(a.words))
		}
		a.note(f, w.Term, language, position, count)
		if w.Other != "" {
			a.note(f, w.Other, language, position, count)
		}
		sizes[f]++
		position++
	})
	a.concepts(f, language)
	return min(position, end)
}

// early is what a word of a title counts, by how many telling words stand up to it: what an
// entry is about comes first.
func early(words int) float64 {
	switch {
	case words <= 1:
		return 1.4
	case words == 2:
		return 1.15
	case words <= 4:
		return 1
	}
	return 0.85
}

func (a *Analyser) note(f Field, term string, language uint16, position uint32, count float64) {
	t := a.term(term)
	t.languages |= language
	t.counts[f] += count
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
		a.found[i].term = term
	}
	return &a.found[i]
}

// beginsMax bounds the remembered words, partShare is what a name within a compound counts.
const (
	beginsMax = 1 << 17
	partShare = 0.5
)

// concepts notes those that the words of a text name.
func (a *Analyser) concepts(f Field, bit uint16) {
	l := lexiconOf()
	for i, w := range a.words {
		for _, c := range a.beginning(l, w, bit) {
			if c.place && !a.places[i].capital || !c.follows(a.words[i:]) {
				continue
			}
			share := 1.0
			if c.part {
				share = partShare
			}
			if f == FieldTitle {
				share *= early(i + 1)
			}
			a.concept(f, l.terms[c.concept], share, a.places[i].position)
		}
	}
}

// concept notes one; of its positions the first is enough.
func (a *Analyser) concept(f Field, term string, share float64, position uint32) {
	t := a.term(term)
	t.counts[f] += share
	if len(t.positions) == 0 {
		t.positions = append(t.positions, position)
	}
}

func (a *Analyser) beginning(l *lexicon, word string, bit uint16) []candidate {
	if a.begins == nil {
		a.begins = map[begin][]candidate{}
	}
	key := begin{word, bit}
	list, ok := a.begins[key]
	if !ok {
		if len(a.begins) >= beginsMax {
			clear(a.begins)
		}
		list = l.candidates(word, bit, false)
		a.begins[begin{strings.Clone(word), bit}] = list
	}
	return list
}

// categoryCode begins the codes of high-value dataset categories, which say more than a
// theme: each counts as many of those.
const (
	categoryCode   = "c_"
	categoryCounts = 6
)

// codes notes the concepts that the codes of a document mean.
func (a *Analyser) codes(list []Text) {
	l := lexiconOf()
	for _, code := range list {
		count := 1.0
		if strings.HasPrefix(code.Value, categoryCode) {
			count = categoryCounts
		}
		for _, concept := range l.codes[code.Value] {
			a.concept(FieldCodes, l.terms[concept], count, uint32(FieldCodes)<<positionBits)
		}
	}
}

func (a *Analyser) occurrences(sizes *[fieldCount]float64) []Occurrence {
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
		out[i] = Occurrence{t.term, impact(&t.counts, sizes), t.languages, positions[from:len(positions):len(positions)]}
	}
	return out
}

func impact(counts, sizes *[fieldCount]float64) byte {
	sum := 0.0
	for f, n := range counts {
		if n > 0 {
			sum += weights[f] * n / (1 - normal + normal*sizes[f]/lengths[f])
		}
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
