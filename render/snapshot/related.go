package snapshot

import (
	"cmp"
	"slices"
)

// Bounds of the search for related entries: an entry is compared with at most
// tagsMax × postingMax others, never with all. Of a common tag the entries
// are taken whose names come next to its own.
const (
	tagsMax    = 12
	postingMax = 64
	relatedMax = 10
)

// Neighbour is another entry with the reasons why it is close.
type Neighbour struct {
	Ordinal int32
	// The flags, Tags and Concepts say what is shared.
	SameInstitution bool
	SameHost        bool
	SameCountry     bool
	// Points is the sum of the reasons' weights.
	Points   int
	Tags     []string
	Concepts []string
}

// candidate is someone who shares something with an entry.
type candidate struct{ ordinal, points, away int32 }

// before tells whether n stands before other in a list of the best: with more points,
// then with a name that is nearer.
func (n candidate) before(other candidate) bool {
	return cmp.Or(cmp.Compare(other.points, n.points), cmp.Compare(n.away, other.away), cmp.Compare(n.ordinal, other.ordinal)) < 0
}

// scratch is what one search needs and the next one uses again.
type scratch struct {
	// seen holds for each line the number of the last search that found it, in
	// a byte, so that those of many lines stay in the processor's cache.
	seen   []uint8
	search uint8
	found  []int32
	// own holds the points of the entry's tags, 0 for all others.
	own []uint8
}

// add takes those of a list that are not found yet, but not the entry itself.
func (s *scratch) add(self int, list []int32) {
	for _, i := range list {
		if s.seen[i] != s.search && int(i) != self {
			s.seen[i] = s.search
			s.found = append(s.found, i)
		}
	}
}

// Related returns the entries closest to the one at the ordinal: those that
// share rare tags, the institution, canonical identifiers or the host. The list
// is shared with other callers.
func (c *Catalog) Related(ordinal int) []Neighbour { return c.near(ordinal).related }

// Alternatives returns entries that could serve instead: the same type, a
// shared topic, from another place, and not failing. The list is shared with
// other callers.
func (c *Catalog) Alternatives(ordinal int) []Neighbour { return c.near(ordinal).instead }

// near is what stands beside an entry.
type near struct {
	ordinal          int
	related, instead []Neighbour
	ties             []Tie
}

// near finds what stands beside the entry, or remembers it: the page and the
// documents of an entry ask one after the other.
func (c *Catalog) near(ordinal int) *near {
	recent := &c.postings().recent
	slot := &recent[ordinal%len(recent)]
	if n := slot.Load(); n != nil && n.ordinal == ordinal {
		return n
	}
	related, instead := c.closest(ordinal, relatedMax)
	n := &near{ordinal, c.explained(related, ordinal), c.explained(instead, ordinal), c.ties(ordinal)}
	slot.Store(n)
	return n
}

// closest returns those closest to the entry and, of those who share a topic,
// the best ones to take its place, each up to a limit.
func (c *Catalog) closest(ordinal, limit int) (related, instead []candidate) {
	p := c.postings()
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	topical := c.collect(s, p, ordinal)
	tags := p.tags.of(int32(ordinal))
	for _, t := range tags {
		s.own[t] = p.points[t]
	}
	related, instead = make([]candidate, 0, min(limit, len(s.found))+1), make([]candidate, 0, min(limit, topical)+1)
	for i, other := range s.found {
		n := candidate{other, c.weigh(s, other, ordinal, p), p.away(other, int32(ordinal))}
		if enters(related, n, limit) {
			related = enter(related, n, limit)
		}
		if i < topical && enters(instead, n, limit) && c.replaces(other, ordinal, p) {
			instead = enter(instead, n, limit)
		}
	}
	for _, t := range tags {
		s.own[t] = 0
	}
	return related, instead
}

// enters tells whether a candidate belongs to the list of the best.
func enters(best []candidate, n candidate, limit int) bool {
	return len(best) < limit || n.before(best[limit-1])
}

// enter puts a candidate at its place in the list of the best.
func enter(best []candidate, n candidate, limit int) []candidate {
	k := len(best)
	for k > 0 && n.before(best[k-1]) {
		k--
	}
	best = slices.Insert(best, k, n)
	return best[:min(len(best), limit)]
}

// collect finds everyone who shares something with the entry; the first ones,
// whose number it returns, share a topic.
func (c *Catalog) collect(s *scratch, p *postings, ordinal int) (topical int) {
	s.found = s.found[:0]
	if s.search++; s.search == 0 {
		clear(s.seen)
		s.search = 1
	}
	for _, t := range rarest(p.tags.of(int32(ordinal)), c.Lines[ordinal].Tags, p.counts) {
		s.add(ordinal, p.around(p.tagged.of(t), ordinal, postingMax))
	}
	topical = len(s.found)
	for k := range p.placed {
		s.add(ordinal, p.around(p.placed[k].of(p.places[ordinal][k]), ordinal, postingMax))
	}
	for _, t := range p.concepts.of(int32(ordinal)) {
		s.add(ordinal, p.around(p.identified.of(t), ordinal, postingMax))
	}
	return topical
}

// replaces tells whether the entry at other could serve instead of that at
// ordinal, so far as their tags do not decide it.
func (c *Catalog) replaces(other int32, ordinal int, p *postings) bool {
	its, own := &p.places[other], &p.places[ordinal]
	sameType := own.shares(its, placeType)
	if own[placeType] == 0 { // it is failing itself
		sameType = its[placeType] != 0 && c.Lines[other].Type == c.Lines[ordinal].Type
	}
	return sameType && !own.shares(its, placeHost)
}

// rarest returns up to tagsMax tags, the least common.
func rarest(tags []int32, texts []string, counts []int32) []int32 {
	if len(tags) <= tagsMax {
		return tags
	}
	places := make([]int, len(tags))
	for k := range places {
		places[k] = k
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(counts[tags[a]], counts[tags[b]]), cmp.Compare(texts[a], texts[b]))
	})
	out := make([]int32, tagsMax)
	for k := range out {
		out[k] = tags[places[k]]
	}
	return out
}

// Weights of what two entries share besides tags.
const (
	institutionPoints = 30
	hostPoints        = 20
	countryPoints     = 5
	conceptPoints     = 25
)

// weigh adds up what a candidate shares with the entry at the ordinal, whose
// tags are marked. A tag weighs more the fewer entries carry it.
func (c *Catalog) weigh(s *scratch, other int32, ordinal int, p *postings) int32 {
	points, marks := int32(0), s.own
	for _, t := range p.tags.of(other) {
		points += int32(marks[t])
	}
	own, its := &p.places[ordinal], &p.places[other]
	if own.shares(its, placeInstitution) {
		points += institutionPoints
	}
	if own.shares(its, placeHost) {
		points += hostPoints
	}
	if own.shares(its, placeCountry) {
		points += countryPoints
	}
	for _, t := range p.concepts.of(int32(ordinal)) {
		if slices.Contains(p.concepts.of(other), t) {
			points += conceptPoints
		}
	}
	return points
}

// explained names what each neighbour shares with the entry.
func (c *Catalog) explained(list []candidate, ordinal int) []Neighbour {
	p, self := c.postings(), &c.Lines[ordinal]
	tags, place := p.tags.of(int32(ordinal)), &p.places[ordinal]
	total := 0
	for _, n := range list {
		total += common(tags, p.tags.of(n.ordinal))
	}
	// All names lie in one list: there are many neighbours with few each.
	names := make([]string, 0, total)
	out := make([]Neighbour, len(list))
	for k, n := range list {
		its := &p.places[n.ordinal]
		out[k] = Neighbour{Ordinal: n.ordinal, Points: int(n.points), SameInstitution: place.shares(its, placeInstitution),
			SameHost: place.shares(its, placeHost), SameCountry: place.shares(its, placeCountry),
			Concepts: pick(nil, self.Concepts, p.concepts.of(int32(ordinal)), p.concepts.of(n.ordinal))}
		from := len(names)
		if names = pick(names, self.Tags, tags, p.tags.of(n.ordinal)); len(names) > from {
			out[k].Tags = names[from:len(names):len(names)]
		}
	}
	return out
}

// pick appends the texts whose numbers stand in another list, too.
func pick(out, texts []string, numbers, other []int32) []string {
	for i, n := range numbers {
		if slices.Contains(other, n) {
			out = append(out, texts[i])
		}
	}
	return out
}

// common counts the numbers of a list that stand in another one, too.
func common(list, other []int32) int {
	count := 0
	for _, n := range list {
		if slices.Contains(other, n) {
			count++
		}
	}
	return count
}

// tagPoints is 10 for a tag that most entries carry and up to 50 for a rare
// one: ten more for each time the share falls to a tenth.
func tagPoints(count, total int) int {
	points := 10
	for n := count * 10; n <= total && points < 50; n *= 10 {
		points += 10
	}
	return points
}
