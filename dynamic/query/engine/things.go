package engine

import "slices"

// thingsOf are the shares of the groups in the number of things that a query names: words that
// name one thing together are one.
func thingsOf(groups []group) []float32 {
	out, things := make([]float32, len(groups)), 0
	for from := 0; from < len(groups); things++ {
		to := from + 1
		for to < len(groups) && groups[from].together(&groups[to]) {
			to++
		}
		for i := from; i < to; i++ {
			out[i] = 1 / float32(to-from)
		}
		from = to
	}
	for i := range out {
		out[i] /= float32(things)
	}
	return out
}

// together tells whether two words are of the name of one thing.
func (g *group) together(other *group) bool {
	return slices.ContainsFunc(g.concepts, func(c source) bool {
		return c.several && slices.ContainsFunc(other.concepts, func(o source) bool { return o.several && o.term == c.term })
	})
}
