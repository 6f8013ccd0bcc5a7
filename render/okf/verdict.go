package okf

import (
	"math"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// verdict is the scores of the day that a concept shows.
type verdict struct {
	day        string
	mqa, trust score.Tenths
	axes       [5]*float64
}

// verdictOf takes the scores of the first recorded day on or after the last
// source change, so that later checks do not change the concept (decisions §6).
// Without such a day the snapshot's own day is the first; once it is recorded
// it stays.
func verdictOf(s *snapshot.Scored, changed time.Time) verdict {
	since := changed.UTC().Format(time.DateOnly)
	for i := range s.Row.Scores {
		if s.Row.Scores[i].Day >= since {
			return fromDay(&s.Row.Scores[i])
		}
	}
	if t := s.Row.Today; t != nil && t.Day >= since {
		return fromDay(t)
	}
	computed := s.ScoreDay()
	return fromDay(&computed)
}

// Lasts is the last UTC day on which a concept shows the same verdict: the snapshot's own where
// the source changed after it.
func Lasts(s *snapshot.Scored) time.Time {
	if sourceChanged(s).UTC().Truncate(24 * time.Hour).After(s.Day) {
		return s.Day
	}
	return score.Forever
}

func fromDay(d *catalog.ScoreDay) verdict {
	return verdict{d.Day, tenths(d.MQA), tenths(d.Trust), d.Axes}
}

func tenths(points float64) score.Tenths { return score.Tenths(math.Round(points * 10)) }

// sourceChanged is the latest time at which a source, a curator or the life
// cycle changed what a concept shows. It is not UpdatedAt, which checks move.
func sourceChanged(s *snapshot.Scored) time.Time {
	e := s.Entry()
	latest := e.ContentChangedAt
	for _, t := range []time.Time{e.CreatedAt, e.DeprecatedAt} {
		if t.After(latest) {
			latest = t
		}
	}
	for i := range s.Row.Overrides {
		for _, t := range []time.Time{s.Row.Overrides[i].CreatedAt, s.Row.Overrides[i].RevokedAt} {
			if t.After(latest) {
				latest = t
			}
		}
	}
	return latest.UTC().Truncate(time.Second)
}
