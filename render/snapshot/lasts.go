package snapshot

import (
	"time"

	"github.com/assay-register/assay/render/score"
)

// Lasts is the last UTC day on which an entry of the same rows is shown as it is now, once the
// scores of the snapshot's day are stored: decisions-2 §F, a page changes only when a value does.
func (s *Scored) Lasts() time.Time {
	in := score.Input{Row: s.Row, Institution: s.Institution, Licence: s.Licence, Source: s.Source, Day: s.Day}
	last := score.Earlier(score.Lasts(&in, &s.Result), score.Earlier(gainLasts(s), monthLasts(s)))
	// What was stored of the day stays when its checks change: the next day brings that change.
	if now := s.ScoreDay(); s.Row.Today != nil && !s.Row.Today.Same(&now) {
		return s.Day
	}
	return last
}

// monthLasts is the last day of the month in which a source is checked: then it is told.
func monthLasts(s *Scored) time.Time {
	if len(s.Row.Checks)+len(s.Row.Days) == 0 {
		return score.Forever
	}
	return s.Day.AddDate(0, 1, -s.Day.Day())
}

// gainLasts is the last day on which the week of gained begins with the ranking that it does now.
func gainLasts(s *Scored) time.Time {
	since, now := s.Day.AddDate(0, 0, -gainDays).Format(time.DateOnly), s.Result.Ranking.Float()
	var first *float64
	last := ""
	for i := range s.Row.Scores {
		d := &s.Row.Scores[i]
		switch {
		case d.Day < since || d.Ranking == nil:
		case first == nil || *first == *d.Ranking:
			first, last = d.Ranking, d.Day
		default:
			return gainUntil(last)
		}
	}
	if first == nil || *first == now {
		return score.Forever
	}
	return gainUntil(last)
}

func gainUntil(day string) time.Time {
	last, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return time.Time{}
	}
	return last.AddDate(0, 0, gainDays)
}
