package engine

import (
	"slices"
	"sort"

	"github.com/assay-register/assay/render/search"
)

// Words that follow each other in the query and are neighbours in an entry, too, count adjacent
// of their weight besides; function words may lie between them, and turn them around.
const (
	nextTo      = 3
	adjacentMax = heavyCost / 4 // postings that are read for it
	adjacentOf  = 2             // forms of each word
	adjacent    = 0.2
)

// follows adds what words count besides where they follow each other.
func (m *matcher) follows(groups []group, hits *Hits) {
	total := float32(0)
	for i := range groups {
		total += groups[i].weight
	}
	for i := 0; i+1 < len(groups); i++ {
		first, second := m.written(&groups[i]), m.written(&groups[i+1])
		cost := 0
		for _, t := range slices.Concat(first, second) {
			cost += m.engine.segment.Frequency(t)
		}
		if cost > adjacentMax {
			continue
		}
		share := adjacent * (groups[i].weight + groups[i+1].weight) / total / 255
		m.scratch.best = append(m.scratch.best[:0], make([]float32, len(hits.Documents))...)
		for _, a := range first {
			for _, b := range second {
				m.pair(a, b, func(document uint32, impact byte) {
					k := sort.Search(len(hits.Documents), func(k int) bool { return hits.Documents[k] >= document })
					if k < len(hits.Documents) && hits.Documents[k] == document {
						m.scratch.best[k] = max(m.scratch.best[k], share*float32(impact))
					}
				})
			}
		}
		for k, b := range m.scratch.best {
			hits.Scores[k] += b
		}
	}
}

// written are the forms of a word that texts have, the heaviest ones.
func (m *matcher) written(g *group) (out []int) {
	if len(g.term.Words) > 1 || g.term.Not {
		return nil
	}
	for _, s := range g.sources {
		if s.weight >= weightStem && len(out) < adjacentOf && !search.IsConcept(m.engine.segment.Term(s.term)) {
			out = append(out, s.term)
		}
	}
	return out
}

// pair calls do for the documents in a text of which two terms stand shortly after each other,
// with the lesser of their impacts.
func (m *matcher) pair(a, b int, do func(document uint32, impact byte)) {
	words := []strand{{m.engine.segment.Postings(a), m.engine.segment.Positions(a)}, {m.engine.segment.Postings(b), m.engine.segment.Positions(b)}}
	if !words[0].postings.Next() || !words[1].postings.Next() {
		return
	}
	for meet(words) {
		first := slices.Clone(words[0].positions.Next())
		if second := words[1].positions.Next(); shortly(first, second) || shortly(second, first) {
			do(words[0].postings.Document, min(words[0].postings.Impact, words[1].postings.Impact))
		}
		if !words[0].postings.Next() || !words[1].postings.Next() {
			return
		}
	}
}

// shortly tells whether one of the second positions is within reach after one of the first.
func shortly(first, second []uint32) bool {
	i := 0
	for _, p := range second {
		for i < len(first) && first[i]+nextTo < p {
			i++
		}
		if i < len(first) && first[i] < p {
			return true
		}
	}
	return false
}
