package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/search"
)

// What a document that has another form of a word gets of the word's weight.
const (
	weightExact    = 1.0
	weightSpelling = 0.95
	weightJoined   = 0.9
	weightStem     = 0.8
	weightPrefix   = 0.6 // where the word alone is in no document
	weightCompound = 0.5
	weightNear     = 0.6
	weightConcept  = 0.65 // what is called otherwise, or in another language
	weightNamed    = 0.9  // and by several words, which say more
	weightPlace    = 1    // how well it is one does not matter
	weightWord     = 0.8  // the word that names a place, elsewhere
	weightList     = 0.6  // and one that other lists are called by
	weightWithin   = 0.4  // and where the word is a compound with that in it
	weightFar      = 0.4
)

// Bounds of the forms of one word.
const (
	formsMax    = 48
	prefixesMax = 2000 // of word*
	prefixMin   = 2    // letters of a beginning that is looked up unasked
	scanMax     = 20_000
	nearMin     = 4 // letters of a word that may have one mistake
	farMin      = 7 // or two
	compoundMin = 7 // letters of a word that may be a compound
	partMin     = 3 // and of each of its parts
	insideMin   = 5 // letters of a word that is looked for inside others
)

// source is a term of the index that stands for a word.
type source struct {
	term   int
	weight float32
	// place tells that it stands for one, region that it only stands for one around that; around is
	// what is around the place that the word names.
	place, region bool
	around        search.Around
	// list tells that other lists are called so, too.
	list bool
	// level tells that it is a level of administration, several that several words name it.
	level, several bool
	// part tells that the word is a compound with its name in it.
	part bool
}

// group is a word or phrase of the query with the terms that stand for it.
type group struct {
	term    *search.Term
	sources []source
	// phrase are the terms of a phrase in their order; sources are empty.
	phrase []int
	// frequency is in how many documents the word itself occurs, weight its
	// inverse document frequency.
	frequency int
	weight    float32
	// concepts are the terms of those that the word names, alone or with its neighbours.
	concepts []source
	// correction is the term that stands in for a word that occurs nowhere,
	// -1 if none does.
	correction int
}

// groups finds the forms of the words. In the second round, loose, every word
// may be misspelt or a beginning. Once nobody waits for the answer it stops;
// what comes next finds out.
func (m *matcher) groups(terms []*search.Term, loose bool) []group {
	out := make([]group, 0, len(terms))
	meant := m.concepts(terms)
	for i, t := range terms {
		if m.ctx.Err() != nil {
			break
		}
		g := group{term: t, correction: -1}
		if len(t.Words) > 1 {
			out = append(out, m.runs(&g, meant[i], loose)...)
			continue
		}
		g.concepts = meant[i].at(0)
		if parts := m.parts(t); parts != nil && !g.known() {
			out = append(out, m.groups(parts, loose)...)
			continue
		}
		m.word(&g, loose)
		if !t.Quoted {
			m.join(&g, terms, i)
		}
		out = append(out, g)
	}
	return out
}

// meant are the concepts that a document may have instead of the word.
func (g *group) meant() []source {
	return slices.DeleteFunc(slices.Clone(g.concepts), func(c source) bool { return c.region })
}

// known tells whether the word is the name of something, not only a compound with one in it.
func (g *group) known() bool {
	return slices.ContainsFunc(g.concepts, func(c source) bool { return !c.part })
}

// parts are the two words of a compound that no document has as one, nil if it
// is none. Of several ways to part it the one whose rarer part is most frequent
// is taken.
func (m *matcher) parts(t *search.Term) []*search.Term {
	seg, w := m.engine.segment, t.Words[0]
	if t.Quoted || t.Not || len(w) < compoundMin || seg.Find(w) >= 0 || len(seg.Stemmed(nil, w)) > 0 {
		return nil
	}
	best, head, tail := 0, "", ""
	for at := partMin; at+partMin <= len(w); at++ {
		last := m.frequency(w[at:])
		for _, link := range links {
			first, ok := strings.CutSuffix(w[:at], link)
			if !ok || last <= best {
				continue
			}
			if n := min(m.frequency(first), last); n > best {
				best, head, tail = n, first, w[at:]
			}
		}
	}
	if best == 0 {
		return nil
	}
	out := make([]*search.Term, 2)
	for i, part := range []string{head, tail} {
		own := *t
		own.Text, own.Words, own.Prefix = part, []string{part}, t.Prefix && i == 1
		out[i] = &own
	}
	return out
}

// frequency is in how many documents a part of a compound occurs, or what it is the name of.
func (m *matcher) frequency(word string) (n int) {
	seg := m.engine.segment
	if t := seg.Find(word); t >= 0 {
		return seg.Frequency(t)
	}
	if len(word) < nearMin {
		return 0
	}
	for _, x := range search.Mentions([]string{word}) {
		if t := seg.Find(x.Term); t >= 0 && !x.Part && !x.Place {
			n = max(n, seg.Frequency(t))
		}
	}
	return n
}

// links are the letters that may join the parts of a compound.
var links = []string{"", "s", "es", "n", "en"}

// phrase looks the words of a phrase up; without one of them it is nowhere.
func (m *matcher) phrase(g *group) {
	seg := m.engine.segment
	least := seg.Documents()
	for _, w := range g.term.Words {
		t := seg.Find(w)
		if t < 0 {
			g.phrase, g.sources, g.weight = nil, g.meant(), idf(seg.Documents(), 0)
			return
		}
		g.phrase = append(g.phrase, t)
		least = min(least, seg.Frequency(t))
	}
	g.frequency, g.weight = least, idf(seg.Documents(), least)
	g.sources = g.meant()
}

// word collects the forms of a word, the best weight of each.
func (m *matcher) word(g *group, loose bool) {
	seg, w := m.engine.segment, g.term.Words[0]
	f := forms{m: m, weights: map[int]float32{}}
	if t := seg.Find(w); t >= 0 {
		g.frequency = seg.Frequency(t)
		f.add(t, weightExact)
	}
	if g.term.Quoted {
		m.settle(g, &f)
		return
	}
	meant := g.meant()
	for _, c := range meant {
		f.add(c.term, c.weight)
	}
	f.spellings(w)
	f.stems(w)
	if g.term.Prefix {
		f.prefixes(w, prefixesMax, weightExact)
	}
	if !g.term.Not {
		f.compounds(w)
		m.guess(g, &f, loose)
	}
	switch {
	case slices.ContainsFunc(meant, func(c source) bool { return c.place }):
		f.means(meant, weightWord)
	case slices.ContainsFunc(meant, func(c source) bool { return c.list }):
		f.means(meant, weightList)
	}
	m.settle(g, &f)
}

// guess adds what a word may be the beginning of, or meant for, unless it is a name that people know.
func (m *matcher) guess(g *group, f *forms, loose bool) {
	w := g.term.Words[0]
	if len(f.weights) > 0 && !loose || m.strict || g.known() {
		return
	}
	before := len(f.weights)
	if len(w) >= prefixMin {
		f.prefixes(w, formsMax, weightPrefix)
	}
	if len(f.weights) == 0 && len(w) >= insideMin {
		f.m.engine.segment.Inside(w, formsMax, func(t int) { f.guessed(t, weightCompound) })
	}
	began := len(f.weights) > before
	if c := f.near(w); !began {
		g.correction = c
	}
}

// settle takes the best forms and weighs the word: as itself where it occurs,
// else by its most frequent form.
func (m *matcher) settle(g *group, f *forms) {
	seg := m.engine.segment
	limit := formsMax
	if g.term.Prefix {
		limit = prefixesMax
	}
	g.sources = f.best(limit)
	frequency := g.frequency
	if frequency == 0 {
		for _, s := range g.sources {
			frequency = max(frequency, seg.Frequency(s.term))
		}
	}
	g.weight = idf(seg.Documents(), frequency)
}

// join lets the compound of two neighbouring words stand for each of them.
func (m *matcher) join(g *group, terms []*search.Term, i int) {
	seg := m.engine.segment
	for _, at := range []int{i - 1, i} {
		if at < 0 || at+1 >= len(terms) || len(terms[at].Words) != 1 || len(terms[at+1].Words) != 1 {
			continue
		}
		if t := seg.Find(terms[at].Words[0] + terms[at+1].Words[0]); t >= 0 {
			g.sources = append(g.sources, source{term: t, weight: weightJoined})
		}
	}
}

// forms are the terms that may stand for one word.
type forms struct {
	m       *matcher
	weights map[int]float32
}

func (f *forms) add(term int, weight float32) {
	if term >= 0 && weight > f.weights[term] {
		f.weights[term] = weight
	}
}

// means lets what is meant count more than the words that name it.
func (f *forms) means(concepts []source, share float32) {
	for term := range f.weights {
		f.weights[term] *= share
	}
	for _, c := range concepts {
		f.add(c.term, c.weight)
	}
}

// guessed adds a word that may be meant; a concept is none.
func (f *forms) guessed(term int, weight float32) bool {
	if search.IsConcept(f.m.engine.segment.Term(term)) {
		return false
	}
	f.add(term, weight)
	return true
}

// umlauts are written as two letters where a keyboard has none.
var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u", "aa", "a")

func (f *forms) spellings(w string) {
	if plain := umlauts.Replace(w); plain != w {
		f.add(f.m.engine.segment.Find(plain), weightSpelling)
	}
}

// stems adds what shares a stem with the word in any language: the index knows
// the languages of its terms, a query does not say its own.
func (f *forms) stems(w string) {
	seg := f.m.engine.segment
	var buf [64]int
	for _, stem := range append(search.Stems(nil, w, ^uint16(0)), w) {
		f.add(seg.Find(stem), weightStem)
		for _, t := range seg.Stemmed(buf[:0], stem) {
			f.add(t, weightStem)
		}
	}
}

func (f *forms) compounds(w string) {
	var buf [64]int
	for _, t := range f.m.engine.segment.Compounds(buf[:0], w) {
		f.add(t, weightCompound)
	}
}

// prefixes adds the terms that begin with the word, at most n, the most
// frequent first.
func (f *forms) prefixes(w string, n int, weight float32) {
	seg := f.m.engine.segment
	from, to := seg.Range(w)
	to = min(to, from+scanMax)
	terms := make([]int, 0, to-from)
	for t := from; t < to; t++ {
		terms = append(terms, t)
	}
	if len(terms) > n {
		slices.SortFunc(terms, func(a, b int) int {
			return cmp.Or(cmp.Compare(seg.Frequency(b), seg.Frequency(a)), cmp.Compare(a, b))
		})
		terms = terms[:n]
	}
	for _, t := range terms {
		f.add(t, weight)
	}
}

// near adds the terms that a slip of the keyboard turns into the word, and
// returns the likeliest: the nearest, then the most frequent; -1 without one.
func (f *forms) near(w string) int {
	seg, best, bestDistance := f.m.engine.segment, -1, 0
	look := func(same, limit int) {
		seg.Near(w, same, limit, func(t, d int) {
			if d == 0 {
				return
			}
			weight := float32(weightNear)
			if d > 1 {
				weight = weightFar
			}
			if !f.guessed(t, weight) {
				return
			}
			if best < 0 || d < bestDistance || d == bestDistance && seg.Frequency(t) > seg.Frequency(best) {
				best, bestDistance = t, d
			}
		})
	}
	if len(w) >= nearMin {
		look(0, 1)
	}
	if best < 0 && len(w) >= farMin {
		look(1, 2)
	}
	return best
}

// best are the heaviest forms, the most frequent of equal ones first.
func (f *forms) best(n int) []source {
	seg := f.m.engine.segment
	out := make([]source, 0, len(f.weights))
	for t, w := range f.weights {
		out = append(out, source{term: t, weight: w})
	}
	slices.SortFunc(out, func(a, b source) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(seg.Frequency(b.term), seg.Frequency(a.term)), cmp.Compare(a.term, b.term))
	})
	return out[:min(n, len(out))]
}
