package engine

import (
	"slices"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
)

// strand is one word of a phrase on its way through the documents.
type strand struct {
	postings  segment.Postings
	positions segment.Positions
}

// reach moves to a document or the first one after it.
func (s *strand) reach(document uint32) bool {
	for s.postings.Document < document {
		s.positions.Skip()
		if !s.postings.Next() {
			return false
		}
	}
	return true
}

// phrases calls do for the documents in which the words of a phrase follow each
// other.
func (m *matcher) phrases(g *group, do func(document uint32, impact byte)) {
	words := make([]strand, len(g.phrase))
	for i, t := range g.phrase {
		words[i] = strand{m.engine.segment.Postings(t), m.engine.segment.Positions(t)}
		if !words[i].postings.Next() {
			return
		}
	}
	for meet(words) {
		starts, impact := together(words)
		if len(starts) > 0 && (!g.term.Title || search.FieldOf(starts[0]) == search.FieldTitle) {
			do(words[0].postings.Document, impact)
		}
		for i := range words {
			if !words[i].postings.Next() {
				return
			}
		}
	}
}

// meet moves all words to the next document that has each of them.
func meet(words []strand) bool {
	for {
		last, same := words[0].postings.Document, true
		for i := range words {
			same = same && words[i].postings.Document == last
			last = max(last, words[i].postings.Document)
		}
		if same {
			return true
		}
		for i := range words {
			if !words[i].reach(last) {
				return false
			}
		}
	}
}

// together reads where the words follow each other in the document at which
// they met, and the least of their impacts.
func together(words []strand) (starts []uint32, impact byte) {
	starts, impact = slices.Clone(words[0].positions.Next()), words[0].postings.Impact
	for i := 1; i < len(words); i++ {
		impact = min(impact, words[i].postings.Impact)
		starts = follow(starts, words[i].positions.Next(), uint32(i))
	}
	return starts, impact
}

// follow keeps the starts that have a position the given distance after them.
func follow(starts, positions []uint32, distance uint32) []uint32 {
	kept, i := starts[:0], 0
	for _, start := range starts {
		for i < len(positions) && positions[i] < start+distance {
			i++
		}
		if i < len(positions) && positions[i] == start+distance {
			kept = append(kept, start)
		}
	}
	return kept
}
