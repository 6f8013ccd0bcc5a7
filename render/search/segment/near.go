package segment

import "sort"

// wordMax bounds the words whose neighbours are looked for, in bytes.
const wordMax = 32

// nodesMax bounds the steps of one walk through the dictionary.
const nodesMax = 20_000

// Near calls do for the terms within a distance of a word: insertions,
// deletions, replacements and swaps of neighbours count one each (optimal
// string alignment, L. Boytsov, "Indexing Methods for Approximate Dictionary
// Searching", 2011). The first same letters must be equal. The walk visits the
// sorted dictionary as a trie and leaves a branch as soon as it is too far.
func (s *Segment) Near(word string, same, distance int, do func(term, distance int)) {
	if len(word) > wordMax || same > len(word) {
		return
	}
	w := &walk{s: s, word: word, limit: distance, do: do, nodes: nodesMax}
	for i := range w.rows[0][:len(word)+1] {
		w.rows[0][i] = byte(i)
	}
	lo, hi := 0, s.terms.n
	depth := 0
	for ; depth < same; depth++ {
		lo, hi = w.child(lo, hi, depth, word[depth])
		if lo == hi {
			return
		}
		w.step(depth, word[depth])
	}
	w.visit(lo, hi, depth)
}

// walk is one search for neighbours.
type walk struct {
	s     *Segment
	word  string
	limit int
	do    func(term, distance int)
	nodes int
	// rows are those of the edit matrix, one for each letter of the path, path
	// the letters.
	rows [wordMax + 8][wordMax + 1]byte
	path [wordMax + 8]byte
}

// child is the part of the terms lo to hi whose letter at depth is c.
func (w *walk) child(lo, hi, depth int, c byte) (int, int) {
	letter := func(i int) int {
		if t := w.s.terms.at(i); depth < len(t) {
			return int(t[depth])
		}
		return -1
	}
	from := lo + sort.Search(hi-lo, func(i int) bool { return letter(lo+i) >= int(c) })
	to := from + sort.Search(hi-from, func(i int) bool { return letter(from+i) > int(c) })
	return from, to
}

// step fills the row after the letter c at depth and returns its minimum.
func (w *walk) step(depth int, c byte) int {
	w.path[depth] = c
	above, row := &w.rows[depth], &w.rows[depth+1]
	row[0] = above[0] + 1
	least := row[0]
	for j := 1; j <= len(w.word); j++ {
		cost := byte(1)
		if w.word[j-1] == c {
			cost = 0
		}
		d := min(above[j]+1, row[j-1]+1, above[j-1]+cost)
		if depth > 0 && j > 1 && w.word[j-2] == c && w.word[j-1] == w.path[depth-1] {
			d = min(d, w.rows[depth-1][j-2]+1)
		}
		row[j] = d
		least = min(least, d)
	}
	return int(least)
}

// visit looks at the terms lo to hi, which share the first depth letters.
func (w *walk) visit(lo, hi, depth int) {
	if w.nodes--; w.nodes < 0 || lo >= hi {
		return
	}
	if len(w.s.terms.at(lo)) == depth {
		if d := int(w.rows[depth][len(w.word)]); d <= w.limit {
			w.do(lo, d)
		}
		lo++
	}
	if depth >= len(w.word)+w.limit || depth+1 >= len(w.rows) {
		return
	}
	for lo < hi {
		c := w.s.terms.at(lo)[depth]
		from, to := lo, lo+1
		if hi-lo > 1 {
			_, to = w.child(lo, hi, depth, c)
		}
		// A swap may lower the distance again by one in the next row.
		if w.step(depth, c) <= w.limit {
			w.visit(from, to, depth+1)
		}
		lo = to
	}
}
