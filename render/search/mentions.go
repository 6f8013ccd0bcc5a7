package search

import "strings"

// beginsMax bounds the remembered words, partShare is what a name counts that a compound begins
// with, or an adjective of a title: what is listed is something else. What a compound ends with is what it is.
const (
	beginsMax = 1 << 17
	partShare = 0.5
	endShare  = 0.8
	// withinShare is what a name counts that is a word of a longer one.
	withinShare = 0.6
)

// find finds the names of concepts among the words of a text.
func (a *Analyser) find(bit uint16) {
	l := lexiconOf()
	a.named = a.named[:0]
	for i, w := range a.words {
		for _, c := range a.beginning(l, w, bit) {
			if c.place && !a.places[i].capital || !c.follows(a.words[i:]) {
				continue
			}
			a.named = append(a.named, mentioned{c, i})
		}
	}
}

// concepts notes those that the words of a text name. Of a title the first that are named
// count most: they are its subject.
func (a *Analyser) concepts(f Field) {
	l := lexiconOf()
	order, last := 0, -1
	for _, m := range a.named {
		share := 1.0
		switch {
		case m.ends:
			share = endShare
		case m.part, m.kind && f == FieldTitle:
			share = partShare
		}
		if m.list && f != FieldTitle {
			share *= partShare
		}
		if f == FieldTitle {
			if m.at != last && !m.place {
				order, last = order+1, m.at
			}
			share *= a.places[m.at].governed * subject(order)
		}
		if a.within(&m) {
			share *= withinShare
		}
		a.concept(l, m.concept, share, a.places[m.at].position)
		if f <= FieldInstitution {
			a.of(&l.around[m.concept], a.places[m.at].position)
		}
	}
}

// mentioned is a name of a concept that begins at a word.
type mentioned struct {
	candidate
	at int
}

// within tells whether a name is a word of the longer name of something else.
func (a *Analyser) within(m *mentioned) bool {
	if len(m.words) > 1 || m.place {
		return false
	}
	for i := range a.named {
		o := &a.named[i]
		if len(o.words) > 1 && o.concept != m.concept && o.at <= m.at && m.at < o.at+len(o.words) {
			return true
		}
	}
	return false
}

// concept notes one; of its positions the first is enough.
func (a *Analyser) concept(l *lexicon, concept int32, share float64, position uint32) {
	t := a.term(l.terms[concept])
	t.place = l.places[concept]
	t.count += share
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
			a.concept(l, concept, count, uint32(FieldCodes)<<positionBits)
			a.of(&l.around[concept], uint32(FieldCodes)<<positionBits)
		}
	}
	a.size = float64(lengths[FieldCodes])
	a.settle(FieldCodes)
}
