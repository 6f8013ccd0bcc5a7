package engine

import "slices"

// levelsOf parts groups from those that name a level of administration only, such as
// municipality, where others tell the matter, which a place does not: entries of that level seldom say so.
func levelsOf(groups []group) (wanted, levels []group) {
	for i := range groups {
		if g := &groups[i]; !g.term.Quoted && !g.term.Title && !g.term.Prefix && g.level() {
			levels = append(levels, *g)
		} else {
			wanted = append(wanted, *g)
		}
	}
	if !slices.ContainsFunc(wanted, func(g group) bool { return !g.where() }) {
		return groups, nil
	}
	return wanted, levels
}

// level tells whether a word names a level of administration and is in no longer name.
func (g *group) level() bool {
	return slices.ContainsFunc(g.concepts, func(c source) bool { return c.level }) &&
		!slices.ContainsFunc(g.concepts, func(c source) bool { return c.several })
}
