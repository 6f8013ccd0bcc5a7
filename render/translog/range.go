package translog

import "golang.org/x/mod/sumdb/tlog"

// Range makes the root of a tree from its leaves, one after the other, in memory that
// grows with the logarithm of their number.
type Range struct {
	n     int64
	nodes []tlog.Hash
}

// Add appends a leaf.
func (r *Range) Add(leaf []byte) { r.AddHash(tlog.RecordHash(leaf)) }

// AddHash appends a leaf by its hash, or the root of a whole tree beside equal ones.
func (r *Range) AddHash(h tlog.Hash) {
	for n := r.n; n&1 == 1; n >>= 1 {
		h = tlog.NodeHash(r.nodes[len(r.nodes)-1], h)
		r.nodes = r.nodes[:len(r.nodes)-1]
	}
	r.nodes = append(r.nodes, h)
	r.n++
}

// Tree is what the leaves make so far.
func (r *Range) Tree() tlog.Tree {
	if r.n == 0 {
		h, _ := tlog.TreeHash(0, nil)
		return tlog.Tree{Hash: h}
	}
	h := r.nodes[len(r.nodes)-1]
	for i := len(r.nodes) - 2; i >= 0; i-- {
		h = tlog.NodeHash(r.nodes[i], h)
	}
	return tlog.Tree{N: r.n, Hash: h}
}
