package query

import (
	"slices"

	"github.com/assay-register/assay/render/snapshot"
)

// The first results come from several series and publishers where others fit nearly as well.
const (
	// window is how many of the best results may come first, so many that hundreds of one
	// kind hide no other; spreadTo how many are chosen from them.
	window   = 500
	spreadTo = 10
	// oneAlike is what one that came before leaves of the score of another of its series,
	// or outside of series of its publisher, manyAlike what each further one leaves,
	// samePublisher what each of a publisher leaves, from the second on. Of a place the publishers
	// are few, and others are of elsewhere: where one is asked for, sameThere is left instead.
	oneAlike      = 0.95
	manyAlike     = 0.9
	samePublisher = 0.99
	sameThere     = 0.985
)

// spread reorders the best results, best first: it takes the next one of the window by its
// score, less what the results before it have in common with it. All pages see one order,
// for the window does not depend on the page. placed tells that a place was asked for.
func spread(best []result, placed bool) {
	list := best[:min(len(best), window)]
	seen := seen{alike: map[string]int{}, publishers: map[string]int{}, publisher: samePublisher}
	if placed {
		seen.publisher = sameThere
	}
	keys := make([]string, len(list))
	for n := range min(len(list), spreadTo) {
		at, most := n, float32(-1)
		for k := n; k < len(list); k++ {
			// No later one can beat what its score alone does not.
			if list[k].score <= most {
				break
			}
			if keys[k] == "" {
				keys[k] = list[k].alike(placed)
			}
			if score := list[k].score * seen.left(&list[k], keys[k]); score > most {
				at, most = k, score
			}
		}
		x, key := list[at], keys[at]
		copy(list[n+1:at+1], list[n:at])
		copy(keys[n+1:at+1], keys[n:at])
		list[n], keys[n] = x, key
		seen.publishers[x.line().InstitutionID]++
		seen.alike[key]++
	}
	if rest := list[min(len(list), spreadTo):]; len(rest) > 0 {
		slices.SortStableFunc(rest, func(a, b result) int { return worse(b, a) })
	}
}

// seen counts what the results that came before have in common with later ones.
type seen struct {
	alike, publishers map[string]int
	// publisher is what each further one of a publisher leaves.
	publisher float32
}

// left is the share of a result's score that the results before it leave.
func (s *seen) left(r *result, key string) float32 {
	share := float32(1)
	if n := s.alike[key]; n > 0 && key != "" {
		share *= oneAlike
		for range n - 1 {
			share *= manyAlike
		}
	}
	if id := r.line().InstitutionID; id != "" {
		for range s.publishers[id] - 1 {
			share *= s.publisher
		}
	}
	return share
}

// alike names what a result is one of many of: its series, else its publisher, "" for none.
func (r *result) alike(placed bool) string {
	if g := r.series(); g != nil {
		return g.ID
	}
	if placed {
		return ""
	}
	return r.line().InstitutionID
}

// series is the one that a result is in, nil for none.
func (r *result) series() *snapshot.Series { return r.in.SeriesOf(int(r.ordinal)) }
