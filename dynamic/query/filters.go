package query

import (
	"maps"
	"strings"

	"github.com/assay-register/assay/render/snapshot"
)

// cased are filters whose codes have one case; a reader may write them in any.
var cased = map[string]func(string) string{
	"format": strings.ToUpper, "theme": strings.ToUpper, "frequency": strings.ToUpper, "lang": strings.ToLower,
}

// narrow puts the values of a filter into the query.
func (p *parser) narrow(name string, values []string) {
	q := &p.out.Query
	switch name {
	case "series":
		q.Series = values
	case "collapse":
		q.Collapse = true
	default:
		if own := cased[name]; own != nil {
			values = both(values, own)
		}
		if q.Where == nil {
			q.Where = map[string][]string{}
		}
		q.Where[name] = values
	}
}

// both accepts a code as it is written and in the register's own case.
func both(values []string, own func(string) string) []string {
	out := values
	for _, v := range values {
		if o := own(v); o != v {
			out = append(out[:len(out):len(out)], o)
		}
	}
	return out
}

// known puts tags into lower case, in which the register keeps them, unless an
// entry carries one as it is written.
func (s *Snapshot) known(q snapshot.Query) snapshot.Query {
	if asked := q.Where[snapshot.ByTags]; len(asked) > 0 {
		tags := make([]string, len(asked))
		for i, t := range asked {
			tags[i] = t
			if lower := strings.ToLower(t); lower != t {
				if _, ok := s.tags()[t]; !ok {
					tags[i] = lower
				}
			}
		}
		q.Where = maps.Clone(q.Where)
		q.Where[snapshot.ByTags] = tags
	}
	return s.Resolve(q)
}
