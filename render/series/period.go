package series

import (
	"cmp"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Period is a stretch of time by its first and last day, month or year in the form
// of ISO 8601; To is "" for one that goes on, From for one of unknown beginning.
// The zero Period is none.
type Period struct{ From, To string }

// IsZero tells that nothing is known.
func (p Period) IsZero() bool { return p == Period{} }

// String is the period as people write it: 2019, 2019-03, 2010–2015, 2010– or –2015.
func (p Period) String() string {
	if p.From == p.To {
		return p.From
	}
	return p.From + "–" + p.To
}

// Years is the period by its years only, where it begins and ends in the midst of
// different ones.
func (p Period) Years() Period {
	const year = len("2006")
	if min(len(p.From), len(p.To)) < len(time.DateOnly) || p.From[:year] == p.To[:year] {
		return p
	}
	return Period{p.From[:year], p.To[:year]}
}

// Compare orders periods by their beginning, then by their end; one that goes on
// is last.
func (p Period) Compare(q Period) int {
	return cmp.Or(strings.Compare(p.From, q.From), strings.Compare(endless(p.To), endless(q.To)))
}

func endless(to string) string { return cmp.Or(to, "~") }

// Of is the period of an entry: the stated one, else that of its name, else that of
// the first alternative title that has one.
func Of(e *catalog.Entry) Period {
	if d := e.Dataset; d != nil {
		if p := between(d.TemporalStart, d.TemporalEnd); !p.IsZero() {
			return p
		}
	}
	for _, title := range append([]string{e.Name}, e.AlternativeTitles...) {
		if p := Split(title).Period; !p.IsZero() {
			return p
		}
	}
	return Period{}
}

// between is the period of two days, as coarse as it can be said.
func between(from, to time.Time) Period {
	switch {
	case from.IsZero() && to.IsZero():
		return Period{}
	case from.IsZero():
		return Period{To: lastOf(to)}
	case to.IsZero():
		return Period{From: firstOf(from)}
	}
	from, to = from.UTC(), to.UTC()
	first, last := from.Day() == 1, to.AddDate(0, 0, 1).Day() == 1
	switch {
	case first && last && from.Month() == time.January && to.Month() == time.December:
		return Period{from.Format("2006"), to.Format("2006")}
	case first && last:
		return Period{from.Format("2006-01"), to.Format("2006-01")}
	}
	return Period{from.Format(time.DateOnly), to.Format(time.DateOnly)}
}

func firstOf(t time.Time) string {
	t = t.UTC()
	if t.Day() == 1 && t.Month() == time.January {
		return t.Format("2006")
	}
	return t.Format(time.DateOnly)
}

func lastOf(t time.Time) string {
	t = t.UTC()
	if t.Day() == 31 && t.Month() == time.December {
		return t.Format("2006")
	}
	return t.Format(time.DateOnly)
}
