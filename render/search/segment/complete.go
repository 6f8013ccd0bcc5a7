package segment

import (
	"bytes"
	"container/heap"
	"encoding/binary"
	"sort"
)

// completer reads the completions.
type completer struct {
	texts, keys   table
	counts, kinds []byte
	n             int
	begins        []byte
	maxima        []byte
}

// Complete returns at most n completions whose text, or what follows the
// beginning of one of its first words, begins with prefix, a search.Key without
// its end; the heaviest first. Completions of one text are one.
func (s *Segment) Complete(prefix string, n int) []Completion {
	c := &s.complete
	p := []byte(prefix)
	lo := sort.Search(c.n, func(i int) bool { return bytes.Compare(c.tail(i), p) >= 0 })
	hi := lo + sort.Search(c.n-lo, func(i int) bool { return !bytes.HasPrefix(c.tail(lo+i), p) })
	best := &heaviest{}
	c.blocks(lo, hi, best)
	var out []Completion
	seen := map[uint32]bool{}
	for best.Len() > 0 && len(out) < n {
		top := heap.Pop(best).(weighed)
		if top.block >= 0 {
			c.open(top, lo, hi, best)
			continue
		}
		if item := top.item; !seen[item] {
			seen[item] = true
			out = append(out, c.completion(int(item), top.weight))
		}
	}
	return out
}

// tail is what follows the i-th beginning.
func (c *completer) tail(i int) []byte {
	b := c.begins[8*i:]
	return c.keys.at(int(binary.LittleEndian.Uint32(b)))[binary.LittleEndian.Uint16(b[4:]):]
}

func (c *completer) completion(item int, weight uint16) Completion {
	return Completion{Kind: Kind(c.kinds[item]), Text: string(c.texts.at(item)), Key: string(c.keys.at(item)), Weight: weight,
		Count: binary.LittleEndian.Uint32(c.counts[4*item:])}
}

// weighed is a beginning, or a whole block of them under its maximum.
type weighed struct {
	weight uint16
	block  int // -1 for a beginning
	item   uint32
}

// blocks pushes the blocks that hold beginnings lo to hi.
func (c *completer) blocks(lo, hi int, h *heaviest) {
	for b := lo / blockSize; b*blockSize < hi; b++ {
		h.list = append(h.list, weighed{weight: binary.LittleEndian.Uint16(c.maxima[2*b:]), block: b})
	}
	heap.Init(h)
}

// open pushes the beginnings of a block that lie between lo and hi.
func (c *completer) open(w weighed, lo, hi int, h *heaviest) {
	from, to := max(lo, w.block*blockSize), min(hi, (w.block+1)*blockSize)
	for i := from; i < to; i++ {
		b := c.begins[8*i:]
		heap.Push(h, weighed{binary.LittleEndian.Uint16(b[6:]), -1, binary.LittleEndian.Uint32(b)})
	}
}

// heaviest is a heap with the heaviest on top; ties in the order of the items.
type heaviest struct{ list []weighed }

// Len implements heap.Interface.
func (h *heaviest) Len() int { return len(h.list) }

// Less implements heap.Interface.
func (h *heaviest) Less(i, j int) bool {
	a, b := &h.list[i], &h.list[j]
	if a.weight != b.weight {
		return a.weight > b.weight
	}
	if (a.block >= 0) != (b.block >= 0) {
		return a.block >= 0
	}
	return a.item < b.item
}

// Swap implements heap.Interface.
func (h *heaviest) Swap(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i] }

// Push implements heap.Interface.
func (h *heaviest) Push(x any) { h.list = append(h.list, x.(weighed)) }

// Pop implements heap.Interface.
func (h *heaviest) Pop() any {
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return last
}
