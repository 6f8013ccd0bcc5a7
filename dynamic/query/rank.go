package query

import (
	"math"
	"sort"

	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// changed stands for the ordinal of an entry that changed since the snapshot.
const changed int32 = -1

// ranks is the order of a search: a larger number comes first, and one whose value is not
// known last.
func (s *Snapshot) ranks(q *snapshot.Query) func(l *snapshot.Line, ordinal int32) float64 {
	value := s.valueOf(q.Sort)
	if value == nil {
		return func(*snapshot.Line, int32) float64 { return 0 }
	}
	return func(l *snapshot.Line, ordinal int32) float64 {
		switch v, known := value(l, ordinal); {
		case !known:
			return math.Inf(-1)
		case q.Desc:
			return v
		default:
			return -v
		}
	}
}

// valueOf is what a key orders by, nil for no key.
func (s *Snapshot) valueOf(key snapshot.SortKey) func(l *snapshot.Line, ordinal int32) (float64, bool) {
	switch key {
	case snapshot.SortName:
		return s.named
	case snapshot.SortCreated:
		return func(l *snapshot.Line, _ int32) (float64, bool) { return float64(l.Created), l.Created != 0 }
	case snapshot.SortVerified:
		return func(l *snapshot.Line, _ int32) (float64, bool) { return float64(l.Verified), l.Verified != 0 }
	case snapshot.SortLatency:
		return func(l *snapshot.Line, _ int32) (float64, bool) { return float64(l.P50), l.P50 >= 0 }
	case snapshot.SortRanking:
		return func(l *snapshot.Line, _ int32) (float64, bool) { return l.Ranking.Float(), true }
	}
	return nil
}

// named is the place of an entry in the order of names; one that changed lies between two
// of the snapshot.
func (s *Snapshot) named(l *snapshot.Line, ordinal int32) (float64, bool) {
	order, places := s.ByName()
	if ordinal != changed {
		return float64(places[ordinal]), true
	}
	name := search.Fold(l.Name)
	at := sort.Search(len(order), func(i int) bool { return search.Fold(s.Lines[order[i]].Name) >= name })
	return float64(at) - 0.5, true
}
