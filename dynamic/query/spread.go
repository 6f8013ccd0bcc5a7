package query

import (
	"slices"
	"strings"
	"unicode"

	"github.com/assay-register/assay/render/snapshot"
)

// The first results come from several series and publishers where others fit nearly as well.
const (
	// window is how many of the best results may come first, spreadTo how many are chosen
	// from them.
	window   = 50
	spreadTo = 10
	// sameSeries is what each result of a series, or of the same title but for numbers, that
	// came before leaves of a score,
	// samePublisher what each of a publisher leaves, from the second on.
	sameSeries    = 0.6
	samePublisher = 0.94
)

// spread reorders the best results, best first: it takes the next one of the window by its
// score, less what the results before it have in common with it. All pages see one order,
// for the window does not depend on the page.
func spread(best []result) {
	seen := seen{map[*snapshot.Series]int{}, map[string]int{}, map[string]int{}}
	list := best[:min(len(best), window)]
	for n := range min(len(list), spreadTo) {
		at, most := n, float32(-1)
		for k := n; k < len(list); k++ {
			// No later one can beat what its score alone does not.
			if list[k].score <= most {
				break
			}
			if score := list[k].score * seen.left(&list[k]); score > most {
				at, most = k, score
			}
		}
		x := list[at]
		copy(list[n+1:at+1], list[n:at])
		list[n] = x
		seen.add(&x)
	}
	if rest := list[min(len(list), spreadTo):]; len(rest) > 0 {
		slices.SortStableFunc(rest, func(a, b result) int { return worse(b, a) })
	}
}

// seen counts what the results that came before have in common with later ones.
type seen struct {
	series     map[*snapshot.Series]int
	publishers map[string]int
	// titles are those of a publisher without numbers.
	titles map[string]int
}

func (s *seen) add(r *result) {
	if g := r.series(); g != nil {
		s.series[g]++
	}
	s.publishers[r.line().InstitutionID]++
	s.titles[r.title()]++
}

// left is the share of a result's score that the results before it leave.
func (s *seen) left(r *result) float32 {
	share := float32(1)
	alike := s.titles[r.title()]
	if g := r.series(); g != nil {
		alike = max(alike, s.series[g])
	}
	for range alike {
		share *= sameSeries
	}
	if id := r.line().InstitutionID; id != "" {
		for range s.publishers[id] - 1 {
			share *= samePublisher
		}
	}
	return share
}

// series is the one that a result is in, nil for none.
func (r *result) series() *snapshot.Series { return r.in.SeriesOf(int(r.ordinal)) }

// title is what the titles of a publisher have in common that differ by numbers.
func (r *result) title() string {
	l := r.line()
	return l.InstitutionID + strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return -1
		}
		return c
	}, l.Sort)
}
