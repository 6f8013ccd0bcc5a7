package snapshot

import (
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// ScoreDay is the day's scores as the store keeps them.
func (s *Scored) ScoreDay() catalog.ScoreDay {
	ranking := s.Result.Ranking.Float()
	d := catalog.ScoreDay{EntryID: s.Entry().ID, Day: s.Day.Format(time.DateOnly), MQA: s.Result.MQA.Float(),
		Trust: s.Result.Trust.Float(), Ranking: &ranking}
	for i := range s.Result.Axes {
		if s.Result.Axes[i].Known {
			v := s.Result.Axes[i].Value.Float()
			d.Axes[i] = &v
		}
	}
	return d
}

// Judged are the stored days of scores with the snapshot's own as the last: as the first
// build of the day stored it, or is about to.
func (s *Scored) Judged() []catalog.ScoreDay {
	last := s.ScoreDay()
	if s.Row.Today != nil {
		last = *s.Row.Today
	}
	today := s.Day.Format(time.DateOnly)
	days := slices.DeleteFunc(slices.Clone(s.Row.Scores), func(d catalog.ScoreDay) bool { return d.Day >= today })
	return append(days, last)
}

// RankedSince is the start of the UTC day on which the ranking took the value that is
// shown, as far as days are stored (decisions-2 §F).
func (s *Scored) RankedSince() time.Time {
	return s.since(func(d *catalog.ScoreDay) bool { return d.Ranking != nil && *d.Ranking == s.Result.Ranking.Float() })
}

// ScoredSince is the same of all scores.
func (s *Scored) ScoredSince() time.Time {
	now := s.ScoreDay()
	return s.since(now.Same)
}

// judgedSince is the same of the quality score, the only one that others show.
func (s *Scored) judgedSince() time.Time {
	return s.since(func(d *catalog.ScoreDay) bool { return d.MQA == s.Result.MQA.Float() })
}

// since is the first of the latest stored days for which same holds, the snapshot's own
// where there is none.
func (s *Scored) since(same func(*catalog.ScoreDay) bool) time.Time {
	since, today := s.Day, s.Day.Format(time.DateOnly)
	for i := range slices.Backward(s.Row.Scores) {
		d := &s.Row.Scores[i]
		if d.Day >= today {
			continue
		}
		day, err := time.Parse(time.DateOnly, d.Day)
		if err != nil || !same(d) {
			break
		}
		since = day
	}
	return since
}
