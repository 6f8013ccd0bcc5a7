package engine

import (
	"context"
	"iter"
	"math/bits"
	"runtime"
)

// Set is a set of documents.
type Set []uint64

// Has tells whether a document is in the set.
func (s Set) Has(document int32) bool { return s[document/64]>>(document%64)&1 == 1 }

// all are the documents of the set in ascending order.
func (s Set) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(64*i + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Begin finds the documents that have, for each of the terms, a word that
// begins with it.
func (e *Engine) Begin(ctx context.Context, terms []string) (Set, error) {
	defer runtime.KeepAlive(e.segment)
	words := (e.segment.Documents() + 63) / 64
	var all Set
	for _, term := range terms {
		found := make(Set, words)
		from, to := e.segment.Range(term)
		for t := from; t < to; t++ {
			if t%256 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for p := e.segment.Postings(t); p.Next(); {
				found[p.Document/64] |= 1 << (p.Document % 64)
			}
		}
		if all == nil {
			all = found
			continue
		}
		for i := range all {
			all[i] &= found[i]
		}
	}
	return all, nil
}
