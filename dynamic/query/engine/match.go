package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/search/segment"
)

// matcher answers one query.
type matcher struct {
	engine  *Engine
	ctx     context.Context
	strict  bool
	scratch *scratch
	// entered leaves the gate of expensive queries, nil before it.
	entered func()
}

// all finds the documents that have every group, the rarest first.
func (m *matcher) all(groups []group, hits *Hits) error {
	order := make([]*group, len(groups))
	total := float32(0)
	for i := range groups {
		order[i] = &groups[i]
		total += groups[i].weight
	}
	slices.SortStableFunc(order, func(a, b *group) int { return cmp.Compare(m.postings(a), m.postings(b)) })
	s := m.scratch
	s.documents, s.scores = m.collect(order[0], order[0].weight/total, s.documents[:0], s.scores[:0])
	for _, g := range order[1:] {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if len(s.documents) == 0 {
			break
		}
		m.narrow(g, g.weight/total)
	}
	hits.Documents, hits.Scores = s.documents, s.scores
	m.name(groups, hits)
	return m.ctx.Err()
}

// postings is about how many postings a group has.
func (m *matcher) postings(g *group) int {
	n := 0
	if len(g.phrase) > 0 {
		n = g.frequency
	}
	if len(g.sources) > 0 {
		for _, s := range g.sources {
			n += m.engine.segment.Frequency(s.term)
		}
	}
	return n
}

// stream calls do for the documents of one source that count: all of them, or
// those that have the term in a title.
func (m *matcher) stream(term int, title bool, do func(document uint32, impact byte)) {
	p := m.engine.segment.Postings(term)
	if !title {
		for p.Next() {
			do(p.Document, p.Impact)
		}
		return
	}
	at := m.engine.segment.Positions(term)
	for p.Next() {
		if list := at.Next(); len(list) > 0 && search.FieldOf(list[0]) == search.FieldTitle {
			do(p.Document, p.Impact)
		}
	}
}

// collect appends the documents of a group with their scores.
func (m *matcher) collect(g *group, weight float32, documents []uint32, scores []float32) ([]uint32, []float32) {
	weight /= 255
	if len(g.phrase) > 0 && len(g.sources) == 0 {
		m.phrases(g, func(document uint32, impact byte) {
			documents = append(documents, document)
			scores = append(scores, weight*float32(impact))
		})
		return documents, scores
	}
	if len(g.sources) == 1 && len(g.phrase) == 0 {
		w := weight * g.sources[0].weight
		m.stream(g.sources[0].term, g.term.Title, func(document uint32, impact byte) {
			documents = append(documents, document)
			scores = append(scores, w*float32(impact))
		})
		return documents, scores
	}
	s := m.scratch
	if len(g.phrase) > 0 {
		m.phrases(g, func(document uint32, impact byte) { s.see(document, weight*float32(impact)) })
	}
	for _, src := range g.sources {
		w := weight * src.weight
		if !g.term.Title {
			s.raise(m.engine.segment.Postings(src.term), w)
			continue
		}
		m.stream(src.term, true, func(document uint32, impact byte) { s.see(document, w*float32(impact)) })
	}
	s.drain(func(document uint32) {
		documents = append(documents, document)
		scores = append(scores, s.dense[document])
		s.dense[document] = 0
	})
	return documents, scores
}

// see notes a document with the best of its scores.
func (s *scratch) see(document uint32, score float32) {
	s.seen[document/64] |= 1 << (document % 64)
	s.dense[document] = max(s.dense[document], score)
}

// raise sees all postings of a term.
func (s *scratch) raise(p segment.Postings, w float32) {
	for p.Next() {
		s.see(p.Document, w*float32(p.Impact))
	}
}

// drain calls do for the documents seen, in order, and forgets them.
func (s *scratch) drain(do func(document uint32)) {
	for d := range s.seen.all() {
		do(d)
	}
	clear(s.seen)
}

// parts are of the documents that have a part of the query: what that counts, and its share of
// the query. They are all zero between uses.
type parts struct {
	sums, held []float32
	seen       Set
}

func (s *scratch) parts(documents int) *parts {
	if p := &s.some; len(p.sums) < documents {
		p.sums, p.held, p.seen = make([]float32, documents), make([]float32, documents), make(Set, (documents+63)/64)
	}
	return &s.some
}

func (p *parts) clear() {
	for d := range p.seen.all() {
		p.sums[d], p.held[d] = 0, 0
	}
	clear(p.seen)
}

// narrow keeps the collected documents that have a group, too, and adds what it
// counts: the best of its forms.
func (m *matcher) narrow(g *group, weight float32) {
	m.weigh(g, 1)
	s, kept := m.scratch, 0
	for i, b := range s.best {
		if b > 0 {
			s.documents[kept], s.scores[kept] = s.documents[i], s.scores[i]+weight*b
			kept++
		}
	}
	s.documents, s.scores = s.documents[:kept], s.scores[:kept]
}

// plainShare is what all plain words of a query count together, as a share of the others.
const plainShare = 0.15

// besides adds what plain words count to the documents that were found.
func (m *matcher) besides(groups []group) {
	for i := range groups {
		m.weigh(&groups[i], plainShare/float32(len(groups)))
		for k, b := range m.scratch.best {
			m.scratch.scores[k] += b
		}
	}
}

// asideShare is what the words by which a query breaks its matter down count.
const asideShare = 0.35

// breakdown adds what the words count by which the matter is to be broken down.
func (m *matcher) breakdown(groups, aside []group, hits *Hits) {
	total := float32(0)
	for i := range groups {
		total += groups[i].weight
	}
	for i := range aside {
		m.weigh(&aside[i], asideShare*min(1, aside[i].weight/total))
		for k, b := range m.scratch.best {
			m.scratch.scores[k] += b
		}
	}
	m.name(aside, hits)
}

// weigh finds what a group counts in each of the collected documents, 0 without it.
func (m *matcher) weigh(g *group, weight float32) {
	s := m.scratch
	weight /= 255
	s.best = append(s.best[:0], make([]float32, len(s.documents))...)
	merge := func(w float32) func(uint32, byte) {
		i := 0
		return func(document uint32, impact byte) {
			for i < len(s.documents) && s.documents[i] < document {
				i++
			}
			if i < len(s.documents) && s.documents[i] == document {
				s.best[i] = max(s.best[i], w*float32(impact))
			}
		}
	}
	switch {
	case !g.term.Title && len(g.sources) > manySources:
		m.overlayAll(g, weight)
	case !g.term.Title:
		for _, src := range g.sources {
			m.overlay(src.term, weight*src.weight)
		}
	default:
		for _, src := range g.sources {
			m.stream(src.term, true, merge(weight*src.weight))
		}
	}
	if len(g.phrase) > 0 {
		m.phrases(g, merge(weight))
	}
}

// overlay raises the best of the collected documents that have a term. It is
// the innermost loop of most queries and ends with the last of them.
func (m *matcher) overlay(term int, w float32) {
	s := m.scratch
	p := m.engine.segment.Postings(term)
	if len(s.documents) == 0 || !p.Next() {
		return
	}
	for i, document := range s.documents {
		for p.Document < document {
			if !p.Next() {
				return
			}
		}
		if p.Document == document {
			if score := w * float32(p.Impact); score > s.best[i] {
				s.best[i] = score
			}
		}
	}
}

// manySources is from how many terms on it is cheaper to go through their
// postings once than through the collected documents for each of them.
const manySources = 16

// overlayAll is overlay for all terms of a group.
func (m *matcher) overlayAll(g *group, weight float32) {
	s := m.scratch
	for _, src := range g.sources {
		s.raise(m.engine.segment.Postings(src.term), weight*src.weight)
	}
	for i, document := range s.documents {
		s.best[i] = s.dense[document]
	}
	s.drain(func(document uint32) { s.dense[document] = 0 })
}

// mostOfWords is the share of the query that a document has at least.
const mostOfWords = 0.4

// some finds the documents that have a good part of the query, and what was
// quoted; those that lack more of it count less.
func (m *matcher) some(groups []group, hits *Hits) error {
	s, total := m.scratch, float32(0)
	for i := range groups {
		total += groups[i].weight
	}
	musts, things := float32(0), thingsOf(groups)
	p := s.parts(m.engine.segment.Documents())
	defer p.clear()
	for i := range groups {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		g := &groups[i]
		// By their number more than by their rarity, so that no rare word outweighs all.
		share := 0.3*g.weight/total + 0.7*things[i]
		s.documents, s.scores = m.collect(g, g.weight/total, s.documents[:0], s.scores[:0])
		if g.term.Quoted || g.term.Title {
			share++ // so that whoever lacks it has too little
			musts++
		}
		for k, d := range s.documents {
			p.seen[d/64] |= 1 << (d % 64)
			p.sums[d] += s.scores[k]
			p.held[d] += share
		}
	}
	s.documents, s.scores = s.documents[:0], s.scores[:0]
	for d := range p.seen.all() {
		if share := p.held[d] - musts; share >= mostOfWords {
			s.documents = append(s.documents, d)
			s.scores = append(s.scores, p.sums[d]*share)
		}
	}
	hits.Documents, hits.Scores = s.documents, s.scores
	return nil
}

// without takes away the documents that have a word that is not wanted.
func (m *matcher) without(unwanted []*search.Term, title uint64, hits *Hits) error {
	if len(unwanted) == 0 {
		return nil
	}
	if hits.Everything {
		hits.Everything = false
		for d := range m.engine.segment.Documents() {
			m.scratch.documents = append(m.scratch.documents[:d], uint32(d))
			m.scratch.scores = append(m.scratch.scores[:d], 0)
		}
		hits.Documents, hits.Scores = m.scratch.documents, m.scratch.scores
	}
	groups := m.groups(unwanted, false)
	if err := m.ctx.Err(); err != nil {
		return err
	}
	bad := make([]uint64, (m.engine.segment.Documents()+63)/64)
	for i := range groups {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		documents, _ := m.collect(&groups[i], 1, nil, nil)
		for _, d := range documents {
			bad[d/64] |= 1 << (d % 64)
		}
	}
	kept := 0
	for i, d := range hits.Documents {
		if bad[d/64]>>(d%64)&1 == 0 || m.engine.segment.HasTitle(d, title) {
			hits.Documents[kept], hits.Scores[kept] = d, hits.Scores[i]
			kept++
		}
	}
	hits.Documents, hits.Scores = hits.Documents[:kept], hits.Scores[:kept]
	return m.ctx.Err()
}
