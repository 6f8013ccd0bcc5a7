package engine

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/render/search"
)

// mentions are the concepts that the words of a term name, alone or with their neighbours.
type mentions []mention

// mention is one of them: the words of the term that it takes, to exclusive.
type mention struct {
	from, to int
	source
}

// at are the concepts that a word is part of the name of.
func (l mentions) at(word int) (out []source) {
	for _, x := range l {
		if x.from <= word && word < x.to {
			out = append(out, x.source)
		}
	}
	return out
}

// concepts are those that the words name, by the place of the term.
func (m *matcher) concepts(terms []*search.Term) []mentions {
	out := make([]mentions, len(terms))
	var words []string
	var of, within []int
	for i, t := range terms {
		if t.Quoted || t.Not || t.Prefix {
			continue
		}
		for k, w := range t.Words {
			words, of, within = append(words, w), append(of, i), append(within, k)
		}
	}
	found := search.Mentions(words)
	narrowest := m.narrowest(found)
	for _, x := range found {
		term := m.engine.segment.Find(x.Term)
		if term < 0 && !x.Place {
			continue
		}
		weight := float32(weightConcept)
		switch {
		case x.Place:
			weight = weightPlace
		case x.Part:
			weight = weightWithin
		case of[x.From] != of[x.To-1]:
			weight = weightNamed
		}
		if !x.Place && m.engine.segment.Frequency(term) > narrowest[[2]int{x.From, x.To}] {
			weight *= broaderShare
		}
		named := source{term: term, weight: weight, place: x.Place, list: x.List, level: search.IsLevel(x.Term), several: of[x.From] != of[x.To-1], part: x.Part}
		sources := []source{named}
		if x.Place {
			sources = m.around(x.Term, named)
		}
		for i := x.From; i < x.To; i++ {
			list := &out[of[i]]
			if i > x.From && of[i] == of[i-1] {
				for k := len(*list) - len(sources); k < len(*list); k++ {
					(*list)[k].to++
				}
				continue
			}
			for _, s := range sources {
				*list = append(*list, mention{within[i], within[i] + 1, s})
			}
		}
	}
	return out
}

// broaderShare is what a concept counts where the same words name a rarer one, too: who asks for
// municipal boundaries means those of provinces less.
const broaderShare = 0.7

// narrowest is in how many documents the rarest of the concepts is that the same words name.
func (m *matcher) narrowest(found []search.Mention) map[[2]int]int {
	out := map[[2]int]int{}
	for _, x := range found {
		if term := m.engine.segment.Find(x.Term); term >= 0 {
			words, n := [2]int{x.From, x.To}, m.engine.segment.Frequency(term)
			if least, known := out[words]; !known || n < least {
				out[words] = n
			}
		}
	}
	return out
}

// runs are the groups of a phrase or of a run of Chinese or Japanese characters. Nothing
// tells the words of a run apart but the names of concepts, the longest first; what lies
// between them is taken as it stands, and in the second round by its pairs.
func (m *matcher) runs(g *group, names mentions, loose bool) (out []group) {
	if g.term.Quoted {
		m.phrase(g)
		return []group{*g}
	}
	slices.SortStableFunc(names, func(a, b mention) int { return (b.to - b.from) - (a.to - a.from) })
	taken := make([]bool, len(g.term.Words))
	piece := func(from, to int, concepts []source) {
		own := *g.term
		own.Words, own.Text = g.term.Words[from:to], strings.Join(g.term.Words[from:to], "")
		p := group{term: &own, correction: -1, concepts: concepts}
		if len(own.Words) > 1 {
			m.phrase(&p)
		} else {
			m.word(&p, false)
		}
		out = append(out, p)
	}
	for _, x := range names {
		if slices.Contains(taken[x.from:x.to], true) {
			continue
		}
		// The pairs before and after it belong to two words.
		for i := max(0, x.from-1); i < min(len(taken), x.to+1); i++ {
			taken[i] = true
		}
		piece(x.from, x.to, names.at(x.from))
	}
	for from := 0; from < len(taken); {
		to := from
		for to < len(taken) && !taken[to] && (!loose || to == from) {
			to++
		}
		if to > from {
			piece(from, to, nil)
		}
		from = max(to, from+1)
	}
	return out
}
